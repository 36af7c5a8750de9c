#include "support/team.hpp"

#include <system_error>
#include <utility>

namespace fathom {

Team::Team(unsigned size) {
  try {
    for (unsigned k = 1; k < size; ++k) others_.emplace_back([this, k] { serve(k); });
  } catch (const std::system_error&) {
  }
}

Team::~Team() {
  work_ = nullptr;
  round_.fetch_add(1, std::memory_order_release);
  round_.notify_all();
}

void Team::run(const std::function<void(unsigned)>& work) {
  work_ = &work;
  busy_.store(size() - 1, std::memory_order_relaxed);
  round_.fetch_add(1, std::memory_order_release);
  round_.notify_all();
  attempt(0);
  for (std::uint32_t busy = busy_.load(std::memory_order_acquire); busy != 0;) {
    busy_.wait(busy, std::memory_order_acquire);
    busy = busy_.load(std::memory_order_acquire);
  }
  if (failure_) std::rethrow_exception(std::exchange(failure_, nullptr));
}

// Rounds are counted, so that a thread that is late to begin misses none: the next one comes when all have done the
// last.
void Team::serve(unsigned number) {
  for (std::uint32_t seen = 0;; ++seen) {
    round_.wait(seen, std::memory_order_acquire);
    if (work_ == nullptr) return;
    attempt(number);
    if (busy_.fetch_sub(1, std::memory_order_acq_rel) == 1) busy_.notify_one();
  }
}

void Team::attempt(unsigned number) {
  try {
    (*work_)(number);
  } catch (...) {
    const std::lock_guard lock(mutex_);
    if (!failure_) failure_ = std::current_exception();
  }
}

}  // namespace fathom
