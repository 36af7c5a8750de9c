// Reads formulas, one on a line, and prints for each the states and edges of its automaton and how strong it is. Atoms
// are names. For tests/cross/against_spin_ltl.py.
#include <cstdio>
#include <iostream>
#include <string>
#include <vector>

#include "property/ltl/parse.hpp"
#include "property/ltl/translate.hpp"

int main() {
  using namespace fathom;
  static constexpr const char* strengths[] = {"terminal", "weak", "general"};
  for (std::string line; std::getline(std::cin, line);) {
    std::vector<std::string> names;
    const auto number = [&](std::string_view name, std::size_t) {
      for (std::size_t k = 0; k < names.size(); ++k)
        if (names[k] == name) return static_cast<std::uint32_t>(k);
      names.emplace_back(name);
      return static_cast<std::uint32_t>(names.size() - 1);
    };
    const ir::LtlPtr formula = ltl::parse(line, number);
    const ir::Automaton automaton = ltl::translate(*formula, static_cast<std::uint32_t>(names.size()));
    std::size_t edges = 0;
    for (const auto& state : automaton.states) edges += state.edges.size();
    std::printf("%zu %zu %s\n", automaton.states.size(), edges,
                strengths[static_cast<int>(ltl::strength_of(automaton))]);
  }
}
