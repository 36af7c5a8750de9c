// Some whole levels of a breadth-first search that keeps nothing else: by them a run to a state is found again. Every
// state that waits to be expanded carries the number of the state of the last milestone from which it was reached, and
// so does every state of a milestone. What lies between two of them is searched once more (run_again.hpp).
#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <vector>

#include "model/model.hpp"
#include "search/origin_rows.hpp"
#include "support/sealed_file.hpp"
#include "support/team.hpp"

namespace fathom {

// A state of a run, and how many steps come before it.
struct Waypoint {
  std::uint64_t depth;
  StateBuffer state;
};

class Milestones {
 public:
  explicit Milestones(OriginRows rows) : rows_(rows) {}

  // Whether a level of so many states is small beside what was found since the last milestone, so that it costs little:
  // no more than a byte for each of those.
  [[nodiscard]] bool is_due(std::uint64_t states_so_far, std::uint64_t in_level) const {
    const std::uint64_t states_for_one = std::max<std::uint64_t>(40, rows_.bytes());
    if (in_level > OriginRows::most_origins) return false;
    return levels_.empty() || states_so_far - found_before_ >= in_level * states_for_one;
  }

  // From here on the states of these rows are origins themselves.
  void add(std::uint64_t depth, OriginRows::Byte* rows, std::uint64_t count, std::uint64_t states_so_far, Team* team) {
    const std::uint64_t row = rows_.bytes();
    add_level(depth, count * row);
    found_before_ = states_so_far;
    in_slices(team, count, [&](std::uint64_t first, std::uint64_t end) {
      std::copy(rows + first * row, rows + end * row, &levels_.back().rows[first * row]);
      for (std::uint64_t k = first; k < end; ++k) rows_.set_origin(rows, k, k);
    });
  }

  // The states of milestones on the run to a state with this origin; state_of makes one of its key,
  // which may be a part of it.
  template <class StateOf>
  [[nodiscard]] std::vector<Waypoint> way_to(std::uint64_t origin, const StateOf& state_of) const {
    std::vector<Waypoint> way;
    for (auto level = levels_.rbegin(); level != levels_.rend(); ++level) {
      const OriginRows::Key key = rows_.key(level->rows.get(), origin);
      const StateView state = state_of(key);
      way.push_back({level->depth, {state.begin(), state.end()}});
      origin = rows_.origin(level->rows.get(), origin);
    }
    std::ranges::reverse(way);
    return way;
  }

  [[nodiscard]] bool empty() const { return levels_.empty(); }
  [[nodiscard]] std::uint64_t bytes() const { return bytes_; }

  void save(SealedWriter& out) const {
    out.number(found_before_);
    out.number(levels_.size());
    for (const Level& level : levels_) {
      out.number(level.depth);
      out.number(level.bytes);
      out.bytes({level.rows.get(), level.bytes});
    }
  }
  void load(SealedReader& in) {
    found_before_ = in.number();
    for (std::uint64_t count = in.number(); count > 0; --count) {
      const std::uint64_t depth = in.number();
      add_level(depth, in.number());
      in.bytes({levels_.back().rows.get(), levels_.back().bytes});
    }
  }

 private:
  struct Level {
    std::uint64_t depth;
    std::uint64_t bytes;
    std::unique_ptr<OriginRows::Byte[]> rows;
  };

  void add_level(std::uint64_t depth, std::uint64_t bytes) {
    levels_.push_back({depth, bytes, std::make_unique_for_overwrite<OriginRows::Byte[]>(bytes)});
    bytes_ += bytes;
  }

  const OriginRows rows_;
  std::vector<Level> levels_;
  std::uint64_t bytes_ = 0;
  std::uint64_t found_before_ = 0;
};

}  // namespace fathom
