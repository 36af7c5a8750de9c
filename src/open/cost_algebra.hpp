// What the cost of a path can be. A cost algebra has values with a neutral one, an operation that puts the costs of two
// paths one behind the other, and a total order, smaller is better (Edelkamp, Jabbar, Lluch Lafuente: Cost-Algebraic
// Heuristic Search, AAAI 2005). Dijkstra's algorithm and A* find cheapest paths exactly if the algebra is isotone: what
// is better stays at least as good, whatever is put behind both or in front of both.
//
// An algebra says what an estimate in whole numbers means for it: `lift`.
#pragma once

#include <algorithm>
#include <concepts>
#include <cstdint>
#include <limits>
#include <span>
#include <utility>

namespace fathom {

template <class A>
concept CostAlgebra = requires(typename A::Value a, typename A::Value b, std::uint32_t estimate) {
  { A::none() } -> std::same_as<typename A::Value>;   // of a path without steps: nothing is better
  { A::worst() } -> std::same_as<typename A::Value>;  // nothing is worse
  { A::then(a, b) } -> std::same_as<typename A::Value>;
  { A::better(a, b) } -> std::same_as<bool>;
  { A::lift(estimate) } -> std::same_as<typename A::Value>;
};

// Costs are added up; sums that leave the range stay at its end.
struct Additive {
  using Value = std::uint32_t;
  static constexpr Value none() { return 0; }
  static constexpr Value worst() { return std::numeric_limits<Value>::max(); }
  static constexpr Value then(Value a, Value b) { return a > worst() - b ? worst() : a + b; }
  static constexpr bool better(Value a, Value b) { return a < b; }
  static constexpr Value lift(std::uint32_t estimate) { return estimate; }
};

// A path is as bad as its worst step: the smallest peak of what is needed at a time.
struct Peak {
  using Value = std::uint32_t;
  static constexpr Value none() { return 0; }
  static constexpr Value worst() { return std::numeric_limits<Value>::max(); }
  static constexpr Value then(Value a, Value b) { return std::max(a, b); }
  static constexpr bool better(Value a, Value b) { return a < b; }
  static constexpr Value lift(std::uint32_t estimate) { return estimate; }
};

// A path lets through what its narrowest step lets through, and more is better.
struct Capacity {
  using Value = std::uint32_t;
  static constexpr Value none() { return std::numeric_limits<Value>::max(); }
  static constexpr Value worst() { return 0; }
  static constexpr Value then(Value a, Value b) { return std::min(a, b); }
  static constexpr bool better(Value a, Value b) { return a > b; }
  static constexpr Value lift(std::uint32_t) { return none(); }
};

// Probabilities are multiplied, and the likeliest path is wanted.
struct Probability {
  using Value = double;
  static constexpr Value none() { return 1; }
  static constexpr Value worst() { return 0; }
  static constexpr Value then(Value a, Value b) { return a * b; }
  static constexpr bool better(Value a, Value b) { return a > b; }
  static constexpr Value lift(std::uint32_t) { return none(); }
};

// First by one algebra, then by another. That is isotone only if the first one is strictly so: it never makes equal
// what was different, as a minimum does. (Capacity, Additive) is the classical example of a pair that is not.
template <CostAlgebra First, CostAlgebra Second>
struct Lexicographic {
  using Value = std::pair<typename First::Value, typename Second::Value>;
  static constexpr Value none() { return {First::none(), Second::none()}; }
  static constexpr Value worst() { return {First::worst(), Second::worst()}; }
  static constexpr Value then(Value a, Value b) {
    return {First::then(a.first, b.first), Second::then(a.second, b.second)};
  }
  static constexpr bool better(Value a, Value b) {
    if (First::better(a.first, b.first)) return true;
    return !First::better(b.first, a.first) && Second::better(a.second, b.second);
  }
  static constexpr Value lift(std::uint32_t estimate) { return {First::lift(estimate), Second::none()}; }
};

// Whether the algebra keeps its order on these values, and none() and worst() are what they say: the self-test of an
// algebra.
template <CostAlgebra A>
constexpr bool is_isotone(std::span<const typename A::Value> values) {
  const auto same = [](const auto& a, const auto& b) { return !A::better(a, b) && !A::better(b, a); };
  for (const auto& a : values) {
    if (!same(A::then(a, A::none()), a) || !same(A::then(A::none(), a), a)) return false;
    if (A::better(a, A::none()) || A::better(A::worst(), a)) return false;
    for (const auto& b : values)
      for (const auto& c : values)
        if (!A::better(b, a) && (A::better(A::then(b, c), A::then(a, c)) || A::better(A::then(c, b), A::then(c, a))))
          return false;
  }
  return true;
}

}  // namespace fathom
