// What the automaton of a claim tells about cycles before any search: a cycle of the product stays in one strongly
// connected part of the automaton, and that part must be able to accept.
#pragma once

#include <cstdint>
#include <vector>

#include "ir/claim.hpp"

namespace fathom {

class PlaceRanks {
 public:
  // `accepts_anywhere`: states of the model may be accepting whatever the automaton says.
  PlaceRanks(const ir::Automaton& automaton, bool accepts_anywhere);

  // 0: in a part with accepting cycles; 1: such a part can be reached; 2: nothing more will be accepted.
  [[nodiscard]] std::uint8_t rank(std::size_t place) const { return ranks_[place]; }
  // Whether the automaton can come back from `to` to `from`.
  [[nodiscard]] bool leads_back(std::size_t to, std::size_t from) const { return to == from || reaches_[to][from]; }

 private:
  [[nodiscard]] std::uint8_t find_rank(const ir::Automaton& automaton, std::size_t place, bool accepts_anywhere) const;
  [[nodiscard]] bool is_on_accepting_cycle(const ir::Automaton& automaton, std::size_t place,
                                           bool accepts_anywhere) const;

  std::vector<std::vector<bool>> reaches_;  // by one edge or more
  std::vector<std::uint8_t> ranks_;
};

}  // namespace fathom
