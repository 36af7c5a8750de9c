#include "property/ltl/translate.hpp"

#include <algorithm>
#include <numeric>
#include <optional>

#include "property/ltl/cubes.hpp"
#include "property/ltl/degeneralise.hpp"
#include "property/ltl/simulation.hpp"
#include "property/ltl/tableau.hpp"
#include "property/ltl/weak.hpp"

namespace fathom::ltl {
namespace {

constexpr std::uint32_t max_states_to_determinise = 30;

std::size_t weight(const Generalised& automaton) {
  std::size_t edges = 0;
  for (const auto& list : automaton.edges) edges += list.size();
  return automaton.size() * std::size_t{1'000'000} + edges;
}

// Which order of marks is best is hard to say in advance; there are few of them, so we try.
Generalised smallest_degeneralised(const Generalised& automaton) {
  constexpr int max_tries = 24;
  std::vector<std::uint32_t> order(automaton.mark_count);
  std::iota(order.begin(), order.end(), 0U);
  Generalised best = simulation_reduced(degeneralised(automaton, order), Acceptance::on_states);
  if (automaton.size() > 100) return best;
  for (int tries = 1; tries < max_tries && std::next_permutation(order.begin(), order.end()); ++tries) {
    Generalised other = simulation_reduced(degeneralised(automaton, order), Acceptance::on_states);
    if (weight(other) < weight(best)) best = std::move(other);
  }
  return best;
}

Generalised reduced_to_states(const Generalised& automaton) {
  return smallest_degeneralised(simulation_reduced(automaton, Acceptance::on_edges));
}

// The better of the automata of two forms of the formula, or the one that is within the limits.
Generalised smallest(const ir::Ltl& formula, bool negated, const TranslateOptions& options) {
  const auto make = [&](Formulas::Splitting splitting) {
    Formulas formulas(splitting);
    const Formula simplified = formulas.from(formula, negated);
    return reduced_to_states(tableau(formulas, simplified, options.max_states));
  };
  std::optional<Generalised> split;
  try {
    split = make(Formulas::Splitting::on);
  } catch (const LimitError&) {
    return make(Formulas::Splitting::off);
  }
  try {
    Generalised whole = make(Formulas::Splitting::off);
    return weight(whole) < weight(*split) ? whole : *split;
  } catch (const LimitError&) {
    return *split;
  }
}

bool accepts_everything(const Generalised& automaton, std::uint32_t state) {
  const auto& edges = automaton.edges[state];
  return edges.size() == 1 && edges[0].target == state && edges[0].condition == Cube{} && edges[0].marks != 0;
}

std::string name_of(const Generalised& automaton, std::uint32_t state) {
  const bool accepting = !automaton.edges[state].empty() && automaton.edges[state][0].marks != 0;
  const std::string prefix = accepting ? "accept_" : "T0_";
  if (state == automaton.initial) return prefix + "init";
  return accepts_everything(automaton, state) ? "accept_all" : prefix + "S" + std::to_string(state);
}

ir::Automaton named(const Generalised& automaton) {
  ir::Automaton result;
  result.initial = automaton.initial;
  for (std::uint32_t state = 0; state < automaton.size(); ++state) {
    auto& into = result.states.emplace_back();
    into.name = name_of(automaton, state);
    for (const auto& edge : automaton.edges[state]) {
      into.accepting = edge.marks != 0;
      into.edges.push_back({.target = edge.target, .condition = edge.condition, .asserted = {}, .range = {}});
    }
  }
  return result;
}

ir::Automaton polished(Generalised automaton) {
  prefer_better_edges(automaton);
  tidy_edges(automaton);
  return named(automaton);
}

}  // namespace

ir::Automaton finished(const Generalised& automaton) {
  return polished(reduced_to_states(automaton));
}

ir::Automaton translate(const ir::Ltl& formula, std::uint32_t atoms, TranslateOptions options) {
  if (atoms > ir::max_atoms) throw LimitError("the formula has more than 64 atoms");
  Generalised best = smallest(formula, false, options);
  if (best.size() > max_states_to_determinise) return polished(std::move(best));
  try {
    const std::optional<Generalised> weak = minimal_weak(best, smallest(formula, true, options));
    if (weak && weak->size() <= best.size()) best = *weak;
  } catch (const LimitError&) {
    // The negation is beyond the limits; the automaton is right without it.
  }
  return polished(std::move(best));
}

Generalised generalised_from(const ir::Automaton& automaton) {
  Generalised result;
  result.initial = automaton.initial;
  result.mark_count = 1;
  for (std::uint32_t state = 0; state < automaton.states.size(); ++state) {
    const ir::Automaton::State& from = automaton.states[state];
    auto& edges = result.edges.emplace_back();
    if (from.end) {
      edges.push_back({state, {}, 1});
      continue;
    }
    for (const auto& edge : from.edges) edges.push_back({edge.target, edge.condition, from.accepting ? Marks{1} : 0});
  }
  return result;
}

}  // namespace fathom::ltl
