#include "search/external_bfs.hpp"

#include <fmt/format.h>

#include "search/run.hpp"
#include "search/saved_states.hpp"
#include "search/seen.hpp"
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

std::unique_ptr<InlineStore> empty_store(const SearchRequest&, std::uint64_t memory, const InlineStore*) {
  return std::make_unique<InlineStore>(memory);
}
std::unique_ptr<IndexedStore> empty_store(const SearchRequest& request, std::uint64_t memory, const IndexedStore*) {
  return std::make_unique<IndexedStore>(request.model.state_words(), memory);
}

// With checkpoints, where they are asked for.
template <class Hot>
class SearchOnDisk {
 public:
  explicit SearchOnDisk(const SearchRequest& request)
      : request_(request), search_(request.model, request.options, plan_for(request), [&request] {
          return empty_store(request, plan_for(request).store_bytes, static_cast<const Hot*>(nullptr));
        }) {}

  template <class Full>
  SearchResult go_on(std::unique_ptr<Full> full, LevelStanding standing) {
    save_now_and_then(standing.saved);
    const bool fits = search_.take_over(*full, std::move(standing));
    full.reset();
    return result(fits);
  }

  SearchResult resume(SealedReader& in) {
    save_now_and_then(std::nullopt);
    const bool fits = search_.take_over(in);
    if (fits) {
      Seen::load(in, request_.model);
      in.expect_end();
    }
    return result(fits);
  }

 private:
  void save_now_and_then(std::optional<CheckpointWriter::Clock::time_point> last) {
    if (request_.checkpoint == nullptr || !request_.checkpoint->write) return;
    writer_.emplace(*request_.checkpoint);
    if (last) writer_->set_last_time(*last);
    search_.save_due = [this] { return writer_->is_due(); };
    search_.level_ends = [this] { seen_before_.emplace(request_.model, no_others_); };
    search_.save = [this](Moment moment) {
      writer_->save([&](SealedWriter& out) {
        out.number(static_cast<std::uint64_t>(SavedStates::on_disk));
        search_.write(out);
        const Seen seen = moment == Moment::before ? *seen_before_ : Seen(request_.model, no_others_);
        seen.save(out);
      });
    };
  }

  SearchResult result(bool fits) {
    SearchResult result = fits ? search_.run() : search_.finish();
    if (!fits && writer_)
      result.warnings.emplace_back("the search ended on its way to the disk: the last checkpoint is from before that");
    if (writer_) writer_->complain(result);
    return result;
  }

  using Moment = typename ExternalBreadthFirst<Executor, Hot>::Moment;

  const SearchRequest& request_;
  const std::vector<std::unique_ptr<Executor>> no_others_;
  ExternalBreadthFirst<Executor, Hot> search_;
  std::optional<CheckpointWriter> writer_;
  std::optional<Seen> seen_before_;
};

// Where it keeps the states that were seen lately.
template <class S>
using HotStore = std::conditional_t<std::is_same_v<S, InlineStore>, InlineStore, IndexedStore>;

}  // namespace

template <class S>
SearchResult on_disk(const SearchRequest& request, std::unique_ptr<S> full, LevelStanding standing) {
  return SearchOnDisk<HotStore<S>>(request).go_on(std::move(full), std::move(standing));
}

SearchResult resume_on_disk(const SearchRequest& request, SealedReader& in) {
  if (request.spill_to == nullptr)
    throw EnvironmentError("the checkpoint is of a search that had gone on on a disk: it needs --store 'disk(DIR)'");
  if (request.program.state_bits <= InlineStore::max_bits) return SearchOnDisk<InlineStore>(request).resume(in);
  return SearchOnDisk<IndexedStore>(request).resume(in);
}

template SearchResult on_disk(const SearchRequest&, std::unique_ptr<InlineStore>, LevelStanding);
template SearchResult on_disk(const SearchRequest&, std::unique_ptr<IndexedStore>, LevelStanding);
template SearchResult on_disk(const SearchRequest&, std::unique_ptr<TreeStore>, LevelStanding);
template SearchResult on_disk(const SearchRequest&, std::unique_ptr<HalfMoved>, LevelStanding);

}  // namespace fathom
