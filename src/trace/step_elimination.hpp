// Leaves steps out of a run. What many agents do side by side is mostly irrelevant to a violation, and a run from a
// deep search is full of it. We take a piece out of the run and repeat the rest, without the steps that are then no
// longer possible; if the violation still comes about, the shorter run is kept. Pieces are large first and single steps
// at the end, as in delta debugging (Zeller and Hildebrandt, Simplifying and Isolating Failure-Inducing Input, 2002).
//
// Steps are those of a concrete run: under symmetry the run of representatives is made concrete first.
#pragma once

#include <functional>
#include <optional>
#include <utility>

#include "trace/violation_test.hpp"

namespace fathom {

template <Model M>
class StepElimination {
 public:
  // `spend` is asked before each expansion of a state; false ends the elimination.
  StepElimination(M& model, const SearchOptions& options, std::function<bool()> spend)
      : model_(model), options_(options), spend_(std::move(spend)) {}

  // A shorter run, as representatives; nothing if there is none.
  std::optional<Counterexample> run(const Counterexample& found) {
    ViolationTest<M> test(model_, options_, found.violation);
    if (!make_concrete(found, test)) return std::nullopt;
    const std::size_t before = best_.steps.size();
    for (std::size_t piece = before / 2; piece > 0; piece /= 2)
      for (std::size_t at = 0; at < best_.steps.size();)
        if (!leave_out(at, piece, test)) at += piece;
    if (best_.steps.size() == before) return std::nullopt;
    return representatives(found.violation);
  }

 private:
  // The state before each step, and the one after the last unless that fails.
  struct Run {
    std::vector<StateBuffer> states;
    std::vector<InstanceId> steps;
  };

  bool make_concrete(const Counterexample& found, ViolationTest<M>& test) {
    batch_.clear();
    model_.initial(batch_);
    for (const StateBuffer& wanted : found.states) {
      const std::optional<std::uint32_t> step = step_to(wanted);
      if (!step) return false;
      if (!best_.states.empty()) best_.steps.push_back(batch_.instance(*step));
      best_.states.emplace_back(batch_.words(*step), batch_.words(*step) + wanted.size());
      if (!generate(best_.states.back())) return false;
    }
    if (!found.failing_step) return true;
    for (std::uint32_t k = 0; k < batch_.size(); ++k) {
      if (!test.shows(batch_.outcome(k))) continue;
      best_.steps.push_back(batch_.instance(k));
      return true;
    }
    return false;
  }

  [[nodiscard]] bool generate(StateView state) {
    batch_.clear();
    if (!spend_()) return false;
    model_.successors(state, batch_);
    return true;
  }

  // The first of the generated steps to a state of this representative.
  std::optional<std::uint32_t> step_to(const StateBuffer& wanted) {
    for (std::uint32_t k = 0; k < batch_.size(); ++k)
      if (batch_.outcome(k).has_successor() && representative({batch_.words(k), wanted.size()}) == wanted) return k;
    return std::nullopt;
  }

  [[nodiscard]] StateBuffer representative(StateView state) const {
    StateBuffer result(state.begin(), state.end());
    if (options_.canonicaliser != nullptr) options_.canonicaliser->canonicalise(result.data());
    return result;
  }

  // Repeats what comes after the piece. True if the violation came about by fewer steps, which then are the best run.
  bool leave_out(std::size_t at, std::size_t piece, ViolationTest<M>& test) {
    rest_.states.clear();
    rest_.steps.clear();
    StateBuffer state = best_.states[at];
    bool violated = false;
    for (std::size_t k = at + piece; k < best_.steps.size() && !violated; ++k) {
      const std::optional<Outcome> outcome = take(best_.steps[k], state);
      if (!outcome) return false;
      const bool moved = outcome->has_successor();
      violated = test.shows(*outcome) || (moved && test.shows(state));
      if (moved && !test.shows(*outcome)) rest_.states.push_back(state);
      if (violated || moved) rest_.steps.push_back(best_.steps[k]);
    }
    if (test.deadlock()) violated = generate(state) && test.is_deadlock(state, batch_);
    if (!violated || at + rest_.steps.size() >= best_.steps.size()) return false;
    best_.states.resize(at + 1);
    best_.steps.resize(at);
    std::ranges::move(rest_.states, std::back_inserter(best_.states));
    best_.steps.insert(best_.steps.end(), rest_.steps.begin(), rest_.steps.end());
    return true;
  }

  // How a step ends; the state changes only if there is a successor. Nothing if no more effort is allowed.
  std::optional<Outcome> take(InstanceId step, StateBuffer& state) {
    if (!spend_()) return std::nullopt;
    batch_.clear();
    model_.enabled(state, batch_);
    Outcome outcome = Outcome::blocked();
    for (std::uint32_t k = 0; k < batch_.size(); ++k)
      if (batch_.instance(k) == step) outcome = batch_.outcome(k);
    if (!outcome.has_successor()) return outcome;
    const StateBuffer before = state;
    outcome = model_.apply(state, step, undo_);
    if (!outcome.has_successor()) state = before;
    return outcome;
  }

  [[nodiscard]] Counterexample representatives(const Violation& violation) const {
    Counterexample run{violation, {}, std::nullopt, false};
    for (const StateBuffer& state : best_.states) run.states.push_back(representative(state));
    if (best_.steps.size() == best_.states.size()) run.failing_step = best_.steps.back();
    return run;
  }

  M& model_;
  const SearchOptions& options_;
  const std::function<bool()> spend_;
  Batch batch_;
  Undo undo_;
  Run best_, rest_;
};

}  // namespace fathom
