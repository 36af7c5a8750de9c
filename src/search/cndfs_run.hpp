// The nested depth-first search with several threads, for the product of a request.
#pragma once

#include "property/product.hpp"
#include "search/run.hpp"
#include "search/saved_cycles.hpp"

namespace fathom {

// The product is searched from its beginning, whatever was done with it before, or from a checkpoint.
SearchResult run_cndfs(const SearchRequest& request, Product<Executor>& product, ResumedCycles* from);

}  // namespace fathom
