// Room for more states in a store beside which a search keeps other things.
#pragma once

#include <cstdint>

#include "store/store.hpp"

namespace fathom {

// As store.reserve(extra), but a table that has to grow must fit beside all that the search has taken so far:
// taken() says how much that is, with the store.
// A team helps a store that can be helped.
template <class S, class Taken>
[[nodiscard]] bool reserve_beside(S& store, std::uint64_t extra, std::uint64_t memory_limit, const Taken& taken,
                                  Team* team = nullptr) {
  if constexpr (requires { store.growth_for(extra); })
    if (const std::uint64_t growth = store.growth_for(extra); growth > 0 && taken() + growth > memory_limit)
      return false;
  if constexpr (SharedStore<S>)
    return store.reserve(extra, team);
  else
    return store.reserve(extra);
}

}  // namespace fathom
