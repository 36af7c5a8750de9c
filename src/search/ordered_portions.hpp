// A row of items that several threads prepare and one thread takes, in the order of the row: what comes of it is what
// one thread would have made, whoever was faster.
//
// The row is cut into portions, and each is prepared in a buffer of its own. The first thread takes what is ready and
// prepares while nothing is, so that the part that has to be done in order goes on beside the rest. There are a few
// buffers for each thread: those who have run ahead wait until half of them are empty, so that nobody is woken for a
// single portion.
#pragma once

#include <algorithm>
#include <atomic>
#include <condition_variable>
#include <memory>
#include <mutex>
#include <vector>

#include "store/store.hpp"
#include "support/team.hpp"

namespace fathom {

// A portion can be cleared, and says how much work() is in it, mostly steps, and how many bytes() it holds.
template <class Portion>
class OrderedPortions {
 public:
  // prepare(thread, items, most, portion) fills a portion and returns the item with which it stopped, because the
  // portion had `most` work in it or the items were at their end. take(portion) is called in this thread and says
  // whether to go on.
  template <class Prepare, class Take>
  void run(Team& team, IdRange items, const Prepare& prepare, const Take& take) {
    open(items, team.size());
    team.run([&](unsigned thread) {
      try {
        if (thread == 0)
          lead(prepare, take);
        else
          help(thread, prepare);
      } catch (...) {
        const std::lock_guard lock(mutex_);
        close();  // nobody waits for one that cannot go on
        throw;
      }
    });
  }

  [[nodiscard]] std::uint64_t bytes() const { return bytes_.load(std::memory_order_relaxed); }

 private:
  // What a portion should have in it: enough to be worth handing over, and not so much that others wait for it. What
  // has more steps than expected ends where it has `most`, and the rest is left to the first thread.
  static constexpr std::uint64_t wanted = 1024, most = 8192;
  static constexpr std::uint64_t portions_per_thread = 8;

  struct Slot {
    Portion portion;
    IdRange rest;  // of its items, those that are not in it
    std::uint64_t items = 0, bytes = 0;
    bool ready = false;
  };

  void open(IdRange items, unsigned threads) {
    rest_ = items;
    claimed_ = taken_ = 0;
    closed_ = false;
    while (slots_.size() < threads * portions_per_thread) slots_.push_back(std::make_unique<Slot>());
    for (const auto& slot : slots_) slot->ready = false;
    most_items_ = std::max<std::uint64_t>(1, (items.end - items.first) / (threads * portions_per_thread));
  }

  [[nodiscard]] Slot& slot(std::uint64_t number) { return *slots_[number % slots_.size()]; }
  [[nodiscard]] bool is_ready() { return taken_ < claimed_ && slot(taken_).ready; }
  [[nodiscard]] bool all_claimed() const { return closed_ || rest_.empty(); }
  [[nodiscard]] bool may_claim() const { return !all_claimed() && claimed_ - taken_ < slots_.size(); }
  [[nodiscard]] bool all_taken() const { return closed_ || (rest_.empty() && taken_ == claimed_); }

  void close() {
    closed_ = true;
    room_.notify_all();
    next_ready_.notify_all();
  }

  template <class Prepare, class Take>
  void lead(const Prepare& prepare, const Take& take) {
    std::unique_lock lock(mutex_);
    for (;;) {
      next_ready_.wait(lock, [&] { return is_ready() || may_claim() || all_taken(); });
      if (all_taken()) return;
      if (is_ready())
        take_next(lock, prepare, take);
      else
        prepare_next(lock, 0, prepare);
    }
  }

  template <class Prepare>
  void help(unsigned thread, const Prepare& prepare) {
    std::unique_lock lock(mutex_);
    for (;;) {
      room_.wait(lock, [&] { return may_claim() || all_claimed(); });
      if (all_claimed()) return;
      prepare_next(lock, thread, prepare);
    }
  }

  template <class Prepare>
  void prepare_next(std::unique_lock<std::mutex>& lock, unsigned thread, const Prepare& prepare) {
    const std::uint64_t number = claimed_++;
    Slot& mine = slot(number);
    mine.items = std::min({rest_.end - rest_.first, most_items_, wanted * 16 / work_of_16_ + 1});
    mine.rest = {rest_.first, rest_.first + mine.items};
    rest_.first = mine.rest.end;
    if (rest_.empty()) room_.notify_all();
    lock.unlock();
    fill(mine, thread, prepare);
    lock.lock();
    mine.ready = true;
    if (number == taken_) next_ready_.notify_one();
  }

  template <class Prepare>
  void fill(Slot& slot, unsigned thread, const Prepare& prepare) {
    slot.portion.clear();
    slot.rest.first = prepare(thread, slot.rest, most, slot.portion);
    bytes_.fetch_add(slot.portion.bytes() - slot.bytes, std::memory_order_relaxed);
    slot.bytes = slot.portion.bytes();
  }

  template <class Prepare, class Take>
  void take_next(std::unique_lock<std::mutex>& lock, const Prepare& prepare, const Take& take) {
    Slot& next = slot(taken_);
    lock.unlock();
    std::uint64_t work = next.portion.work();
    bool going = take(next.portion);
    while (going && !next.rest.empty()) {
      fill(next, 0, prepare);
      work += next.portion.work();
      going = take(next.portion);
    }
    lock.lock();
    next.ready = false;
    ++taken_;
    work_of_16_ = (work_of_16_ * 3 + work * 16 / next.items) / 4 + 1;
    if (!going) close();
    if (claimed_ - taken_ == slots_.size() / 2) room_.notify_all();
  }

  std::vector<std::unique_ptr<Slot>> slots_;  // in turn, by the numbers of the portions
  std::atomic<std::uint64_t> bytes_ = 0;

  std::mutex mutex_;  // for all that follows
  std::condition_variable room_, next_ready_;
  IdRange rest_;  // items that nobody has claimed
  std::uint64_t claimed_ = 0, taken_ = 0;
  bool closed_ = false;
  std::uint64_t most_items_ = 1;
  std::uint64_t work_of_16_ = 64;  // items, as far as is known
};

}  // namespace fathom
