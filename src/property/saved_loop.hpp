// Liveness as safety: a model whose states carry a saved copy of an earlier one. Once on a run the copy is taken; when
// the run comes back to it after an accepting state, it has closed a loop that the claim forbids. So any search for bad
// states finds lassos, and one that finds nearest states first finds shortest ones (Biere, Artho, Schuppan, FMICS
// 2002).
//
// A state is that of the model, the saved one, and a word with both places of the automaton and two flags.
#pragma once

#include <algorithm>
#include <vector>

#include "ir/claim.hpp"
#include "model/model.hpp"
#include "property/doubtful_moves.hpp"
#include "property/run_rules.hpp"

namespace fathom {

template <Model M>
class SavedLoop {
 public:
  // What check() finds, as numbers of properties.
  enum Property : std::uint32_t { closed_loop, claim_end, claim_assertion, property_count };
  static constexpr std::size_t max_places = std::size_t{1} << 16;

  // `edges`: how many the model has; the step of a state that stays as it is gets the next number.
  SavedLoop(M& model, const ir::Claim& claim, std::uint32_t number, const ir::Automaton& automaton, bool stutters,
            std::size_t edges, const RunRules& rules = {})
      : model_(model),
        claim_(claim),
        number_(number),
        automaton_(automaton),
        stutters_(stutters),
        inner_(model.state_words()),
        staying_(make_instance(static_cast<std::uint32_t>(edges), 0)),
        rules_(rules) {}

  [[nodiscard]] std::uint32_t state_words() const { return 2 * inner_ + 1; }
  [[nodiscard]] StateView model_state(StateView state) const { return state.first(inner_); }
  [[nodiscard]] static bool has_saved(StateView state) { return (state.back() & saved_flag) != 0; }

  void initial(Batch& out) {
    steps_.clear();
    model_.initial(steps_);
    for (std::uint32_t k = 0; k < steps_.size(); ++k)
      push(out, steps_.instance(k), steps_.outcome(k), steps_.state(k), {}, automaton_.initial);
  }

  void successors(StateView state, Batch& out) {
    AtomValues values;
    const bool in_doubt = model_.atoms(model_state(state), number_, values) != ir::SiteId::none;
    if (in_doubt && moves_depend_on(place_of(state), values)) return;  // check() has told
    const std::uint64_t atoms = values.holding;
    find_targets(state, atoms);
    if (targets_.empty()) return;
    steps_.clear();
    model_.successors(model_state(state), steps_);
    bool moves = false;
    for (std::uint32_t k = 0; k < steps_.size(); ++k) {
      moves |= !steps_.outcome(k).is_blocked();
      add_step(state, atoms, steps_.instance(k), steps_.outcome(k), steps_.state(k), out);
    }
    if (!moves && stutters_) add_step(state, atoms, staying_, {}, model_state(state), out);
  }

  void check(StateView state, StateCheck& findings) {
    findings.result = StateCheck::Result::fine;
    findings.violated.assign(1, 0);
    AtomValues values;
    findings.site = model_.atoms(model_state(state), number_, values);
    if (findings.site != ir::SiteId::none && moves_depend_on(place_of(state), values)) {
      findings.result = StateCheck::Result::fault;
      return;
    }
    const std::uint64_t atoms = values.holding;
    if (is_closed(state)) note(closed_loop, findings);
    for (const ir::Automaton::Edge& edge : place_of(state).edges) {
      if (!edge.condition.admits(atoms)) continue;
      if (automaton_.states[edge.target].end) note(claim_end, findings);
      if (edge.asserted && (atoms >> *edge.asserted & 1) == 0) note(claim_assertion, findings);
    }
  }

  ir::SiteId live(StateView, std::uint64_t*) { return ir::SiteId::none; }
  ir::SiteId atoms(StateView, std::uint32_t, AtomValues&) { return ir::SiteId::none; }
  void quiet(bool on) { model_.quiet(on); }

  // Steps of this model have no number of their own, so they cannot be taken one at a time.
  void enabled(StateView, Batch&) { std::abort(); }
  Outcome apply(StateBuffer&, InstanceId, Undo&) { std::abort(); }
  void undo(StateBuffer&, const Undo&) { std::abort(); }

 private:
  static constexpr std::uint64_t place_mask = max_places - 1;
  static constexpr unsigned saved_place_shift = 16;
  static constexpr std::uint64_t saved_flag = std::uint64_t{1} << 32;
  static constexpr std::uint64_t accepted_flag = std::uint64_t{1} << 33;

  [[nodiscard]] const ir::Automaton::State& place_of(StateView state) const {
    return automaton_.states[state.back() & place_mask];
  }

  void find_targets(StateView state, std::uint64_t atoms) {
    targets_.clear();
    for (const ir::Automaton::Edge& edge : place_of(state).edges)
      if (edge.condition.admits(atoms) && !automaton_.states[edge.target].end &&
          std::ranges::count(targets_, edge.target) == 0)
        targets_.push_back(edge.target);
  }

  void add_step(StateView from, std::uint64_t atoms, InstanceId step, Outcome outcome, StateView to, Batch& out) {
    if (outcome.is_blocked()) return;
    const bool labelled = claim_.acceptance && (atoms >> *claim_.acceptance & 1) != 0;
    const std::uint64_t accepted = labelled || place_of(from).accepting ? accepted_flag : 0;
    const bool progress = rules_.is_progress(edge_of(step));
    for (const std::uint32_t target : targets_) {
      if (progress && automaton_.states[target].accepting) continue;  // as in the product
      if (has_saved(from)) {
        push(out, step, outcome, to, from.subspan(inner_, inner_), (from.back() & ~place_mask) | accepted | target);
        continue;
      }
      push(out, step, outcome, to, {}, target);
      const std::uint64_t saved_place = (from.back() & place_mask) << saved_place_shift;
      push(out, step, outcome, to, model_state(from), saved_flag | accepted | saved_place | target);
    }
  }

  void push(Batch& out, InstanceId step, Outcome outcome, StateView now, StateView saved, std::uint64_t last) {
    std::uint64_t* const words = out.spare(state_words());
    std::ranges::copy(now, words);
    if (saved.empty()) std::fill_n(words + inner_, inner_, 0);
    std::ranges::copy(saved, words + inner_);
    words[2 * inner_] = last;
    out.push(step, outcome, state_words());
  }

  [[nodiscard]] bool is_closed(StateView state) const {
    constexpr std::uint64_t both = saved_flag | accepted_flag;
    if ((state.back() & both) != both) return false;
    const bool same_place = (state.back() & place_mask) == (state.back() >> saved_place_shift & place_mask);
    return same_place && std::ranges::equal(model_state(state), state.subspan(inner_, inner_));
  }

  static void note(Property property, StateCheck& findings) {
    findings.result = StateCheck::Result::violated;
    findings.violated.front() |= std::uint64_t{1} << property;
  }

  M& model_;
  const ir::Claim& claim_;
  std::uint32_t number_;
  const ir::Automaton& automaton_;
  bool stutters_;
  std::uint32_t inner_;
  InstanceId staying_;
  const RunRules rules_;
  Batch steps_;
  std::vector<std::uint32_t> targets_;
};

}  // namespace fathom
