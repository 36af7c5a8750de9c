// The part of a model that a search keeps, as a structure: its states lie in a store in the order in which they were
// kept, and its edges are all edges of the model between them. A search that passes states over cannot know while it
// runs which edges these will be, so they come from a second expansion of every state: single steps and edges back to
// earlier levels as well as jumps to states that were passed over at first and kept later.
#pragma once

#include <functional>
#include <vector>

#include "property/structure.hpp"
#include "search/run.hpp"

namespace fathom {

class KeptPart {
 public:
  // The request's search must have a `fill`, and its options no symmetry and no reduction: labels would not fit. At
  // most `most_states` of the states become part of it, the first ones.
  KeptPart(const SearchRequest& request, const SearchEntry& entry, std::uint64_t most_states = max_structure_states);

  // Structures number their states with 32 bits.
  static constexpr std::uint64_t max_structure_states = UINT32_MAX;

  [[nodiscard]] std::uint64_t states() const { return states_; }
  [[nodiscard]] StateView state(std::uint64_t number) const { return store_.state(StateId{number}); }
  // It is the whole reachable part of the model.
  [[nodiscard]] bool complete() const;
  // How the search ended, with its statistics.
  [[nodiscard]] const SearchResult& result() const { return result_; }
  [[nodiscard]] bool cut_at_limit() const { return cut_; }

  // The start states among them, each once, in order.
  std::vector<Structure::State> initial();
  // Steps that lead from start state to start state of the model: which start edge made which state.
  std::vector<std::pair<InstanceId, Structure::State>> starts();

  // Calls visit(from, step, to) for every edge, in order of `from`. False, and it ends early, when the search is told
  // to stop.
  using Visit = std::function<void(Structure::State from, InstanceId step, Structure::State to)>;
  bool each_edge(const Visit& visit);

  FiniteStructure structure();

 private:
  static SearchOptions quiet_options(const SearchRequest& request);

  const SearchRequest& request_;
  SearchOptions options_;
  IndexedStore store_;
  SearchResult result_;
  std::uint64_t states_ = 0;
  bool cut_ = false;
};

}  // namespace fathom
