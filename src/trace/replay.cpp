#include "trace/replay.hpp"

#include <algorithm>

#include "trace/verify_claim.hpp"

namespace fathom {

namespace {

class Replay {
 public:
  Replay(const ConcreteRun& run, InterpretedModel& model, DeadlockMode deadlock, const ir::Outputs* outputs)
      : run_(run), model_(model), deadlock_(deadlock), now_(model, outputs) {}

  Replayed replay() {
    take_start();
    for (std::size_t k = 0; k < run_.steps.size(); ++k) {
      arrive(k);
      take_step(k);
    }
    arrive(run_.steps.size());
    if (!run_.fails_inside) verify_end();
    Replayed result = now_.record();
    if (!fault_.empty()) result.fault = fault_;
    result.loop = loop_;
    return result;
  }

 private:
  void take_start() {
    const bool must_fail = run_.steps.empty() && run_.fails_inside;
    const Outcome outcome = now_.begin(run_.start);
    if (outcome.ok() == must_fail) throw ReplayError(must_fail ? "the start should fail" : "the start should not fail");
    if (must_fail && outcome.site() != run_.violation.site)
      throw ReplayError("the start fails, but not as the search saw it");
  }

  // A state of the run, before the step with this number.
  void arrive(std::size_t step) {
    if (is_of_claim()) visited_.push_back(now_.state());
    if (run_.loop == step) loop_ = now_.record().steps.size();
  }

  [[nodiscard]] bool is_of_claim() const {
    const Violation::Kind kind = run_.violation.kind;
    return kind == Violation::Kind::cycle || kind == Violation::Kind::claim_end ||
           kind == Violation::Kind::claim_assertion || kind == Violation::Kind::mu_formula;
  }

  void take_step(std::size_t k) {
    const std::string what = "step " + std::to_string(k + 1);
    const bool must_fail = k + 1 == run_.steps.size() && run_.fails_inside;
    make_sure_it_is_enabled(run_.steps[k], what);
    const Outcome outcome = now_.take(run_.steps[k], [&](Outcome edge) {
      return must_fail && edge.is_fault() && edge.site() == run_.violation.site;
    });
    if (outcome.ok() == must_fail) throw ReplayError(what + (must_fail ? " should fail" : " should not fail"));
    if (must_fail && (!outcome.is_fault() || outcome.site() != run_.violation.site))
      throw ReplayError(what + " fails, but not as the search saw it");
  }

  // We ask for all enabled steps, because priorities can disable a step whose own guard holds.
  void make_sure_it_is_enabled(InstanceId step, const std::string& what) {
    batch_.clear();
    model_.enabled(now_.state(), batch_);
    for (std::uint32_t k = 0; k < batch_.size(); ++k)
      if (batch_.instance(k) == step) return;
    throw ReplayError(what + " of the trace is not enabled");
  }

  void verify_end() {
    switch (run_.violation.kind) {
      case Violation::Kind::invariant:
        return verify_invariant();
      case Violation::Kind::fault:
        return verify_fault_of_properties();
      case Violation::Kind::deadlock:
        return verify_deadlock();
      case Violation::Kind::cycle:
      case Violation::Kind::claim_end:
      case Violation::Kind::claim_assertion:
      case Violation::Kind::mu_formula:
        return verify_claim(run_, visited_, model_);
      case Violation::Kind::liveness:
      case Violation::Kind::cover:
        return;
    }
  }

  StateCheck check() {
    StateCheck findings;
    model_.check(now_.state(), findings);
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
    for (std::uint32_t claim = 0; claim < model_.program().claims.size() && site != run_.violation.site; ++claim)
      if (const ir::SiteId other = fault_of_atoms(claim); other != ir::SiteId::none) site = other;
    if (site != run_.violation.site)
      throw ReplayError("no property fails at the end of the trace as the search saw it");
    fault_ = model_.last_fault();
  }

  ir::SiteId fault_of_atoms(std::uint32_t claim) {
    AtomValues values;
    return model_.atoms(now_.state(), claim, values);
  }

  ir::SiteId fault_of_liveness(std::size_t words) {
    std::vector<std::uint64_t> holding(std::max<std::size_t>(words, model_.hits().size() / 64 + 1));
    return model_.live(now_.state(), holding.data());
  }

  void verify_deadlock() {
    batch_.clear();
    model_.successors(now_.state(), batch_);
    if (const auto valid_end = ir::valid_end_of(model_.program())) {
      if (!batch_.empty() || ends_well(*valid_end)) throw ReplayError("the trace does not end in an invalid end state");
      return;
    }
    for (std::uint32_t k = 0; k < batch_.size(); ++k) {
      if (batch_.outcome(k).is_dropped()) continue;
      const bool stays = batch_.outcome(k).ok() && std::ranges::equal(batch_.state(k), now_.state());
      if (deadlock_ == DeadlockMode::stuck || !stays) throw ReplayError("the trace does not end in a deadlock");
    }
  }

  bool ends_well(std::uint32_t valid_end) {
    std::vector<std::uint64_t> holding(model_.program().properties.size() / 64 + 1);
    model_.live(now_.state(), holding.data());
    return (holding[valid_end / 64] >> (valid_end % 64) & 1) != 0;
  }

  const ConcreteRun& run_;
  InterpretedModel& model_;
  DeadlockMode deadlock_;
  Execution now_;
  std::optional<std::size_t> loop_;   // in the steps that are shown
  std::vector<StateBuffer> visited_;  // the states of the run, for a claim
  Batch batch_;
  std::string fault_;  // of a property
};

}  // namespace

Replayed replay(const ConcreteRun& run, InterpretedModel& model, DeadlockMode deadlock, const ir::Outputs* outputs) {
  return Replay(run, model, deadlock, outputs).replay();
}

}  // namespace fathom
