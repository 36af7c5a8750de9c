// The plain sound depth bound (Udupa, Desai, Rajamani, SPIN 2011, Fig. 5): the table holds the smallest depth at which
// a state was explored, and a state that is met nearer to the start is explored again.
#pragma once

#include "search/bounded_dfs_table.hpp"

namespace fathom {

class DepthRevisit : public DepthTable {
 public:
  static constexpr bool sound = true;

  [[nodiscard]] bool must_explore(StateId id, Depth at) const { return !explored(id) || at < depth(id); }
  void enter(StateId id, Depth at) { set(id, at); }
  void leave(StateId, Depth) {}
};

}  // namespace fathom
