#include "search/bfs.hpp"

#include <fmt/format.h>

#include "search/liveness.hpp"
#include "search/run.hpp"
#include "store/bit_table.hpp"
#include "store/compact_table.hpp"
#include "store/fingerprint_store.hpp"
#include "store/indexed_store.hpp"
#include "store/inline_store.hpp"
#include "store/lossy_store.hpp"
#include "store/tree_store.hpp"

namespace fathom {

namespace {

// Threads are started when a level is so large that they are worth it: small models are checked before they would be.
constexpr std::uint64_t level_for_several = 10'000;

std::uint64_t level_to_hand_over(const SearchRequest& request) {
  if (request.options.deterministic || request.checkpoint != nullptr) return 1;
  return request.options.threads > 1 ? level_for_several : UINT64_MAX;
}

SearchResult does_not_fit(const SearchRequest& request) {
  SearchResult result = Recorder(request.options).result;
  result.ending = Ending::memory_limit;
  result.warnings.push_back(
      fmt::format("the states of {} need more memory than there is", request.checkpoint->resume->string()));
  return result;
}

// `after` is called with the result and a function that gives runs to states.
template <class S, class After>
SearchResult search(const SearchRequest& request, S& store, const After& after) {
  const bool resumes = request.checkpoint != nullptr && request.checkpoint->resume;
  BreadthFirst first(request.model, store, request.options);
  if (!resumes && !first.run_to_level_of(level_to_hand_over(request))) {
    SearchResult result = first.finish();
    after(result, [&](StateId id) { return first.run_to(id); });
    return result;
  }
  std::optional<LevelStanding> standing = resumes ? resumed(request, store) : first.leave();
  if (!standing) return does_not_fit(request);
  const std::unique_ptr<RestOfSearch> rest = in_parallel(request, store, std::move(*standing));
  SearchResult result = rest->run();
  after(result, [&](StateId id) { return rest->run_to(id); });
  return result;
}

// With a store that keeps a few bits of each state.
template <class Table>
SearchResult search_lossy(const SearchRequest& request) {
  LossyStore<Table> store(request.options.memory_limit, request.store_parameter);
  SearchResult result = BreadthFirst(request.model, store, request.options).run();
  if (store.expected_omissions() >= 0.5)
    result.warnings.push_back(
        fmt::format("about {:.0f} states were probably taken for others and left out, with all that only they lead to",
                    store.expected_omissions()));
  return result;
}

}  // namespace

SearchResult run_bfs(const SearchRequest& request) {
  const std::uint64_t memory = request.options.memory_limit;
  const bool liveness = needs_liveness(request);
  const auto nothing_more = [](SearchResult&, const auto&) {};
  if (request.store == StoreChoice::compact) return search_lossy<CompactTable>(request);
  if (request.store == StoreChoice::bitstate) return search_lossy<BitTable>(request);
  if (request.store == StoreChoice::fingerprint) {
    FingerprintStore store(memory);
    return search(request, store, nothing_more);
  }
  // A reduction asks for the level of states that are known already, and only numbers tell it.
  const bool needs_numbers = liveness || request.options.reduction != nullptr;
  const bool is_short = request.program.state_bits <= InlineStore::max_bits;
  if (is_short && !needs_numbers && request.store != StoreChoice::tree) {
    InlineStore store(memory);
    return search(request, store, nothing_more);
  }
  const bool is_long = request.model.state_words() >= TreeStore::min_words;
  if ((is_long || request.store == StoreChoice::tree) && !liveness) {
    TreeStore store(request.model.state_words(), memory);
    return search(request, store, nothing_more);
  }
  IndexedStore store(request.model.state_words(), memory);
  return search(request, store, [&](SearchResult& result, const auto& run_to) {
    if (liveness && result.ending == Ending::exhausted) check_liveness(request, store, run_to, result);
  });
}

SearchResult fill_bfs(const SearchRequest& request, IndexedStore& store) {
  return BreadthFirst(request.model, store, request.options).run();
}

}  // namespace fathom
