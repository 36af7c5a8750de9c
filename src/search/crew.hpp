// The threads of a search and what each of them has for itself: they are gathered when there is work that is worth it.
#pragma once

#include <atomic>
#include <functional>
#include <memory>
#include <mutex>
#include <utility>
#include <vector>

#include "search/thread_parts.hpp"
#include "support/team.hpp"

namespace fathom {

// Where a search gets more threads from.
template <class M>
struct MoreThreads {
  unsigned wanted = 1;                           // in all
  std::function<ThreadParts<M>()> another = {};  // makes the parts of one more
  std::uint64_t enough_for_all = 512;            // items in a row: for fewer nobody is woken
};

template <class M>
class Crew {
 public:
  Crew(const ThreadParts<M>& first, MoreThreads<M> more) : more_(std::move(more)), parts_{first} {}

  // The team for so many items, or null if one thread is enough.
  Team* team_for(std::uint64_t items) {
    if (more_.wanted <= 1 || items < more_.enough_for_all) return nullptr;
    if (team_ == nullptr) gather();
    return team_.get();
  }
  // The team that was gathered so far; null: one thread was enough.
  [[nodiscard]] Team* team() { return team_.get(); }

  [[nodiscard]] const ThreadParts<M>& operator[](unsigned thread) const { return parts_[thread]; }
  [[nodiscard]] unsigned size() const { return static_cast<unsigned>(parts_.size()); }

  void quiet(bool on) {
    quiet_ = on;
    for (const ThreadParts<M>& parts : parts_) parts.model->quiet(on);
  }

  // A thread says how many states it has expanded, and the search how many of them it needed. The others are work done
  // ahead for which there was no use when the search ended: how many they are depends on who was faster.
  void count_expanded(std::uint64_t states) { expanded_.fetch_add(states, std::memory_order_relaxed); }
  void count_needed(std::uint64_t states) { needed_ += states; }
  [[nodiscard]] std::uint64_t expanded_in_vain() const { return expanded_ - needed_; }

 private:
  // Each thread makes its own parts. What one thread allocates lies close together: counters of two threads in one line
  // of memory would go to and fro between them at every step.
  void gather() {
    team_ = std::make_unique<Team>(more_.wanted);
    parts_.resize(team_->size());
    std::mutex one_at_a_time;
    team_->run([&](unsigned thread) {
      const std::lock_guard lock(one_at_a_time);
      if (thread == 0) return;
      parts_[thread] = more_.another();
      parts_[thread].model->quiet(quiet_);
    });
  }

  const MoreThreads<M> more_;
  std::vector<ThreadParts<M>> parts_;
  std::unique_ptr<Team> team_;
  bool quiet_ = false;
  std::atomic<std::uint64_t> expanded_ = 0;
  std::uint64_t needed_ = 0;
};

}  // namespace fathom
