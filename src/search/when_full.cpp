#include "search/when_full.hpp"

#include <fmt/format.h>

#include "search/fingerprint_step.hpp"
#include "store/compression.hpp"
#include "store/inline_store.hpp"
#include "store/tree_store.hpp"

namespace fathom {

namespace {

class Degradation {
 public:
  explicit Degradation(const SearchRequest& request) : request_(request), steps_(request.when_full) {}

  template <class S>
  SearchResult go_on(std::unique_ptr<S> full, LevelStanding standing) {
    if (steps_.empty()) return ended(*full, std::move(standing));
    standing.so_far.ending = Ending::exhausted;  // until it ends for another reason
    const FullStep step = steps_.front();
    steps_ = steps_.subspan(1);
    switch (step) {
      case FullStep::compress:
        return to_tree(std::move(full), std::move(standing));
      case FullStep::fingerprint:
        return to_fingerprints(std::move(full), std::move(standing));
      case FullStep::disk:
        break;
    }
    announce(*full, standing, fmt::format("the search goes on in {}", request_.spill_to->string()));
    return on_disk(request_, std::move(full), std::move(standing));
  }

 private:
  // ---- The steps.

  template <class S>
  SearchResult to_tree(std::unique_ptr<S> full, LevelStanding standing) {
    if constexpr (std::is_same_v<S, IndexedStore>) {
      const std::uint64_t before = full->usual_bytes();
      Compressed moved = compress(full, memory_of_store(request_));
      if (moved.all != nullptr) return in_tree(std::move(moved.all), before, std::move(standing));
      if (moved.half != nullptr) {
        announce(*moved.half, standing, "there was not enough of it to compress them");
        return go_on(std::move(moved.half), std::move(standing));
      }
      announce(*full, standing, "compress brings nothing, because the states have too little in common");
    } else if constexpr (std::is_same_v<S, InlineStore>) {
      announce(*full, standing, "compress brings nothing for states that fit into 63 bits");
    } else {
      announce(*full, standing, "compress brings nothing, because the states are kept as a tree already");
    }
    return go_on(std::move(full), std::move(standing));
  }

  SearchResult in_tree(std::unique_ptr<TreeStore> tree, std::uint64_t before, LevelStanding standing) {
    const auto each = [&](std::uint64_t bytes) {
      return static_cast<double>(bytes) / static_cast<double>(tree->size());
    };
    announce(*tree, standing,
             fmt::format("they were compressed from about {:.0f} to {:.0f} bytes each", each(before),
                         each(tree->usual_bytes())));
    std::unique_ptr<RestOfSearch> rest = in_parallel(request_, *tree, std::move(standing));
    SearchResult result = rest->run();
    if (result.ending != Ending::memory_limit) return result;
    standing = rest->leave(std::move(result));
    rest.reset();
    return go_on(std::move(tree), std::move(standing));
  }

  template <class S>
  SearchResult to_fingerprints(std::unique_ptr<S> full, LevelStanding standing) {
    const std::uint32_t words = request_.model.state_words();
    const std::uint64_t memory = request_.options.memory_limit;
    const std::optional<std::uint64_t> bytes = fingerprint_bytes(*full, standing, words, memory);
    if (!bytes) {
      announce(*full, standing,
               fmt::format("fingerprint brings nothing, because {} states wait to be expanded and must be kept in full",
                           full->size() - first_waiting(standing)));
      return go_on(std::move(full), std::move(standing));
    }
    announce(*full, standing,
             "from here on only 64-bit fingerprints are kept, and what is found may be taken for something known");
    const std::unique_ptr<PackedFingerprints> store = FingerprintStep(*full, standing, words, memory).take(*bytes);
    full.reset();
    return in_parallel(request_, *store, std::move(standing))->run();
  }

  // ---- What the user is told.

  template <class S>
  void announce(const S& full, LevelStanding& standing, const std::string& what) const {
    const std::string text = fmt::format("the memory is full after {} states: {}", full.size(), what);
    request_.announce(text);
    standing.so_far.warnings.push_back(text);
  }

  template <class S>
  static SearchResult ended(const S& full, LevelStanding standing) {
    SearchResult result = std::move(standing.so_far);
    result.ending = Ending::memory_limit;
    result.statistics.states = full.size();
    result.statistics.depth = standing.depth + (full.size() > standing.level_end ? 1 : 0);
    result.statistics.store_bytes = full.bytes();
    return result;
  }

  const SearchRequest& request_;
  std::span<const FullStep> steps_;  // that are left
};

}  // namespace

std::uint64_t memory_of_store(const SearchRequest& request) {
  const std::uint64_t memory = request.options.memory_limit;
  return request.spill_to == nullptr ? memory : memory / 16 * 13;
}

template <class S>
SearchResult go_on_when_full(const SearchRequest& request, std::unique_ptr<S> full, LevelStanding standing) {
  return Degradation(request).go_on(std::move(full), std::move(standing));
}

template SearchResult go_on_when_full(const SearchRequest&, std::unique_ptr<InlineStore>, LevelStanding);
template SearchResult go_on_when_full(const SearchRequest&, std::unique_ptr<IndexedStore>, LevelStanding);
template SearchResult go_on_when_full(const SearchRequest&, std::unique_ptr<TreeStore>, LevelStanding);

}  // namespace fathom
