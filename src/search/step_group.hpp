// The steps of a few states, on their way into the store together: they are hashed and their buckets prefetched, and
// only then inserted. By that time the memory has arrived: the store costs a third of what one look-up at a time would
// (group prefetching: Chen, Ailamaki, Gibbons, Mowry 2004).
#pragma once

#include <algorithm>
#include <array>
#include <utility>
#include <vector>

#include "search/deadlock.hpp"
#include "store/short_states.hpp"
#include "store/state_code.hpp"
#include "store/store.hpp"

namespace fathom {

// A store into which states may go as codes, which are made first.
template <class S>
concept CodingStore = requires(const S store, const std::uint64_t* state) {
  { store.has_code() } -> std::convertible_to<bool>;
  store.hash_of(store.code().code(state));
};

// A store in which a state is a word that hash() has made of it, and which has a view for such words.
template <class S>
concept RootedStore = requires(S store) {
  typename S::template RootView<true>;
};

template <StateSet S>
class StepGroup {
 public:
  static constexpr std::uint32_t enough = 96;  // steps, to hide memory latency; few enough for the L1 cache

  // The steps of one expanded state in the batch: from `first` up to the next source's.
  struct Source {
    StateId id;
    std::uint32_t first;
  };

  explicit StepGroup(std::uint32_t words) : words_(words) {}

  Batch batch;
  std::vector<Source> sources;

  void clear() {
    batch.clear();
    sources.clear();
    hashed_ = 0;
  }
  // Takes the steps of these states, one after the other, until there are so many of them. Returns the first state that
  // is left; state_of gives a state, and next() is called when its steps are there.
  template <class M, class StateOf, class Next>
  std::uint64_t fill(M& model, IdRange states, const StateOf& state_of, const Next& next, std::uint32_t steps) {
    clear();
    for (; !states.empty() && batch.size() < steps; ++states.first) {
      sources.push_back({StateId{states.first}, batch.size()});
      model.successors(state_of(StateId{states.first}), batch);
      next();
    }
    return states.first;
  }
  template <class M, class StateOf>
  std::uint64_t fill(M& model, IdRange states, const StateOf& state_of) {
    return fill(
        model, states, state_of, [] {}, enough);
  }
  // The same for steps that go into the store as they are, through insert_all. What the store needs for those of a
  // state is on its way while those of the next are made: if all of it is asked for at once, a core waits until it has
  // asked.
  template <class M, class StateOf>
  std::uint64_t fill_and_fetch(M& model, IdRange states, const StateOf& state_of, const S& store) {
    return fill(
        model, states, state_of, [&] { hash_new(store); }, 2 * enough);
  }
  void forget_hashes() { hashed_ = 0; }
  [[nodiscard]] std::uint32_t steps_end(std::size_t s) const {
    return s + 1 < sources.size() ? sources[s + 1].first : batch.size();
  }
  // The state from which a step was taken.
  [[nodiscard]] const Source& source_of(std::uint32_t k) const {
    return *std::prev(std::ranges::upper_bound(sources, k, {}, &Source::first));
  }
  [[nodiscard]] StateView successor(std::uint32_t k) { return {batch.words(k), words_}; }

  // Whether the first step of a state shows that it is no deadlock, as it nearly always does. state_of gives the state.
  template <class StateOf>
  [[nodiscard, gnu::always_inline]] bool plainly_moves(std::size_t s, const SearchOptions& options, StateOf state_of) {
    const std::uint32_t first = sources[s].first;
    if (first == steps_end(s)) return false;
    const bool any_step_counts = options.valid_end || options.deadlock != DeadlockMode::stuttering;
    return any_step_counts || !same_words(state_of(sources[s].id).data(), batch.words(first), words_);
  }

  // Returns whether some step ends otherwise than in a successor.
  bool count_steps(SearchResult& result) const {
    const fathom_step* const steps = batch.steps();
    const std::uint32_t count = batch.size();
    std::uint64_t* const __restrict fired = result.fired.data();
    std::uint32_t endings = 0;
    for (std::uint32_t k = 0; k < count; ++k) {
      ++fired[steps[k].instance >> 32];
      endings |= steps[k].fault;
    }
    result.statistics.transitions += count;
    return endings != 0;
  }

  // What is stored of a class of symmetric states.
  void canonicalise(Canonicaliser* canonicaliser) {
    if (canonicaliser == nullptr) return;
    for (std::uint32_t k = 0; k < batch.size(); ++k)
      if (batch.outcome(k).has_successor()) canonicaliser->canonicalise(batch.words(k));
  }

