// How many nodes of a product a search for cycles may come to before it gives up as incomplete.
#pragma once

#include <algorithm>

#include "search/search.hpp"

namespace fathom {

class NodeLimit {
 public:
  explicit NodeLimit(const SearchOptions& options) : options_(options), most_(options.max_nodes) {}

  [[nodiscard]] bool is_reached(std::uint64_t nodes) {
    if (nodes >= most_ && options_.raise_max_nodes) most_ = options_.raise_max_nodes(nodes);
    return nodes >= most_;
  }

  // So many now; and in a search that goes on from where another one had come to so many.
  [[nodiscard]] std::uint64_t most() const { return most_; }
  void raise_to(std::uint64_t nodes) {
    if (options_.raise_max_nodes) most_ = std::max(most_, nodes);
  }

 private:
  const SearchOptions& options_;
  std::uint64_t most_;
};

}  // namespace fathom
