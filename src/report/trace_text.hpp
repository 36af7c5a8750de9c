// The steps of a trace for people, one at a time: a title with its place, what changed, and what it printed.
#pragma once

#include <string>

#include "report/style.hpp"
#include "trace/trace.hpp"

namespace fathom {

enum class TraceDetail { off, diff, full };

// "SendInv (i: NODE_1)"
std::string rule_title(const std::string& name, const NamedValues& parameters);

class TraceText {
 public:
  // `language`: of a Promela model the processes of a step are shown.
  TraceText(std::string language, TraceDetail detail, Style style)
      : language_(std::move(language)), detail_(detail), style_(style) {}

  [[nodiscard]] std::string start(const TraceStart& start) const;
  [[nodiscard]] std::string step(std::size_t number, const TraceStep& step) const;
  // "[1] x = 2", or the rule with its parameters.
  [[nodiscard]] std::string title(const TraceStep& step) const;
  // One line for each value; those without one are counted.
  [[nodiscard]] std::string values(const NamedValues& state) const;

 private:
  [[nodiscard]] std::string heading(const std::string& mark, const std::string& title,
                                    const std::string& location) const;
  [[nodiscard]] static std::string change(const LeafChange& change);

  std::string language_;
  TraceDetail detail_;
  Style style_;
};

}  // namespace fathom
