// The depth bound with thresholds (Udupa, Desai, Rajamani, SPIN 2011, Fig. 6): the table holds for each state the depth
// below which exploring it again could lead to something new, which is the largest threshold among its successors, less
// one. While a state is being explored its threshold is its depth: too large a threshold costs time, never a state.
//
// Why nothing is missed: a threshold never grows; and once a state is done, each successor either waited at the bound,
// so that the state's threshold is the bound less one, or has a threshold at most one larger, then and for ever. So
// along a shortest path the threshold of the i-th state is at most i, and where the next state is not in the table it
// lies at the bound. This rests on three things: thresholds are kept from one bound to the next, frontier states are
// not in the table, and a state whose successors were cut off (the search was stopped) keeps its depth as its
// threshold.
#pragma once

#include "search/bounded_dfs_table.hpp"

namespace fathom {

class ThresholdRevisit : public DepthTable {
 public:
  static constexpr bool sound = true;

  [[nodiscard]] bool must_explore(StateId id, Depth at) const { return !explored(id) || at < depth(id); }
  void enter(StateId id, Depth at) { set(id, at); }
  void leave(StateId id, Depth from_successors) { set(id, from_successors); }
};

}  // namespace fathom
