// A search for cycles with checkpoints: the product, where the search stands in it, and what the executor has seen.
#pragma once

#include "search/checkpoint.hpp"
#include "search/run.hpp"

namespace fathom {

// Runs a search of the product that can write() and resume(), from the beginning or from the request's checkpoint.
template <class Product, class Search>
SearchResult run_saved(const SearchRequest& request, Product& product, Search& search) {
  const CheckpointRequest& checkpoint = *request.checkpoint;
  CheckpointWriter writer(checkpoint);
  const auto write = [&](SealedWriter& out) {
    out.list(request.model.hits());
    out.list(request.model.pending());
    product.save(out);
    search.write(out);
  };
  if (checkpoint.write) {
    search.save_due = [&] { return writer.is_due(); };
    search.save = [&] { writer.save(write); };
  }
  const auto resume = [&] {
    SealedReader in(*checkpoint.resume, checkpoint_kind);
    check_identity(checkpoint.identity, *checkpoint.resume, in);
    std::ranges::copy(in.list(), request.model.hits().begin());
    std::ranges::copy(in.list(), request.model.pending().begin());
    return product.load(in) ? search.resume(in) : does_not_fit(request);
  };
  SearchResult result = checkpoint.resume ? resume() : search.run();
  writer.complain(result);
  return result;
}

}  // namespace fathom
