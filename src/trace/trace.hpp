// A replayed run in words: what text, JSON and other reports print. Plain data, made once by describe().
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "state/leaves.hpp"
#include "trace/replay.hpp"

namespace fathom {

using NamedValues = std::vector<std::pair<std::string, std::string>>;

struct TraceStart {
  std::string name;
  NamedValues parameters;
  std::string location;
  NamedValues state;
};

struct TraceStep {
  std::string rule;
  NamedValues parameters;
  std::vector<std::string> agents;
  std::string location;
  std::vector<LeafChange> changes;
  NamedValues state;  // after the step; only when full states were asked for
};

struct Trace {
  TraceStart start;
  std::vector<TraceStep> steps;
  // Of a run that never ends: the state after so many steps comes again after the last one. If it is the last state,
  // the run stays there.
  std::optional<std::size_t> loop;
  std::string guarantee;  // "shortest", "bounded" or "any"
};

Trace describe(const ir::Program& program, const ConcreteRun& run, const Replayed& replayed, bool full_states);

}  // namespace fathom
