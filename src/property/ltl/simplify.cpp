// The functions that make formulas, and simplify while they do so: every rule gives an equivalent formula that is not
// larger or whose automaton is smaller. The rules are collected from Somenzi and Bloem (CAV 2000), Etessami and
// Holzmann (CONCUR 2000) and Babiak et al. (TACAS 2012). On the plain side `join` is a disjunction and `temporal` an
// until; on the dual side they are a conjunction and a release. Comments tell the plain side.
#include <algorithm>

#include "property/ltl/formula.hpp"

namespace fathom::ltl {
namespace {

constexpr Side opposite(Side side) {
  return side == Side::plain ? Side::dual : Side::plain;
}
constexpr Formula top(Side side) {
  return side == Side::plain ? Formulas::truth : Formulas::falsity;
}
constexpr Formula bottom(Side side) {
  return top(opposite(side));
}
constexpr Op join_op(Side side) {
  return side == Side::plain ? Op::disjunction : Op::conjunction;
}
constexpr Op temporal_op(Side side) {
  return side == Side::plain ? Op::until : Op::release;
}

void sort_and_unite(std::vector<Formula>& parts) {
  std::sort(parts.begin(), parts.end());
  parts.erase(std::unique(parts.begin(), parts.end()), parts.end());
}

}  // namespace

Formula Formulas::next(Formula a) {
  if (lasting(a)) return a;
  return intern({.op = Op::next, .parts = {a}});
}

// Each round but the last makes the parts fewer or smaller, so the loop ends.
Formula Formulas::join(Side side, Parts parts) {
  for (bool changed = true; changed;) {
    if (!flatten(side, parts) || !drop_weaker(side, parts)) return top(side);
    changed = shorten_parts(side, parts) || merge_pair(side, parts);
  }
  if (parts.empty()) return bottom(side);
  if (parts.size() == 1) return parts[0];
  return intern({.op = join_op(side), .parts = std::move(parts)});
}

// False if a part is true.
bool Formulas::flatten(Side side, Parts& parts) const {
  Parts flat;
  for (const Formula part : parts) {
    if (part == top(side)) return false;
    if (part == bottom(side)) continue;
    const Parts& inner = nodes_[part].parts;
    if (op(part) == join_op(side))
      flat.insert(flat.end(), inner.begin(), inner.end());
    else
      flat.push_back(part);
  }
  sort_and_unite(flat);
  parts = std::move(flat);
  return true;
}

// Removes parts that imply another one. False if two parts together are true.
bool Formulas::drop_weaker(Side side, Parts& parts) {
  for (std::size_t i = 0; i < parts.size(); ++i)
    for (std::size_t k = 0; k < parts.size(); ++k)
      if (i != k && implies_on(side, negate(parts[i]), parts[k])) return false;
  for (std::size_t i = 0; i < parts.size();) {
    const auto covers = [&](const Formula& other) { return &other != &parts[i] && implies_on(side, parts[i], other); };
    if (std::any_of(parts.begin(), parts.end(), covers))
      parts.erase(parts.begin() + static_cast<std::ptrdiff_t>(i));
    else
      ++i;
  }
  return true;
}

// a or (not a and b) is a or b.
bool Formulas::shorten_parts(Side side, Parts& parts) {
  for (Formula& part : parts) {
    if (op(part) != join_op(opposite(side))) continue;
    Parts kept;
    for (const Formula inner : Parts(nodes_[part].parts)) {
      const auto supplies = [&](Formula other) { return other != part && implies_on(side, negate(other), inner); };
      if (std::none_of(parts.begin(), parts.end(), supplies)) kept.push_back(inner);
    }
    if (kept.size() == nodes_[part].parts.size()) continue;
    part = join(opposite(side), std::move(kept));
    return true;
  }
  return false;
}

bool Formulas::merge_pair(Side side, Parts& parts) {
  for (std::size_t i = 0; i < parts.size(); ++i) {
    for (std::size_t k = i + 1; k < parts.size(); ++k) {
      const Formula one = merged(side, parts[i], parts[k]);
      if (one == bottom(side)) continue;
      parts.erase(parts.begin() + static_cast<std::ptrdiff_t>(k));
      parts[i] = one;
      return true;
    }
  }
  return false;
}

// X a or X b, a U b or a U c, a R c or b R c, GF a or GF b. The answer is false where there is nothing to merge.
Formula Formulas::merged(Side side, Formula a, Formula b) {
  if (op(a) != op(b)) return bottom(side);
  const Parts left = nodes_[a].parts;
  const Parts right = nodes_[b].parts;
  if (op(a) == Op::next) return next(join(side, {left[0], right[0]}));
  if (op(a) == temporal_op(opposite(side)) && lasting(a) && lasting(b)) {
    const bool repeated = left[0] == bottom(side) && right[0] == bottom(side) && op(left[1]) == temporal_op(side) &&
                          op(right[1]) == temporal_op(side);
    if (!repeated) return bottom(side);
    const Formula inner = join(side, {nodes_[left[1]].parts[1], nodes_[right[1]].parts[1]});
    return temporal(opposite(side), bottom(side), temporal(side, top(side), inner));
  }
  if (lasting(a) || lasting(b)) return bottom(side);
  if (op(a) == temporal_op(side) && left[0] == right[0])
    return temporal(side, left[0], join(side, {left[1], right[1]}));
  if (op(a) == temporal_op(opposite(side)) && left[1] == right[1])
    return temporal(opposite(side), join(side, {left[0], right[0]}), left[1]);
  return bottom(side);
}

// a U b.
Formula Formulas::temporal(Side side, Formula a, Formula b) {
  if (b == truth || b == falsity || a == bottom(side)) return b;
  if (eventual_on(side, b) || implies_on(side, a, b)) return b;
  if (a != top(side) && implies_on(side, negate(b), a)) return temporal(side, top(side), b);
  if (op(a) == join_op(side)) {  // (a or b) U b is a U b
    Parts kept;
    for (const Formula part : nodes_[a].parts)
      if (!implies_on(side, part, b)) kept.push_back(part);
    if (kept.size() < nodes_[a].parts.size()) return temporal(side, join(side, std::move(kept)), b);
  }
  if (op(b) == Op::next && (op(a) == Op::next || a == top(side))) {
    const Formula left = a == top(side) ? a : nodes_[a].parts[0];
    return next(temporal(side, left, nodes_[b].parts[0]));
  }
  if (op(b) == join_op(side) || op(b) == join_op(opposite(side))) return split_right(side, a, b);
  return temporal_in_temporal(side, a, b);
}

// a U (b or c) with an eventual c is (a U b) or c; a U (b and c) with a c that is always as it is now is (a U b) and c.
Formula Formulas::split_right(Side side, Formula a, Formula b) {
  const Side joined = op(b) == join_op(side) ? side : opposite(side);
  Parts outside, inside;
  for (const Formula part : nodes_[b].parts) {
    const bool leaves = joined == side ? eventual_on(side, part) : lasting(part);
    (leaves ? outside : inside).push_back(part);
  }
  if (outside.empty()) return intern({.op = temporal_op(side), .parts = {a, b}});
  outside.push_back(temporal(side, a, join(joined, std::move(inside))));
  return join(joined, std::move(outside));
}

// a U (b U c) where a implies b or b implies a, (a U b) U b, and F(a R b), which is FG b or F(a and b).
Formula Formulas::temporal_in_temporal(Side side, Formula a, Formula b) {
  const Parts inner = nodes_[b].parts;
  if (op(b) == temporal_op(side)) {
    if (implies_on(side, a, inner[0])) return b;
    if (implies_on(side, inner[0], a)) return temporal(side, a, inner[1]);
  }
  if (op(a) == temporal_op(side) && nodes_[a].parts[1] == b) return a;
  if (splits_ && a == top(side) && op(b) == temporal_op(opposite(side)) && inner[0] != bottom(side)) {
    const Formula for_ever = temporal(opposite(side), bottom(side), inner[1]);
    return join(side, {temporal(side, a, for_ever), temporal(side, a, join(opposite(side), {inner[0], inner[1]}))});
  }
  return intern({.op = temporal_op(side), .parts = {a, b}});
}

}  // namespace fathom::ltl
