#include "trace/replay.hpp"

#include <algorithm>

namespace fathom {

namespace {

class Replay {
 public:
  Replay(const ConcreteRun& run, InterpretedModel& model, DeadlockMode deadlock)
      : run_(run), model_(model), deadlock_(deadlock) {}

  Replayed replay() {
    take_start();
    for (std::size_t k = 0; k < run_.steps.size(); ++k) take_step(k);
    if (!run_.fails_inside) verify_end();
    return std::move(result_);
  }

 private:
  void take_start() {
    state_.assign(model_.state_words(), 0);
    const Outcome outcome = model_.start(run_.start, state_);
    accept(outcome, run_.steps.empty(), "the start");
  }

  void take_step(std::size_t k) {
    const std::string what = "step " + std::to_string(k + 1);
    const bool last = k + 1 == run_.steps.size();
    const Outcome guard = guard_outcome(run_.steps[k], what);
    if (!guard.ok()) return accept(guard, last, what);
    Undo undo;
    accept(model_.apply(state_, run_.steps[k], undo), last, what);
  }

  // We ask for all enabled steps, because priorities can disable a step whose own guard holds.
  Outcome guard_outcome(InstanceId step, const std::string& what) {
    batch_.clear();
    model_.enabled(state_, batch_);
    for (std::uint32_t k = 0; k < batch_.size(); ++k) {
      if (batch_.instance(k) != step) continue;
      if (batch_.outcome(k).is_fault()) ask_again(step);
      return batch_.outcome(k);
    }
    throw ReplayError(what + " of the trace is not enabled");
  }

  // The message of a fault is that of the last one, and other guards may have failed after this one.
  void ask_again(InstanceId step) {
    Outcome outcome;
    model_.is_enabled(state_, step, outcome);
  }

  void accept(Outcome outcome, bool last, const std::string& what) {
    const bool must_fail = last && run_.fails_inside;
    if (outcome.ok() == must_fail) throw ReplayError(what + (must_fail ? " should fail" : " should not fail"));
    if (must_fail) verify_fault(outcome, what);
    result_.states.push_back(state_);
  }

  void verify_fault(Outcome outcome, const std::string& what) {
    if (!outcome.is_fault() || outcome.site() != run_.violation.site) {
      throw ReplayError(what + " fails, but not as the search saw it");
    }
    result_.fault = model_.last_fault();
  }

  void verify_end() {
    switch (run_.violation.kind) {
      case Violation::Kind::invariant:
        return verify_invariant();
      case Violation::Kind::fault:
        return verify_fault_of_properties();
      case Violation::Kind::deadlock:
        return verify_deadlock();
      case Violation::Kind::liveness:
      case Violation::Kind::cover:
        return;
    }
  }

  StateCheck check() {
    StateCheck findings;
    model_.check(state_, findings);
    return findings;
  }

  void verify_invariant() {
    const StateCheck findings = check();
    const std::uint32_t word = run_.violation.property / 64;
    const bool violated =
        word < findings.violated.size() && ((findings.violated[word] >> (run_.violation.property % 64)) & 1) != 0;
    if (!violated) throw ReplayError("the invariant holds at the end of the trace");
  }

  // Conditions of properties can fault like any other expression.
  void verify_fault_of_properties() {
    const StateCheck findings = check();
    ir::SiteId site = findings.result == StateCheck::Result::fault ? findings.site : ir::SiteId::none;
    if (site == ir::SiteId::none) site = fault_of_liveness(findings.violated.size());
    if (site != run_.violation.site)
      throw ReplayError("no property fails at the end of the trace as the search saw it");
    result_.fault = model_.last_fault();
  }

  ir::SiteId fault_of_liveness(std::size_t words) {
    std::vector<std::uint64_t> holding(std::max<std::size_t>(words, model_.hits().size() / 64 + 1));
    return model_.live(state_, holding.data());
  }

  void verify_deadlock() {
    batch_.clear();
    model_.successors(state_, batch_);
    for (std::uint32_t k = 0; k < batch_.size(); ++k) {
      if (batch_.outcome(k).is_dropped()) continue;
      const bool stays = batch_.outcome(k).ok() && std::ranges::equal(batch_.state(k), state_);
      if (deadlock_ == DeadlockMode::stuck || !stays) throw ReplayError("the trace does not end in a deadlock");
    }
  }

  const ConcreteRun& run_;
  InterpretedModel& model_;
  DeadlockMode deadlock_;
  StateBuffer state_;
  Batch batch_;
  Replayed result_;
};

}  // namespace

Replayed replay(const ConcreteRun& run, InterpretedModel& model, DeadlockMode deadlock) {
  return Replay(run, model, deadlock).replay();
}

}  // namespace fathom
