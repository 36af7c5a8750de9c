// A* that goes on when the memory is full, with the states on a disk (Edelkamp, Jabbar, Schrödl: External A*, KI 2004).
//
// States that were reached at the same cost g and have the same estimate h are a bucket. Buckets take their turns by
// f = g + h, and among equals by g. With a consistent evaluator a step leads from (g, h) to (g + 1, h') with h' at
// least h - 1, so nothing is added to a bucket whose turn has come, and no state needs a second turn.
//
// What the steps of a bucket lead to waits in the buckets it belongs to, in memory and in sorted runs. Which of it is
// new is found out when its turn comes. An estimate is a function of the state, so a state can only be known among
// those of the same estimate, and with all of these it is compared. (To compare with the buckets of the last few costs
// alone is enough where every step leads back a few levels at most. In a directed graph nobody knows how many.)
//
// The store in memory keeps what it has seen until it is full, with the least cost at which it was: whoever comes back
// on a path that is no cheaper never reaches the disk, and whoever comes on a cheaper one waits again.
//
// As in BestFirst, violations are reported when their turn comes, and a run is a shortest one. No parents are kept: the
// parent of a state is the first state of the buckets one step nearer to the start that leads to it.
#pragma once

#include <algorithm>
#include <compare>
#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <stdexcept>
#include <tuple>

#include "open/cost_algebra.hpp"
#include "search/expander.hpp"
#include "search/pace.hpp"
#include "search/recorder.hpp"
#include "search/run_scan.hpp"
#include "search/step_group.hpp"
#include "store/indexed_store.hpp"
#include "store/run_set.hpp"
#include "store/sorted_states.hpp"
#include "support/errors.hpp"

namespace fathom {

struct BucketPlan {
  std::filesystem::path folder;
  std::uint64_t store_bytes = 0;      // for the store in memory
  std::uint64_t seen = 0;             // states that it may hold
  std::uint64_t sorted = 0;           // states that wait in memory, and that are sorted at a time
  std::size_t most_runs = 2;          // of a bucket: if there are more they are merged
  bool leaves_dead_ends = false;      // they are not expanded
  std::optional<Cost> locality = {};  // for tests: a state is compared with those of so many costs before its own alone
};

template <Model M>
class ExternalAstar {
 public:
  ExternalAstar(M& model, const SearchOptions& options, Evaluator& evaluator, BucketPlan plan)
      : model_(model),
        options_(options),
        evaluator_(evaluator),
        plan_(std::move(plan)),
        words_(model.state_words()),
        expander_(model, options),
        recorder_(options),
        group_(words_),
        file_(std::make_shared<DiskFile>(plan_.folder)),
        sorted_(words_) {}

  // Goes on from where a search in memory stands, with all its states. True if there was room for them.
  template <class First>
  bool take_over(const IndexedStore& states, First& first, SearchResult so_far) {
    recorder_.result = std::move(so_far);
    recorder_.result.ending = Ending::exhausted;
    most_bytes_ = recorder_.result.statistics.store_bytes;
    met_in_memory_ = states.size();
    for (const StateId id : first.take_failing()) note_failing(states.state(id), first.place_of(id));
    if (const std::optional<StateId> id = first.half_done()) {
      const StateView state = states.state(*id);
      half_done_ = {StateBuffer(state.begin(), state.end()), first.place_of(*id).cost, first.place_of(*id).estimate};
    }
    return guarded([&] { take_states(states, first); });
  }

  SearchResult run() {
    store_ = std::make_unique<IndexedStore>(words_, plan_.store_bytes);
    // Once and for all: what is freed and asked for again in other sizes stays with the process.
    seen_.reserve(plan_.seen + StepGroup<IndexedStore>::enough * 16);
    sorted_.reserve(plan_.sorted + StepGroup<IndexedStore>::enough * 16);
    list_.reserve(plan_.sorted + StepGroup<IndexedStore>::enough * 16);
    if (half_done_) guarded([&] { expand_half_done(); });
    while (going_ && !(buckets_.empty() && failing_.empty()))
      guarded([&] { failing_come_next() ? report_failing() : open_next(); });
    return finish();
  }

