// Cycles among the states within a depth: they are found first, breadth-first, and then a search for cycles is kept
// inside them (Udupa, Desai, Rajamani, SPIN 2011, section 7).
#pragma once

#include <optional>

#include "search/run.hpp"
#include "store/indexed_store.hpp"

namespace fathom {

// Fills the store with the states within options.max_depth. A result is returned if that already ended the search.
std::optional<SearchResult> fill_within_depth(const SearchRequest& request, IndexedStore& store);

// Runs `search` on the product, inside a depth if there is one, and completes its result.
template <class Product, class Search>
SearchResult within_depth(const SearchRequest& request, IndexedStore& store, Product& product, const Search& search) {
  if (request.options.max_depth) {
    if (std::optional<SearchResult> early = fill_within_depth(request, store)) return std::move(*early);
    product.restrict_to_known();
  }
  SearchResult result = search();
  result.covers_model = request.options.max_depth || product.covers_model();
  if (result.ending == Ending::exhausted && product.left_out()) {
    result.ending = Ending::bound;
    result.scope.depth = request.options.max_depth;
  }
  return result;
}

}  // namespace fathom
