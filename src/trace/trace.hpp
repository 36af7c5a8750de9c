// A replayed run in words: what text, JSON and other reports print. Plain data, made once by describe().
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "analysis/agents.hpp"
#include "state/leaves.hpp"
#include "trace/replay.hpp"

namespace fathom {

using NamedValues = std::vector<std::pair<std::string, std::string>>;

struct TraceStart {
  std::string name;
  NamedValues parameters;
  std::string location;
  NamedValues state;
  std::string output = {};  // what it printed
};

struct TraceStep {
  std::string rule;
  NamedValues parameters;
  std::vector<std::string> agents;
  std::string location;
  std::vector<LeafChange> changes;
  NamedValues state;                     // after the step; only when full states were asked for
  std::string output = {};               // what it printed
  std::vector<std::string> actors = {};  // the agents by their full names, where they are processes: "Server[1]"
};

// A run that was found on the way to a cheaper one.
struct Improvement {
  std::uint64_t cost = 0;
  std::uint64_t at_least = 0;  // no run costs less, as was known then
  double seconds = 0;          // since the search began
};

// Of a run whose steps have costs.
struct TraceCost {
  std::uint64_t run = 0;
  std::uint64_t least = 0;         // what any run costs at least
  std::vector<Improvement> found;  // from first to last
};

struct Trace {
  TraceStart start;
  std::vector<TraceStep> steps;
  // Of a run that never ends: the state after so many steps comes again after the last one. If it is the last state,
  // the run stays there.
  std::optional<std::size_t> loop;
  std::string guarantee;                 // "shortest", "bounded" or "any"
  std::vector<std::string> actors = {};  // all processes by their full names; none where they have no names
  std::optional<TraceCost> cost = {};
  std::vector<std::string> left_changed = {};  // by the loop: variables that nothing reads
};

// Puts single steps into words.
class Describer {
 public:
  // `agents`: null for the convention that the outermost parameter of a rule owns it.
  explicit Describer(const ir::Program& program, const Agents* agents = nullptr, bool full_states = false);

  [[nodiscard]] TraceStart start(InstanceId start, StateView state, std::string output = "") const;
  // An edge that led from one state to another.
  [[nodiscard]] TraceStep step(InstanceId edge, StateView before, StateView after, std::string output = "") const;
  // Without its changes.
  [[nodiscard]] TraceStep title(InstanceId edge) const;
  [[nodiscard]] std::vector<std::string> actors() const;
  // A whole run, from its step number `first` on.
  [[nodiscard]] std::vector<TraceStep> steps(const Replayed& record, std::size_t first = 0) const;
  [[nodiscard]] const Leaves& leaves() const { return leaves_; }

 private:
  void name_agents(const ir::Edge& edge, std::uint32_t owner, TraceStep& step) const;

  const ir::Program& program_;
  const Agents* agents_;
  bool full_states_;
  Leaves leaves_;
  std::vector<const ir::Edge*> edges_;
  std::vector<std::uint32_t> owners_;  // the component of each edge
};

Trace describe(const Describer& describer, const ConcreteRun& run, const Replayed& replayed);
Trace describe(const ir::Program& program, const ConcreteRun& run, const Replayed& replayed, bool full_states);

}  // namespace fathom