  SearchResult finish() {
    SearchStatistics& statistics = recorder_.result.statistics;
    statistics.states = states();
    statistics.depth = closed_.empty() ? 0 : closed_.size() - 1;
    statistics.store_bytes = most_bytes_;
    statistics.disk_bytes = file_->most_in_use();
    if (going_ && cut_) note_bound();
    return std::move(recorder_.result);
  }

 private:
  // Dead ends have no place in the order, and are only looked at: those that were met while f was the same come behind
  // all others, whatever the cost, which is not kept.
  struct Turn {
    Cost f = 0;
    Cost g = 0;  // or dead_end

    [[nodiscard]] Cost h() const { return g == dead_end ? dead_end : f - g; }
    auto operator<=>(const Turn&) const = default;
  };
  // A state that waits in memory: its number in the store, and the place of the one that came before into the same
  // bucket. It is outdated if a cheaper path to it was found later.
  struct Waiting {
    std::uint64_t id, before;
  };
  static constexpr std::uint64_t nowhere = UINT64_MAX;
  struct Bucket {
    std::uint64_t last = nowhere;  // the place of the state that came last
    std::uint64_t in_memory = 0;
    std::vector<SharedRun> runs = {};
  };
  struct Closed {
    Cost h;
    SharedRun run;
  };
  struct Seen {
    Cost cost, estimate;
  };
  // Steps that fail at the same cost: one of them, and how many there are at each site, its own first.
  struct Failing {
    StateBuffer state;
    Cost estimate = 0;
    InstanceId step = {};
    std::vector<std::pair<ir::SiteId, std::uint64_t>> sites;
  };
  struct Placed {
    StateBuffer state;
    Cost g, h;
  };

  [[nodiscard]] Turn turn_of(Cost g, Cost h) const { return h == dead_end ? Turn{f_, dead_end} : Turn{g + h, g}; }

  // Where dead ends are not left they come last.
  [[nodiscard]] Cost as_ranked(Cost estimate) const {
    if (estimate == dead_end && plan_.leaves_dead_ends) return dead_end;
    return std::min(estimate, largest_estimate);
  }

  // ---- States that come from memory.

  template <class First>
  void take_states(const IndexedStore& states, const First& first) {
    const auto where = [&](std::uint64_t id) {
      const auto place = first.place_of(StateId{id});
      return std::tuple(place.done, place.cost, as_ranked(place.estimate));
    };
    // In pieces that are half as large as later ones: here the memory is taken already.
    const std::uint64_t piece = std::max<std::uint64_t>(plan_.sorted / 2, 1);
    std::vector<std::uint64_t> ids;
    for (std::uint64_t next = 0; next < states.size() && going_;) {
      ids.clear();
      while (next < states.size() && ids.size() < piece) ids.push_back(next++);
      std::ranges::sort(ids, {}, where);
      for (auto from = ids.begin(); from != ids.end();) {
        const auto to =
            std::find_if(from, ids.end(), [&, here = where(*from)](std::uint64_t id) { return where(id) != here; });
        sorted_.clear();
        for (auto id = from; id != to; ++id) sorted_.add(states.state(StateId{*id}));
        sorted_.sort();
        const auto [done, g, h] = where(*from);
        take_run(done, g, h, sorted_.write(file_));
        from = to;
      }
    }
    note_sizes();
  }

  void take_run(bool done, Cost g, Cost h, SharedRun run) {
    if (done && h != dead_end && is_at_depth_bound(g)) cut_ = true;
    if (done) return close(g, h, run);
    waiting_ += run->count;
    buckets_[turn_of(g, h)].runs.push_back(std::move(run));
  }

  template <class Place>
  void note_failing(StateView state, const Place& place) {
    Batch steps;
    model_.quiet(true);
    model_.successors(state, steps);
    model_.quiet(false);
    for (std::uint32_t k = 0; k < steps.size(); ++k)
      if (recorder_.is_violation(steps.outcome(k)))
        add_failing(state, place.cost, as_ranked(place.estimate), steps.instance(k), steps.outcome(k).site());
  }

