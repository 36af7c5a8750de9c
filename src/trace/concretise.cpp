#include "trace/concretise.hpp"

#include <algorithm>
#include <optional>

namespace fathom {

namespace {

class Concretiser {
 public:
  Concretiser(const Counterexample& counterexample, InterpretedModel& model, Canonicaliser* canonicaliser,
              Canonicaliser* exact)
      : counterexample_(counterexample), model_(model), canonicaliser_(canonicaliser), exact_(exact) {}

  ConcreteRun run() {
    ConcreteRun run;
    run.violation = counterexample_.violation;
    run.shortest = counterexample_.shortest;
    run.within = counterexample_.within;
    run.loop = counterexample_.loop;
    if (counterexample_.states.empty()) {
      if (!counterexample_.failing_step) throw ReplayError("the counterexample has neither a state nor a step");
      run.start = *counterexample_.failing_step;
      run.fails_inside = true;
      return run;
    }
    walk(run);
    if (counterexample_.failing_step) {
      run.steps.push_back(failing_step());
      run.fails_inside = true;
    }
    return run;
  }

 private:
  void walk(ConcreteRun& run) {
    batch_.clear();
    model_.initial(batch_);
    run.start = take_step_to(counterexample_.states.front(), "start state");
    for (std::size_t k = 1; k < counterexample_.states.size(); ++k) {
      batch_.clear();
      model_.successors(current_, batch_);
      const InstanceId* const known = k <= counterexample_.steps.size() ? &counterexample_.steps[k - 1] : nullptr;
      run.steps.push_back(take_step_to(counterexample_.states[k], "step " + std::to_string(k), known));
    }
  }

  InstanceId take_step_to(const StateBuffer& wanted, const std::string& what, const InstanceId* known = nullptr) {
    std::optional<InstanceId> step = find_step(wanted, canonicaliser_, known);
    if (!step && exact_ != nullptr) step = find_step(wanted, exact_, known);
    if (!step) throw ReplayError(what + " of the counterexample is not possible in the model");
    return *step;
  }

  std::optional<InstanceId> find_step(const StateBuffer& wanted, Canonicaliser* canonicaliser,
                                      const InstanceId* known) {
    const StateBuffer target = representative(wanted, canonicaliser);
    for (std::uint32_t k = 0; k < batch_.size(); ++k) {
      if (known != nullptr && batch_.instance(k) != *known) continue;
      if (!batch_.outcome(k).has_successor() || representative(batch_.state(k), canonicaliser) != target) continue;
      current_.assign(batch_.state(k).begin(), batch_.state(k).end());
      return batch_.instance(k);
    }
    return std::nullopt;
  }

  static StateBuffer representative(StateView state, Canonicaliser* canonicaliser) {
    StateBuffer result(state.begin(), state.end());
    if (canonicaliser != nullptr) canonicaliser->canonicalise(result.data());
    return result;
  }

  // Under symmetry the failing step has other parameters here than in the representative, so we look for a step that
  // ends in the same fault; one of the same rule is preferred.
  InstanceId failing_step() {
    const InstanceId original = *counterexample_.failing_step;
    batch_.clear();
    model_.successors(current_, batch_);
    std::optional<InstanceId> found;
    for (std::uint32_t k = 0; k < batch_.size(); ++k) {
      const Outcome outcome = batch_.outcome(k);
      if (!outcome.is_fault() || outcome.site() != counterexample_.violation.site) continue;
      const InstanceId instance = batch_.instance(k);
      if (instance == original) return instance;
      if (!found || (edge_of(instance) == edge_of(original) && edge_of(*found) != edge_of(original))) found = instance;
    }
    if (!found) throw ReplayError("the failing step of the counterexample does not fail in the model");
    return *found;
  }

  const Counterexample& counterexample_;
  InterpretedModel& model_;
  Canonicaliser* canonicaliser_;
  Canonicaliser* exact_;
  Batch batch_;
  StateBuffer current_;
};

}  // namespace

ConcreteRun concretise(const Counterexample& counterexample, InterpretedModel& model, Canonicaliser* canonicaliser,
                       Canonicaliser* exact) {
  return Concretiser(counterexample, model, canonicaliser, exact).run();
}

}  // namespace fathom
