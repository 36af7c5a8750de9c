#include "property/ltl/translate.hpp"

#include <algorithm>
#include <numeric>
#include <stdexcept>

#include "property/ltl/cubes.hpp"
#include "property/ltl/degeneralise.hpp"
#include "property/ltl/simulation.hpp"
#include "property/ltl/tableau.hpp"

namespace fathom::ltl {
namespace {

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

}  // namespace

ir::Automaton finished(const Generalised& automaton) {
  const Generalised small = simulation_reduced(automaton, Acceptance::on_edges);
  Generalised buchi = smallest_degeneralised(small);
  prefer_better_edges(buchi);
  tidy_edges(buchi);
  return named(buchi);
}

ir::Automaton translate(const ir::Ltl& formula, std::uint32_t atoms, TranslateOptions options) {
  if (atoms > ir::max_atoms) throw LimitError("the formula has more than 64 atoms");
  Formulas formulas;
  const Formula simplified = formulas.from(formula);
  return finished(tableau(formulas, simplified, options.max_states));
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
