#include "search/mu.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "model/macro_steps.hpp"
#include "property/model_structure.hpp"
#include "property/mu/witness.hpp"
#include "search/kept_part.hpp"
#include "search/liveness.hpp"
#include "search/recorder.hpp"

namespace fathom {

namespace {

// The model with a look at every step: they are counted, and the first that goes wrong is kept.
struct WatchedModel {
  Executor& model;
  Recorder& recorder;
  std::optional<Counterexample> fault = {};
  StateBuffer failing_state = {};
  std::uint64_t expansions = 0;

  [[nodiscard]] std::uint32_t state_words() const { return model.state_words(); }
  void initial(Batch& out) {
    model.initial(out);
    for (std::uint32_t k = 0; k < out.size(); ++k) watch({}, out, k);
  }
  void successors(StateView state, Batch& out) {
    const std::uint32_t first = out.size();
    ++expansions;
    model.successors(state, out);
    for (std::uint32_t k = first; k < out.size(); ++k) {
      if (out.outcome(k).has_successor()) recorder.fire(out.instance(k));
      watch(state, out, k);
    }
  }
  void enabled(StateView state, Batch& out) { model.enabled(state, out); }
  Outcome apply(StateBuffer& top, InstanceId step, Undo& undo) { return model.apply(top, step, undo); }
  void undo(StateBuffer& top, const Undo& undo) { model.undo(top, undo); }
  void check(StateView state, StateCheck& findings) { model.check(state, findings); }
  ir::SiteId live(StateView state, std::uint64_t* holding) { return model.live(state, holding); }
  ir::SiteId atoms(StateView state, std::uint32_t claim, AtomValues& values) {
    return model.atoms(state, claim, values);
  }
  void quiet(bool quiet) { model.quiet(quiet); }

 private:
  void watch(StateView state, const Batch& steps, std::uint32_t k) {
    if (!recorder.is_violation(steps.outcome(k))) return;
    const Violation violation{Violation::Kind::fault, 0, steps.outcome(k).site()};
    if (!recorder.count(violation) || fault) return;
    fault.emplace();
    fault->violation = violation;
    fault->failing_step = steps.instance(k);
    failing_state.assign(state.begin(), state.end());
  }
};

// A condition of the formula went wrong in a state.
struct FailingAtom {
  Structure::State state;
  ir::SiteId site;
};

class MuSearch {
 public:
  MuSearch(const SearchRequest& request, std::uint32_t claim, const mu::Equations& equations, Structure& structure)
      : request_(request), claim_(claim), equations_(equations), structure_(structure) {}

  // Fills what the recorder holds, and returns what decides the formula.
  std::optional<FiniteStructure> run(SearchResult& result, bool all_starts) {
    mu::SolveOptions options;
    options.all_starts = all_starts;
    options.memory_limit = request_.options.memory_limit;
    options.tick = [&](std::uint64_t vertices) {
      return request_.options.tick({.states = structure_.states(), .queue = vertices, .phase = "game"});
    };
    mu::Solver solver(
        structure_, equations_, [this](Structure::State state) { return atoms(state); }, options);
    const mu::Answer answer = solver.solve();
    result.statistics.states = structure_.states();
    result.statistics.store_bytes += solver.bytes();
    if (answer == mu::Answer::unknown) {
      conclude_open(solver, result);
      return std::nullopt;
    }
    result.ending = Ending::exhausted;
    tell(solver, answer == mu::Answer::holds, result);
    if (structure_.initial().empty()) return std::nullopt;
    return mu::proof_structure(solver);
  }

 private:
  std::uint64_t atoms(Structure::State state) {
    AtomValues values;
    const ir::SiteId site = request_.model.atoms(structure_.words(state), claim_, values);
    if (site != ir::SiteId::none) throw FailingAtom{state, site};
    return values.holding;
  }

  void conclude_open(const mu::Solver& solver, SearchResult& result) const {
    if (solver.ending() == mu::Solver::Ending::stopped) {
      result.ending = Ending::time_or_user;
    } else if (solver.ending() == mu::Solver::Ending::memory) {
      result.ending = Ending::memory_limit;
    } else {
      result.ending = Ending::incomplete;
      result.scope.gap = gap();
      result.remark = result.scope.gap;
    }
  }

  [[nodiscard]] std::string gap() const {
    const mu::Formula& formula = *request_.program.claims[claim_].mu_formula;
    if (mu::is_existential(formula))
      return "they are a part of the state space, and no witness of this existential formula is in it";
    if (mu::is_existential(formula, true))
      return "they are a part of the state space, and no run in it violates the formula";
    return "they are a part of the state space, and this part does not decide the formula, which is not existential";
  }

