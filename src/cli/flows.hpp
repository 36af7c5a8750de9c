// Flow files: named partial orders of rules, each with the properties it serves, and what they mark. docs/flows.md has
// the format.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "support/diagnostics.hpp"
#include "support/source.hpp"

namespace fathom {

// The name of a rule, a flow or a property where it is used.
struct FlowName {
  std::string text;
  SourceRange range;
};

struct FlowMark {
  FlowName rule;
  std::optional<SourceRange> condition;  // an expression in the model's language
};

struct Flow {
  FlowName name;
  std::vector<FlowName> properties;                        // empty: it serves all
  std::vector<FlowName> rules;                             // each once, where it is named first
  std::vector<std::pair<std::size_t, std::size_t>> order;  // the first of these rules comes before the second
  std::vector<FlowMark> marks;                             // as written; none: see marks_of

  // What the flow marks: what it says, or else all its rules but those with which it begins. These can be taken at any
  // time, so that marking them steers nothing (Talupur, Han 2011, section 6).
  [[nodiscard]] std::vector<FlowMark> marks_of() const;
};

std::vector<Flow> parse_flows(const Sources& sources, FileId file, Diagnostics& diagnostics);

// The value of --mark: names and `name when expression`, with commas between them.
std::vector<FlowMark> parse_marks(const Sources& sources, FileId file, Diagnostics& diagnostics);

}  // namespace fathom
