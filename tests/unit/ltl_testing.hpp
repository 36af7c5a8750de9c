// What the tests of LTL share: formulas made by hand and at random, words u·v^ω, and what formulas and automata say
// about them, by definition and without any of the code under test.
#pragma once

#include <cstdlib>
#include <memory>
#include <random>
#include <set>
#include <vector>

#include "ir/claim.hpp"

namespace fathom::ltl {

using Kind = ir::Ltl::Kind;

inline ir::LtlPtr make(Kind kind, ir::LtlPtr a = nullptr, ir::LtlPtr b = nullptr) {
  auto result = std::make_unique<ir::Ltl>();
  result->kind = kind;
  result->a = std::move(a);
  result->b = std::move(b);
  return result;
}

inline ir::LtlPtr make_atom(std::uint32_t atom) {
  auto result = make(Kind::atom);
  result->atom = atom;
  return result;
}

inline ir::LtlPtr clone(const ir::Ltl& formula) {
  auto result = make(formula.kind, formula.a ? clone(*formula.a) : nullptr, formula.b ? clone(*formula.b) : nullptr);
  result->atom = formula.atom;
  return result;
}

inline ir::LtlPtr negated(const ir::Ltl& formula) {
  return make(Kind::negation, clone(formula));
}

// A formula with `size` operators and leaves.
inline ir::LtlPtr random_formula(std::mt19937& random, int size, std::uint32_t atoms, bool with_next = true) {
  const auto below = [&](int bound) { return static_cast<int>(random() % static_cast<unsigned>(bound)); };
  if (size <= 1) {
    if (below(20) == 0) return make(below(2) == 0 ? Kind::truth : Kind::falsity);
    return make_atom(static_cast<std::uint32_t>(below(static_cast<int>(atoms))));
  }
  static constexpr Kind unary[] = {Kind::negation, Kind::always, Kind::eventually, Kind::next};
  static constexpr Kind binary[] = {Kind::conjunction, Kind::disjunction, Kind::implication, Kind::equivalence,
                                    Kind::until,       Kind::weak_until,  Kind::release,     Kind::until};
  if (size == 2 || below(2) == 0)
    return make(unary[below(with_next ? 4 : 3)], random_formula(random, size - 1, atoms, with_next));
  const int left = 1 + below(size - 2);
  ir::LtlPtr a = random_formula(random, left, atoms, with_next);
  return make(binary[below(8)], std::move(a), random_formula(random, size - 1 - left, atoms, with_next));
}

struct Lasso {
  std::vector<std::uint64_t> letters;
  std::size_t loop = 0;  // where it goes on after the last letter
  [[nodiscard]] std::size_t after(std::size_t position) const {
    return position + 1 == letters.size() ? loop : position + 1;
  }
};

inline Lasso random_lasso(std::mt19937& random, std::uint32_t atoms) {
  Lasso lasso;
  const std::size_t prefix = random() % 4;
  lasso.letters.resize(prefix + 1 + random() % 4);
  for (auto& letter : lasso.letters) letter = random() % (std::uint64_t{1} << atoms);
  lasso.loop = prefix;
  return lasso;
}

// The least (or greatest) solution of x(i) = now(i) or (go_on(i) and x(i+1)).
inline std::vector<bool> fixpoint(const Lasso& lasso, const std::vector<bool>& now, const std::vector<bool>& go_on,
                                  bool start) {
  std::vector<bool> x(lasso.letters.size(), start);
  for (std::size_t round = 0; round <= lasso.letters.size(); ++round)
    for (std::size_t i = lasso.letters.size(); i-- > 0;) x[i] = now[i] || (go_on[i] && x[lasso.after(i)]);
  return x;
}

// Whether the formula holds at each position.
inline std::vector<bool> positions(const ir::Ltl& formula, const Lasso& lasso) {
  const std::size_t length = lasso.letters.size();
  const std::vector<bool> a = formula.a ? positions(*formula.a, lasso) : std::vector<bool>(length);
  const std::vector<bool> b = formula.b ? positions(*formula.b, lasso) : std::vector<bool>(length);
  const std::vector<bool> all(length, true), none(length, false);
  std::vector<bool> result(length);
  if (formula.kind == Kind::until) return fixpoint(lasso, b, a, false);
  if (formula.kind == Kind::weak_until) return fixpoint(lasso, b, a, true);
  if (formula.kind == Kind::eventually) return fixpoint(lasso, a, all, false);
  if (formula.kind == Kind::always) return fixpoint(lasso, none, a, true);
  if (formula.kind == Kind::release) {
    std::vector<bool> released(length);
    for (std::size_t i = 0; i < length; ++i) released[i] = a[i] && b[i];
    return fixpoint(lasso, released, b, true);
  }
  for (std::size_t i = 0; i < length; ++i) {
    switch (formula.kind) {
      case Kind::truth:
        result[i] = true;
        break;
      case Kind::atom:
        result[i] = (lasso.letters[i] >> formula.atom & 1) != 0;
        break;
      case Kind::negation:
        result[i] = !a[i];
        break;
      case Kind::next:
        result[i] = a[lasso.after(i)];
        break;
      case Kind::conjunction:
        result[i] = a[i] && b[i];
        break;
      case Kind::disjunction:
        result[i] = a[i] || b[i];
        break;
      case Kind::implication:
        result[i] = !a[i] || b[i];
        break;
      case Kind::equivalence:
        result[i] = a[i] == b[i];
        break;
      default:
        result[i] = false;
    }
  }
  return result;
}

inline bool holds(const ir::Ltl& formula, const Lasso& lasso) {
  return positions(formula, lasso)[0];
}

using Place = std::pair<std::uint32_t, std::size_t>;  // a state of the automaton and a position in the word

inline std::set<Place> reachable(const ir::Automaton& automaton, const Lasso& lasso, std::vector<Place> open) {
  std::set<Place> seen;
  while (!open.empty()) {
    const Place place = open.back();
    open.pop_back();
    if (!seen.insert(place).second) continue;
    for (const auto& edge : automaton.states[place.first].edges)
      if (edge.condition.admits(lasso.letters[place.second])) open.emplace_back(edge.target, lasso.after(place.second));
  }
  return seen;
}

// Whether an accepting place that is reached can be reached again.
inline bool accepts(const ir::Automaton& automaton, const Lasso& lasso) {
  for (const Place& place : reachable(automaton, lasso, {{automaton.initial, 0}})) {
    if (!automaton.states[place.first].accepting) continue;
    std::vector<Place> next;
    for (const auto& edge : automaton.states[place.first].edges)
      if (edge.condition.admits(lasso.letters[place.second])) next.emplace_back(edge.target, lasso.after(place.second));
    if (reachable(automaton, lasso, next).count(place) != 0) return true;
  }
  return false;
}

// How many random formulas a test takes; FATHOM_FORMULAS=10000 is the long run.
inline int formulas_wanted() {
  const char* const wanted = std::getenv("FATHOM_FORMULAS");
  return wanted != nullptr ? std::atoi(wanted) : 1000;
}

}  // namespace fathom::ltl
