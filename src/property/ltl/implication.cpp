// Which formulas imply which, as far as their structure shows (Somenzi and Bloem, CAV 2000, with the eventual and
// universal formulas of Etessami and Holzmann). The answers are remembered: simplification asks again and again.
#include <algorithm>

#include "property/ltl/formula.hpp"

namespace fathom::ltl {

bool Formulas::implies(Formula a, Formula b) {
  if (a == b || a == falsity || b == truth) return true;
  if (a == truth || b == falsity) return false;
  if (op(a) == Op::literal && op(b) == Op::literal) return false;
  const std::uint64_t key = std::uint64_t{a} << 32 | b;
  const auto known = implications_.find(key);
  if (known != implications_.end()) return known->second;
  const bool answer = implies_by_structure(a, b);
  implications_.emplace(key, answer);
  return answer;
}

bool Formulas::implies_by_structure(Formula a, Formula b) {
  const auto imply_b = [&](Formula part) { return implies(part, b); };
  const auto implied_by_a = [&](Formula part) { return implies(a, part); };
  const Parts& left = nodes_[a].parts;
  const Parts& right = nodes_[b].parts;
  if (op(a) == Op::disjunction) return std::all_of(left.begin(), left.end(), imply_b);
  if (op(b) == Op::conjunction) return std::all_of(right.begin(), right.end(), implied_by_a);
  if (op(a) == Op::conjunction && std::any_of(left.begin(), left.end(), imply_b)) return true;
  if (op(b) == Op::disjunction && std::any_of(right.begin(), right.end(), implied_by_a)) return true;
  return implies_by_left(a, b) || implies_by_right(a, b) || implies_by_both(a, b);
}

bool Formulas::implies_by_left(Formula a, Formula b) {
  const Parts& left = nodes_[a].parts;
  const bool eventual = nodes_[b].eventual;
  if (op(a) == Op::next) return eventual && implies(left[0], b);
  if (op(a) == Op::release) return implies(left[1], b);
  if (op(a) == Op::until) return implies(left[1], b) && (eventual || implies(left[0], b));
  return false;
}

bool Formulas::implies_by_right(Formula a, Formula b) {
  const Parts& right = nodes_[b].parts;
  const bool universal = nodes_[a].universal;
  if (op(b) == Op::next) return universal && implies(a, right[0]);
  if (op(b) == Op::until) return implies(a, right[1]);
  if (op(b) == Op::release) return implies(a, right[1]) && (universal || implies(a, right[0]));
  return false;
}

bool Formulas::implies_by_both(Formula a, Formula b) {
  if (op(a) != op(b)) return false;
  const Parts& left = nodes_[a].parts;
  const Parts& right = nodes_[b].parts;
  if (op(a) == Op::next) return implies(left[0], right[0]);
  if (op(a) == Op::until || op(a) == Op::release) return implies(left[0], right[0]) && implies(left[1], right[1]);
  return false;
}

}  // namespace fathom::ltl
