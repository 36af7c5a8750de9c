#include "search/bfs.hpp"

#include <fmt/format.h>

#include "search/liveness.hpp"
#include "search/packing.hpp"
#include "search/run.hpp"
#include "search/saved_states.hpp"
#include "search/when_full.hpp"
#include "store/bit_table.hpp"
#include "store/compact_table.hpp"
#include "store/disk_run.hpp"
#include "store/fingerprint_store.hpp"
#include "store/indexed_store.hpp"
#include "store/inline_store.hpp"
#include "store/lossy_store.hpp"
#include "store/tree_store.hpp"
#include "support/errors.hpp"

namespace fathom {

namespace {

// Threads are started when a level is so large that they are worth it: small models are checked before they would be.
constexpr std::uint64_t level_for_several = 10'000;

std::uint64_t level_to_hand_over(const SearchRequest& request) {
  if (request.options.deterministic || request.checkpoint != nullptr) return 1;
  return request.options.threads > 1 ? level_for_several : UINT64_MAX;
}

template <class S>
SearchResult go_on_full(const SearchRequest& request, std::unique_ptr<S> full, LevelStanding standing) {
  if constexpr (S::keeps_states)
    return go_on_when_full(request, std::move(full), std::move(standing));
  else
    throw std::logic_error("a store that does not keep states has none to go on with");
}

// States of medium length, which are not a tree from the beginning, and too long for a table of quotients.
template <class S>
bool becomes_tree(const SearchRequest& request) {
  return std::is_same_v<S, IndexedStore> && request.program.state_bits > QuotientShape::most_bits;
}

// Nothing takes less than what a table of quotients keeps of it.
bool is_short(const SearchRequest& request) {
  return request.program.state_bits <= QuotientShape::most_short_bits;
}

// Whether short states are to take as little memory as they can. They are no tree then: their codes take less.
bool wants_small(const SearchRequest& request) {
  return request.store == StoreChoice::tree && request.when_full.empty() &&
         request.program.state_bits <= StateCode::most_state_bits;
}

// Who says what is to become of the states when the memory is full is to have that: fingerprints, where these take
// less, and a tree of states that could be one.
template <class S>
bool is_for_packing(const SearchRequest& request) {
  const bool fingerprints = std::ranges::find(request.when_full, FullStep::fingerprint) != request.when_full.end();
  if constexpr (std::is_same_v<S, TreeStore>)
    return !fingerprints;
  else if constexpr (std::is_same_v<S, FingerprintStore>)
    return true;
  else if constexpr (std::is_same_v<S, InlineStore> || std::is_same_v<S, IndexedStore>)
    return wants_small(request) ||
           (request.store == StoreChoice::exact &&
            (becomes_tree<S>(request) ? request.when_full.empty() : is_short(request) || !fingerprints));
  else
    return false;
}

// Whether nothing is asked that only a store that keeps its states can do.
template <class S>
bool can_pack(const SearchRequest& request) {
  return is_for_packing<S>(request) && !needs_liveness(request) && request.options.reduction == nullptr &&
         request.options.order == Order::declared && !request.options.deterministic && request.spill_to == nullptr;
}

template <class S>
std::uint64_t states_to_pack(const SearchRequest& request) {
  if (request.packs_from == UINT64_MAX) return UINT64_MAX;
  const std::uint32_t words = request.model.state_words();
  const bool is_long = std::is_same_v<S, TreeStore> || words > most_medium_words;
  if (becomes_tree<S>(request) && !is_long) return states_for_tree(request.options.memory_limit, words);
  return is_long || wants_small(request) ? long_states_to_pack(request.packs_from) : request.packs_from;
}

// Whether a store at which it is time for that is to be packed.
template <class S>
bool pays_to_pack(const SearchRequest& request, const S& store) {
  if constexpr (std::is_same_v<S, IndexedStore>)
    return !becomes_tree<S>(request) || pays_as_tree(store, request.options.memory_limit);
  return true;
}

// The steps that are for when the memory is full cannot do better than a table of quotients.
void announce_useless_steps(const SearchRequest& request, SearchResult& result) {
  for (const FullStep step : request.when_full) {
    const std::string text =
        fmt::format("the memory is full after {} states: {} brings nothing, because they are packed already",
                    result.statistics.states, step == FullStep::compress ? "compress" : "fingerprint");
    request.announce(text);
    result.warnings.push_back(text);
  }
}

// As long as there is room.
template <class S>
SearchResult go_on_as_they_are(const SearchRequest& request, std::unique_ptr<S> full, LevelStanding standing) {
  std::unique_ptr<RestOfSearch> rest = in_parallel(request, *full, std::move(standing));
  SearchResult result = rest->run();
  if (!S::keeps_states || result.ending != Ending::memory_limit) return result;
  standing = rest->leave(std::move(result));
  rest.reset();
  return go_on_full(request, std::move(full), std::move(standing));
}

// With what the states of a store have become, or without if there was no room for it.
template <class S, class Packed>
SearchResult go_on_packed(const SearchRequest& request, std::unique_ptr<Packed> store, std::unique_ptr<S> full,
                          LevelStanding standing) {
  if (store == nullptr) {
    if constexpr (requires { full->restore_table(); }) full->restore_table();
    return go_on_as_they_are(request, std::move(full), std::move(standing));
  }
  full.reset();
  SearchResult result = in_parallel(request, *store, std::move(standing))->run();
  if (result.ending == Ending::memory_limit) announce_useless_steps(request, result);
  return result;
}

template <class S>
SearchResult search_packed(const SearchRequest& request, std::unique_ptr<S> full, LevelStanding standing) {
  const std::uint64_t memory = request.options.memory_limit;
  const unsigned threads = request.options.threads;
  if constexpr (requires { full->restore_table(); }) full->give_up_table();  // nothing is looked up meanwhile
  if constexpr (std::is_same_v<S, IndexedStore>)
    if (becomes_tree<S>(request)) {
      auto store = packed_as_tree(*full, standing, memory, threads);
      return go_on_packed(request, std::move(store), std::move(full), std::move(standing));
    }
  if constexpr (S::keeps_states) {
    const ShortStates states{request.program.state_bits, wants_small(request)};
    auto store = packed(*full, standing, states, memory, threads);
    return go_on_packed(request, std::move(store), std::move(full), std::move(standing));
  } else {
    auto store = packed_fingerprints(*full, standing, request.model.state_words(), memory, threads);
    return go_on_packed(request, std::move(store), std::move(full), std::move(standing));
  }
}

// From a checkpoint of which the standing and the store are read.
template <class S>
SearchResult resume_packed(const SearchRequest& request, std::unique_ptr<S> store, LevelStanding standing,
                           SealedReader& in) {
  if (store == nullptr) return does_not_fit(request);
  const std::unique_ptr<RestOfSearch> rest = resumed(request, *store, std::move(standing), in);
  return rest != nullptr ? rest->run() : does_not_fit(request);
}

SearchResult resume_packed(const SearchRequest& request, SavedStates states, LevelStanding standing, SealedReader& in) {
  const std::uint64_t memory = request.options.memory_limit;
  const bool alone = request.options.threads <= 1;
  if (states == SavedStates::packed_tree)
    return resume_packed(request, PackedTree::loaded(in, memory, alone), std::move(standing), in);
  if (states == SavedStates::packed_fingerprints) {
    auto store = std::make_unique<FingerprintTable>(request.model.state_words(), memory, alone);
    if (!store->load(in)) store.reset();
    return resume_packed(request, std::move(store), std::move(standing), in);
  }
  auto store = std::make_unique<CodedStore>(request.program.state_bits, memory, alone, wants_small(request));
  if (!store->load(in)) store.reset();
  return resume_packed(request, std::move(store), std::move(standing), in);
}

// With as many threads as there are, and with checkpoints. `after` is called with the result and a function that gives
// runs to states.
template <class S, class After>
SearchResult go_on(const SearchRequest& request, std::unique_ptr<S> store, std::unique_ptr<RestOfSearch> rest,
                   std::uint64_t packs_from, const After& after) {
  for (;;) {
    rest->set_most_states(packs_from);
    SearchResult result = rest->run();
    const bool is_full = S::keeps_states && !request.when_full.empty() && result.ending == Ending::memory_limit;
    if (!is_full && !rest->is_to_go_on()) {
      after(result, [&](StateId id) { return rest->run_to(id); });
      return result;
    }
    LevelStanding standing = rest->leave(std::move(result));
    rest.reset();
    if (is_full) return go_on_full(request, std::move(store), std::move(standing));
    if (pays_to_pack(request, *store)) return search_packed(request, std::move(store), std::move(standing));
    packs_from = UINT64_MAX;
    rest = in_parallel(request, *store, std::move(standing));
  }
}

// From the checkpoint of the request.
template <class S, class After>
SearchResult resume(const SearchRequest& request, std::unique_ptr<S> store, std::uint64_t packs_from,
                    const After& after) {
  const std::filesystem::path& path = *request.checkpoint->resume;
  SealedReader in(path, checkpoint_kind);
  check_identity(request.checkpoint->identity, path, in);
  const SavedStates states{static_cast<std::uint8_t>(in.number())};
  if (states == SavedStates::on_disk) return resume_on_disk(request, in);
  LevelStanding standing = load_standing(request.options.shape, in);
  const bool can_be_read = is_packed(states) ? request.spill_to == nullptr : states == saved_as<S>();
  if (!can_be_read)
    throw EnvironmentError(
        fmt::format("the checkpoint {} is of another run: its states stand in another store than this one would have, "
                    "because of --when-full or disk(DIR)",
                    path.string()));
  if (is_packed(states)) return resume_packed(request, states, std::move(standing), in);
  if (!store->load(in)) return does_not_fit(request);
  std::unique_ptr<RestOfSearch> rest = resumed(request, *store, std::move(standing), in);
  if (rest == nullptr) return does_not_fit(request);
  return go_on(request, std::move(store), std::move(rest), packs_from, after);
}

template <class S, class After>
SearchResult search(const SearchRequest& request, std::unique_ptr<S> store, const After& after) {
  const std::uint64_t packs_from = can_pack<S>(request) ? states_to_pack<S>(request) : UINT64_MAX;
  if (request.checkpoint != nullptr && request.checkpoint->resume)
    return resume(request, std::move(store), packs_from, after);
  BreadthFirst first(request.model, *store, request.options);
  if (!first.run_to_level_of(level_to_hand_over(request), packs_from)) {
    if (S::keeps_states && !request.when_full.empty() && first.is_full())
      return go_on_full(request, std::move(store), first.leave());
    SearchResult result = first.finish();
    after(result, [&](StateId id) { return first.run_to(id); });
    return result;
  }
  std::unique_ptr<RestOfSearch> rest = in_parallel(request, *store, first.leave());
  return go_on(request, std::move(store), std::move(rest), packs_from, after);
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
  if (request.spill_to != nullptr) DiskFile{*request.spill_to};  // that it cannot be written is better said now
  const bool liveness = needs_liveness(request);
  const auto nothing_more = [](SearchResult&, const auto&) {};
  if (request.store == StoreChoice::compact) return search_lossy<CompactTable>(request);
  if (request.store == StoreChoice::bitstate) return search_lossy<BitTable>(request);
  const std::uint64_t memory = memory_of_store(request);
  if (request.store == StoreChoice::fingerprint)  // the rest is for parents and the states of two levels
    return search(request, std::make_unique<FingerprintStore>(memory / 8 * 5), nothing_more);
  // A reduction asks for the level of states that are known already, and only numbers tell it.
  const bool needs_numbers = liveness || request.options.reduction != nullptr;
  const bool is_short = request.program.state_bits <= InlineStore::max_bits;
  const bool wants_tree =
      request.store == StoreChoice::tree && !(wants_small(request) && can_pack<IndexedStore>(request));
  if (is_short && !needs_numbers && !wants_tree)
    return search(request, std::make_unique<InlineStore>(memory), nothing_more);
  const std::uint32_t words = request.model.state_words();
  const bool is_long = words >= TreeStore::min_words;
  if ((is_long || wants_tree) && !liveness)
    return search(request, std::make_unique<TreeStore>(words, memory), nothing_more);
  auto store = std::make_unique<IndexedStore>(words, memory);
  IndexedStore& states = *store;
  return search(request, std::move(store), [&](SearchResult& result, const auto& run_to) {
    if (liveness && result.ending == Ending::exhausted) check_liveness(request, states, run_to, result);
  });
}

SearchResult fill_bfs(const SearchRequest& request, IndexedStore& store) {
  return BreadthFirst(request.model, store, request.options).run();
}

}  // namespace fathom