  // Hashes and inserts all successors; next_index() gives the new ones their numbers. Where these are asked for,
  // fresh(k) is called for each and says whether to go on. `alone`: on a thread that has the store to itself.
  template <bool alone, class NextIndex, class Fresh>
  void insert_all(S& store, bool asked, NextIndex next_index, Fresh fresh) requires ViewedStore<S> {
    make_room();
    if constexpr (CodingStore<S>)
      if (store.has_code()) return insert_codes<alone>(store, asked, next_index, fresh);
    if constexpr (requires { S::fixed_words; })
      insert_through<S::fixed_words, alone>(store, asked, next_index, fresh);
    else if constexpr (requires { S::most_words; })
      words_ == 1 ? insert_through<1, alone>(store, asked, next_index, fresh)
                  : insert_through<S::most_words, alone>(store, asked, next_index, fresh);
    else
      without_loop(
          words_,
          [&]<std::uint32_t... k>(std::integer_sequence<std::uint32_t, k...>) {
            insert_through<sizeof...(k), alone>(store, asked, next_index, fresh);
          },
          [&] { insert_through<0, alone>(store, asked, next_index, fresh); });
  }

  template <bool alone, class NextIndex, class Fresh>
  void insert_all(S& whole, bool asked, NextIndex next_index, Fresh fresh) requires RootedStore<S> {
    hash(whole);
    typename S::template RootView<alone> store(whole);
    insert_each(
        store, [](std::uint32_t) { return nullptr; }, asked, next_index, fresh);
  }

  // The loops from here on run once per transition. Pointers are held in locals, because the compiler must otherwise
  // assume that every store of a word changes them, and what is written to is declared apart from the rest.
  void hash(const S& store) {
    make_room();
    if constexpr (requires { store.near(StateId{}); }) {
      hash_together(store);
    } else {
      const fathom_step* const steps = batch.steps();
      const std::uint64_t* const words = batch.all_words();
      Hash* const __restrict hashes = hashes_.data();
      const std::uint32_t length = words_, count = batch.size();
      for (std::uint32_t k = 0; k < count; ++k) {
        const Hash hash = store.hash({words + steps[k].offset, length});
        store.prefetch(hash);
        hashes[k] = hash;
      }
    }
  }

  [[nodiscard]] const Hash& hash_of(std::uint32_t k) const { return hashes_[k]; }

  void approach(const S& store) {
    if constexpr (StagedStore<S>) {
      const std::uint32_t count = batch.size();
      const Hash* const hashes = hashes_.data();
      std::uint64_t* const __restrict slots = slots_.data();
      for (std::uint32_t k = 0; k < count; ++k) slots[k] = store.approach(hashes[k]);
    }
  }

  // Inserts the successor of step k; `how` is what the store wants to know beside it.
  template <class... How>
  [[gnu::always_inline]] Inserted insert(S& store, std::uint32_t k, StateView state, How... how) {
    if constexpr (StagedStore<S>)
      return store.insert_from(slots_[k], state, hashes_[k], how...);
    else
      return store.insert(state, hashes_[k], how...);
  }

  // A step without a successor gets one that is known, so that nothing comes into a store that learns while it hashes.
  void leave_out_missing(std::size_t s, StateView from) {
    for (std::uint32_t k = sources[s].first; k < steps_end(s); ++k)
      if (!batch.outcome(k).has_successor()) std::copy(from.begin(), from.end(), batch.words(k));
  }

 private:
  void hash_new(const S& store) {
    make_room();
    if constexpr (CodingStore<S>)
      if (store.has_code()) return;  // all at once is faster
    const fathom_step* const steps = batch.steps();
    const std::uint64_t* const words = batch.all_words();
    Hash* const __restrict hashes = hashes_.data();
    const std::uint32_t length = words_, count = batch.size();
    for (std::uint32_t k = std::exchange(hashed_, count); k < count; ++k) {
      hashes[k] = store.hash({words + steps[k].offset, length});
      store.prefetch(hashes[k]);
    }
  }

  void make_room() {
    if (hashes_.size() >= batch.size()) return;
    hashes_.resize(batch.size());
    slots_.resize(batch.size());
    if constexpr (CodingStore<S>) codes_.resize(batch.size());
  }

  template <std::uint32_t known, bool alone, class NextIndex, class Fresh>
  void insert_through(S& whole, bool asked, NextIndex& next_index, Fresh& fresh) {
    const fathom_step* const steps = batch.steps();
    const std::uint64_t* const words = batch.all_words();
    const std::uint32_t count = batch.size();
    Hash* const __restrict hashes = hashes_.data();
    typename S::template View<known, alone> store(whole);
    for (std::uint32_t k = hashed_; k < count; ++k) {
      hashes[k] = store.hash(words + steps[k].offset);
      store.prefetch(hashes[k]);
    }
    insert_each(
        store, [=](std::uint32_t k) { return words + steps[k].offset; }, asked, next_index, fresh);
  }

