// The first of some states from which a step leads to a given one, found by the threads of a crew together.
#pragma once

#include <optional>
#include <stdexcept>

#include "search/crew.hpp"
#include "search/ordered_portions.hpp"
#include "search/step_group.hpp"

namespace fathom {

template <Model M, StateStore S>
class FirstPredecessor {
 public:
  FirstPredecessor(Crew<M>& crew, const S& store) : crew_(crew), store_(store) {}

  // There must be one.
  StateId operator()(StateView target, IdRange states) {
    std::optional<StateId> found;
    const auto look = [&](unsigned thread, IdRange some, std::uint64_t most, Portion& portion) {
      return look_for(target, crew_[thread], some, most, portion);
    };
    const auto take = [&](const Portion& portion) {
      crew_.count_needed(portion.looked_at);
      found = portion.found;
      return !found;
    };
    if (Team* const team = crew_.team_for(states.end - states.first)) {
      portions_.run(*team, states, look, take);
    } else {
      Portion all;
      look(0, states, UINT64_MAX, all);
      take(all);
    }
    if (!found) throw std::logic_error("no state of a level leads to a state of the next one");
    return *found;
  }

 private:
  struct Portion {
    Batch steps;  // of one state
    std::uint64_t looked_at = 0;
    std::optional<StateId> found;

    void clear() {
      looked_at = 0;
      found.reset();
    }
    [[nodiscard]] std::uint64_t work() const { return looked_at; }
    [[nodiscard]] static std::uint64_t bytes() { return 0; }
  };

  std::uint64_t look_for(StateView target, const ThreadParts<M>& parts, IdRange states, std::uint64_t most,
                         Portion& portion) {
    const auto words = static_cast<std::uint32_t>(target.size());
    const auto is_target = [&](StateView state) { return same_words(state.data(), target.data(), words); };
    for (; !states.empty() && !portion.found && portion.looked_at < most; ++states.first) {
      portion.steps.clear();
      parts.model->successors(store_.state(StateId{states.first}), portion.steps);
      ++portion.looked_at;
      if (leads_to(portion.steps, words, parts.canonicaliser, is_target)) portion.found = StateId{states.first};
    }
    crew_.count_expanded(portion.looked_at);
    return states.first;
  }

  Crew<M>& crew_;
  const S& store_;
  OrderedPortions<Portion> portions_;
};

}  // namespace fathom
