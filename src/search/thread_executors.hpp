// The executors, canonicalisers and guidances of the further threads of a search that is run for a request.
#pragma once

#include <memory>
#include <vector>

#include "search/crew.hpp"
#include "search/run.hpp"

namespace fathom {

class ThreadExecutors {
 public:
  explicit ThreadExecutors(const SearchRequest& request) : request_(request) {}

  // For a search that ends before this object does.
  MoreThreads<Executor> more_threads() {
    return {.wanted = request_.options.threads, .another = [this] { return another(); }};
  }

  // When the search has ended: what the others counted, without what was expanded in vain.
  void add_counts(std::uint64_t expanded_in_vain) {
    for (const auto& executor : executors_) request_.model.add_counts_of(*executor);
    request_.model.discount(expanded_in_vain);
  }

 private:
  ThreadParts<Executor> another() {
    ThreadParts<Executor> parts;
    parts.model = executors_.emplace_back(request_.model.for_another_thread()).get();
    if (request_.options.canonicaliser != nullptr) parts.canonicaliser = request_.more_canonicalisers();
    if (request_.guidance != nullptr)
      parts.guidance = guidances_.emplace_back(request_.guidance->for_another_thread()).get();
    return parts;
  }

  const SearchRequest& request_;
  std::vector<std::unique_ptr<Executor>> executors_;
  std::vector<std::unique_ptr<Guidance>> guidances_;
};

}  // namespace fathom
