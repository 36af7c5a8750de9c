// The steps of some states of a level, with those that lead to states which a breadth-bounded search has not kept so
// far. Nothing is put into the store while this is found out, so every thread can.
#pragma once

#include <vector>

#include "search/prepared_steps.hpp"
#include "store/store.hpp"

namespace fathom {

struct HighwayPortion : PreparedSteps {
  struct Row {
    std::uint32_t first;  // of its steps among the fresh ones
    bool has_known;       // some step leads to a state that was kept before
  };

  std::vector<std::uint32_t> fresh;  // steps to states that were not
  std::vector<Row> rows;             // one for each source

  void clear() {
    PreparedSteps::clear();
    fresh.clear();
    rows.clear();
  }
  [[nodiscard]] std::uint32_t fresh_end(std::size_t s) const {
    return s + 1 < rows.size() ? rows[s + 1].first : static_cast<std::uint32_t>(fresh.size());
  }
  [[nodiscard]] std::uint64_t bytes() {
    return PreparedSteps::bytes() + fresh.capacity() * sizeof(std::uint32_t) + rows.capacity() * sizeof(Row);
  }

  // Of successors that are hashed.
  template <SearchableStore S>
  void look_up(const S& store, std::uint32_t words) {
    fetch_first(store);
    for (std::size_t s = 0; s < sources.size(); ++s) {
      rows.push_back({static_cast<std::uint32_t>(fresh.size()), false});
      for (std::uint32_t k = sources[s].first; k < steps_end(s); ++k) {
        fetch_ahead_of(k, store);
        if (!batch.outcome(k).has_successor()) continue;
        if (store.contains({batch.words(k), words}, hashes[k]))
          rows.back().has_known = true;
        else
          fresh.push_back(k);
      }
    }
  }
};

}  // namespace fathom
