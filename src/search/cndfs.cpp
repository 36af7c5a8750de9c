#include "search/cndfs.hpp"

#include "search/cndfs_run.hpp"
#include "search/store_share.hpp"

namespace fathom {

namespace {

using ThreadProduct = Product<Executor, StoreShare>;

// The products of all threads over one store, and their executors; the first thread has that of the request.
class Products {
 public:
  Products(const SearchRequest& request, Product<Executor>& lead)
      : request_(request), lead_(lead), shares_(lead.store()) {}

  SharedGraph<ThreadProduct> graph() {
    return {.another = [this]() -> ThreadProduct& { return another(); },
            .grow = [this](Team* team) { return shares_.grow(team); },
            .settle = [this] { shares_.settle(); },
            .bytes = [this] { return shares_.bytes(); },
            .most_nodes = most_nodes(),
            .nodes = [this] { return lead_.nodes_below(shares_.end()); }};
  }

  [[nodiscard]] Seen seen() const { return {request_.model, executors_}; }
  void add_counts() {
    for (const auto& executor : executors_) request_.model.add_counts_of(*executor);
  }

 private:
  ThreadProduct& another() {
    if (!products_.empty()) executors_.push_back(request_.model.for_another_thread());
    Executor& model = products_.empty() ? request_.model : *executors_.back();
    const ClaimRequest& claim = *request_.claim;
    products_.push_back(std::make_unique<ThreadProduct>(model, shares_.another(), claim.number, claim.automaton,
                                                        claim.claim.acceptance, claim.stutters, nullptr, claim.rules));
    return *products_.back();
  }

  // A state takes a slot and a word at least.
  [[nodiscard]] std::uint64_t most_nodes() const {
    const std::uint64_t states = std::min(request_.options.memory_limit / (2 * sizeof(std::uint64_t)), max_states / 16);
    return lead_.nodes_below(std::max<std::uint64_t>(states, shares_.end()));
  }

  const SearchRequest& request_;
  Product<Executor>& lead_;
  StoreShares shares_;
  std::vector<std::unique_ptr<Executor>> executors_;
  std::vector<std::unique_ptr<ThreadProduct>> products_;
};

// With checkpoints, where they are asked for.
class SavedSearch {
 public:
  SavedSearch(const SearchRequest& request, const SearchOptions& options, Product<Executor>& product)
      : product_(product),
        products_(request, product),
        search_(product, products_.graph(), options, request.claim->number),
        threads_(options.threads) {
    if (request.checkpoint == nullptr || !request.checkpoint->write) return;
    writer_.emplace(*request.checkpoint);
    search_.save_due = [this] { return writer_->is_due(); };
    search_.save = [this] { writer_->save([this](SealedWriter& out) { write(out); }); };
  }

  SearchResult run(std::vector<Node> starts) { return ended(search_.run(std::move(starts))); }
  SearchResult resume(SealedReader& in) { return ended(search_.resume(in)); }

 private:
  void write(SealedWriter& out) {
    out.number(threads_);
    products_.seen().save(out);
    product_.save(out);
    search_.write(out);
  }
  SearchResult ended(SearchResult result) {
    products_.add_counts();
    if (writer_) writer_->complain(result);
    return result;
  }

  Product<Executor>& product_;
  Products products_;
  ParallelNestedDfs<Product<Executor>, ThreadProduct> search_;
  const unsigned threads_;
  std::optional<CheckpointWriter> writer_;
};

// Each of the threads that were at work has its stack: none can be left out.
SearchResult resume(const SearchRequest& request, Product<Executor>& product, ResumedCycles& from) {
  Seen::load(from.in, request.model);
  if (!product.load(from.in)) return does_not_fit(request);
  SearchOptions options = request.options;
  options.threads = std::max(options.threads, from.threads);
  return SavedSearch(request, options, product).resume(from.in);
}

}  // namespace

SearchResult run_cndfs(const SearchRequest& request, Product<Executor>& product, ResumedCycles* from) {
  if (from != nullptr) return resume(request, product, *from);
  std::vector<Node> starts;
  if (!product.starts(starts).complete) {
    SearchResult result = Recorder(request.options).result;
    result.ending = Ending::memory_limit;
    return result;
  }
  return SavedSearch(request, request.options, product).run(std::move(starts));
}

}  // namespace fathom
