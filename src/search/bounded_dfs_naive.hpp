// The naive depth bound (Udupa, Desai, Rajamani, SPIN 2011, Fig. 3): a state is explored once, at whatever depth it is
// met first. It is unsound: what lies near a state's shorter path can be left out, although it is within the bound. It
// is here to measure the others against, and its verdict is never "holds".
#pragma once

#include "search/bounded_dfs_table.hpp"

namespace fathom {

class NaiveRevisit : public DepthTable {
 public:
  static constexpr bool sound = false;

  [[nodiscard]] bool must_explore(StateId id, Depth) const { return !explored(id); }
  void enter(StateId id, Depth depth) { set(id, depth); }
  void leave(StateId, Depth) {}
};

}  // namespace fathom
