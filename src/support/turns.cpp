#include "support/turns.hpp"

#include <utility>

namespace fathom {

Turns::Turns(std::size_t jobs, Job job) : job_(std::move(job)) {
  for (std::size_t k = 0; k < jobs; ++k) places_.push_back(std::make_unique<Place>());
}

void Turns::run(const Choose& choose) {
  while (const std::optional<std::size_t> next = choose()) {
    if (began(*next))
      places_[*next]->turn.release();
    else
      begin(*next);
    turn_is_over_.acquire();
  }
  for (const auto& place : places_)
    if (place->thread.joinable()) place->thread.join();
  if (thrown_) std::rethrow_exception(thrown_);
}

void Turns::begin(std::size_t number) {
  places_[number]->thread = std::jthread([this, number] {
    try {
      job_(number);
    } catch (...) {
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