  void expand_half_done() {
    g_ = half_done_->g;
    h_ = as_ranked(half_done_->h);
    f_ = g_ + h_;
    model_.quiet(true);  // what it prints and counts it has done
    expand_block(half_done_->state.data(), half_done_->state.data() + words_);
    model_.quiet(false);
  }

  // ---- A bucket.

  void open_next() {
    auto next = buckets_.extract(buckets_.begin());
    const Turn turn = next.key();
    f_ = turn.f;
    const SharedRun fresh = take_new(turn, next.mapped());
    next.mapped().runs.clear();
    if (!going_ || fresh->count == 0) return;
    close(turn.g, turn.h(), fresh);
    note_sizes();
    if (turn.g == dead_end) {
      recorder_.result.statistics.dead_ends += fresh->count;
    } else if (is_at_depth_bound(turn.g)) {
      cut_ = true;
    } else {
      g_ = turn.g;
      h_ = turn.h();
      for (RunReader states(fresh); going_ && !states.at_end(); states.move_to(states.end()))
        expand_block(states.begin(), states.end());
    }
  }

  [[nodiscard]] bool is_at_depth_bound(Cost g) const { return options_.max_depth && g >= *options_.max_depth; }

  // The states of a bucket that are not known. They are looked at on the way.
  SharedRun take_new(const Turn& turn, Bucket& bucket) {
    std::vector<RunReader> known = known_like(turn);
    RunWriter fresh(file_, words_);
    if (bucket.runs.empty()) {
      sort_waiting(turn, bucket);
      keep_new(turn, known, fresh);
    } else {
      put_down(turn, bucket);
      for (const SharedRun& run : bucket.runs) waiting_ -= run->count;
      for (MergedRuns all(bucket.runs, words_); going_ && !all.at_end();) {
        sorted_.take(all, plan_.sorted);
        keep_new(turn, known, fresh);
      }
    }
    return fresh.finish();
  }

  // Those with the same estimate.
  std::vector<RunReader> known_like(const Turn& turn) {
    if (!plan_.locality || turn.g == dead_end) return known_[turn.h()].readers();
    std::vector<RunReader> some;
    const Cost farthest = turn.g - std::min(turn.g, *plan_.locality);
    for (Cost g = farthest; g <= turn.g && g < closed_.size(); ++g)
      for (const Closed& part : closed_[g])
        if (part.h == turn.h()) some.emplace_back(part.run);
    return some;
  }

  void keep_new(const Turn& turn, std::vector<RunReader>& known, RunWriter& fresh) {
    sorted_.compare(known, [this] { return goes_on(); });
    for (std::uint64_t k = 0; k < sorted_.size() && going_; ++k) {
      if (sorted_.was_found(k)) continue;
      fresh.append(sorted_[k].data());
      if (options_.check_states) examine(sorted_[k], turn);
      if (going_ && fresh.count() % 65536 == 0) pause();
    }
  }

  void examine(StateView state, const Turn& turn) {
    for (const Violation& violation : recorder_.examine(model_, state)) {
      check_admissible(turn.h(), 0);
      violated(violation,
               [&] { return turn.g == dead_end ? run_to_dead_end(state) : run_to(state, turn.g, turn.h()); });
    }
  }

  // Its states are known from here on.
  void close(Cost g, Cost h, const SharedRun& run) {
    known_states_ += run->count;
    if (h != dead_end) {
      if (closed_.size() <= g) closed_.resize(g + 1);
      closed_[g].push_back({h, run});
      closed_bytes_ += run->memory();
    }
    known_[h].add(run, [this] { return goes_on(); });
  }

  // ---- Expansion.

