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
            .grow = [this](Team* team, const auto& fits) { return shares_.grow(team, fits); },
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

// With checkpoints, where they are asked for. Each of the threads that left one has its stack: none can be left out.
class SavedSearch {
 public:
  SavedSearch(const SearchOptions& options, Products& products, Product<Executor>& product, std::uint32_t claim,
              CycleCheckpoints* saved)
      : products_(products), product_(product), search_(product, products.graph(), options, claim), saved_(saved) {
    if (saved == nullptr) return;
    saved->attach_to(
        search_, options.threads, [this] { return products_.seen(); },
        [this](SealedWriter& out) {
          product_.save(out);
          search_.write(out);
        });
  }

  SearchResult run(std::vector<Node> starts) { return ended(search_.run(std::move(starts))); }
  SearchResult resume(SealedReader& in) { return ended(search_.resume(in)); }

 private:
  SearchResult ended(SearchResult result) {
    products_.add_counts();
    if (saved_ != nullptr) saved_->complain(result);
    return result;
  }

  Products& products_;
  Product<Executor>& product_;
  ParallelNestedDfs<Product<Executor>, ThreadProduct> search_;
  CycleCheckpoints* const saved_;
};

}  // namespace

SearchResult run_cndfs(const SearchRequest& request, SearchOptions options, Product<Executor>& product,
                       CycleCheckpoints* saved) {
  const std::uint32_t claim = request.claim->number;
  if (saved != nullptr && saved->from) {
    options.threads = std::max(options.threads, saved->from->threads);
    if (!product.load(saved->from->in)) return does_not_fit(request);
    Products products(request, product);
    return SavedSearch(options, products, product, claim, saved).resume(saved->from->in);
  }
  std::vector<Node> starts;
  if (!product.starts(starts).complete) {
    SearchResult result = Recorder(request.options).result;
    result.ending = Ending::memory_limit;
    return result;
  }
  Products products(request, product);
  return SavedSearch(options, products, product, claim, saved).run(std::move(starts));
}

}  // namespace fathom
