#include "search/settled_part.hpp"

#include <algorithm>
#include <span>

#include "search/bfs.hpp"

namespace fathom {

namespace {

std::optional<SearchResult> fill_within_depth(const SearchRequest& request, IndexedStore& store) {
  SearchOptions options = request.options;
  options.deadlock = DeadlockMode::off;
  options.assertions = false;
  options.check_states = false;
  SearchResult result = BreadthFirst(request.model, store, options).run();
  // A violation on the way is told at once, and the claim stays undecided.
  if (result.first) result.ending = Ending::error_limit;
  if (result.ending == Ending::exhausted || result.ending == Ending::bound) return std::nullopt;
  return result;
}

void tell_part(CycleCheckpoints* saved, const ReducedGraph<Executor>& graph, CyclePart part) {
  if (saved == nullptr) return;
  saved->write_part = [&graph, part](SealedWriter& out) {
    out.number(static_cast<std::uint64_t>(part));
    graph.write(out);
  };
}

using End = ReducedGraph<Executor>::End;

Ending ending_for(End end) {
  if (end == End::pointless) return Ending::incomplete;
  return end == End::stopped ? Ending::time_or_user : Ending::memory_limit;
}

}  // namespace

std::optional<SearchResult> keep_within_depth(const SearchRequest& request, IndexedStore& store,
                                              Product<Executor>& product, CycleCheckpoints* saved) {
  std::uint64_t states = 0;
  if (saved != nullptr && saved->from) {
    states = saved->from->in.number();
  } else {
    std::optional<SearchResult> early = fill_within_depth(request, store);
    if (early && saved != nullptr && saved->request().checkpoint->write)
      early->warnings.emplace_back(
          "the search ended before it was known which states lie within --max-depth: there is no checkpoint of that");
    if (early) return early;
    states = store.size();
  }
  product.restrict_to_first(states);
  if (saved == nullptr) return std::nullopt;
  saved->write_part = [states](SealedWriter& out) {
    out.number(static_cast<std::uint64_t>(CyclePart::within_depth));
    out.number(states);
  };
  return std::nullopt;
}

std::optional<SearchResult> settle(const SearchRequest& request, ReducedGraph<Executor>& graph,
                                   Product<Executor>& product, CycleCheckpoints* saved) {
  if (saved != nullptr && saved->from) {
    graph.read(saved->from->in);
    if (saved->from->part == CyclePart::being_reduced) {
      if (!product.load(saved->from->in)) return does_not_fit(request);
      saved->from.reset();
    }
  }
  if (saved == nullptr || !saved->from) {
    tell_part(saved, graph, CyclePart::being_reduced);
    if (saved != nullptr) saved->attach_to(graph, product, [](SealedWriter&) {});
    if (const End end = graph.settle(); end != End::complete) {
      SearchResult result = Recorder(request.options).result;
      result.ending = ending_for(end);
      if (saved != nullptr) saved->complain(result);
      return result;
    }
  }
  tell_part(saved, graph, CyclePart::reduced);
  return std::nullopt;
}

std::vector<Attempt> attempts(const SearchOptions& options) {
  constexpr std::uint64_t first_trial = 4'000'000;
  if (options.reduction == nullptr) return {{.reduced = false}};
  if (options.reduction->is_optional())
    return {{.reduced = false, .most = first_trial, .tries_reduction = true}, {.reduced = true}, {.reduced = false}};
  return {{.reduced = false, .most = 200'000}, {.reduced = true}, {.reduced = false}};
}

std::uint64_t nodes_if_not_small(const SearchRequest& request, std::uint64_t nodes) {
  constexpr std::uint64_t nodes_per_state = 64, share_of_memory = 32, until_next_trial = 4;
  SearchOptions options = request.options;
  options.max_nodes = nodes / nodes_per_state;
  IndexedStore store(request.model.state_words(), options.memory_limit / share_of_memory);
  const bool is_small = ReducedGraph<Executor>(request.model, store, options).settle() == End::complete;
  return is_small ? nodes : nodes * until_next_trial;
}

std::size_t next_attempt(const std::vector<Attempt>& all, std::size_t number, Ending ending) {
  const std::size_t next = number + 1;
  if (ending == Ending::incomplete) return next;
  if (ending != Ending::memory_limit || all[number].reduced) return all.size();
  const auto rest = std::span(all).subspan(next);
  const auto last = std::find_if(rest.rbegin(), rest.rend(), [](const Attempt& attempt) { return attempt.reduced; });
  return last == rest.rend() ? all.size() : next + static_cast<std::size_t>(rest.rend() - last) - 1;
}

}  // namespace fathom
