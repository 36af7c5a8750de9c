#include "property/ltl/print.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <iterator>

namespace fathom::ltl {
namespace {

using Kind = ir::Ltl::Kind;

std::string atom_name(std::uint32_t atom, std::span<const std::string> atoms) {
  return atom < atoms.size() ? atoms[atom] : fmt::format("a{}", atom);
}

bool is_identifier(const std::string& text) {
  const auto is_part = [](char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; };
  return !text.empty() && std::isdigit(static_cast<unsigned char>(text[0])) == 0 &&
         std::all_of(text.begin(), text.end(), is_part);
}

// An atom can be any expression; only a name needs no parentheses.
std::string operand(const std::string& atom) {
  return is_identifier(atom) ? atom : "(" + atom + ")";
}

const char* sign(Kind kind) {
  switch (kind) {
    case Kind::negation:
      return "!";
    case Kind::next:
      return "X ";
    case Kind::always:
      return "[] ";
    case Kind::eventually:
      return "<> ";
    case Kind::conjunction:
      return "&&";
    case Kind::disjunction:
      return "||";
    case Kind::implication:
      return "->";
    case Kind::equivalence:
      return "<->";
    case Kind::until:
      return "U";
    case Kind::weak_until:
      return "W";
    default:
      return "V";
  }
}

std::string text_of(const ir::Ltl& formula, std::span<const std::string> atoms, bool outermost) {
  if (formula.kind == Kind::truth) return "true";
  if (formula.kind == Kind::falsity) return "false";
  if (formula.kind == Kind::atom) return operand(atom_name(formula.atom, atoms));
  if (!formula.b) return sign(formula.kind) + text_of(*formula.a, atoms, false);
  const std::string text =
      fmt::format("{} {} {}", text_of(*formula.a, atoms, false), sign(formula.kind), text_of(*formula.b, atoms, false));
  return outermost ? text : "(" + text + ")";
}

bool accepts_everything(const ir::Automaton& automaton, std::uint32_t number) {
  const ir::Automaton::State& state = automaton.states[number];
  if (state.end) return true;
  return state.accepting && state.edges.size() == 1 && state.edges[0].target == number &&
         state.edges[0].condition == ir::Cube{} && !state.edges[0].asserted;
}

class NeverPrinter {
 public:
  NeverPrinter(const ir::Automaton& automaton, std::span<const std::string> atoms)
      : automaton_(automaton), atoms_(atoms) {
    for (std::uint32_t state = 0; state < automaton.states.size(); ++state) labels_.push_back(label_of(state));
  }

  // The initial state comes first. A state that accepts everything comes last and is the end of the claim, so that
  // Spin finds the violation as soon as the claim is there.
  std::string run() {
    std::vector<std::uint32_t> order{automaton_.initial};
    for (std::uint32_t state = 0; state < automaton_.states.size(); ++state)
      if (state != automaton_.initial) order.push_back(state);
    const auto last = std::find_if(order.begin() + 1, order.end(),
                                   [&](std::uint32_t state) { return accepts_everything(automaton_, state); });
    if (last != order.end()) std::rotate(last, last + 1, order.end());
    text_ = "never {\n";
    for (const std::uint32_t state : order) print_state(state, last != order.end() && state == order.back());
    return text_ + "}\n";
  }

 private:
  [[nodiscard]] std::string label_of(std::uint32_t number) const {
    const ir::Automaton::State& state = automaton_.states[number];
    const bool accepting = state.accepting || state.end;
    const bool usable = is_identifier(state.name) && state.name.starts_with("accept") == accepting &&
                        std::find(labels_.begin(), labels_.end(), state.name) == labels_.end();
    return usable ? state.name : fmt::format("{}_S{}_", accepting ? "accept" : "T0", number);
  }

  void print_state(std::uint32_t number, bool ends_claim) {
    const ir::Automaton::State& state = automaton_.states[number];
    text_ += labels_[number] + ":\n";
    if (ends_claim) {
      text_ += "\tskip\n";
    } else if (state.end) {
      fmt::format_to(std::back_inserter(text_), "\tdo\n\t:: true -> goto {}\n\tod;\n", labels_[number]);
    } else if (state.edges.empty()) {
      text_ += "\tfalse;\n";
    } else {
      text_ += "\tdo\n";
      for (const auto& edge : state.edges) text_ += "\t:: " + edge_text(edge) + "\n";
      text_ += "\tod;\n";
    }
  }

  [[nodiscard]] std::string edge_text(const ir::Automaton::Edge& edge) const {
    const std::string condition = to_text(edge.condition, atoms_);
    if (!edge.asserted) return fmt::format("{} -> goto {}", condition, labels_[edge.target]);
    return fmt::format("atomic {{ {} -> assert({}) }} -> goto {}", condition, atom_name(*edge.asserted, atoms_),
                       labels_[edge.target]);
  }

  const ir::Automaton& automaton_;
  std::span<const std::string> atoms_;
  std::vector<std::string> labels_;
  std::string text_;
};

}  // namespace

std::string to_text(const ir::Ltl& formula, std::span<const std::string> atoms) {
  return text_of(formula, atoms, true);
}

std::string to_text(const ir::Cube& cube, std::span<const std::string> atoms) {
  std::string text;
  for (std::uint32_t atom = 0; atom < ir::max_atoms; ++atom) {
    const bool positive = (cube.positive >> atom & 1) != 0;
    if (!positive && (cube.negative >> atom & 1) == 0) continue;
    if (!text.empty()) text += " && ";
    text += (positive ? "" : "!") + operand(atom_name(atom, atoms));
  }
  return text.empty() ? "true" : text;
}

std::string never_claim(const ir::Automaton& automaton, std::span<const std::string> atoms) {
  return NeverPrinter(automaton, atoms).run();
}

}  // namespace fathom::ltl
