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

}  // namespace

SearchResult run_cndfs(const SearchRequest& request, Product<Executor>& product) {
  std::vector<Node> starts;
  if (!product.starts(starts).complete) {
    SearchResult result = Recorder(request.options).result;
    result.ending = Ending::memory_limit;
    return result;
  }
  Products products(request, product);
  SearchResult result = ParallelNestedDfs<Product<Executor>, ThreadProduct>(product, products.graph(), request.options,
                                                                            request.claim->number)
                            .run(std::move(starts));
  products.add_counts();
  return result;
}

}  // namespace fathom
