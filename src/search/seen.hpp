// What the executors of all threads have seen: cover hits and the antecedents that were never met.
#pragma once

#include <algorithm>
#include <memory>
#include <vector>

#include "model/executor.hpp"
#include "support/sealed_file.hpp"

namespace fathom {

class Seen {
 public:
  // The executor of the request, and those of further threads.
  Seen(Executor& first, const std::vector<std::unique_ptr<Executor>>& others)
      : hits_(first.hits().begin(), first.hits().end()), pending_(first.pending().begin(), first.pending().end()) {
    for (const auto& executor : others) add(*executor);
  }

  void save(SealedWriter& out) const {
    out.list(hits_);
    out.list(pending_);
  }
  static void load(SealedReader& in, Executor& first) {
    std::ranges::copy(in.list(), first.hits().begin());
    std::ranges::copy(in.list(), first.pending().begin());
  }

 private:
  void add(Executor& executor) {
    for (std::size_t k = 0; k < hits_.size(); ++k) hits_[k] += executor.hits()[k];
    for (std::size_t k = 0; k < pending_.size(); ++k) pending_[k] &= executor.pending()[k];
  }

  std::vector<std::uint64_t> hits_, pending_;
};

}  // namespace fathom
