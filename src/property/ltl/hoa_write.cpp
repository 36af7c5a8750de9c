#include <fmt/format.h>

#include <iterator>

#include "property/ltl/hoa.hpp"

namespace fathom::ltl {
namespace {

std::string quoted(std::string_view text) {
  std::string result = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') result += '\\';
    result += c;
  }
  return result + '"';
}

std::string label(const ir::Cube& cube) {
  std::string text;
  for (std::uint32_t atom = 0; atom < ir::max_atoms; ++atom) {
    const bool positive = (cube.positive >> atom & 1) != 0;
    if (!positive && (cube.negative >> atom & 1) == 0) continue;
    text += fmt::format("{}{}{}", text.empty() ? "" : "&", positive ? "" : "!", atom);
  }
  return text.empty() ? "t" : text;
}

std::string state_text(const ir::Automaton::State& state, std::size_t number) {
  std::string text = fmt::format("State: {}", number);
  if (!state.name.empty()) text += " " + quoted(state.name);
  if (state.accepting || state.end) text += " {0}";
  text += "\n";
  if (state.end) return text + fmt::format("[t] {}\n", number);
  for (const auto& edge : state.edges)
    fmt::format_to(std::back_inserter(text), "[{}] {}\n", label(edge.condition), edge.target);
  return text;
}

}  // namespace

std::string write_hoa(const ir::Automaton& automaton, const std::vector<std::string>& atoms, std::string_view name) {
  std::string text = "HOA: v1\n";
  if (!name.empty()) text += "name: " + quoted(name) + "\n";
  fmt::format_to(std::back_inserter(text), "tool: \"fathom\"\nStates: {}\nStart: {}\nAP: {}", automaton.states.size(),
                 automaton.initial, atoms.size());
  for (const std::string& atom : atoms) text += " " + quoted(atom);
  text += "\nacc-name: Buchi\nAcceptance: 1 Inf(0)\nproperties: trans-labels explicit-labels state-acc\n--BODY--\n";
  for (std::size_t state = 0; state < automaton.states.size(); ++state)
    text += state_text(automaton.states[state], state);
  return text + "--END--\n";
}

}  // namespace fathom::ltl
