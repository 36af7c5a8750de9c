#include <algorithm>

#include "property/ltl/cubes.hpp"
#include "property/ltl/translate.hpp"

namespace fathom::ltl {
namespace {

// Judges the components of an automaton with acceptance on states.
class StrengthJudge {
 public:
  explicit StrengthJudge(const ir::Automaton& automaton)
      : graph_(generalised_from(automaton)), components_(components_of(graph_)), accepting_(graph_.size()) {
    for (std::uint32_t state = 0; state < graph_.size(); ++state)
      accepting_[state] = automaton.states[state].accepting || automaton.states[state].end;
  }

  std::vector<Strength> run() {
    std::vector<Strength> of_component(components_.size(), Strength::terminal);
    for (std::uint32_t state = 0; state < graph_.size(); ++state) {
      Strength& strength = of_component[components_.of[state]];
      strength = std::max(strength, contribution(state));
    }
    std::vector<Strength> result;
    for (const std::uint32_t component : components_.of) result.push_back(of_component[component]);
    return result;
  }

 private:
  // What a state says about its component: nothing if there is no accepting circle; else that it is not weak if the
  // state is not accepting, and that it is not terminal if a letter leads out of the component or nowhere.
  [[nodiscard]] Strength contribution(std::uint32_t state) const {
    const std::uint32_t component = components_.of[state];
    if (!components_.accepting[component]) return Strength::terminal;
    if (!accepting_[state]) return Strength::general;
    std::vector<Cube> inside;
    for (const auto& edge : graph_.edges[state])
      if (components_.of[edge.target] == component) inside.push_back(edge.condition);
    return covered({}, inside) ? Strength::terminal : Strength::weak;
  }

  Generalised graph_;
  Components components_;
  std::vector<bool> accepting_;
};

}  // namespace

std::vector<Strength> strength_of_states(const ir::Automaton& automaton) {
  return StrengthJudge(automaton).run();
}

std::vector<Part> parts_of(const ir::Automaton& automaton) {
  const Components components = components_of(generalised_from(automaton));
  std::vector<bool> all_accept(components.size(), true);
  for (std::size_t state = 0; state < automaton.states.size(); ++state)
    if (!automaton.states[state].accepting && !automaton.states[state].end) all_accept[components.of[state]] = false;
  std::vector<Part> result;
  for (const std::uint32_t component : components.of)
    result.push_back({component, components.accepting[component], all_accept[component]});
  return result;
}

Strength strength_of(const ir::Automaton& automaton) {
  const std::vector<Strength> each = strength_of_states(automaton);
  return each.empty() ? Strength::terminal : *std::max_element(each.begin(), each.end());
}

}  // namespace fathom::ltl
