#include "search/parallel_bfs.hpp"

#include "search/run.hpp"
#include "store/coded_store.hpp"
#include "store/fingerprint_store.hpp"
#include "store/inline_store.hpp"
#include "store/packed_fingerprints.hpp"
#include "store/packed_tree.hpp"
#include "store/quotient_store.hpp"
#include "store/tree_store.hpp"

namespace fathom {

namespace {

// Cover hits and the antecedents that were never met, of all threads.
struct Seen {
  std::vector<std::uint64_t> hits, pending;

  void add(Executor& executor) {
    if (hits.empty()) hits.resize(executor.hits().size());
    if (pending.empty()) pending.assign(executor.pending().size(), UINT64_MAX);
    for (std::size_t k = 0; k < hits.size(); ++k) hits[k] += executor.hits()[k];
    for (std::size_t k = 0; k < pending.size(); ++k) pending[k] &= executor.pending()[k];
  }
};

// With the executors of all threads but the first, and with checkpoints.
template <class S>
class Rest final : public RestOfSearch {
 public:
  Rest(const SearchRequest& request, S& store, LevelStanding standing)
      : request_(request),
        search_(request.model, store, request.options, std::move(standing), [this] { return parts_of_another(); }) {
    if constexpr (requires(SealedWriter & out) { search_.write(out); }) save_now_and_then();
  }

  SearchResult run() override {
    SearchResult result = search_.run();
    for (const auto& executor : executors_) request_.model.add_counts_of(*executor);
    if (writer_) writer_->complain(result);
    return result;
  }

  Counterexample run_to(StateId id) override { return search_.run_to(id); }
  void set_most_states(std::uint64_t count) override { search_.most_states = count; }
  [[nodiscard]] bool is_to_go_on() const override { return search_.is_to_go_on(); }
  LevelStanding leave(SearchResult so_far) override { return search_.leave(std::move(so_far)); }

 private:
  void save_now_and_then() {
    if (request_.checkpoint == nullptr || !request_.checkpoint->write) return;
    writer_.emplace(*request_.checkpoint);
    search_.save_due = [this] { return writer_->is_due(); };
    search_.save = [this] { writer_->save([this](SealedWriter& out) { write(out); }); };
    search_.more_follows = needs_liveness(request_);
  }

  ThreadParts<Executor> parts_of_another() {
    executors_.push_back(request_.model.for_another_thread());
    const bool symmetric = request_.options.canonicaliser != nullptr;
    return {executors_.back().get(), symmetric ? request_.more_canonicalisers() : nullptr};
  }

  void write(SealedWriter& out) {
    search_.write(out);
    Seen seen;
    seen.add(request_.model);
    for (const auto& executor : executors_) seen.add(*executor);
    out.list(seen.hits);
    out.list(seen.pending);
  }

  const SearchRequest& request_;
  std::vector<std::unique_ptr<Executor>> executors_;
  ParallelBreadthFirst<Executor, S> search_;
  std::optional<CheckpointWriter> writer_;
};

}  // namespace

template <class S>
std::unique_ptr<RestOfSearch> in_parallel(const SearchRequest& request, S& store, LevelStanding standing) {
  return std::make_unique<Rest<S>>(request, store, std::move(standing));
}

template <class S>
std::optional<LevelStanding> resumed(const SearchRequest& request, S& store) {
  const std::filesystem::path& path = *request.checkpoint->resume;
  SealedReader in(path, checkpoint_kind);
  check_identity(request.checkpoint->identity, path, in);
  LevelStanding standing = load_standing(request.options.shape, in);
  if (!load_states(request.model.state_words(), store, standing, in)) return std::nullopt;
  const std::vector<std::uint64_t> hits = in.list(), pending = in.list();
  std::ranges::copy(hits, request.model.hits().begin());
  std::ranges::copy(pending, request.model.pending().begin());
  in.expect_end();
  return standing;
}

template std::unique_ptr<RestOfSearch> in_parallel(const SearchRequest&, InlineStore&, LevelStanding);
template std::unique_ptr<RestOfSearch> in_parallel(const SearchRequest&, IndexedStore&, LevelStanding);
template std::unique_ptr<RestOfSearch> in_parallel(const SearchRequest&, TreeStore&, LevelStanding);
template std::unique_ptr<RestOfSearch> in_parallel(const SearchRequest&, FingerprintStore&, LevelStanding);
template std::unique_ptr<RestOfSearch> in_parallel(const SearchRequest&, PackedFingerprints&, LevelStanding);
template std::unique_ptr<RestOfSearch> in_parallel(const SearchRequest&, PackedTree&, LevelStanding);
template std::unique_ptr<RestOfSearch> in_parallel(const SearchRequest&, CodedStore&, LevelStanding);
template std::optional<LevelStanding> resumed(const SearchRequest&, InlineStore&);
template std::optional<LevelStanding> resumed(const SearchRequest&, IndexedStore&);
template std::optional<LevelStanding> resumed(const SearchRequest&, TreeStore&);
template std::optional<LevelStanding> resumed(const SearchRequest&, FingerprintStore&);

}  // namespace fathom
