// What comes before a search for cycles in a product: the part of the model it is to stay in is settled, if it is not
// all of it.
//
//  - Within a depth: the states are found first, breadth-first, and then the search is kept inside them (Udupa, Desai,
//    Rajamani, SPIN 2011, section 7).
//  - Under a reduction: see property/reduced_graph.hpp.
//
// A step of the reduction costs as much as dozens of nodes of a sweep, and nobody knows beforehand how much smaller the
// reduced graph is. So where nobody asked for it the whole product is searched, and now and then the search waits until
// it is known whether the reduced graph can be settled in a small part of the time. If it can, or if the memory is
// full, the reduced graph is taken.
#pragma once

#include <cstddef>
#include <optional>
#include <utility>
#include <vector>

#include "property/product.hpp"
#include "property/reduced_graph.hpp"
#include "search/run.hpp"
#include "search/saved_cycles.hpp"
#include "store/indexed_store.hpp"

namespace fathom {

// Fills the store with the states within options.max_depth, or leaves that to the checkpoint that it is gone on from.
// A result is returned if that already ended the search.
std::optional<SearchResult> keep_within_depth(const SearchRequest& request, IndexedStore& store,
                                              Product<Executor>& product, CycleCheckpoints* saved);

// Settles the reduced graph, or goes on with that. A result is returned if that already ended the search, if there is
// no room for what was settled before, or if it was given up.
std::optional<SearchResult> settle(const SearchRequest& request, ReducedGraph<Executor>& graph,
                                   Product<Executor>& product, CycleCheckpoints* saved);

// A search in the whole product or in the reduced graph. It is given up when it has come to so many nodes or, while the
// graph is settled, states; `tries_reduction`: unless the reduced graph turns out to be larger than a part of that.
struct Attempt {
  bool reduced;
  std::uint64_t most = UINT64_MAX;
  bool tries_reduction = false;
};
// Those that follow each other. A violation is mostly found in the first nodes of the whole product, so that comes
// first even where a reduction was asked for.
std::vector<Attempt> attempts(const SearchOptions& options);
// The one to go on with after one that ended so; their number if there is none. Where the product is too large for the
// memory the reduction has to help.
std::size_t next_attempt(const std::vector<Attempt>& all, std::size_t number, Ending ending);

// A search has come to so many nodes of the whole product: how many it may come to, if the reduced graph is not much
// smaller.
std::uint64_t nodes_if_not_small(const SearchRequest& request, std::uint64_t nodes);

// Runs `search(product, options, checkpoints)` in what is settled before, and completes its result.
template <class Make, class Search>
SearchResult attempt(const SearchRequest& request, Attempt limits, const Make& make, const Search& search,
                     CycleCheckpoints* saved) {
  SearchOptions options = request.options;
  options.max_nodes = limits.most;
  IndexedStore store(request.model.state_words(), options.memory_limit);
  auto product = make(store);
  ReducedGraph<Executor> reduced(request.model, store, options);
  if (limits.reduced) {
    if (std::optional<SearchResult> early = settle(request, reduced, product, saved)) return std::move(*early);
    product.restrict_to(reduced);
    options.max_nodes = UINT64_MAX;
  } else if (options.max_depth) {
    if (std::optional<SearchResult> early = keep_within_depth(request, store, product, saved)) return std::move(*early);
  }
  if (limits.tries_reduction)
    options.raise_max_nodes = [&](std::uint64_t nodes) { return nodes_if_not_small(request, nodes); };
  SearchResult result = search(product, options, saved);
  if (limits.reduced) result.statistics.reduced = reduced.reduced_states();
  result.covers_model = options.max_depth || product.covers_model();
  if (result.ending == Ending::exhausted && product.left_out()) {
    result.ending = Ending::bound;
    result.scope.depth = options.max_depth;
  }
  return result;
}

// `make(store)` makes a product.
template <class Make, class Search>
SearchResult run_within(const SearchRequest& request, const Make& make, const Search& search) {
  std::optional<CycleCheckpoints> checkpoints;
  if (request.checkpoint != nullptr) checkpoints.emplace(request);
  CycleCheckpoints* const saved = checkpoints ? &*checkpoints : nullptr;
  const std::vector<Attempt> all = attempts(request.options);
  std::optional<SearchResult> without;  // of the whole product, for which there is not enough memory
  for (std::size_t k = saved != nullptr && saved->from ? saved->from->attempt : 0;;) {
    if (saved != nullptr) saved->begin_attempt(k);
    SearchResult result = attempt(request, all.at(k), make, search, saved);
    if (saved != nullptr) saved->from.reset();  // it was of this attempt
    if (result.ending == Ending::incomplete && without) return std::move(*without);
    k = next_attempt(all, k, result.ending);
    if (k == all.size()) return result;
    if (result.ending == Ending::memory_limit) without = std::move(result);
  }
}

}  // namespace fathom
