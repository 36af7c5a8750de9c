// Jobs that take turns. Each has a thread of its own, but exactly one runs at a time, and a rule decides whose turn it
// is: what happens does not depend on the machine, and a job keeps its stack while others have their turn.
#pragma once

#include <exception>
#include <functional>
#include <memory>
#include <optional>
#include <semaphore>
#include <thread>
#include <vector>

namespace fathom {

class Turns {
 public:
  using Job = std::function<void(std::size_t number)>;
  // The number of the job whose turn is next; nothing: it is over. Every job that began must be given turns until it
  // has ended.
  using Choose = std::function<std::optional<std::size_t>()>;

  Turns(std::size_t jobs, Job job);

  // Returns when `choose` ends it. Throws what a job threw.
  void run(const Choose& choose);

  // For a job: ends its turn, and returns when it has the next one.
  void pause(std::size_t number);

  [[nodiscard]] bool began(std::size_t number) const { return places_[number]->thread.joinable(); }
  [[nodiscard]] bool ended(std::size_t number) const { return places_[number]->ended; }

 private:
  struct Place {
    std::binary_semaphore turn{0};
    bool ended = false;
    std::jthread thread;
  };

  void begin(std::size_t number);

  Job job_;
  std::vector<std::unique_ptr<Place>> places_;
  std::binary_semaphore turn_is_over_{0};
  std::exception_ptr thrown_;
};

}  // namespace fathom
