// What waits while several threads sweep a product (sweep_worker.hpp): portions of nodes, which they put here and take,
// the oldest first. It also knows when nobody has anything left to do.
#pragma once

#include <atomic>
#include <cstdint>
#include <deque>
#include <mutex>
#include <optional>
#include <utility>
#include <vector>

#include "property/product.hpp"
#include "support/sealed_file.hpp"

namespace fathom {

struct SweepPortion {
  std::vector<Node> nodes = {};
  std::uint64_t depth = 0;  // levels of the sweep above them
  bool are_seeds = false;   // a nested search is to begin with each of them; otherwise they are to be swept
};

class SweepPool {
 public:
  explicit SweepPool(unsigned threads) : busy_(threads) {}

  void put(SweepPortion portion) {
    if (portion.nodes.empty()) return;
    const std::lock_guard lock(mutex_);
    nodes_ += portion.nodes.size();
    portions_.push_back(std::move(portion));
    is_wanted_.store(false, std::memory_order_relaxed);
  }

  // For a thread that has nothing to do and is busy, or has waited here before: if there is no portion, it is not busy
  // any more.
  std::optional<SweepPortion> take(bool& is_busy) {
    const std::lock_guard lock(mutex_);
    if (portions_.empty()) {
      busy_ -= std::exchange(is_busy, false) ? 1 : 0;
      is_wanted_.store(true, std::memory_order_relaxed);
      return std::nullopt;
    }
    busy_ += std::exchange(is_busy, true) ? 0 : 1;
    return first();
  }
  // For a thread that is busy and has something else to do if there is none.
  std::optional<SweepPortion> take_if_any() {
    const std::lock_guard lock(mutex_);
    return portions_.empty() ? std::nullopt : std::optional(first());
  }
  // It has found something to do elsewhere.
  void be_busy(bool& is_busy) {
    const std::lock_guard lock(mutex_);
    busy_ += std::exchange(is_busy, true) ? 0 : 1;
  }

  // Somebody has asked for a portion in vain.
  [[nodiscard]] bool is_wanted() const { return is_wanted_.load(std::memory_order_relaxed); }
  // All have, after they had put here what they knew of.
  [[nodiscard]] bool is_exhausted() const {
    const std::lock_guard lock(mutex_);
    return busy_ == 0 && portions_.empty();
  }
  [[nodiscard]] bool is_empty() const { return nodes() == 0; }
  [[nodiscard]] std::uint64_t nodes() const { return nodes_.load(std::memory_order_relaxed); }

  // While all are at rest.
  void write(SealedWriter& out) const {
    out.number(portions_.size());
    for (const SweepPortion& portion : portions_) {
      out.list(portion.nodes);
      out.list({portion.depth, portion.are_seeds});
    }
  }
  void read(SealedReader& in) {
    for (std::uint64_t left = in.number(); left > 0; --left) {
      SweepPortion portion{.nodes = in.list()};
      const std::vector<std::uint64_t> numbers = in.list();
      portion.depth = numbers.at(0);
      portion.are_seeds = numbers.at(1) != 0;
      put(std::move(portion));
    }
  }

 private:
  SweepPortion first() {
    SweepPortion portion = std::move(portions_.front());
    portions_.pop_front();
    nodes_ -= portion.nodes.size();
    return portion;
  }

  mutable std::mutex mutex_;
  std::deque<SweepPortion> portions_;
  std::atomic<std::uint64_t> nodes_ = 0;  // in all of them
  unsigned busy_;                         // threads
  std::atomic<bool> is_wanted_ = false;
};

}  // namespace fathom
