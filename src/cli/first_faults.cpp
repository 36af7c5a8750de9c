#include "cli/first_faults.hpp"

#include <algorithm>
#include <deque>
#include <random>
#include <set>

#include "model/interpreted.hpp"
#include "native/footprint.hpp"
#include "state/bits.h"

namespace fathom {

namespace {

constexpr std::size_t enough_states = 2000;
constexpr int walks = 20;
constexpr int steps_per_walk = 250;

// Where a process can still come to a call by its own control flow, whatever the guards say. Functions make new
// processes, so what comes after a state in which nobody can call one needs no look.
class Callers {
 public:
  explicit Callers(const ir::Program& program) {
    for (const ir::Component& component : program.components) add(program, component);
  }

  [[nodiscard]] bool may_call(StateView state) const {
    return std::ranges::any_of(callers_, [&](const Caller& caller) {
      const ir::Variable* const location = caller.location;
      const std::uint64_t code =
          location == nullptr ? 1 : fathom_get(state.data(), location->offset, location->type->bits);
      return code != 0 && caller.from[code - 1];
    });
  }

 private:
  struct Caller {
    const ir::Variable* location = nullptr;
    std::vector<bool> from;
  };

  static bool assigns(const ir::Block& block, const ir::Variable* variable) {
    return std::ranges::any_of(block, [&](const ir::Stmt* stmt) {
      if (stmt->kind == ir::Stmt::Kind::assign && stmt->place->variable == variable) return true;
      return assigns(stmt->body, variable) || std::ranges::any_of(stmt->branches, [&](const ir::Branch& branch) {
               return assigns(branch.body, variable);
             });
    });
  }

  // Whether some step takes the component elsewhere than the target of its edge: one of another component, or one with
  // a choice inside.
  static bool is_moved(const ir::Program& program, const ir::Component& component) {
    return std::ranges::any_of(program.edges(),
                               [&](const ir::Edge* edge) { return assigns(edge->routine.body, component.location); });
  }

  static bool calls(const ir::Edge& edge) {
    Footprint footprint;
    if (edge.guard != nullptr) footprint.add(*edge.guard);
    footprint.add(edge.routine.body);
    return !footprint.callees.empty();
  }

  void add(const ir::Program& program, const ir::Component& component) {
    std::vector<bool> from(std::max<std::size_t>(component.locations.size(), 1));
    bool some = false;
    for (const auto& edge : component.edges)
      if (calls(*edge)) some = from[edge->source] = true;
    if (!some) return;
    if (is_moved(program, component)) from.assign(from.size(), true);
    for (bool grows = true; grows;) {
      grows = false;
      for (const auto& edge : component.edges)
        if (from[edge->target] && !from[edge->source]) grows = from[edge->source] = true;
    }
    callers_.push_back({component.location, std::move(from)});
  }

  std::vector<Caller> callers_;
};

void note(const Batch& steps, const Callers& callers, std::set<StateBuffer>& known, std::deque<StateBuffer>& waiting,
          std::vector<std::uint64_t>& faults) {
  for (std::uint32_t k = 0; k < steps.size(); ++k) {
    const Outcome outcome = steps.outcome(k);
    if (outcome.is_fault()) ++faults[static_cast<std::size_t>(outcome.site())];
    if (!outcome.has_successor()) continue;
    const StateView view = steps.state(k);
    if (!callers.may_call(view)) continue;
    StateBuffer state(view.begin(), view.end());
    if (known.insert(state).second) waiting.push_back(std::move(state));
  }
}

// What lies deeper: random runs, always the same ones.
void walk(InterpretedModel& model, const Callers& callers, const StateBuffer& start, std::mt19937_64& random,
          std::vector<std::uint64_t>& faults) {
  StateBuffer state = start;
  Batch steps;
  for (int count = 0; count < steps_per_walk && callers.may_call(state); ++count) {
    steps.clear();
    model.successors(state, steps);
    std::vector<std::uint32_t> ways;
    for (std::uint32_t k = 0; k < steps.size(); ++k) {
      const Outcome outcome = steps.outcome(k);
      if (outcome.is_fault()) ++faults[static_cast<std::size_t>(outcome.site())];
      if (outcome.has_successor()) ways.push_back(k);
    }
    if (ways.empty()) return;
    const StateView next = steps.state(ways[random() % ways.size()]);
    state.assign(next.begin(), next.end());
  }
}

}  // namespace

std::vector<std::uint64_t> first_faults(const ir::Program& program) {
  InterpretedModel model(program);
  model.quiet(true);
  const Callers callers(program);
  std::vector<std::uint64_t> faults(program.sites.size());
  std::set<StateBuffer> known;
  std::deque<StateBuffer> waiting;
  Batch steps;
  model.initial(steps);
  note(steps, callers, known, waiting, faults);
  const std::vector<StateBuffer> starts(waiting.begin(), waiting.end());
  while (!waiting.empty() && known.size() < enough_states) {
    steps.clear();
    model.successors(waiting.front(), steps);
    waiting.pop_front();
    note(steps, callers, known, waiting, faults);
  }
  std::mt19937_64 random(1);
  for (int count = 0; !waiting.empty() && count < walks; ++count)
    for (const StateBuffer& start : starts) walk(model, callers, start, random, faults);
  return faults;
}

}  // namespace fathom
