// What every directed search does with a single state: the steps in the order the user wants, whether the state is a
// deadlock, which of its steps a reduction finds sufficient, and what an evaluator says of it.
#pragma once

#include <algorithm>
#include <optional>
#include <random>
#include <vector>

#include "heuristic/evaluator.hpp"
#include "search/deadlock.hpp"
#include "search/search.hpp"
#include "support/hash.hpp"

namespace fathom {

template <Model M>
class Expander {
 public:
  Expander(M& model, const SearchOptions& options)
      : model_(model), options_(options), words_(model.state_words()), random_(options.seed) {}

  [[nodiscard]] M& model() { return model_; }
  [[nodiscard]] std::uint32_t words() const { return words_; }

  void starts(Batch& batch) {
    batch.clear();
    model_.initial(batch);
  }

  // The steps of the state in the wanted order. What a model prints and counts it does at the first time only.
  void steps(StateView state, bool again, Batch& batch) {
    batch.clear();
    if (again) model_.quiet(true);
    model_.successors(state, batch);
    if (again) model_.quiet(false);
    if (options_.order == Order::declared) return;
    for (std::uint32_t k = 0, left = batch.size(); left > 1; ++k, --left) {
      const std::uint32_t other =
          options_.order == Order::reverse ? batch.size() - 1 - k : k + static_cast<std::uint32_t>(random_() % left);
      if (other > k) batch.swap_steps(k, other);
    }
  }

  // That is about the concrete successors, so it comes before canonicalisation.
  [[nodiscard]] bool is_stuck(StateView state, Batch& steps) {
    bool moves = false;
    for (std::uint32_t k = 0; k < steps.size() && !moves; ++k)
      moves = steps.outcome(k).is_fault() || !same_words(state.data(), steps.words(k), words_);
    return is_deadlock(model_, options_, state, !steps.empty(), moves);
  }

  // Moves the steps that are enough to the front and returns how many they are: all, unless there is a reduction.
  std::uint32_t move_chosen_to_front(StateView state, Batch& steps) {
    Reduction* const reduction = options_.reduction;
    if (reduction == nullptr || !reduction->pays() || !reduction->select(state, steps, 0, steps.size(), chosen_))
      return steps.size();
    // A step that leads nowhere has nothing behind it that could make up for what is put off.
    for (const std::uint32_t k : chosen_)
      if (!steps.outcome(k).has_successor()) return steps.size();
    for (std::uint32_t k = 0; k < chosen_.size(); ++k)
      if (chosen_[k] != k) steps.swap_steps(k, chosen_[k]);
    return static_cast<std::uint32_t>(chosen_.size());
  }

  // The state a step leads to, as it is stored.
  StateView successor(Batch& steps, std::uint32_t k) {
    if (options_.canonicaliser != nullptr) options_.canonicaliser->canonicalise(steps.words(k));
    return {steps.words(k), words_};
  }

  // Between two states of a run several steps may lie: the cheapest ones. For runs of the model itself, without
  // symmetry.
  template <class Costs>
  std::vector<InstanceId> cheapest_steps(const std::vector<StateBuffer>& run, const Costs& costs) {
    using Algebra = typename Costs::Algebra;
    std::vector<InstanceId> result;
    Batch steps;
    for (std::size_t k = 0; k + 1 < run.size(); ++k) {
      steps.clear();
      model_.successors(run[k], steps);
      std::optional<InstanceId> cheapest;
      for (std::uint32_t s = 0; s < steps.size(); ++s) {
        if (!steps.outcome(s).has_successor() || !same_words(steps.words(s), run[k + 1].data(), words_)) continue;
        if (!cheapest || Algebra::better(costs.of_step(run[k], steps.instance(s)), costs.of_step(run[k], *cheapest)))
          cheapest = steps.instance(s);
      }
      if (cheapest) result.push_back(*cheapest);
    }
    return result;
  }

  // Of a state that was reached by a step.
  [[nodiscard]] Cost estimate(Evaluator& evaluator, StateView state, InstanceId step, Cost before) {
    if (evaluator.wants_step()) evaluator.came_by(step, before);
    return estimate(evaluator, state);
  }

  [[nodiscard]] Cost estimate(Evaluator& evaluator, StateView state) {
    enabled_.clear();
    if (evaluator.wants_enabled()) {
      model_.quiet(true);
      model_.enabled(state, enabled_);
      model_.quiet(false);
    }
    return evaluator.estimate(state, enabled_);
  }

 private:
  M& model_;
  const SearchOptions& options_;
  const std::uint32_t words_;
  std::mt19937_64 random_;
  Batch enabled_;  // in the state being evaluated
  std::vector<std::uint32_t> chosen_;
};

}  // namespace fathom
