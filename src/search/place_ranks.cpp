#include "search/place_ranks.hpp"

namespace fathom {

PlaceRanks::PlaceRanks(const ir::Automaton& automaton, bool accepts_anywhere) {
  const std::size_t size = automaton.states.size();
  reaches_.assign(size, std::vector<bool>(size));
  for (std::size_t from = 0; from < size; ++from)
    for (const ir::Automaton::Edge& edge : automaton.states[from].edges) reaches_[from][edge.target] = true;
  for (std::size_t via = 0; via < size; ++via)
    for (std::size_t from = 0; from < size; ++from)
      for (std::size_t to = 0; reaches_[from][via] && to < size; ++to)
        if (reaches_[via][to]) reaches_[from][to] = true;
  for (std::size_t place = 0; place < size; ++place) ranks_.push_back(find_rank(automaton, place, accepts_anywhere));
}

// The end of a claim is a violation too.
std::uint8_t PlaceRanks::find_rank(const ir::Automaton& automaton, std::size_t place, bool accepts_anywhere) const {
  if (is_on_accepting_cycle(automaton, place, accepts_anywhere)) return 0;
  for (std::size_t other = 0; other < automaton.states.size(); ++other)
    if (reaches_[place][other] &&
        (automaton.states[other].end || is_on_accepting_cycle(automaton, other, accepts_anywhere)))
      return 1;
  return 2;
}

bool PlaceRanks::is_on_accepting_cycle(const ir::Automaton& automaton, std::size_t place, bool accepts_anywhere) const {
  for (std::size_t other = 0; other < automaton.states.size(); ++other)
    if ((accepts_anywhere || automaton.states[other].accepting) && reaches_[place][other] && reaches_[other][place])
      return true;
  return false;
}

}  // namespace fathom
