// A run between two states whose distance is known, by another breadth-first search from the one to the other. It keeps
// of each state only whether it was found, as the search before did: of the run it learns the state half-way, and then
// does the same for both halves (divide and conquer: Korf 1999). The halves are searched from single states, so they
// take little beside the first.
#pragma once

#include <optional>
#include <stdexcept>
#include <utility>
#include <vector>

#include "search/milestones.hpp"
#include "search/origin_rows.hpp"
#include "search/step_group.hpp"

namespace fathom {

// `make_store()` makes an empty store.
template <Model M, class MakeStore>
class RunAgain {
 public:
  RunAgain(M& model, Canonicaliser* canonicaliser, MakeStore make_store)
      : model_(model), canonicaliser_(canonicaliser), make_store_(std::move(make_store)), words_(model.state_words()) {}

  // Through all of these states, from a start state on.
  std::vector<StateBuffer> through(const std::vector<Waypoint>& way) {
    std::vector<StateBuffer> run = between(start_states(), way.front().state, way.front().depth);
    for (std::size_t k = 1; k < way.size(); ++k)
      add_behind(run, between({way[k - 1].state}, way[k].state, way[k].depth - way[k - 1].depth));
    return run;
  }

 private:
  using Store = typename std::invoke_result_t<MakeStore>::element_type;

  static void add_behind(std::vector<StateBuffer>& run, std::vector<StateBuffer> rest) {
    run.insert(run.end(), std::next(std::make_move_iterator(rest.begin())), std::make_move_iterator(rest.end()));
  }

  std::vector<StateBuffer> start_states() {
    Batch batch;
    model_.initial(batch);
    std::vector<StateBuffer> states;
    for (std::uint32_t k = 0; k < batch.size(); ++k) {
      if (!batch.outcome(k).has_successor()) continue;
      if (canonicaliser_ != nullptr) canonicaliser_->canonicalise(batch.words(k));
      states.emplace_back(batch.words(k), batch.words(k) + words_);
    }
    return states;
  }

  // From one of the starts, in so many steps, which is as few as it takes.
  std::vector<StateBuffer> between(const std::vector<StateBuffer>& starts, StateView target, std::uint64_t steps) {
    const StateBuffer last(target.begin(), target.end());
    if (steps == 0) return {last};
    const auto [start, middle] = search(starts, target, steps);
    if (steps == 1) return {starts[start], last};
    std::vector<StateBuffer> run = between({starts[start]}, middle, steps / 2);
    add_behind(run, between({middle}, target, steps - steps / 2));
    return run;
  }

  // The origin of a state is a start, and behind the middle a state of the middle.
  class Level {
   public:
    explicit Level(OriginRows format) : format_(format) {}

    void add(const std::uint64_t* key, std::uint64_t origin) {
      bytes_.resize(bytes_.size() + format_.bytes());
      format_.write(bytes_.data(), states_++, key, origin);
    }
    void become_origins() {
      for (std::uint64_t k = 0; k < states_; ++k) format_.set_origin(bytes_.data(), k, k);
    }
    [[nodiscard]] std::uint64_t states() const { return states_; }
    void read(std::uint64_t k, std::uint64_t* key) const { format_.read(bytes_.data(), k, key); }
    [[nodiscard]] OriginRows::Key key(std::uint64_t k) const { return format_.key(bytes_.data(), k); }
    [[nodiscard]] std::uint64_t origin(std::uint64_t k) const { return format_.origin(bytes_.data(), k); }

   private:
    OriginRows format_;
    std::vector<OriginRows::Byte> bytes_;
    std::uint64_t states_ = 0;
  };

  // The start of the run, and its state half-way.
  std::pair<std::uint64_t, StateBuffer> search(const std::vector<StateBuffer>& starts, StateView target,
                                               std::uint64_t steps) {
    const auto store = make_store_();
    StepGroup<Store> group(words_);
    const OriginRows format(store->key_bits());
    Level here(format), middle(format);
    for (std::uint64_t k = 0; k < starts.size(); ++k) add_if_new(*store, here, starts[k], k);
    for (std::uint64_t depth = 0; depth < steps; ++depth) {
      if (depth == steps / 2) {
        middle = here;
        here.become_origins();
      }
      const bool is_last = depth + 1 == steps;
      Level next(format);
      const std::optional<std::uint64_t> origin = expand(*store, group, here, next, is_last ? target : StateView());
      if (origin) {
        const OriginRows::Key key = middle.key(*origin);
        const StateView state = store->state_at(StateId{*origin}, key.data());
        return {middle.origin(*origin), {state.begin(), state.end()}};
      }
      here = std::move(next);
    }
    throw std::logic_error("a state is further away than the search before had found");
  }

  static void add_if_new(Store& store, Level& level, StateView state, std::uint64_t origin) {
    if (!store.reserve(1)) throw std::bad_alloc();
    const Hash hash = store.hash(state);
    if (store.insert(state, hash).fresh) level.add(store.key_of(state, hash), origin);
  }

  // The origin of the target if a state leads there.
  std::optional<std::uint64_t> expand(Store& store, StepGroup<Store>& group, const Level& here, Level& next,
                                      StateView target) {
    OriginRows::Key key = OriginRows(store.key_bits()).empty_key();
    const auto state_of = [&](StateId id) {
      here.read(index_of(id), key.data());
      return store.state_at(id, key.data());
    };
    for (std::uint64_t k = 0; k < here.states();) {
      k = group.fill(model_, {k, here.states()}, state_of);
      group.canonicalise(canonicaliser_);
      if (!store.reserve(group.batch.size())) throw std::bad_alloc();
      group.hash(store);
      group.approach(store);
      for (std::size_t s = 0; s < group.sources.size(); ++s)
        for (std::uint32_t step = group.sources[s].first; step < group.steps_end(s); ++step) {
          if (!group.batch.outcome(step).has_successor()) continue;
          const StateView found = group.successor(step);
          if (!group.insert(store, step, found).fresh) continue;
          const std::uint64_t origin = here.origin(index_of(group.sources[s].id));
          if (std::ranges::equal(found, target)) return origin;
          next.add(store.key_of(found, group.hash_of(step)), origin);
        }
    }
    return std::nullopt;
  }

  M& model_;
  Canonicaliser* const canonicaliser_;
  const MakeStore make_store_;
  const std::uint32_t words_;
};

}  // namespace fathom
