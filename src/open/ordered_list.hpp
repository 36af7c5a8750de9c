// Open lists that are one queue in one order: by rank, or as a stack.
#pragma once

#include <algorithm>
#include <type_traits>

#include "open/bucket_list.hpp"
#include "open/open_list.hpp"
#include "support/plain_list.hpp"

namespace fathom {

// How much the cost of the path and the estimate count: (1, 1) is A*, (1, 0) Dijkstra's algorithm, (0, 1) greedy
// search; (2, 3) is A* with a weight of 1.5.
struct RankWeights {
  std::uint32_t cost = 1;
  std::uint32_t estimate = 1;
};

// Lowest rank first. Where the path counts, the entry with the longer path comes first among equals: it is nearer to
// the end, and the last of the levels that A* has to look into is left as soon as possible.
template <CostAlgebra A, class Entry>
class RankedList final : public OpenList<A, Entry> {
 public:
  explicit RankedList(RankWeights weights, Equals equals = Equals::oldest_first) : weights_(weights), list_(equals) {}

  void push(const Standing<A>& standing, Entry entry) override { list_.push(rank(standing), entry); }
  Entry pop() override { return list_.pop(); }
  [[nodiscard]] std::uint64_t size() const override { return list_.size(); }
  [[nodiscard]] std::uint64_t bytes() const override { return list_.bytes(); }

 private:
  static constexpr bool adds_up = std::is_same_v<A, Additive>;
  using Total = std::conditional_t<adds_up, std::uint64_t, typename A::Value>;

  struct Rank {
    Total total;
    std::uint32_t estimate;
  };
  struct Less {
    bool operator()(const Rank& a, const Rank& b) const {
      if (before(a.total, b.total)) return true;
      return a.estimate < b.estimate && !before(b.total, a.total);
    }
    static bool before(const Total& a, const Total& b) {
      if constexpr (adds_up)
        return a < b;
      else
        return A::better(a, b);
    }
  };

  // Only sums can be weighted. In other algebras an estimate counts as it is or not at all.
  [[nodiscard]] Rank rank(const Standing<A>& standing) const {
    const std::uint32_t estimate = weights_.estimate == 0 ? 0 : standing.estimates.front();
    const std::uint32_t tie = weights_.cost == 0 ? 0 : estimate;
    if constexpr (adds_up)
      return {std::uint64_t{weights_.cost} * standing.cost + std::uint64_t{weights_.estimate} * estimate, tie};
    else if (weights_.estimate == 0)
      return {standing.cost, 0};
    else
      return {weights_.cost == 0 ? A::lift(estimate) : A::then(standing.cost, A::lift(estimate)), tie};
  }

  const RankWeights weights_;
  BucketList<Entry, Rank, Less> list_;
};

// Depth first: the successors of the state expanded last come first, the most promising of them before the others.
template <CostAlgebra A, class Entry>
class StackList final : public OpenList<A, Entry> {
 public:
  void push(const Standing<A>& standing, Entry entry) override {
    stack_.push_back({A::then(standing.cost, A::lift(standing.estimates.front())), entry});
  }
  Entry pop() override {
    const Entry entry = stack_.back().entry;
    stack_.pop_back();
    sorted_ = stack_.size();
    return entry;
  }
  void end_of_successors() override {
    const auto first = stack_.begin() + static_cast<std::ptrdiff_t>(sorted_);
    std::reverse(first, stack_.end());  // of equal ones the first is to be on top
    std::stable_sort(first, stack_.end(), [](const Item& a, const Item& b) { return A::better(b.total, a.total); });
    sorted_ = stack_.size();
  }
  [[nodiscard]] std::uint64_t size() const override { return stack_.size(); }
  [[nodiscard]] std::uint64_t bytes() const override { return stack_.bytes(); }

 private:
  struct Item {
    typename A::Value total;
    Entry entry;
  };
  PlainList<Item> stack_;
  std::size_t sorted_ = 0;  // items below this have got their places
};

}  // namespace fathom