  void expand_block(const std::uint64_t* begin, const std::uint64_t* end) {
    block_ = begin;
    const std::uint64_t count = static_cast<std::uint64_t>(end - begin) / words_;
    for (std::uint64_t k = 0; k < count && going_;) {
      k = group_.fill(model_, {k, count}, [this](StateId id) { return state(id); });
      take_group();
      if (going_ && pace_.is_due(group_.batch.size())) pause();
    }
  }

  [[nodiscard]] StateView state(StateId id) const { return {block_ + index_of(id) * words_, words_}; }

  void take_group() {
    const bool faults = group_.count_steps(recorder_.result);
    for (std::size_t s = 0; s < group_.sources.size() && going_; ++s)
      if (faults || !group_.plainly_moves(s, options_, [this](StateId id) { return state(id); }))
        look_at_steps(state(group_.sources[s].id), group_.sources[s].first, group_.steps_end(s));
    if (!going_) return;
    group_.canonicalise(options_.canonicaliser);
    if (!make_room(group_.batch.size())) return stop(Ending::memory_limit);
    group_.hash(*store_);
    group_.approach(*store_);
    for (std::uint32_t k = 0; k < group_.batch.size(); ++k)
      if (group_.batch.outcome(k).has_successor()) meet(k);
  }

  // Notes the steps of a state that fail, and reports whether the state is a deadlock.
  void look_at_steps(StateView from, std::uint32_t first, std::uint32_t end) {
    bool moves = false;
    for (std::uint32_t k = first; k < end; ++k) {
      const Outcome outcome = group_.batch.outcome(k);
      moves = moves || outcome.is_fault();
      if (recorder_.is_violation(outcome)) add_failing(from, g_, h_, group_.batch.instance(k), outcome.site());
    }
    if (!is_stuck(model_, options_, from, group_.batch, first, end, moves)) return;
    check_admissible(h_, 0);
    violated({Violation::Kind::deadlock}, [&] { return run_to(from, g_, h_); });
  }

  // A state to which a step of the bucket leads waits for its turn, unless it does so already or had it.
  void meet(std::uint32_t k) {
    const StateView state = group_.successor(k);
    const auto [id, fresh] = group_.insert(*store_, k, state);
    const Cost cost = g_ + step_cost;
    if (fresh) seen_.push_back({cost, as_ranked(expander_.estimate(evaluator_, state))});
    Seen& seen = seen_[index_of(id)];
    check_consistent(seen.estimate);
    if (!fresh && (cost >= seen.cost || seen.estimate == dead_end)) return;
    seen.cost = cost;
    Bucket& bucket = buckets_[turn_of(cost, seen.estimate)];
    list_.push_back({index_of(id), bucket.last});
    bucket.last = list_.size() - 1;
    ++bucket.in_memory;
    ++waiting_;
  }

  // ---- States that wait.

  bool make_room(std::uint64_t more) {
    if (list_.size() >= plan_.sorted) put_all_down();
    if (seen_.size() + more <= plan_.seen && store_->reserve(more)) return true;
    put_all_down();
    store_.reset();
    store_ = std::make_unique<IndexedStore>(words_, plan_.store_bytes);
    seen_.clear();
    return store_->reserve(more);
  }

  void put_all_down() {
    for (auto& [turn, bucket] : buckets_) put_down(turn, bucket);
    list_.clear();
    note_sizes();
  }

  void put_down(const Turn& turn, Bucket& bucket) {
    sort_waiting(turn, bucket);
    if (sorted_.size() == 0) return;
    waiting_ += sorted_.size();
    bucket.runs.push_back(sorted_.write(file_));
    if (bucket.runs.size() > plan_.most_runs) merge(bucket);
  }

  void merge(Bucket& bucket) {
    SharedRun merged = merge_runs(bucket.runs, words_, file_, [this] { return goes_on(); });
    if (merged == nullptr) return;
    waiting_ += merged->count;
    for (const SharedRun& run : bucket.runs) waiting_ -= run->count;
    bucket.runs = {std::move(merged)};
  }

