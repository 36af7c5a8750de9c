// Jobs that take turns, so many at a time. Each has a thread of its own and keeps its stack while others have their
// turn. Turns come in rounds, and the next round begins when all turns of the last one are over: what is decided
// between two rounds does not depend on who was faster.
#pragma once

#include <exception>
#include <functional>
#include <memory>
#include <mutex>
#include <semaphore>
#include <thread>
#include <vector>

namespace fathom {

class Turns {
 public:
  using Job = std::function<void(std::size_t number)>;
  // The jobs that have a turn in the next round, in the order in which they begin; none: it is over. Every job that
  // began must be given turns until it has ended.
  using Round = std::function<std::vector<std::size_t>()>;
  // Asked before a turn begins, while others may have theirs; false: not in this round.
  using MayBegin = std::function<bool(std::size_t number)>;

  Turns(std::size_t jobs, std::size_t at_a_time, Job job);

  // Returns when `round` ends it. Throws what a job threw.
  void run(
      const Round& round, const MayBegin& may_begin = [](std::size_t) { return true; });

  // For a job: ends its turn, and returns when it has the next one.
  void pause(std::size_t number);

  // Between two rounds.
  [[nodiscard]] bool began(std::size_t number) const { return places_[number]->thread.joinable(); }
  [[nodiscard]] bool ended(std::size_t number) const { return places_[number]->ended; }

 private:
  struct Place {
    std::binary_semaphore turn{0};
    bool ended = false;
    std::jthread thread;
  };

  void give_turn(std::size_t number);
  void begin(std::size_t number);

  Job job_;
  const std::size_t at_a_time_;
  std::vector<std::unique_ptr<Place>> places_;
  std::counting_semaphore<> turn_is_over_{0};
  std::mutex mutex_;
  std::exception_ptr thrown_;
};

}  // namespace fathom
