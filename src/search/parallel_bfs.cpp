#include "search/parallel_bfs.hpp"

#include "search/run.hpp"
#include "search/saved_states.hpp"
#include "search/seen.hpp"
#include "store/quotient_store.hpp"

namespace fathom {

namespace {

// With the executors of all threads but the first, and with checkpoints.
template <class S>
class Rest final : public RestOfSearch {
 public:
  Rest(const SearchRequest& request, S& store, LevelStanding standing)
      : request_(request),
        last_saved_(standing.saved),
        search_(request.model, store, request.options, std::move(standing), [this] { return parts_of_another(); }) {
    if constexpr (!knows_levels<S>) save_now_and_then();
  }

  // What a checkpoint says behind the store.
  [[nodiscard]] bool read(SealedReader& in) requires(!knows_levels<S>) {
    if (!search_.read(in)) return false;
    Seen::load(in, request_.model);
    in.expect_end();
    return true;
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
  LevelStanding leave(SearchResult so_far) override {
    LevelStanding standing = search_.leave(std::move(so_far));
    if (writer_) standing.saved = writer_->last_time();
    return standing;
  }

 private:
  void save_now_and_then() {
    if (request_.checkpoint == nullptr || !request_.checkpoint->write) return;
    writer_.emplace(*request_.checkpoint);
    if (last_saved_) writer_->set_last_time(*last_saved_);
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
    out.number(static_cast<std::uint64_t>(saved_as<S>()));
    search_.write(out);
    Seen(request_.model, executors_).save(out);
  }

  const SearchRequest& request_;
  const std::optional<CheckpointWriter::Clock::time_point> last_saved_;
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
std::unique_ptr<RestOfSearch> resumed(const SearchRequest& request, S& store, LevelStanding standing,
                                      SealedReader& in) {
  auto rest = std::make_unique<Rest<S>>(request, store, std::move(standing));
  if (!rest->read(in)) return nullptr;
  return rest;
}

template std::unique_ptr<RestOfSearch> in_parallel(const SearchRequest&, InlineStore&, LevelStanding);
template std::unique_ptr<RestOfSearch> in_parallel(const SearchRequest&, IndexedStore&, LevelStanding);
template std::unique_ptr<RestOfSearch> in_parallel(const SearchRequest&, TreeStore&, LevelStanding);
template std::unique_ptr<RestOfSearch> in_parallel(const SearchRequest&, FingerprintStore&, LevelStanding);
template std::unique_ptr<RestOfSearch> in_parallel(const SearchRequest&, FingerprintTable&, LevelStanding);
template std::unique_ptr<RestOfSearch> in_parallel(const SearchRequest&, PackedFingerprints&, LevelStanding);
template std::unique_ptr<RestOfSearch> in_parallel(const SearchRequest&, PackedTree&, LevelStanding);
template std::unique_ptr<RestOfSearch> in_parallel(const SearchRequest&, CodedStore&, LevelStanding);
template std::unique_ptr<RestOfSearch> resumed(const SearchRequest&, InlineStore&, LevelStanding, SealedReader&);
template std::unique_ptr<RestOfSearch> resumed(const SearchRequest&, IndexedStore&, LevelStanding, SealedReader&);
template std::unique_ptr<RestOfSearch> resumed(const SearchRequest&, TreeStore&, LevelStanding, SealedReader&);
template std::unique_ptr<RestOfSearch> resumed(const SearchRequest&, FingerprintStore&, LevelStanding, SealedReader&);
template std::unique_ptr<RestOfSearch> resumed(const SearchRequest&, FingerprintTable&, LevelStanding, SealedReader&);
template std::unique_ptr<RestOfSearch> resumed(const SearchRequest&, PackedTree&, LevelStanding, SealedReader&);
template std::unique_ptr<RestOfSearch> resumed(const SearchRequest&, CodedStore&, LevelStanding, SealedReader&);

}  // namespace fathom
