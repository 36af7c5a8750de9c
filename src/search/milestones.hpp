// Some whole levels of a breadth-first search that keeps nothing else: by them a run to a state is found again. Every
// state that waits to be expanded carries the number of the state of the last milestone from which it was reached, and
// so does every state of a milestone. What lies between two of them is searched once more (run_again.hpp).
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "model/model.hpp"

namespace fathom {

// A state of a run, and how many steps come before it.
struct Waypoint {
  std::uint64_t depth;
  StateBuffer state;
};

class Milestones {
 public:
  explicit Milestones(std::uint32_t words) : words_(words) {}

  // Whether a level of so many states is small beside what was found since the last milestone, so that it costs little.
  [[nodiscard]] bool is_due(std::uint64_t states_so_far, std::uint64_t in_level) const {
    constexpr std::uint64_t states_for_one = 40;
    return levels_.empty() || states_so_far - found_before_ >= in_level * states_for_one;
  }

  // Rows are a state and its origin; from here on they are origins themselves.
  void add(std::uint64_t depth, std::uint64_t* rows, std::uint64_t count, std::uint64_t states_so_far) {
    const std::uint64_t row = words_ + 1;
    levels_.push_back({depth, {rows, rows + count * row}});
    bytes_ += count * row * sizeof(std::uint64_t);
    found_before_ = states_so_far;
    for (std::uint64_t k = 0; k < count; ++k) rows[k * row + words_] = k;
  }

  // The states of milestones on the run to a state with this origin.
  [[nodiscard]] std::vector<Waypoint> way_to(std::uint64_t origin) const {
    std::vector<Waypoint> way;
    for (auto level = levels_.rbegin(); level != levels_.rend(); ++level) {
      const auto state = level->rows.begin() + static_cast<std::ptrdiff_t>(origin * (words_ + 1));
      way.push_back({level->depth, {state, state + words_}});
      origin = state[words_];
    }
    std::ranges::reverse(way);
    return way;
  }

  [[nodiscard]] std::uint64_t bytes() const { return bytes_; }

 private:
  struct Level {
    std::uint64_t depth;
    std::vector<std::uint64_t> rows;
  };
  const std::uint32_t words_;
  std::vector<Level> levels_;
  std::uint64_t bytes_ = 0;
  std::uint64_t found_before_ = 0;
};

}  // namespace fathom
