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
#pragma once

#include <algorithm>
#include <optional>
#include <stdexcept>
#include <utility>

#include "search/breadth_sampler.hpp"
#include "search/deadlock.hpp"
#include "search/level_candidates.hpp"
#include "search/pace.hpp"
#include "search/recorder.hpp"
#include "store/store.hpp"

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
  Highway(M& model, S& store, const SearchOptions& options, const HighwayBounds& bounds)
      : model_(model),
        store_(store),
        options_(options),
        bounds_(bounds),
        words_(model.state_words()),
        recorder_(options),
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
      id = first_predecessor(run.states.back(), levels_[level - 1], levels_[level]);
    }
    std::reverse(run.states.begin(), run.states.end());
    return run;
  }

  // The id at which each level begins.
  [[nodiscard]] const std::vector<std::uint64_t>& levels() const { return levels_; }

 private:
  static constexpr std::uint32_t group_size = 96;  // steps, as in the breadth-first search

  static constexpr StateId no_parent{max_states};  // of a start state

  struct Source {
    StateId id;
    std::uint32_t first;  // of its steps in the batch
  };

  void start() {
    model_.initial(batch_);
    for (std::uint32_t k = 0; k < batch_.size() && going_; ++k)
      if (batch_.outcome(k).is_fault())
        violated({Violation::Kind::fault, 0, batch_.outcome(k).site()}, [&] { return run_to_nowhere(k); });
    if (!going_) return;
    hash_batch();
    for (std::uint32_t k = 0; k < batch_.size() && going_; ++k)
      if (batch_.outcome(k).has_successor()) add_candidate(k, no_parent);
    if (going_) starts_left_out_ = choose_next_level(bounds_.breadth);
  }

  [[nodiscard]] bool level_empty() const { return level_begin_ == level_end_; }
  [[nodiscard]] std::uint64_t depth() const { return levels_.empty() ? 0 : levels_.size() - 1; }
  [[nodiscard]] bool at_depth_bound() const { return options_.max_depth && depth() >= *options_.max_depth; }
  [[nodiscard]] bool degrading() const { return bounds_.degrade && depth() >= *bounds_.degrade; }

  // ---- A level and its successors.

  void expand_level() {
    for (std::uint64_t id = level_begin_; id < level_end_ && going_;) {
      batch_.clear();
      sources_.clear();
      while (id < level_end_ && batch_.size() < group_size) {
        sources_.push_back({StateId{id}, batch_.size()});
        model_.successors(store_.state(StateId{id}), batch_);
        ++id;
      }
      expanded_ = id;
      look_at_group();
      if (going_ && pace_.is_due(batch_.size())) pause();
    }
  }

  void look_at_group() {
    for (std::size_t s = 0; s < sources_.size() && going_; ++s) look_at_steps(sources_[s], steps_end(s));
    if (!going_) return;
    hash_batch();
    for (std::size_t s = 0; s < sources_.size() && going_; ++s) add_successors(sources_[s], steps_end(s));
  }

  [[nodiscard]] std::uint32_t steps_end(std::size_t s) const {
    return s + 1 < sources_.size() ? sources_[s + 1].first : batch_.size();
  }

  // Faults and deadlocks are about the concrete successors, so this comes before canonicalisation.
  void look_at_steps(const Source& source, std::uint32_t end) {
    const StateView from = store_.state(source.id);
    bool moves = false;
    for (std::uint32_t k = source.first; k < end && going_; ++k) {
      const Outcome outcome = batch_.outcome(k);
      recorder_.fire(batch_.instance(k));
      moves = moves || outcome.is_fault() || !same_words(from.data(), batch_.words(k), words_);
      if (!recorder_.is_violation(outcome)) continue;
      violated({Violation::Kind::fault, 0, outcome.site()}, [&] { return run_to(source.id, batch_.instance(k)); });
    }
    if (going_ && is_deadlock(model_, options_, from, source.first != end, moves))
      violated({Violation::Kind::deadlock}, [&] { return run_to(source.id); });
  }

  void hash_batch() {
    if (hashes_.size() < batch_.size()) hashes_.resize(batch_.size());
    for (std::uint32_t k = 0; k < batch_.size(); ++k) {
      if (!batch_.outcome(k).has_successor()) continue;
      if (options_.canonicaliser != nullptr) options_.canonicaliser->canonicalise(batch_.words(k));
      hashes_[k] = store_.hash(successor(k));
      store_.prefetch(hashes_[k]);
    }
  }

  // The new successors of a state, unless it is one that need not go on. A state that has a successor among those that
  // were kept before is no lane that must be covered.
  void add_successors(const Source& source, std::uint32_t end) {
    fresh_.clear();
    bool has_known = false;
    for (std::uint32_t k = source.first; k < end; ++k) {
      if (!batch_.outcome(k).has_successor()) continue;
      if (store_.contains(successor(k), hashes_[k]))
        has_known = true;
      else
        fresh_.push_back(k);
    }
    if (fresh_.empty()) return;
    if (degrading() && has_known) {
      narrowed_ = true;
      return;
    }
    const bool lane = bounds_.total && (bounds_.progress || !has_known);
    if (lane) lanes_.begin_lane();
    for (const std::uint32_t k : fresh_) {
      const std::optional<std::uint32_t> number = add_candidate(k, source.id);
      if (!going_) return;
      if (lane) lanes_.candidates.push_back(*number);
    }
  }

  // Its number, or nothing if it is passed over already.
  std::optional<std::uint32_t> add_candidate(std::uint32_t k, StateId from) {
    if (largest_rank_ != UINT64_MAX && sampler_.rank(level_number(), hashes_[k]) > largest_rank_) {
      narrowed_ = true;
      if (checks_all()) examine(successor(k), from);
      return std::nullopt;
    }
    const auto [number, fresh] = candidates_.add(batch_.words(k), hashes_[k]);
    if (fresh && checks_all()) examine(successor(k), from);
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
    if (!store_.reserve(chosen.size())) return stop(Ending::memory_limit);
    for (const std::uint32_t k : chosen) {
      const StateId id = store_.insert(candidates_.state(k), candidates_.hashes()[k]).id;
      if (!checks_all()) examine_kept(id);
      if (!going_) break;
    }
    level_end_ = store_.size();
  }

  // ---- Violations.

  [[nodiscard]] bool checks_all() const { return options_.max_errors == 1; }

  void examine(StateView state, StateId from) {
    if (!options_.check_states) return;
    for (const Violation& violation : recorder_.examine(model_, state))
      if (going_) violated(violation, [&] { return run_to_new(from, state); });
  }

  void examine_kept(StateId id) {
    if (!options_.check_states) return;
    for (const Violation& violation : recorder_.examine(model_, store_.state(id)))
      if (going_) violated(violation, [&] { return run_to(id); });
  }

  template <class MakeRun>
  void violated(const Violation& violation, MakeRun make_run) {
    if (recorder_.count(violation)) {
      model_.quiet(true);
      recorder_.result.first = make_run();
      recorder_.result.first->violation = violation;
      model_.quiet(false);
    }
    if (recorder_.finished()) stop(Ending::error_limit);
  }

  Counterexample run_to_nowhere(std::uint32_t start) {
    Counterexample run;
    run.failing_step = batch_.instance(start);
    return run;
  }

  Counterexample run_to_new(StateId from, StateView found) {
    Counterexample run;
    const StateBuffer state(found.begin(), found.end());
    if (from != no_parent) run = run_to(from);
    run.states.push_back(state);
    return run;
  }

  StateId first_predecessor(StateView target, std::uint64_t begin, std::uint64_t end) {
    Batch steps;
    for (std::uint64_t id = begin; id < end; ++id) {
      steps.clear();
      model_.successors(store_.state(StateId{id}), steps);
      for (std::uint32_t k = 0; k < steps.size(); ++k) {
        if (!steps.outcome(k).has_successor()) continue;
        if (options_.canonicaliser != nullptr) options_.canonicaliser->canonicalise(steps.words(k));
        if (same_words(steps.words(k), target.data(), words_)) return StateId{id};
      }
    }
    throw std::logic_error("no state of a level leads to a state of the next one");
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
    model_.quiet(true);
    batch_.clear();
    model_.initial(batch_);
    bool out = starts_left_out_ && any_unknown();
    for (std::size_t level = 0; level < passes_over_.size() && !out && going_; ++level)
      if (passes_over_[level]) out = level_leads_out(levels_[level], end_of_level(level));
    model_.quiet(false);
    return out;
  }

  bool level_leads_out(std::uint64_t begin, std::uint64_t end) {
    for (std::uint64_t id = begin; id < end && going_; ++id) {
      batch_.clear();
      model_.successors(store_.state(StateId{id}), batch_);
      if (any_unknown()) return true;
      if (id % 1024 == 0) pause();
    }
    return false;
  }

  bool any_unknown() {
    hash_batch();
    for (std::uint32_t k = 0; k < batch_.size(); ++k)
      if (batch_.outcome(k).has_successor() && !store_.contains(successor(k), hashes_[k])) return true;
    return false;
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
    return store_.bytes() + candidates_.bytes() + levels_.capacity() * sizeof(std::uint64_t) +
           lanes_.candidates.capacity() * sizeof(std::uint32_t);
  }

  SearchResult finish() {
    recorder_.result.statistics.breadth = BreadthStatistics{
        .states = store_.size(),
        .levels = levels_.size(),
        .narrowed = starts_left_out_ + static_cast<std::uint64_t>(std::ranges::count(passes_over_, true)),
        .redrawn = sampler_.redrawn(),
        .fallbacks = sampler_.fallbacks()};
    return recorder_.finish(store_, depth(), bytes());
  }

  [[nodiscard]] StateView successor(std::uint32_t k) { return {batch_.words(k), words_}; }

  M& model_;
  S& store_;
  const SearchOptions& options_;
  const HighwayBounds bounds_;
  std::uint32_t words_;
  Recorder recorder_;
  bool going_ = true;

  Batch batch_;
  std::vector<Source> sources_;
  std::vector<Hash> hashes_;
  std::vector<std::uint32_t> fresh_;  // steps of one state that lead to states that were not kept so far

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
  Pace pace_;
};

}  // namespace fathom
