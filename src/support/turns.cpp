#include "support/turns.hpp"

#include <algorithm>
#include <utility>

namespace fathom {

Turns::Turns(std::size_t jobs, std::size_t at_a_time, Job job)
    : job_(std::move(job)), at_a_time_(std::max<std::size_t>(1, at_a_time)) {
  for (std::size_t k = 0; k < jobs; ++k) places_.push_back(std::make_unique<Place>());
}

void Turns::run(const Round& round, const MayBegin& may_begin) {
  for (std::vector<std::size_t> jobs = round(); !jobs.empty(); jobs = round()) {
    std::size_t under_way = 0;
    for (const std::size_t number : jobs) {
      if (under_way == at_a_time_) {
        turn_is_over_.acquire();
        --under_way;
      }
      if (!may_begin(number)) continue;
      give_turn(number);
      ++under_way;
    }
    for (; under_way > 0; --under_way) turn_is_over_.acquire();
  }
  for (const auto& place : places_)
    if (place->thread.joinable()) place->thread.join();
  if (thrown_) std::rethrow_exception(thrown_);
}

void Turns::give_turn(std::size_t number) {
  if (began(number))
    places_[number]->turn.release();
  else
    begin(number);
}

void Turns::begin(std::size_t number) {
  places_[number]->thread = std::jthread([this, number] {
    try {
      job_(number);
    } catch (...) {
      const std::lock_guard lock(mutex_);
      if (!thrown_) thrown_ = std::current_exception();
    }
    places_[number]->ended = true;
    turn_is_over_.release();
  });
}

void Turns::pause(std::size_t number) {
  turn_is_over_.release();
  places_[number]->turn.acquire();
}

}  // namespace fathom
