// Numbers for new states, which threads take in ranges so that they seldom meet. What a thread did not use it gives
// back, and those who come later fill the gaps.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <vector>

namespace fathom {

struct IdRange {
  std::uint64_t first = 0, end = 0;
  [[nodiscard]] bool empty() const { return first == end; }
};

class IdPool {
 public:
  // From here on there are the numbers first .. end-1.
  void open(std::uint64_t first, std::uint64_t end) {
    next_.store(first, std::memory_order_relaxed);
    end_ = end;
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
  [[nodiscard]] std::uint64_t next() const { return next_.load(std::memory_order_relaxed); }

 private:
  alignas(64) std::atomic<std::uint64_t> next_ = 0;
  std::uint64_t end_ = 0;
};

// The numbers that one thread has.
class IdStock {
 public:
  static constexpr std::uint64_t range = 64;

  // Sees to it that there are at least so many.
  [[nodiscard]] bool hold(IdPool& pool, std::uint64_t count) {
    const std::uint64_t held = this->held();
    if (held >= count) return true;
    std::uint64_t more = std::max(count - held, range);
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
  // Gives back what is left.
  void empty_into(std::vector<std::uint64_t>& numbers) {
    later_.push_back({next_, end_});
    for (const IdRange& each : later_)
      for (std::uint64_t k = each.first; k < each.end; ++k) numbers.push_back(k);
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

}  // namespace fathom
