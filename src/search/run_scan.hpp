// Looking through the states of runs on a disk, one after the other, for the first that passes a test.
#pragma once

#include <optional>

#include "search/step_group.hpp"
#include "store/disk_run.hpp"

namespace fathom {

template <class Test>
std::optional<StateBuffer> first_between(const std::uint64_t* begin, const std::uint64_t* end, std::uint32_t words,
                                         Test& test) {
  for (; begin != end; begin += words)
    if (test(StateView{begin, words})) return StateBuffer(begin, begin + words);
  return std::nullopt;
}

// From this block on. go_on() is asked after each of them.
template <class Test, class GoOn>
std::optional<StateBuffer> first_in_run(const SharedRun& run, std::size_t block, Test& test, GoOn go_on) {
  for (RunReader states(run, block); !states.at_end(); states.move_to(states.end())) {
    if (auto found = first_between(states.begin(), states.end(), run->words, test)) return found;
    if (!go_on()) return std::nullopt;
  }
  return std::nullopt;
}

// Whether one step leads from a state to the target.
template <Model M>
class LeadsTo {
 public:
  LeadsTo(M& model, Canonicaliser* canonicaliser, StateView target)
      : model_(model), canonicaliser_(canonicaliser), target_(target) {}

  bool operator()(StateView from) {
    steps_.clear();
    model_.successors(from, steps_);
    const auto words = static_cast<std::uint32_t>(target_.size());
    return leads_to(steps_, words, canonicaliser_,
                    [&](StateView next) { return same_words(next.data(), target_.data(), words); });
  }

 private:
  M& model_;
  Canonicaliser* canonicaliser_;
  StateView target_;
  Batch steps_;
};

}  // namespace fathom
