// Threads that do one piece of work together, again and again. The calling thread is one of them; the others sleep in
// between.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <exception>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

namespace fathom {

class Team {
 public:
  // Where the system refuses to start so many threads, there are fewer.
  explicit Team(unsigned size);
  Team(const Team&) = delete;
  Team& operator=(const Team&) = delete;
  ~Team();

  [[nodiscard]] unsigned size() const { return static_cast<unsigned>(others_.size()) + 1; }

  // Calls work(k) for every k below size() at the same time, work(0) in the calling thread, and returns when all have
  // returned. What one of them throws is thrown here.
  void run(const std::function<void(unsigned)>& work);

 private:
  void serve(unsigned number);
  void attempt(unsigned number);

  const std::function<void(unsigned)>* work_ = nullptr;  // null: go home
  std::atomic<std::uint32_t> round_ = 0;
  std::atomic<std::uint32_t> busy_ = 0;
  std::mutex mutex_;
  std::exception_ptr failure_;
  std::vector<std::jthread> others_;
};

// Calls body(first, end) for slices that together are 0 .. count-1: for the whole where there is no team. The threads
// take one after the other, smaller and smaller ones: some take longer than others, and nobody is to wait long for the
// last one.
template <class Body>
void in_slices(Team* team, std::uint64_t count, const Body& body) {
  if (team == nullptr) return body(std::uint64_t{0}, count);
  const std::uint64_t portions = std::uint64_t{8} * team->size();  // in which the rest is divided
  std::atomic<std::uint64_t> next = 0;
  team->run([&](unsigned) {
    for (std::uint64_t first = next.load(std::memory_order_relaxed), end; first < count;) {
      end = std::min(first + (count - first) / portions + 1, count);
      if (!next.compare_exchange_weak(first, end, std::memory_order_relaxed)) continue;
      body(first, end);
      first = next.load(std::memory_order_relaxed);
    }
  });
}

}  // namespace fathom
