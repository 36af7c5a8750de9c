// The nested depth-first search with several threads, for the product of a request.
#pragma once

#include "property/product.hpp"
#include "search/run.hpp"
#include "search/saved_cycles.hpp"

namespace fathom {

// The product is searched from its beginning, whatever was done with it before, or from where another search stood.
// `saved` may be null.
SearchResult run_cndfs(const SearchRequest& request, SearchOptions options, Product<Executor>& product,
                       CycleCheckpoints* saved);

}  // namespace fathom
