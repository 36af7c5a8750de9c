// A search for cycles with checkpoints: by how many threads, what the executor has seen, the product, and where the
// search stands in it.
#pragma once

#include <optional>

#include "search/checkpoint.hpp"
#include "search/run.hpp"
#include "search/seen.hpp"

namespace fathom {

// The checkpoint to begin with, of which it is known by how many threads the search was that left it.
class ResumedCycles {
 public:
  explicit ResumedCycles(const SearchRequest& request) : in(*request.checkpoint->resume, checkpoint_kind) {
    check_identity(request.checkpoint->identity, *request.checkpoint->resume, in);
    threads = static_cast<unsigned>(in.number());
  }

  SealedReader in;
  unsigned threads;
};

inline bool is_resumed(const SearchRequest& request) {
  return request.checkpoint != nullptr && request.checkpoint->resume;
}

// Runs a search of the product that can write() and resume(), by one thread, from the beginning or from there.
template <class Product, class Search>
SearchResult run_saved(const SearchRequest& request, Product& product, Search& search, ResumedCycles* from) {
  CheckpointWriter writer(*request.checkpoint);
  const auto write = [&](SealedWriter& out) {
    out.number(1);
    Seen(request.model, {}).save(out);
    product.save(out);
    search.write(out);
  };
  if (request.checkpoint->write) {
    search.save_due = [&] { return writer.is_due(); };
    search.save = [&] { writer.save(write); };
  }
  const auto resume = [&] {
    Seen::load(from->in, request.model);
    return product.load(from->in) ? search.resume(from->in) : does_not_fit(request);
  };
  SearchResult result = from != nullptr ? resume() : search.run();
  writer.complain(result);
  return result;
}

}  // namespace fathom
