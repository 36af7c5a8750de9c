#include "search/external_bfs.hpp"

#include <fmt/format.h>

#include "search/run.hpp"
#include "store/compression.hpp"
#include "store/indexed_store.hpp"
#include "store/inline_store.hpp"
#include "store/tree_store.hpp"

namespace fathom {

namespace {

// Shares of the memory: five eighths for the store, a fourth for what is sorted. The rest is for blocks of the runs.
DiskPlan plan_for(const SearchRequest& request) {
  const std::uint64_t memory = request.options.memory_limit;
  const std::uint64_t state_bytes = request.model.state_words() * sizeof(std::uint64_t);
  return {*request.spill_to, memory / 8 * 5, std::max<std::uint64_t>(memory / 4 / (state_bytes + 1), 1)};
}

template <class Hot, class Full>
SearchResult go_on(const SearchRequest& request, std::unique_ptr<Full> full, LevelStanding standing,
                   const std::function<std::unique_ptr<Hot>()>& make_store) {
  ExternalBreadthFirst<Executor, Hot> search(request.model, request.options, plan_for(request), make_store);
  const bool fits = search.take_over(*full, std::move(standing));
  full.reset();
  return fits ? search.run() : search.finish();
}

}  // namespace

template <class S>
SearchResult on_disk(const SearchRequest& request, std::unique_ptr<S> full, LevelStanding standing) {
  const std::uint64_t memory = plan_for(request).store_bytes;
  if constexpr (std::is_same_v<S, InlineStore>)
    return go_on<InlineStore>(request, std::move(full), std::move(standing),
                              [=] { return std::make_unique<InlineStore>(memory); });
  else
    return go_on<IndexedStore>(request, std::move(full), std::move(standing), [=, &request] {
      return std::make_unique<IndexedStore>(request.model.state_words(), memory);
    });
}

template SearchResult on_disk(const SearchRequest&, std::unique_ptr<InlineStore>, LevelStanding);
template SearchResult on_disk(const SearchRequest&, std::unique_ptr<IndexedStore>, LevelStanding);
template SearchResult on_disk(const SearchRequest&, std::unique_ptr<TreeStore>, LevelStanding);
template SearchResult on_disk(const SearchRequest&, std::unique_ptr<HalfMoved>, LevelStanding);

}  // namespace fathom
