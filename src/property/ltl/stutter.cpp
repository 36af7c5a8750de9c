#include "property/ltl/stutter.hpp"

#include <bit>
#include <compare>
#include <map>
#include <optional>

#include "property/ltl/tableau.hpp"
#include "property/ltl/translate.hpp"

namespace fathom::ltl {
namespace {

constexpr int max_letters_of_atoms = 8;
constexpr std::uint32_t max_tableau = 2000;
constexpr std::size_t max_product = 100'000;

std::uint64_t atoms_of(const ir::Automaton& automaton) {
  std::uint64_t atoms = 0;
  for (const auto& state : automaton.states)
    for (const auto& edge : state.edges) atoms |= edge.condition.positive | edge.condition.negative;
  return atoms;
}

// Two automata read the same word, and each may take a letter that is the same as the one before for a repetition and
// stay where it is. Marks are on true moves out of accepting states only, so a run with both marks again and again
// makes true moves for ever in both: the word comes by repeating letters from one that the first automaton accepts and
// from one that the second accepts.
class RepeatingProduct {
 public:
  RepeatingProduct(const ir::Automaton& first, const ir::Automaton& second)
      : first_(first), second_(second), letters_(subsets_of(atoms_of(first) | atoms_of(second))) {}

  // No answer if the product is too large.
  std::optional<bool> empty() {
    product_.mark_count = 2;
    number_of({first_.initial, second_.initial, no_letter});
    for (std::size_t next = 0; next < nodes_.size(); ++next) {
      if (nodes_.size() > max_product) return std::nullopt;
      product_.edges.emplace_back();
      const Node node = nodes_[next];
      for (std::uint32_t letter = 0; letter < letters_.size(); ++letter) expand(node, letter, next);
    }
    const Components components = components_of(product_);
    for (const bool accepting : components.accepting)
      if (accepting) return false;
    return true;
  }

 private:
  static constexpr std::uint32_t no_letter = UINT32_MAX;

  struct Node {
    std::uint32_t first = 0, second = 0, last = 0;
    friend auto operator<=>(const Node&, const Node&) = default;
  };
  struct Move {
    std::uint32_t target = 0;
    Marks marks = 0;
  };

  std::uint32_t number_of(const Node& node) {
    const auto [place, is_new] = numbers_.emplace(node, static_cast<std::uint32_t>(nodes_.size()));
    if (is_new) nodes_.push_back(node);
    return place->second;
  }

  std::vector<Move> moves(const ir::Automaton& automaton, std::uint32_t state, std::uint32_t letter, bool repeated,
                          Marks mark) const {
    std::vector<Move> result;
    if (repeated) result.push_back({state, 0});
    const ir::Automaton::State& from = automaton.states[state];
    for (const auto& edge : from.edges)
      if (edge.condition.admits(letters_[letter])) result.push_back({edge.target, from.accepting ? mark : 0});
    return result;
  }

  void expand(const Node& node, std::uint32_t letter, std::size_t from) {
    const bool repeated = node.last == letter;
    const std::vector<Move> right = moves(second_, node.second, letter, repeated, 2);
    for (const Move& a : moves(first_, node.first, letter, repeated, 1))
      for (const Move& b : right) {
        const std::uint32_t target = number_of({a.target, b.target, letter});
        product_.edges[from].push_back({target, {}, a.marks | b.marks});
      }
  }

  const ir::Automaton& first_;
  const ir::Automaton& second_;
  std::vector<std::uint64_t> letters_;
  Generalised product_;
  std::map<Node, std::uint32_t> numbers_;
  std::vector<Node> nodes_;
};

}  // namespace

std::vector<std::uint64_t> subsets_of(std::uint64_t atoms) {
  std::vector<std::uint64_t> subsets;
  std::uint64_t subset = 0;
  do {
    subsets.push_back(subset);
    subset = (subset - atoms) & atoms;
  } while (subset != 0);
  return subsets;
}

bool is_stutter_invariant_syntactically(const ir::Ltl& formula) {
  if (formula.kind == ir::Ltl::Kind::next) return false;
  return (!formula.a || is_stutter_invariant_syntactically(*formula.a)) &&
         (!formula.b || is_stutter_invariant_syntactically(*formula.b));
}

bool is_stutter_invariant(const ir::Ltl& formula, std::uint32_t atoms) {
  if (is_stutter_invariant_syntactically(formula)) return true;
  try {
    Formulas formulas;
    const Formula simplified = formulas.from(formula);
    const ir::Automaton accepting = finished(tableau(formulas, simplified, max_tableau));
    const ir::Automaton rejecting = finished(tableau(formulas, formulas.negate(simplified), max_tableau));
    const int used = std::popcount(atoms_of(accepting) | atoms_of(rejecting));
    if (atoms > ir::max_atoms || used > max_letters_of_atoms) return false;
    return RepeatingProduct(accepting, rejecting).empty().value_or(false);
  } catch (const LimitError&) {
    return false;
  }
}

}  // namespace fathom::ltl