  void sort_waiting(const Turn& turn, Bucket& bucket) {
    sorted_.clear();
    for (std::uint64_t place = bucket.last; place != nowhere; place = list_[place].before) {
      const std::uint64_t id = list_[place].id;
      if (turn.g == dead_end || seen_[id].cost == turn.g) sorted_.add(store_->state(StateId{id}));
    }
    sorted_.sort();
    most_bytes_ = std::max(most_bytes_, bytes());
    waiting_ -= bucket.in_memory;
    bucket.last = nowhere;
    bucket.in_memory = 0;
  }

  // ---- Promises.

  void check_consistent(Cost next) {
    if (!consistent_ || h_ <= Additive::then(step_cost, next)) return;
    consistent_ = false;
    distrust("consistent: along a step its estimate drops by more than the step costs");
  }

  void check_admissible(Cost estimate, Cost rest) {
    if (estimate > rest) distrust("admissible: at a violation its estimate is larger than what the run still costs");
  }

  void distrust(const char* why) {
    if (!trusted_) return;
    trusted_ = false;
    recorder_.result.warnings.push_back(std::string("the evaluator is not ") + why +
                                        "; that the trace is shortest is not promised any more");
  }

  // ---- Violations and runs.

  void add_failing(StateView from, Cost g, Cost h, InstanceId step, ir::SiteId site) {
    check_admissible(h, step_cost);
    Failing& failing = failing_[g + step_cost];
    if (failing.sites.empty()) {
      failing.state.assign(from.begin(), from.end());
      failing.estimate = h;
      failing.step = step;
    }
    const auto known = std::ranges::find(failing.sites, site, [](const auto& each) { return each.first; });
    if (known == failing.sites.end())
      failing.sites.emplace_back(site, 1);
    else
      ++known->second;
  }

  [[nodiscard]] bool failing_come_next() const {
    return !failing_.empty() && (buckets_.empty() || failing_.begin()->first <= buckets_.begin()->first.f);
  }

  void report_failing() {
    const auto next = failing_.extract(failing_.begin());
    const Failing& failing = next.mapped();
    for (const auto& [site, count] : failing.sites)
      for (std::uint64_t k = 0; k < count && going_; ++k)
        violated({Violation::Kind::fault, 0, site},
                 [&] { return run_to(failing.state, next.key() - step_cost, failing.estimate, failing.step); });
  }

  template <class MakeRun>
  void violated(const Violation& violation, MakeRun make_run) {
    if (recorder_.count(violation)) {
      model_.quiet(true);
      recorder_.result.first = make_run();
      recorder_.result.first->violation = violation;
      recorder_.result.first->shortest = trusted_;
      recorder_.result.first->within = trusted_ ? 1 : 0;
      model_.quiet(false);
    }
    if (recorder_.finished()) stop(Ending::error_limit);
  }

  Counterexample run_to(StateView state, Cost g, Cost h, std::optional<InstanceId> failing_step = std::nullopt) {
    Counterexample run;
    run.failing_step = failing_step;
    run.states.emplace_back(state.begin(), state.end());
    while (g > 0) {
      std::optional<Placed> before = predecessor(run.states.back(), --g, h);
      if (!before) throw std::logic_error("no state of the buckets before leads to a state");
      h = before->h;
      run.states.push_back(std::move(before->state));
    }
    std::ranges::reverse(run.states);
    return run;
  }

  Counterexample run_to_dead_end(StateView state) {
    for (Cost g = 0; g < closed_.size(); ++g)
      if (const std::optional<Placed> before = predecessor(state, g, dead_end)) {
        Counterexample run = run_to(before->state, g, before->h);
        run.states.emplace_back(state.begin(), state.end());
        return run;
      }
    throw std::logic_error("no state of the buckets leads to a dead end");
  }

  // A state that was reached at cost g and leads to this one, whose estimate is h.
  std::optional<Placed> predecessor(StateView target, Cost g, Cost h) {
    LeadsTo<M> leads_there(model_, options_.canonicaliser, target);
    for (const Closed& part : closed_[g]) {
      if (consistent_ && part.h > Additive::then(step_cost, h)) continue;
      if (auto found = first_in_run(part.run, 0, leads_there, [] { return true; }))
        return Placed{std::move(*found), g, part.h};
    }
    return std::nullopt;
  }

