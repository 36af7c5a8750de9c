// Breadth-bounded search on a randomised highway (Meulen, Stappers, Willemse: Breadth-Bounded Model Checking, 2010). Of
// the new successors of a level a random choice of at most N becomes the next level; it ends where no new states are
// found. States that were passed over are not remembered, so that they can be chosen later.
//
//  - Algorithm 1: any choice.
//  - Algorithm 2: every state that has successors keeps at least one, so no deadlock appears that the model has not.
//  - Algorithm 3: from a given depth on only states whose successors are all new go on, each with as little as it
//  needs.
//
// Memory: the store holds the states that were kept, level by level, and beside it there is one level and, for
// Algorithms 2 and 3, its successors. A trace is found by going back through the levels: it is not a shortest one.
//
// What is found is real, and what is not found means nothing, unless no edge leads out of the states that were kept: a
// second pass looks at the levels at which states were passed over until it meets such an edge. Every new state that is
// seen is checked, kept or not, when the first violation ends the search; otherwise only those that are kept, each
// once.
//
// With several threads the steps of a level are generated and looked up ahead (ordered_portions.hpp); one thread takes
// them in the order of their states, so that everything is as with one.
#pragma once

#include <algorithm>
#include <optional>
#include <span>
#include <utility>

#include "search/breadth_sampler.hpp"
#include "search/crew.hpp"
#include "search/deadlock.hpp"
#include "search/first_predecessor.hpp"
#include "search/highway_portion.hpp"
#include "search/level_candidates.hpp"
#include "search/ordered_portions.hpp"
#include "search/pace.hpp"
#include "search/parents.hpp"
#include "search/recorder.hpp"
#include "store/room.hpp"

