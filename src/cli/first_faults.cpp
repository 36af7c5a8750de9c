#include "cli/first_faults.hpp"

#include <deque>
#include <random>
#include <set>

#include "model/interpreted.hpp"

namespace fathom {

namespace {

constexpr std::size_t enough_states = 2000;
constexpr int walks = 20;
constexpr int steps_per_walk = 250;

void note(const Batch& steps, std::set<StateBuffer>& known, std::deque<StateBuffer>& waiting,
          std::vector<std::uint64_t>& faults) {
  for (std::uint32_t k = 0; k < steps.size(); ++k) {
    const Outcome outcome = steps.outcome(k);
    if (outcome.is_fault()) ++faults[static_cast<std::size_t>(outcome.site())];
    if (!outcome.has_successor()) continue;
    const StateView view = steps.state(k);
    StateBuffer state(view.begin(), view.end());
    if (known.insert(state).second) waiting.push_back(std::move(state));
  }
}

// What lies deeper: random runs, always the same ones.
void walk(InterpretedModel& model, const StateBuffer& start, std::mt19937_64& random,
          std::vector<std::uint64_t>& faults) {
  StateBuffer state = start;
  Batch steps;
  for (int count = 0; count < steps_per_walk; ++count) {
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
  std::vector<std::uint64_t> faults(program.sites.size());
  std::set<StateBuffer> known;
  std::deque<StateBuffer> waiting;
  Batch steps;
  model.initial(steps);
  note(steps, known, waiting, faults);
  const std::vector<StateBuffer> starts(waiting.begin(), waiting.end());
  while (!waiting.empty() && known.size() < enough_states) {
    steps.clear();
    model.successors(waiting.front(), steps);
    waiting.pop_front();
    note(steps, known, waiting, faults);
  }
  std::mt19937_64 random(1);
  for (int count = 0; !waiting.empty() && count < walks; ++count)
    for (const StateBuffer& start : starts) walk(model, start, random, faults);
  return faults;
}

}  // namespace fathom