  // ---- The end.

  void stop(Ending ending) {
    going_ = false;
    recorder_.result.ending = ending;
  }

  // States lie beyond the bound. If the evaluator has misled us, some within it may have been reached on a detour, and
  // what is behind them was not.
  void note_bound() {
    if (consistent_) {
      recorder_.result.ending = Ending::bound;
      recorder_.result.scope.depth = options_.max_depth;
    } else {
      recorder_.result.ending = Ending::incomplete;
      recorder_.result.scope.gap = "states within the bound may be missing, since the evaluator is not consistent";
    }
  }

  // What was found before the disk was full stays true. False: the search is over.
  template <class Work>
  bool guarded(const Work& work) {
    try {
      work();
    } catch (const EnvironmentError& error) {
      recorder_.result.warnings.emplace_back(error.what());
      stop(Ending::disk_full);
    }
    return going_;
  }

  bool goes_on() {
    pause();
    return going_;
  }

  void pause() {
    const Progress progress{.states = states(),
                            .transitions = recorder_.result.statistics.transitions,
                            .depth = g_,
                            .queue = waiting_,
                            .bytes = bytes(),
                            .phase = "search on disk"};
    if (!options_.tick(progress)) stop(Ending::time_or_user);
  }

  [[nodiscard]] std::uint64_t states() const { return std::max(known_states_, met_in_memory_); }
  [[nodiscard]] std::uint64_t bytes() const {
    return (store_ == nullptr ? 0 : store_->bytes()) + seen_.size() * sizeof(Seen) + list_.size() * sizeof(Waiting) +
           sorted_.bytes() + index_bytes_;
  }

  void note_sizes() {
    index_bytes_ = closed_bytes_;
    for (const auto& [h, known] : known_)
      for (const SharedRun& run : known.runs()) index_bytes_ += run->memory();
    for (const auto& [turn, bucket] : buckets_)
      for (const SharedRun& run : bucket.runs) index_bytes_ += run->memory();
    most_bytes_ = std::max(most_bytes_, bytes());
  }

  M& model_;
  const SearchOptions& options_;
  Evaluator& evaluator_;
  const BucketPlan plan_;
  const std::uint32_t words_;
  Expander<M> expander_;
  Recorder recorder_;
  bool going_ = true;
  bool trusted_ = true;     // nothing has shown that the evaluator is not admissible, as it promised, ...
  bool consistent_ = true;  // ... or not consistent
  bool cut_ = false;        // states at the depth bound were not expanded
  StepGroup<IndexedStore> group_;
  Pace pace_;

  // On the disk. All runs share one file, so that there may be many of them.
  std::shared_ptr<DiskFile> file_;
  std::map<Turn, Bucket> buckets_;           // those that have states which wait
  std::vector<std::vector<Closed>> closed_;  // the states that had their turn, by cost
  std::map<Cost, RunSet> known_;             // the same states and dead ends, by estimate
  std::uint64_t known_states_ = 0;
  std::uint64_t met_in_memory_ = 0;  // by the search in memory, some of them not known yet
  std::uint64_t waiting_ = 0;        // some of them known, or there more than once

  // The bucket whose turn it is, and the block of it at hand.
  Cost f_ = 0, g_ = 0, h_ = 0;
  const std::uint64_t* block_ = nullptr;

  // In memory.
  std::unique_ptr<IndexedStore> store_;  // states that were seen lately
  std::vector<Seen> seen_;               // where, by their numbers in the store
  std::vector<Waiting> list_;            // the states of all buckets that wait in memory
  SortedStates sorted_;
  std::map<Cost, Failing> failing_;  // by the cost of the runs that they end
  std::optional<Placed> half_done_;  // a state that the search in memory had looked at and could not expand
  std::uint64_t closed_bytes_ = 0, index_bytes_ = 0, most_bytes_ = 0;
};

}  // namespace fathom