namespace fathom {

struct HighwayBounds {
  std::uint64_t breadth = 1;
  bool total = false;                         // Algorithms 2 and 3
  bool progress = false;                      // every state that has new successors keeps one of those, not any one
  std::optional<std::uint64_t> degrade = {};  // Algorithm 3: from this depth on
};

template <Model M, SearchableStore S>
requires S::keeps_states class Highway {
 public:
  Highway(M& model, S& store, const SearchOptions& options, const HighwayBounds& bounds, MoreThreads<M> more = {})
      : model_(model),
        store_(store),
        options_(options),
        bounds_(bounds),
        words_(model.state_words()),
        recorder_(options),
        crew_({&model, options.canonicaliser}, std::move(more)),
        first_predecessor_(crew_, store),
        sampler_(options.seed),
        candidates_(words_) {}

  SearchResult run() {
    start();
    while (going_ && !level_empty() && !at_depth_bound()) {
      expand_level();
      if (going_) passes_over_.push_back(choose_next_level(degrading() ? lanes_.size() : bounds_.breadth));
    }
    if (going_) conclude();
    return finish();
  }

  // A run to a stored state, and the step there that goes wrong. Valid after run(), too.
  Counterexample run_to(StateId id, std::optional<InstanceId> failing_step = std::nullopt) {
    Counterexample run;
    run.failing_step = failing_step;
    auto level = std::upper_bound(levels_.begin(), levels_.end(), index_of(id)) - levels_.begin() - 1;
    for (;; --level) {
      const StateView here = store_.state(id);
      run.states.emplace_back(here.begin(), here.end());
      if (level == 0) break;
      id = first_predecessor_(run.states.back(), {levels_[level - 1], levels_[level]});
    }
    std::reverse(run.states.begin(), run.states.end());
    return run;
  }

  // The id at which each level begins.
  [[nodiscard]] const std::vector<std::uint64_t>& levels() const { return levels_; }

  // States that were expanded ahead and not needed.
  [[nodiscard]] std::uint64_t expanded_in_vain() const { return crew_.expanded_in_vain(); }

 private:
  static constexpr std::uint32_t group_size = 96;                    // steps, as in the breadth-first search
  static constexpr std::size_t lines_ahead = 32, states_ahead = 16;  // for which memory is fetched

  // Where a violation is.
  struct Found {
    Violation violation;
    StateId from;                         // the state, or the one that leads to it
    std::optional<InstanceId> step = {};  // that goes wrong
    StateBuffer state = {};               // where it is, if that was not kept; empty otherwise
  };

  void start() {
    model_.initial(portion_.batch);
    const Batch& starts = portion_.batch;
    for (std::uint32_t k = 0; k < starts.size() && going_; ++k)
      if (starts.outcome(k).is_fault())
        violated({{Violation::Kind::fault, 0, starts.outcome(k).site()}, no_parent, starts.instance(k)});
    if (!going_) return;
    portion_.hash(store_, options_.canonicaliser, words_);
    for (std::uint32_t k = 0; k < starts.size() && going_; ++k)
      if (starts.outcome(k).has_successor()) add_candidate(portion_, k, no_parent);
    if (going_) starts_left_out_ = choose_next_level(bounds_.breadth);
  }

  [[nodiscard]] bool level_empty() const { return level_begin_ == level_end_; }
  [[nodiscard]] std::uint64_t depth() const { return levels_.empty() ? 0 : levels_.size() - 1; }
  [[nodiscard]] bool at_depth_bound() const { return options_.max_depth && depth() >= *options_.max_depth; }
  [[nodiscard]] bool degrading() const { return bounds_.degrade && depth() >= *bounds_.degrade; }

  // ---- A level and its successors.

  void expand_level() {
    take_in_order({level_begin_, level_end_}, [this](HighwayPortion& portion) {
      for (std::size_t s = 0; s < portion.sources.size() && going_; ++s) {
        crew_.count_needed(1);
        look_at_steps(portion, s);
        if (going_) add_successors(portion, s);
      }
      expanded_ = portion.sources.back().number + 1;
      if (going_ && pace_.is_due(portion.batch.size())) pause();
      return going_;
    });
  }

  // Calls take(portion) with the steps of states, in the order of the states, until it returns false.
  template <class Take>
  void take_in_order(IdRange states, const Take& take) {
    const auto prepare = [this](unsigned thread, IdRange some, std::uint64_t most, HighwayPortion& portion) {
      return this->prepare(crew_[thread], some, most, portion);
    };
    if (Team* const team = crew_.team_for(states.end - states.first)) return ahead_.run(*team, states, prepare, take);
    for (bool going = true; going && !states.empty(); going = take(portion_)) {
      portion_.clear();
      states.first = prepare(0, states, group_size, portion_);
    }
  }

  // In any thread. Nothing is put into the store meanwhile.
  std::uint64_t prepare(const ThreadParts<M>& parts, IdRange states, std::uint64_t most, HighwayPortion& portion) {
    for (; !states.empty() && portion.batch.size() < most; ++states.first)
      portion.expand(*parts.model, states.first, store_.state(StateId{states.first}));
    crew_.count_expanded(portion.sources.size());
    portion.hash(store_, parts.canonicaliser, words_);
    portion.look_up(store_, words_);
    return states.first;
  }

  void look_at_steps(HighwayPortion& portion, std::size_t s) {
    const PreparedSteps::Source& source = portion.sources[s];
    const std::uint32_t end = portion.steps_end(s);
    const StateId id{source.number};
    for (std::uint32_t k = source.first; k < end && going_; ++k) {
      const Outcome outcome = portion.batch.outcome(k);
      recorder_.fire(portion.batch.instance(k));
      if (recorder_.is_violation(outcome))
        violated({{Violation::Kind::fault, 0, outcome.site()}, id, portion.batch.instance(k)});
    }
    if (going_ && is_deadlock(model_, options_, store_.state(id), source.first != end, source.moves))
      violated({{Violation::Kind::deadlock}, id});
  }

  // The new successors of a state, unless it is one that need not go on. A state that has a successor among those that
  // were kept before is no lane that must be covered.
  void add_successors(HighwayPortion& portion, std::size_t s) {
    const std::uint32_t first = portion.rows[s].first, end = portion.fresh_end(s);
    const bool has_known = portion.rows[s].has_known;
    if (first == end) return;
    if (degrading() && has_known) {
      narrowed_ = true;
      return;
    }
    const bool lane = bounds_.total && (bounds_.progress || !has_known);
    if (lane) lanes_.begin_lane();
    for (std::uint32_t k = first; k < end; ++k) {
      fetch_after(portion, k);
      const std::optional<std::uint32_t> number =
          add_candidate(portion, portion.fresh[k], StateId{portion.sources[s].number});
      if (!going_) return;
      if (lane) lanes_.candidates.push_back(*number);
    }
  }

  // Asks for the memory of candidates that follow. Inlined by force: see IndexedStore::prefetch.
  [[gnu::always_inline]] void fetch_after(const HighwayPortion& portion, std::size_t k) const {
    const std::vector<std::uint32_t>& fresh = portion.fresh;
    if (k + lines_ahead < fresh.size()) candidates_.prefetch(portion.hashes[fresh[k + lines_ahead]]);
    if (k + states_ahead < fresh.size()) candidates_.approach(portion.hashes[fresh[k + states_ahead]]);
  }

  // Its number, or nothing if it is passed over already.
  std::optional<std::uint32_t> add_candidate(HighwayPortion& portion, std::uint32_t k, StateId from) {
    const Hash hash = portion.hashes[k];
    if (largest_rank_ != UINT64_MAX && sampler_.rank(level_number(), hash) > largest_rank_) {
      narrowed_ = true;
      if (checks_all()) examine(successor(portion, k), from);
      return std::nullopt;
    }
    const auto [number, fresh] = candidates_.add(portion.batch.words(k), hash);
    if (fresh && checks_all()) examine(successor(portion, k), from);
    if (fresh && !bounds_.total && candidates_.size() >= most_candidates()) drop_largest_ranks();
    return number;
  }

  // Where any choice will do, those that are already known to be passed over are forgotten now and then, so that a
  // level takes no more memory than its breadth.
  [[nodiscard]] std::uint64_t most_candidates() const {
    return bounds_.breadth < UINT64_MAX / 8 ? 4 * bounds_.breadth + 4096 : UINT64_MAX;
  }

  void drop_largest_ranks() {
    narrowed_ = true;
    candidates_.keep(sampler_.choose(level_number(), candidates_.hashes(), bounds_.breadth));
    largest_rank_ = 0;
    for (const Hash hash : candidates_.hashes())
      largest_rank_ = std::max(largest_rank_, sampler_.rank(level_number(), hash));
  }

  // ---- The next level.

  [[nodiscard]] std::uint64_t level_number() const { return levels_.size(); }

  // Returns whether a state was passed over.
  bool choose_next_level(std::uint64_t wanted) {
    const bool passes_over = std::exchange(narrowed_, false) || candidates_.size() > wanted;
    const std::vector<std::uint32_t>& chosen =
        bounds_.total && !levels_.empty()
            ? sampler_.choose_covering(level_number(), candidates_.hashes(), lanes_, wanted)
            : sampler_.choose(level_number(), candidates_.hashes(), wanted);
    keep(chosen);
    candidates_.clear();
    lanes_.clear();
    largest_rank_ = UINT64_MAX;
    return passes_over;
  }

  void keep(const std::vector<std::uint32_t>& chosen) {
    level_begin_ = store_.size();
    if (!chosen.empty()) levels_.push_back(level_begin_);
    if (!reserve_beside(
            store_, chosen.size(), options_.memory_limit, [this] { return bytes(); }, crew_.team()))
      return stop(Ending::memory_limit);
    const std::span<const Hash> hashes = candidates_.hashes();
    for (std::size_t k = 0; k < chosen.size() && going_; ++k) {
      if (k + lines_ahead < chosen.size()) store_.prefetch(hashes[chosen[k + lines_ahead]]);
      const StateId id = store_.insert(candidates_.state(chosen[k]), hashes[chosen[k]]).id;
      if (!checks_all()) examine_kept(id);
    }
    level_end_ = store_.size();
  }

  // ---- Violations.

  [[nodiscard]] bool checks_all() const { return options_.max_errors == 1; }

  void examine(StateView state, StateId from) {
    if (!options_.check_states) return;
    for (const Violation& violation : recorder_.examine(model_, state))
      if (going_) violated({violation, from, {}, {state.begin(), state.end()}});
  }

  void examine_kept(StateId id) {
    if (!options_.check_states) return;
    for (const Violation& violation : recorder_.examine(model_, store_.state(id)))
      if (going_) violated({violation, id});
  }

  // The run that shows it is made in the end, when all threads can help.
  void violated(const Found& found) {
    if (recorder_.count(found.violation)) first_ = found;
    if (recorder_.finished()) stop(Ending::error_limit);
  }

  void show_first() {
    crew_.quiet(true);
    Counterexample run;
    if (first_->from != no_parent) run = run_to(first_->from);
    if (!first_->state.empty()) run.states.push_back(first_->state);
    run.failing_step = first_->step;
    run.violation = first_->violation;
    recorder_.result.first = std::move(run);
    crew_.quiet(false);
  }

  // ---- The end.

  void conclude() {
    const bool cut = !level_empty();
    const bool passed_over = starts_left_out_ || std::ranges::count(passes_over_, true) > 0;
    if (cut && !passed_over) {
      recorder_.result.scope.depth = depth();
      return stop(Ending::bound);
    }
    if (!cut && !(passed_over && leads_out())) return;
    if (!going_) return;
    recorder_.result.scope.gap = gap(cut);
    stop(Ending::incomplete);
  }

  [[nodiscard]] std::string gap(bool cut) const {
    std::string text = "others were passed over, so what was found counts, and what was not found may still be there";
    if (cut && bounds_.total)
      text += "; the depth bound cut off the last level, whose states may have successors of which none was kept";
    return text;
  }

  // Whether a start state was left out or an edge leads to a state that was not kept.
  bool leads_out() {
    crew_.quiet(true);
    bool out = starts_left_out_ && start_was_left_out();
    for (std::size_t level = 0; level < passes_over_.size() && !out && going_; ++level)
      if (passes_over_[level]) out = level_leads_out(levels_[level], end_of_level(level));
    crew_.quiet(false);
    return out;
  }

  bool start_was_left_out() {
    portion_.clear();
    model_.initial(portion_.batch);
    portion_.hash(store_, options_.canonicaliser, words_);
    for (std::uint32_t k = 0; k < portion_.batch.size(); ++k)
      if (portion_.batch.outcome(k).has_successor() && !store_.contains(successor(portion_, k), portion_.hashes[k]))
        return true;
    return false;
  }

  bool level_leads_out(std::uint64_t begin, std::uint64_t end) {
    bool out = false;
    take_in_order({begin, end}, [&](HighwayPortion& portion) {
      for (std::size_t s = 0; s < portion.sources.size() && !out; ++s) {
        crew_.count_needed(1);
        out = portion.rows[s].first != portion.fresh_end(s);
      }
      if (!out && pace_.is_due(portion.batch.size())) pause();
      return !out && going_;
    });
    return out;
  }

  [[nodiscard]] std::uint64_t end_of_level(std::size_t level) const {
    return level + 1 < levels_.size() ? levels_[level + 1] : store_.size();
  }

  void stop(Ending ending) {
    going_ = false;
    recorder_.result.ending = ending;
  }

  void pause() {
    if (bytes() > options_.memory_limit) return stop(Ending::memory_limit);
    if (!options_.tick(progress())) stop(Ending::time_or_user);
  }

  [[nodiscard]] Progress progress() const {
    return {.states = store_.size(),
            .transitions = recorder_.result.statistics.transitions,
            .depth = depth(),
            .queue = store_.size() - expanded_,
            .bytes = bytes()};
  }

  [[nodiscard]] std::uint64_t bytes() const {
    return store_.bytes() + candidates_.bytes() + levels_.capacity() * sizeof(std::uint64_t) + lanes_.bytes() +
           sampler_.bytes_for(candidates_.size()) + ahead_.bytes();
  }

  SearchResult finish() {
    recorder_.result.statistics.breadth = BreadthStatistics{
        .states = store_.size(),
        .levels = levels_.size(),
        .narrowed = starts_left_out_ + static_cast<std::uint64_t>(std::ranges::count(passes_over_, true)),
        .redrawn = sampler_.redrawn(),
        .fallbacks = sampler_.fallbacks()};
    if (first_) show_first();
    recorder_.result.statistics.threads = crew_.size();
    return recorder_.finish(store_, depth(), bytes());
  }

  [[nodiscard]] StateView successor(HighwayPortion& portion, std::uint32_t k) const {
    return {portion.batch.words(k), words_};
  }

  M& model_;
  S& store_;
  const SearchOptions& options_;
  const HighwayBounds bounds_;
  std::uint32_t words_;
  Recorder recorder_;
  bool going_ = true;

  Crew<M> crew_;
  HighwayPortion portion_;                 // of the first thread, where there is no other
  OrderedPortions<HighwayPortion> ahead_;  // with the others
  FirstPredecessor<M, S> first_predecessor_;

  BreadthSampler sampler_;
  LevelCandidates candidates_;  // for the next level
  Lanes lanes_;
  std::uint64_t largest_rank_ = UINT64_MAX;  // candidates of larger ones are passed over
  bool narrowed_ = false;                    // a successor of this level was passed over

  std::vector<std::uint64_t> levels_;  // the id at which each level begins
  std::vector<bool> passes_over_;      // per level: whether some successor was
  bool starts_left_out_ = false;
  std::uint64_t level_begin_ = 0, level_end_ = 0;
  std::uint64_t expanded_ = 0;
  std::optional<Found> first_;  // violation
  Pace pace_;
};

}  // namespace fathom