  void tell(mu::Solver& solver, bool holds, SearchResult& result) {
    std::optional<Counterexample> run;
    if (!structure_.initial().empty())
      if (const std::optional<mu::LinearWitness> shown = mu::linear_witness(solver)) run = as_run(*shown);
    if (holds) {
      result.witness = std::move(run);
      return;
    }
    ++result.claim_violations;
    ++result.statistics.errors;
    if (run && !result.first) result.first = std::move(run);
    if (!run) result.remark = "no single run shows why: it takes several ways on at once (--mu-proof FILE writes them)";
  }

  Counterexample as_run(const mu::LinearWitness& shown) {
    Counterexample run;
    run.violation = {Violation::Kind::mu_formula, claim_, ir::SiteId::none};
    run.loop = shown.loop;
    for (const Structure::State state : shown.states) {
      const StateView words = structure_.words(state);
      run.states.emplace_back(words.begin(), words.end());
    }
    request_.model.quiet(true);
    for (std::size_t k = 0; k < shown.labels.size(); ++k)
      run.steps.push_back(step_between(run.states[k], run.states[k + 1], structure_.label(shown.labels[k]).instance));
    request_.model.quiet(false);
    return run;
  }

  // A label names the first edge of a step that may be several.
  InstanceId step_between(const StateBuffer& from, const StateBuffer& to, InstanceId label) {
    Batch steps;
    request_.model.successors(from, steps);
    for (std::uint32_t k = 0; k < steps.size(); ++k) {
      const InstanceId step = steps.instance(k);
      const InstanceId first = ir::has_macro_steps(request_.program) ? MacroSteps::first_micro_step(step) : step;
      if (first == label && steps.outcome(k).has_successor() && std::ranges::equal(steps.state(k), to)) return step;
    }
    return label;
  }

  const SearchRequest& request_;
  std::uint32_t claim_;
  const mu::Equations& equations_;
  Structure& structure_;
};

// Each start state of the model is in the structure.
bool has_all_starts(const SearchRequest& request, Structure& structure) {
  if (structure.complete()) return true;
  Batch starts;
  request.model.initial(starts);
  std::set<StateBuffer> states;
  for (std::uint32_t k = 0; k < starts.size(); ++k)
    if (starts.outcome(k).has_successor()) states.emplace(starts.state(k).begin(), starts.state(k).end());
  return states.size() == structure.initial().size();
}

Counterexample failing_run(const SearchRequest& request, Counterexample fault, const StateBuffer& state) {
  if (state.empty()) return fault;
  Counterexample run = run_to_state(request, state);
  run.violation = fault.violation;
  run.failing_step = fault.failing_step;
  return run;
}

std::optional<FiniteStructure> decide(const SearchRequest& request, std::uint32_t claim, const mu::Equations& equations,
                                      Structure& structure, bool all_starts, Recorder& recorder) {
  try {
    return MuSearch(request, claim, equations, structure).run(recorder.result, all_starts);
  } catch (const FailingAtom& failing) {
    const Violation violation{Violation::Kind::fault, 0, failing.site};
    recorder.result.ending = Ending::error_limit;
    recorder.result.statistics.states = structure.states();
    if (!recorder.count(violation)) return std::nullopt;
    const StateView words = structure.words(failing.state);
    recorder.result.first = run_to_state(request, StateBuffer(words.begin(), words.end()));
    recorder.result.first->violation = violation;
    return std::nullopt;
  }
}

}  // namespace

MuResult run_mu_on_part(const SearchRequest& request, const SearchEntry& search, std::uint32_t claim,
                        const mu::Equations& equations) {
  KeptPart part(request, search);
  FiniteStructure structure = part.structure();
  MuResult result;
  Recorder recorder(request.options);
  const SearchResult& kept = part.result();
  recorder.result.statistics = kept.statistics;
  recorder.result.fired = kept.fired;
  recorder.result.faults = kept.faults;
  recorder.result.first = kept.first;
  if (kept.ending == Ending::time_or_user || kept.ending == Ending::memory_limit) {
    recorder.result.ending = kept.ending;
  } else {
    result.proof = decide(request, claim, equations, structure, has_all_starts(request, structure), recorder);
  }
  result.search = std::move(recorder.result);
  result.search.covers_model = structure.complete();
  return result;
}

MuResult run_mu(const SearchRequest& request, std::uint32_t claim, const mu::Equations& equations) {
  Recorder recorder(request.options);
  WatchedModel model{request.model, recorder};
  ModelStructure<WatchedModel> structure(model, request.program, request.options.memory_limit);
  MuResult result;
  result.proof = decide(request, claim, equations, structure, true, recorder);
  if (model.fault && !recorder.result.first)
    recorder.result.first = failing_run(request, *model.fault, model.failing_state);
  result.search = std::move(recorder.result);
  if (!structure.complete() && result.search.ending == Ending::incomplete) result.search.ending = Ending::memory_limit;
  result.search.covers_model = model.expansions == structure.states();
  return result;
}

}  // namespace fathom
