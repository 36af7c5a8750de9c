// The states that wait to be expanded, and the rule by which the next one is chosen. A search is given its open list as
// a part, so one search serves for many orders. What an open list goes by is the standing of a state: the cost of the
// path to it and what each evaluator says of it.
#pragma once

#include <cstdint>
#include <span>

#include "open/cost_algebra.hpp"

namespace fathom {

template <CostAlgebra A>
struct Standing {
  typename A::Value cost;
  std::span<const std::uint32_t> estimates;  // one per evaluator, at least one
};

template <CostAlgebra A, class Entry>
class OpenList {
 public:
  virtual ~OpenList() = default;
  virtual void push(const Standing<A>& standing, Entry entry) = 0;
  virtual Entry pop() = 0;
  // All successors of one state have been pushed.
  virtual void end_of_successors() {}
  [[nodiscard]] virtual std::uint64_t size() const = 0;
  [[nodiscard]] virtual std::uint64_t bytes() const = 0;
  [[nodiscard]] bool empty() const { return size() == 0; }
};

}  // namespace fathom
