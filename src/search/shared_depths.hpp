// What several threads of a depth-bounded search know together of each state: nothing yet, that it waits in the
// frontier, or down to which depth there is no need to explore it again (bounded_dfs_table.hpp). A depth once given
// only becomes smaller, whoever gives it.
#pragma once

#include <atomic>
#include <cstdint>

#include "search/bounded_dfs_table.hpp"
#include "support/virtual_array.hpp"

namespace fathom {

class SharedDepths {
 public:
  // What came of meeting a state.
  struct Met {
    enum class As : std::uint8_t { known, to_be_explored, to_be_explored_again, first_in_frontier };
    As as = As::known;
    Depth threshold = 0;  // below which it is of interest again
  };

  explicit SharedDepths(std::uint64_t states) : entries_(states) {}

  // A state is met at a depth. Whoever is told to explore it is the only one who is told so for that depth, and whoever
  // puts it into the frontier the only one who does.
  Met meet(StateId id, Depth at, Depth bound) {
    const std::atomic_ref<Entry> entry(entries_[index_of(id)]);
    for (Entry seen = entry.load();;) {
      if (is_depth(seen) && at >= depth_of(seen)) return {Met::As::known, depth_of(seen)};
      if (at == bound && seen != unseen) return {Met::As::known, at};
      if (!entry.compare_exchange_weak(seen, at == bound ? waiting : entry_of(at))) continue;
      if (at == bound) return {Met::As::first_in_frontier, at};
      return {is_depth(seen) ? Met::As::to_be_explored_again : Met::As::to_be_explored, at};
    }
  }
  // A state was explored, and this is what its successors say.
  void lower(StateId id, Depth threshold) {
    const std::atomic_ref<Entry> entry(entries_[index_of(id)]);
    for (Entry seen = entry.load(); depth_of(seen) > threshold;)
      if (entry.compare_exchange_weak(seen, entry_of(threshold))) return;
  }
  // Of a state that is being explored or was.
  [[nodiscard]] Depth depth(StateId id) const { return depth_of(std::atomic_ref(entries_[index_of(id)]).load()); }
  [[nodiscard]] bool explored(StateId id) const { return is_depth(std::atomic_ref(entries_[index_of(id)]).load()); }

  // While all threads are at rest: whether the state still waits; from here on it does not.
  bool leave_frontier(StateId id) {
    if (entries_[index_of(id)] != waiting) return false;
    entries_[index_of(id)] = unseen;
    return true;
  }
  [[nodiscard]] std::uint64_t capacity() const { return entries_.capacity(); }

 private:
  using Entry = std::uint32_t;
  static constexpr Entry unseen = 0, waiting = 1, least_depth = 2;  // which stands for -1

  static bool is_depth(Entry entry) { return entry >= least_depth; }
  static Entry entry_of(Depth depth) { return static_cast<Entry>(depth + 1) + least_depth; }
  static Depth depth_of(Entry entry) { return static_cast<Depth>(entry - least_depth) - 1; }

  VirtualArray<Entry> entries_;
};

}  // namespace fathom
