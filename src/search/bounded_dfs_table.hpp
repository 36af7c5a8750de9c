// What a depth-bounded search remembers of each state beside the store: nothing yet, that it waits in the frontier, or
// that it was explored, with a depth. Figs. 3, 5 and 6 of Udupa, Desai, Rajamani (SPIN 2011) differ in what that depth
// is; each is a file of its own beside this one. The paper keeps frontier states out of the table of explored ones;
// here every state seen has a number in the store, and whether it is in the table is one value of its entry.
//
// Entries are never cleared between two bounds: edges back into earlier layers would open those again.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "store/store.hpp"
#include "support/plain_list.hpp"

namespace fathom {

using Depth = std::int32_t;

class DepthTable {
 public:
  static constexpr Depth max_depth = (Depth{1} << 30) - 1;

  void add_state() { entries_.push_back(unseen); }

  [[nodiscard]] bool explored(StateId id) const { return entry(id) >= -1; }
  [[nodiscard]] Depth depth(StateId id) const { return entry(id); }  // of an explored state

  [[nodiscard]] bool waits(StateId id) const { return entry(id) < unseen; }
  [[nodiscard]] std::uint32_t place(StateId id) const { return static_cast<std::uint32_t>(first_place - entry(id)); }
  void wait(StateId id, std::uint32_t place) { entry(id) = first_place - static_cast<Depth>(place); }
  void leave_frontier(StateId id) { entry(id) = unseen; }

  [[nodiscard]] std::uint64_t bytes() const { return entries_.bytes(); }

 protected:
  void set(StateId id, Depth depth) { entry(id) = depth; }

 private:
  static constexpr Depth unseen = -2;
  static constexpr Depth first_place = -3;  // and the further ones below

  [[nodiscard]] Depth entry(StateId id) const { return entries_[index_of(id)]; }
  Depth& entry(StateId id) { return entries_[index_of(id)]; }

  PlainList<Depth> entries_;
};

inline Depth clamp_depth(std::uint64_t depth) {
  return static_cast<Depth>(std::min<std::uint64_t>(depth, DepthTable::max_depth));
}

}  // namespace fathom
