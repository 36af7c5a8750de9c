#include "trace/follow.hpp"

#include <set>
#include <utility>

namespace fathom {

namespace {

constexpr std::size_t least_effort = 100'000;  // expansions, whatever the length of the record
constexpr std::size_t effort_per_entry = 20;

class Follower {
 public:
  Follower(InterpretedModel& model, Guide& guide)
      : model_(model), guide_(guide), allowed_(least_effort + effort_per_entry * guide.length()) {}

  Followed run() {
    for (const InstanceId start : guide_.starts()) {
      StateBuffer state;
      if (!model_.start(start, state).ok()) {
        if (guide_.length() == 0) return {true, false, start, {}, {}, 0, state};
        continue;
      }
      best_start(start, state);
      if (follow_from(start, std::move(state))) break;
    }
    keep_best();
    best_.gave_up = !best_.complete && spent_ >= allowed_;
    return std::move(best_);
  }

 private:
  struct Place {
    StateBuffer state;
    std::size_t position = 0;
    std::vector<Fitting> fitting;
    std::size_t next = 0;
  };

  void best_start(InstanceId start, const StateBuffer& state) {
    if (!best_.state.empty()) return;
    best_.start = start;
    best_.state = state;
  }

  bool follow_from(InstanceId start, StateBuffer state) {
    start_ = start;
    keep_best();
    way_.clear();
    places_.clear();
    if (arrive(std::move(state), 0)) return true;
    while (!places_.empty() && spent_ < allowed_) {
      Place& here = places_.back();
      if (here.next == here.fitting.size()) {
        go_back();
      } else if (go_along(here.fitting[here.next++])) {
        return true;
      }
    }
    return false;
  }

  // True at the end of the record.
  bool arrive(StateBuffer state, std::size_t position) {
    if (position >= guide_.length() && guide_.is_end(state)) return finish(std::move(state), position);
    if (position > best_.position) note(state, position);
    if (position >= guide_.length()) return false;
    ++spent_;
    std::vector<Fitting> fitting = guide_.fitting(state, position);
    places_.push_back({std::move(state), position, std::move(fitting), 0});
    return false;
  }

  bool go_along(const Fitting& choice) {
    const Place& here = places_.back();
    const std::size_t position = here.position + choice.entries;
    StateBuffer state = here.state;
    const bool goes_on = model_.apply(state, choice.step, undo_).has_successor();
    way_.push_back(choice.step);
    if (!goes_on) {
      if (position >= guide_.length()) return finish({}, position);
      way_.pop_back();
      return false;
    }
    if (!guide_.depends_on_the_way() && !tried_.insert({position, state}).second) {
      way_.pop_back();
      return false;
    }
    guide_.enter(here.state, here.position, choice);
    const std::size_t depth = places_.size();
    if (arrive(std::move(state), position)) return true;
    if (places_.size() == depth) {
      keep_best();
      guide_.leave();
      way_.pop_back();
    }
    return false;
  }

  void go_back() {
    keep_best();
    places_.pop_back();
    if (places_.empty()) return;
    guide_.leave();
    way_.pop_back();
  }

  void note(const StateBuffer& state, std::size_t position) {
    best_.start = start_;
    best_.position = position;
    best_.state = state;
    best_is_here_ = true;
  }

  // The way to the best place is written down when we leave it, and not at every step forward.
  void keep_best() {
    if (!std::exchange(best_is_here_, false)) return;
    best_.steps = way_;
    best_.positions.clear();
    for (std::size_t k = 0; k < way_.size(); ++k) best_.positions.push_back(places_[k].position);
  }

  bool finish(StateBuffer state, std::size_t position) {
    note(state, position);
    keep_best();
    best_.complete = true;
    return true;
  }

  InterpretedModel& model_;
  Guide& guide_;
  const std::size_t allowed_;
  std::size_t spent_ = 0;
  InstanceId start_{};
  std::vector<InstanceId> way_;
  std::vector<Place> places_;
  std::set<std::pair<std::size_t, StateBuffer>> tried_;
  Undo undo_;
  Followed best_;
  bool best_is_here_ = false;
};

}  // namespace

Followed follow(InterpretedModel& model, Guide& guide) {
  return Follower(model, guide).run();
}

}  // namespace fathom
