#include "property/ltl/formula.hpp"

#include <algorithm>

namespace fathom::ltl {

Formulas::Formulas(Splitting splitting) : splits_(splitting == Splitting::on) {
  intern({.op = Op::falsity, .eventual = true, .universal = true});
  intern({.op = Op::truth, .eventual = true, .universal = true});
}

Formula Formulas::intern(Node node) {
  const auto key = std::make_tuple(node.op, node.negated, node.atom, node.parts);
  const auto found = numbers_.find(key);
  if (found != numbers_.end()) return found->second;
  for (const Formula part : node.parts) node.size += nodes_[part].size;
  classify(node);
  const auto number = static_cast<Formula>(nodes_.size());
  nodes_.push_back(std::move(node));
  numbers_.emplace(key, number);
  return number;
}

// Eventual and universal formulas (Etessami and Holzmann, CONCUR 2000).
void Formulas::classify(Node& node) const {
  if (node.parts.empty()) return;
  const auto every = [&](bool Node::*what) {
    return std::all_of(node.parts.begin(), node.parts.end(), [&](Formula part) { return nodes_[part].*what; });
  };
  node.eventual = every(&Node::eventual) || (node.op == Op::until && node.parts[0] == truth);
  node.universal = every(&Node::universal) || (node.op == Op::release && node.parts[0] == falsity);
  if (node.op == Op::until && nodes_[node.parts[1]].eventual) node.eventual = true;
  if (node.op == Op::release && nodes_[node.parts[1]].universal) node.universal = true;
}

Formula Formulas::literal(std::uint32_t atom, bool negated) {
  return intern({.op = Op::literal, .negated = negated, .atom = atom});
}

Formula Formulas::from(const ir::Ltl& formula, bool negated) {
  return from(formula, negated, 0);
}

Formula Formulas::from(const ir::Ltl& formula, bool negated, std::uint32_t depth) {
  using Kind = ir::Ltl::Kind;
  if (depth > max_depth) throw LimitError("the formula is nested too deeply");
  const auto operand = [&] { return from(*formula.a, negated, depth + 1); };
  switch (formula.kind) {
    case Kind::truth:
      return negated ? falsity : truth;
    case Kind::falsity:
      return negated ? truth : falsity;
    case Kind::atom:
      return literal(formula.atom, negated);
    case Kind::negation:
      return from(*formula.a, !negated, depth + 1);
    case Kind::next:
      return next(operand());
    case Kind::always:
      return temporal(negated ? Side::plain : Side::dual, negated ? truth : falsity, operand());
    case Kind::eventually:
      return temporal(negated ? Side::dual : Side::plain, negated ? falsity : truth, operand());
    default:
      return from_binary(formula, negated, depth);
  }
}

Formula Formulas::from_binary(const ir::Ltl& formula, bool negated, std::uint32_t depth) {
  using Kind = ir::Ltl::Kind;
  const auto a = [&](bool flipped = false) { return from(*formula.a, negated != flipped, depth + 1); };
  const auto b = [&](bool flipped = false) { return from(*formula.b, negated != flipped, depth + 1); };
  const Side disjunctive = negated ? Side::dual : Side::plain;
  const Side conjunctive = negated ? Side::plain : Side::dual;
  switch (formula.kind) {
    case Kind::conjunction:
      return join(conjunctive, {a(), b()});
    case Kind::disjunction:
      return join(disjunctive, {a(), b()});
    case Kind::implication:
      return join(disjunctive, {a(true), b()});
    case Kind::equivalence: {
      const Formula left = from(*formula.a, false, depth + 1);
      const Formula right = from(*formula.b, negated, depth + 1);
      return either(both(left, right), both(negate(left), negate(right)));
    }
    case Kind::until:
      return temporal(disjunctive, a(), b());
    case Kind::release:
      return temporal(conjunctive, a(), b());
    default: {  // a weakly until b
      const Formula right = b();
      return temporal(conjunctive, right, join(disjunctive, {a(), right}));
    }
  }
}

Formula Formulas::negate(Formula a) {
  const auto known = negations_.find(a);
  if (known != negations_.end()) return known->second;
  const Node node = nodes_[a];
  Parts parts;
  for (const Formula part : node.parts) parts.push_back(negate(part));
  const bool plain = node.op == Op::disjunction || node.op == Op::until;
  const Side opposite = plain ? Side::dual : Side::plain;
  Formula result = a == truth ? falsity : truth;
  if (node.op == Op::literal) result = literal(node.atom, !node.negated);
  if (node.op == Op::next) result = next(parts[0]);
  if (node.op == Op::conjunction || node.op == Op::disjunction) result = join(opposite, parts);
  if (node.op == Op::until || node.op == Op::release) result = temporal(opposite, parts[0], parts[1]);
  negations_.emplace(a, result);
  negations_.emplace(result, a);
  return result;
}

}  // namespace fathom::ltl
