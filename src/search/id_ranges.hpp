// Numbers for new states, which threads take in ranges so that they seldom meet. What a thread did not use it gives
// back, and those who come later fill the gaps.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <iterator>
#include <vector>

#include "store/store.hpp"

namespace fathom {

class IdPool {
 public:
  static constexpr std::uint64_t least_range = 64, most_range = 1024;
  // From here on there are the numbers first .. end-1, of which a thread takes so many at a time. States that are found
  // one after the other have much in common: they should have numbers in long runs, or whoever expands them meets
  // another kind of state, and other parts of the table, every few steps. But what threads have not used must be
  // filled.
  void open(std::uint64_t first, std::uint64_t end, std::uint64_t range = least_range) {
    next_.store(first, std::memory_order_relaxed);
    end_ = end;
    range_ = std::clamp(range, least_range, most_range);
  }
  // The first of `count` numbers, or `none` if so many are not left.
  static constexpr std::uint64_t none = UINT64_MAX;
  std::uint64_t take(std::uint64_t count) {
    std::uint64_t first = next_.load(std::memory_order_relaxed);
    do {
      if (end_ - first < count) return none;
    } while (!next_.compare_exchange_weak(first, first + count, std::memory_order_relaxed));
    return first;
  }
  [[nodiscard]] std::uint64_t end() const { return end_; }
  [[nodiscard]] std::uint64_t range() const { return range_; }
  [[nodiscard]] std::uint64_t next() const { return next_.load(std::memory_order_relaxed); }

 private:
  alignas(64) std::atomic<std::uint64_t> next_ = 0;
  std::uint64_t end_ = 0;
  std::uint64_t range_ = least_range;
};

// The numbers that one thread has.
class IdStock {
 public:
  // Sees to it that there are at least so many.
  [[nodiscard]] bool hold(IdPool& pool, std::uint64_t count) {
    const std::uint64_t held = this->held();
    if (held >= count) return true;
    std::uint64_t more = std::max(count - held, pool.range());
    std::uint64_t first = pool.take(more);
    if (first == IdPool::none) first = pool.take(more = count - held);
    if (first == IdPool::none) return false;
    later_.push_back({first, first + more});
    return true;
  }
  [[gnu::always_inline]] std::uint64_t take() {
    if (next_ == end_) go_on();
    return next_++;
  }
  // Tells what is left.
  void list(std::vector<IdRange>& ranges) const {
    if (next_ != end_) ranges.push_back({next_, end_});
    ranges.insert(ranges.end(), later_.begin(), later_.end());
  }
  // Gives back what is left.
  void empty_into(std::vector<IdRange>& ranges) {
    list(ranges);
    later_.clear();
    next_ = end_ = 0;
  }

 private:
  [[nodiscard]] std::uint64_t held() const {
    std::uint64_t sum = end_ - next_;
    for (const IdRange& each : later_) sum += each.end - each.first;
    return sum;
  }
  void go_on() {
    next_ = later_.front().first;
    end_ = later_.front().end;
    later_.erase(later_.begin());
  }

  std::uint64_t next_ = 0, end_ = 0;
  std::vector<IdRange> later_;  // a few at most
};

// A state gets another number.
struct Renumbering {
  StateId from, to;
};

inline std::uint64_t numbers_in(const std::vector<IdRange>& ranges) {
  std::uint64_t sum = 0;
  for (const IdRange& each : ranges) sum += each.end - each.first;
  return sum;
}

// What makes the numbers of states below `end` consecutive: those at the end get the numbers that nobody used, which
// are in ranges that have nothing in common. In the end there are `end - numbers_in(unused)` states.
inline std::vector<Renumbering> to_fill_gaps(std::vector<IdRange>& unused, std::uint64_t end) {
  std::vector<Renumbering> moves;
  std::ranges::sort(unused, {}, &IdRange::end);
  const std::uint64_t count = end - numbers_in(unused);
  auto last = unused.end();
  for (const IdRange& gap : unused)
    for (std::uint64_t number = gap.first; number < std::min(gap.end, count); ++number) {
      for (; last != unused.begin() && std::prev(last)->end == end; --last) end = std::prev(last)->first;
      moves.push_back({StateId{--end}, StateId{number}});
    }
  return moves;
}

// Calls move(from, to) for all of them. Where that takes a look-up, what the next ones will need is fetched meanwhile:
// all threads wait for the one that does this.
template <class S, class Move>
void renumber(S& store, const std::vector<Renumbering>& moves, const Move& move) {
  constexpr std::size_t ahead = 16;
  for (std::size_t k = 0; k < moves.size(); ++k) {
    if constexpr (ViewedStore<S> && S::known_ids) {
      if (k + 2 * ahead < moves.size()) __builtin_prefetch(store.state(moves[k + 2 * ahead].from).data());
      if (k + ahead < moves.size()) store.prefetch(store.hash(store.state(moves[k + ahead].from)));
    }
    move(moves[k].from, moves[k].to);
  }
}

}  // namespace fathom
