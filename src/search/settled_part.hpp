// What comes before a search for cycles in a product: the part of the model it is to stay in is settled, if it is not
// all of it.
//
//  - Within a depth: the states are found first, breadth-first, and then the search is kept inside them (Udupa, Desai,
//    Rajamani, SPIN 2011, section 7).
//  - Under a reduction: see property/reduced_graph.hpp.
#pragma once

#include <optional>

#include "property/reduced_graph.hpp"
#include "search/run.hpp"
#include "store/indexed_store.hpp"

namespace fathom {

// Fills the store with the states within options.max_depth. A result is returned if that already ended the search.
std::optional<SearchResult> fill_within_depth(const SearchRequest& request, IndexedStore& store);

// Settles the reduced graph. A result is returned if that already ended the search.
std::optional<SearchResult> settle(const SearchRequest& request, ReducedGraph<Executor>& graph, bool& pays);

// Settles what there is to settle, runs the search of the product, and completes its result.
template <class Product, class Search>
SearchResult run_settled(const SearchRequest& request, IndexedStore& store, Product& product, const Search& search) {
  ReducedGraph<Executor> reduced(request.model, store, request.options);
  std::optional<SearchResult> early;
  bool pays = false;
  if (request.options.max_depth) {
    early = fill_within_depth(request, store);
    product.restrict_to_known();
  } else if (request.options.reduction != nullptr) {
    early = settle(request, reduced, pays);
    if (pays) product.restrict_to(reduced);
  }
  if (early) return std::move(*early);
  SearchResult result = search();
  if (pays) result.statistics.reduced = reduced.reduced_states();
  result.covers_model = request.options.max_depth || product.covers_model();
  if (result.ending == Ending::exhausted && product.left_out()) {
    result.ending = Ending::bound;
    result.scope.depth = request.options.max_depth;
  }
  return result;
}

// Before a reduced graph is settled, which takes the whole of it, a search for cycles gets this many nodes of the full
// product: most violations are found in them.
inline constexpr std::uint64_t nodes_before_settling = 200'000;

// Runs `search(product, options)` inside what was settled before, and completes its result. `make(store)` makes a
// product.
template <class Make, class Search>
SearchResult run_within(const SearchRequest& request, const Make& make, const Search& search) {
  if (request.options.reduction != nullptr) {
    SearchOptions options = request.options;
    options.max_nodes = nodes_before_settling;
    IndexedStore store(request.model.state_words(), options.memory_limit);
    auto product = make(store);
    SearchResult result = search(product, options);
    result.covers_model = product.covers_model();
    if (result.ending != Ending::incomplete) return result;
  }
  IndexedStore store(request.model.state_words(), request.options.memory_limit);
  auto product = make(store);
  return run_settled(request, store, product, [&] { return search(product, request.options); });
}

}  // namespace fathom