  // Nothing becomes known to the store of a step without a successor.
  template <bool alone, class NextIndex, class Fresh>
  void insert_codes(S& whole, bool asked, NextIndex& next_index, Fresh& fresh) {
    const fathom_step* const steps = batch.steps();
    const std::uint64_t* const words = batch.all_words();
    const auto state_of = [=](std::uint32_t k) { return words + steps[k].offset; };
    const std::uint32_t count = batch.size();
    StateCode::Code* const codes = codes_.data();
    Hash* const __restrict hashes = hashes_.data();
    whole.code().codes(count, state_of, codes);
    typename S::template CodeView<alone> store(whole);
    for (std::uint32_t k = 0; k < count; ++k) {
      if (!StateCode::is_known(codes[k])) [[unlikely]] {
        if (!batch.outcome(k).has_successor()) continue;
        codes[k] = whole.code().code(state_of(k));
      }
      hashes[k] = store.hash(codes[k].data());
      store.prefetch(hashes[k]);
    }
    insert_each(
        store, [=](std::uint32_t k) { return codes[k].data(); }, asked, next_index, fresh);
  }

  // what(k) is what goes into the store for step k.
  template <class View, class What, class NextIndex, class Fresh>
  [[gnu::always_inline]] void insert_each(View& store, const What& what, bool asked, NextIndex& next_index,
                                          Fresh& fresh) {
    const fathom_step* const steps = batch.steps();
    const std::uint32_t count = batch.size();
    const Hash* const hashes = hashes_.data();
    std::uint64_t* const __restrict slots = slots_.data();
    constexpr bool staged = StagedStore<S>;
    for (std::uint32_t k = 0; staged && k < count; ++k) slots[k] = store.approach(hashes[k]);
    std::uint32_t waiting = 0;  // steps for which more is fetched; the array of slots has room for their numbers
    for (std::uint32_t k = 0; k < count; ++k) {
      if (steps[k].fault != 0 && !Outcome{steps[k].fault}.goes_on()) continue;
      const std::uint64_t slot = staged ? slots[k] : store.approach(hashes[k]);
      if constexpr (requires { store.insert_at_home(slot, what(k), hashes[k], next_index); }) {
        const Found found = store.insert_at_home(slot, what(k), hashes[k], next_index);
        if (found == Found::full) [[unlikely]]
          slots[waiting++] = k;
        if (found == Found::added && asked && !fresh(k)) return;
      } else if (store.insert(slot, what(k), hashes[k], next_index) && asked && !fresh(k)) {
        return;
      }
    }
    for (std::uint32_t w = 0; w < waiting; ++w) {
      const auto k = static_cast<std::uint32_t>(slots[w]);
      const std::uint64_t slot = store.approach(hashes[k]);
      if (store.insert(slot, what(k), hashes[k], next_index) && asked && !fresh(k)) return;
    }
  }

  // For a store that profits from knowing where a state was reached from.
  void hash_together(const S& store) {
    for (std::size_t s = 0; s < sources.size(); ++s) {
      store.near(sources[s].id);
      for (std::uint32_t k = sources[s].first; k < steps_end(s); ++k) store.add({batch.words(k), words_});
    }
    if (sources.empty())
      for (std::uint32_t k = 0; k < batch.size(); ++k) store.add({batch.words(k), words_});
    store.hash_added(hashes_.data());
    for (std::uint32_t k = 0; k < batch.size(); ++k) store.prefetch(hashes_[k]);
  }

  const std::uint32_t words_;
  std::uint32_t hashed_ = 0;  // steps whose hash is known
  std::vector<Hash> hashes_;
  std::vector<std::uint64_t> slots_;  // where the look-ups in the store go on
  std::vector<StateCode::Code> codes_;
};

// The first step of a batch whose successor passes the test; canonicalises what it looks at.
template <class Test>
bool leads_to(Batch& steps, std::uint32_t words, Canonicaliser* canonicaliser, Test test) {
  for (std::uint32_t k = 0; k < steps.size(); ++k) {
    if (!steps.outcome(k).has_successor()) continue;
    if (canonicaliser != nullptr) canonicaliser->canonicalise(steps.words(k));
    if (test(StateView{steps.words(k), words})) return true;
  }
  return false;
}

}  // namespace fathom
