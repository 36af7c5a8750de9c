// Biased breadth-first search (Talupur, Han, "Biased Model Checking Using Flows", 2011, section 4): breadth first, but
// before the next level is expanded, everything that marked steps alone reach from some of its states is found and put
// in front of it. Marked steps thus cost almost nothing, and what lies behind them is seen levels earlier. The figure
// in the paper begins at the states that were just expanded; we begin where its text does, at those they lead to, one
// level earlier.
//
// It is complete: run to the end it visits what a breadth-first search visits. Marked steps run ahead, so the first
// violation it meets need not have a shortest trace: what is left of the level is looked through for a shorter way to
// the same violation before the search ends. The trace is then short, but still not always a shortest one.
//
// The figure does not end as printed. Three things have to be added: (a) a state that was expanded is remembered as
// such; (b) each level begins with an empty set of states to start from; (c) so does each level of the reduced search.
// The policy exists so that the tests can leave them out.
//
// With several threads the steps of a level are generated ahead (ordered_portions.hpp), and so is what has to be known
// of the states that the reduced search may begin with; one thread takes both in the order of the states, so that
// everything is as with one.
#pragma once

#include <algorithm>
#include <map>
#include <random>

#include "search/biased_portions.hpp"
#include "search/crew.hpp"
#include "search/deadlock.hpp"
#include "search/guidance.hpp"
#include "search/ordered_portions.hpp"
#include "search/pace.hpp"
#include "search/parents.hpp"
#include "search/recorder.hpp"
#include "search/waiting_states.hpp"
#include "store/room.hpp"
#include "support/growing_array.hpp"

namespace fathom {

struct BiasedBfsSettings {
  std::uint64_t limit = 5;  // of states of one kind per level at which the reduced search begins; 0: all
  bool batched = true;      // one reduced search per level; otherwise one per state, as soon as it is expanded
};

struct BiasedBfsPolicy {
  static constexpr bool remembers_expanded = true;    // (a)
  static constexpr bool new_seeds_each_level = true;  // (b)
  static constexpr bool new_reduced_frontier = true;  // (c)
  static constexpr bool skips_spent_seeds = true;     // no correction, but the limit is better used
};

template <Model M, StateSet S, class Policy = BiasedBfsPolicy>
requires(S::known_ids) class BiasedBreadthFirst {
 public:
  BiasedBreadthFirst(M& model, S& store, const SearchOptions& options, const Guidance& guidance,
                     BiasedBfsSettings settings, MoreThreads<M> more = {})
      : model_(model),
        store_(store),
        options_(options),
        guidance_(guidance),
        settings_(settings),
        words_(model.state_words()),
        recorder_(options),
        random_(options.seed),
        crew_({&model, options.canonicaliser, &guidance}, std::move(more)),
        level_(words_),
        next_(words_),
        added_(words_),
        seeds_(words_),
        reduced_(words_),
        reduced_next_(words_) {}

  SearchResult run() {
    start();
    while (going_ && !next_.empty()) {
      level_.swap(next_);
      next_.clear();
      expand_level();
    }
    return finish();
  }

  // A run to a stored state, and the step there that goes wrong. Valid after run(), too.
  Counterexample run_to(StateId id, std::optional<InstanceId> failing_step = std::nullopt) {
    Counterexample run;
    const auto chain = ancestors(id, [&](StateId state) { return StateId{node(state).parent}; });
    run.states = states_along(chain, model_, store_, options_.canonicaliser);
    run.failing_step = failing_step;
    return run;
  }

  // States that were expanded ahead and not needed.
  [[nodiscard]] std::uint64_t expanded_in_vain() const { return crew_.expanded_in_vain(); }

 private:
  // What is remembered of a state. Under a depth bound a state is opened again when a shorter path to it is found; its
  // steps are counted the first time only: marked ones by the search that takes them first.
  struct Node {
    std::uint64_t parent : 41;
    std::uint64_t expanded : 1;
    std::uint64_t reduced : 1;         // the reduced search has been here
    std::uint64_t has_marked : 1;      // some step of it is marked; known once it is expanded or reduced
    std::uint64_t counted : 1;         // all its steps
    std::uint64_t counted_marked : 1;  // its marked steps
    std::uint64_t planned : 1;         // its steps are prepared ahead
    std::uint32_t length;              // of the shortest path to it so far
  };

  struct Found {
    Violation violation;
    std::optional<StateId> at;
    std::optional<InstanceId> failing_step;
  };

  using Queue = WaitingStates<S>;

  [[nodiscard]] Node& node(StateId id) { return nodes_[index_of(id)]; }

  void start() {
    Batch& starts = own_.batch;
    model_.initial(starts);
    if (!has_room(starts.size())) return stop(Ending::memory_limit);
    for (std::uint32_t k = 0; k < starts.size() && going_; ++k) {
      const Outcome outcome = starts.outcome(k);
      if (!outcome.is_fault()) continue;
      violated({Violation::Kind::fault, 0, outcome.site()}, std::nullopt, starts.instance(k));
    }
    hash_own();
    insert_steps(own_, 0, starts.size(), no_parent, 0, next_);
    finish_level();
  }

  void expand_level() {
    if constexpr (Policy::new_seeds_each_level) seeds_.clear();
    begun_.clear();
    if (Team* const team = crew_.team_for(level_.size()))
      expand_with(*team);
    else
      for (std::size_t k = 0; k < level_.size() && going_; ++k) visit(k, nullptr, 0);
    done_in_level_ = 0;
    ++levels_;
    if (found_) return end_search();
    finish_level();
  }

  void expand_with(Team& team) {
    plan_level();
    const auto prepare = [this](unsigned thread, IdRange some, std::uint64_t most, BiasedSteps& steps) {
      return this->prepare(crew_[thread], some, most, steps);
    };
    ahead_.run(team, {0, level_.size()}, prepare, [this](BiasedSteps& steps) {
      steps.fetch_first(store_);
      for (std::size_t s = 0; s < steps.sources.size() && going_; ++s) visit(steps.sources[s].number, &steps, s);
      return going_;
    });
  }

  // Which states of the level are prepared ahead. Nodes change while that is done, so it is settled before. A state
  // that has to be expanded although it is not among them is expanded when it has its turn.
  void plan_level() {
    planned_.assign(level_.size(), false);
    for (std::size_t k = 0; k < level_.size(); ++k) {
      Node& here = node(level_.id(k));
      if (here.expanded || here.counted || here.planned || is_at_bound(level_.id(k))) continue;
      planned_[k] = true;
      here.planned = 1;
    }
  }

  // In any thread.
  std::uint64_t prepare(const ThreadParts<M>& parts, IdRange some, std::uint64_t most, BiasedSteps& steps) {
    std::uint64_t expanded = 0;
    for (; !some.empty() && steps.batch.size() < most; ++some.first) {
      if (planned_[some.first]) {
        steps.expand(parts, some.first, level_.state(some.first, store_));
        ++expanded;
      } else {
        steps.skip(some.first);
      }
    }
    crew_.count_expanded(expanded);
    steps.hash(store_, parts.canonicaliser, words_);
    return some.first;
  }

  // The state at this place of the level has its turn. `ahead`: where its steps are, if they were prepared.
  void visit(std::size_t place, BiasedSteps* ahead, std::size_t s) {
    ++done_in_level_;
    pause_now_and_then();
    if (found_ && node(level_.id(place)).length + 1 >= found_length_) return;
    const std::size_t before = next_.size();
    const bool is_prepared = ahead != nullptr && planned_[place];
    expand(level_.id(place), level_.state(place, store_), is_prepared ? ahead : nullptr, s);
    if (settings_.batched) return;
    choose_seeds(before);
    explore_marked();
    seeds_.clear();
  }

  // The way to what was found may have become shorter, too.
  void end_search() {
    keep_if_shorter(Found(*found_));
    stop(Ending::error_limit);
  }

  void finish_level() {
    if (settings_.batched) {
      choose_seeds(0);
      explore_marked();
    }
    next_.put_in_front(added_);
    added_.clear();
  }

  // The reduced search begins at states of the next level that have a marked step, from the given position on. First in
  // line are those where marked steps have just become enabled, because the state before had none: with them a new flow
  // begins, while the others are mostly a known one with an unrelated step in between. Where the reduced
  // search has been before there is nothing left for it: such a state would only use up the limit. The limit is one for
  // each kind of state, by the marked rules that are enabled: otherwise the beginning of a flow, which many states
  // have, would leave nothing for its end.
  void choose_seeds(std::size_t first) {
    for (const bool just_enabled : {true, false}) {
      IdRange places{first, next_.size()};
      const auto find = [&](unsigned thread, IdRange some, std::uint64_t most, MarkedKinds& kinds) {
        return find_kinds(crew_[thread], some, most, just_enabled, kinds);
      };
      const auto take = [&](MarkedKinds& kinds) {
        for (const auto& [place, kind] : kinds.rows)
          if (settings_.limit == 0 || begun_[kind]++ < settings_.limit)
            seeds_.push(next_.id(place), next_.state(place, store_));
        return true;
      };
      if (Team* const team = settings_.batched ? crew_.team_for(places.end - places.first) : nullptr) {
        kinds_ahead_.run(*team, places, find, take);
        continue;
      }
      while (!places.empty()) {
        kinds_.clear();
        places.first = find(0, places, states_at_once, kinds_);
        take(kinds_);
      }
    }
  }

  // In any thread; nodes do not change meanwhile.
  std::uint64_t find_kinds(const ThreadParts<M>& parts, IdRange places, std::uint64_t most, bool just_enabled,
                           MarkedKinds& kinds) {
    for (; !places.empty() && kinds.looked_at < most; ++places.first) {
      const StateId id = next_.id(places.first);
      if (Policy::skips_spent_seeds && node(id).reduced) continue;
      if (comes_from_marked(id) == just_enabled || is_at_bound(id)) continue;
      kinds.look_at(parts, places.first, next_.state(places.first, store_));
    }
    return places.first;
  }

  bool comes_from_marked(StateId id) {
    const StateId parent{node(id).parent};
    return parent != no_parent && node(parent).has_marked;
  }

  static constexpr std::uint64_t states_at_once = 1024;

  // With the steps that were prepared ahead or, where there are none, with new ones.
  void expand(StateId id, StateView state, BiasedSteps* ahead, std::size_t s) {
    if ((Policy::remembers_expanded && node(id).expanded) || is_at_bound(id)) return;
    node(id).expanded = 1;
    node(id).planned = 0;
    current_.assign(state.begin(), state.end());
    if (ahead != nullptr) {
      crew_.count_needed(1);
    } else {
      generate(node(id).counted != 0);
      s = 0;
    }
    BiasedSteps& steps = ahead != nullptr ? *ahead : own_;
    const std::uint32_t first = steps.sources[s].first, end = steps.steps_end(s);
    last_steps_ = end - first;
    if (!has_room(end - first)) return stop(Ending::memory_limit);
    node(id).has_marked = steps.has_marked[s] != 0;
    if (node(id).counted == 0) count_steps(id, steps, s);
    if (going_) insert_steps(steps, first, end, id, node(id).length + 1, next_);
  }

  [[nodiscard]] bool is_at_bound(StateId id) { return options_.max_depth && node(id).length >= *options_.max_depth; }

  // The successors of current_, in the wanted order. What a model prints and counts it does the first time only.
  void generate(bool again) {
    own_.clear();
    if (again) model_.quiet(true);
    own_.expand(crew_[0], 0, current_);
    if (again) model_.quiet(false);
    reorder();
    hash_own();
  }

  void reorder() {
    Batch& batch = own_.batch;
    if (options_.order == Order::declared) return;
    for (std::uint32_t k = 0, left = batch.size(); left > 1; ++k, --left) {
      const std::uint32_t other =
          options_.order == Order::reverse ? batch.size() - 1 - k : k + static_cast<std::uint32_t>(random_() % left);
      if (other > k) batch.swap_steps(k, other);
    }
  }

  void hash_own() {
    own_.hash(store_, options_.canonicaliser, words_);
    own_.fetch_first(store_);
  }

  // Also decides whether the state, current_, is a deadlock.
  void count_steps(StateId id, BiasedSteps& steps, std::size_t s) {
    const bool count_marked = node(id).counted_marked == 0;
    node(id).counted = node(id).counted_marked = 1;
    const std::uint32_t first = steps.sources[s].first, end = steps.steps_end(s);
    for (std::uint32_t k = first; k < end && going_; ++k)
      if (count_marked || !guidance_.marked(steps.batch.instance(k), current_)) count_step(id, steps.batch, k);
    if (!going_) return;
    if (is_deadlock(model_, options_, current_, first != end, steps.sources[s].moves))
      violated({Violation::Kind::deadlock}, id);
  }

  void count_step(StateId id, const Batch& batch, std::uint32_t k) {
    recorder_.fire(batch.instance(k));
    if (recorder_.is_violation(batch.outcome(k)))
      violated({Violation::Kind::fault, 0, batch.outcome(k).site()}, id, batch.instance(k));
  }

  // ---- The reduced search: breadth first from the seeds by marked steps alone. All it meets goes to the front of the
  // next level, with the seeds themselves, which does no harm since they are expanded already.

  void explore_marked() {
    added_.append(seeds_);
    reduced_.clear();
    reduced_next_.clear();
    reduced_.append(seeds_);
    while (goes_ahead() && !reduced_.empty()) {
      for (std::size_t k = 0; k < reduced_.size() && goes_ahead(); ++k) {
        pause_now_and_then();
        take_marked_steps(reduced_.id(k), reduced_.state(k, store_));
      }
      if constexpr (Policy::new_reduced_frontier) {
        reduced_.swap(reduced_next_);
        reduced_next_.clear();
      } else {
        reduced_ = reduced_next_;
      }
    }
  }

  [[nodiscard]] bool goes_ahead() const { return going_ && !found_; }

  void take_marked_steps(StateId id, StateView state) {
    if (node(id).reduced || is_at_bound(id)) return;
    node(id).reduced = node(id).has_marked = 1;
    added_.push(id, state);
    current_.assign(state.begin(), state.end());
    generate_marked();
    const std::uint32_t count = last_steps_ = own_.batch.size();
    if (!has_room(count)) return stop(Ending::memory_limit);
    if (node(id).counted_marked == 0) {
      node(id).counted_marked = 1;
      for (std::uint32_t k = 0; k < count && going_; ++k) count_step(id, own_.batch, k);
    }
    if (going_) insert_steps(own_, 0, count, id, node(id).length + 1, reduced_next_, true);
  }

  // These steps are taken again when the state is expanded; the model prints and counts only then.
  void generate_marked() {
    model_.quiet(true);
    enabled_.clear();
    model_.enabled(current_, enabled_);
    own_.clear();
    for (std::uint32_t k = 0; k < enabled_.size(); ++k) {
      if (!guidance_.marked(enabled_.instance(k), current_)) continue;
      moved_ = current_;
      const Outcome guard = enabled_.outcome(k);
      const Outcome outcome = guard.ok() ? model_.apply(moved_, enabled_.instance(k), overwritten_) : guard;
      if (outcome.is_blocked()) continue;
      std::copy(moved_.begin(), moved_.end(), own_.batch.spare(words_));
      own_.batch.push(enabled_.instance(k), outcome, words_);
    }
    model_.quiet(false);
    reorder();
    hash_own();
  }

  // States that have to be expanded go to the queue; the reduced search wants to see the others as well.
  void insert_steps(BiasedSteps& steps, std::uint32_t first, std::uint32_t end, StateId from, std::uint32_t length,
                    Queue& queue, bool also_known = false) {
    for (std::uint32_t k = first; k < end && going_; ++k) {
      steps.fetch_ahead_of(k, store_);
      if (!steps.batch.outcome(k).has_successor()) continue;
      const StateView successor{steps.batch.words(k), words_};
      const auto [id, is_new] = store_.insert(successor, steps.hashes[k]);
      const bool waits = is_new ? discover(id, from, length, successor) : found_shorter_path(id, from, length);
      if (waits || also_known || !Policy::remembers_expanded) queue.push(id, successor);
    }
  }

  bool discover(StateId id, StateId from, std::uint32_t length, StateView state) {
    nodes_.push_back({index_of(from), 0, 0, 0, 0, 0, 0, length});
    longest_ = std::max(longest_, length);
    if (options_.check_states)
      for (const Violation& violation : recorder_.examine(model_, state)) violated(violation, id);
    return true;
  }

  // Marked steps run ahead, so that a state may be met again on a shorter path. Whether it has to be expanded once
  // more.
  bool found_shorter_path(StateId id, StateId from, std::uint32_t length) {
    if (length >= node(id).length) return false;
    node(id).length = length;
    node(id).parent = index_of(from);
    if (!options_.max_depth) return false;
    if (node(id).expanded) ++recorder_.result.statistics.revisits;
    node(id).expanded = node(id).reduced = 0;
    return true;
  }

  // In a state, or in a step from it; in a start rule there is no state.
  void violated(const Violation& violation, std::optional<StateId> at, std::optional<InstanceId> failing_step = {}) {
    const Found found{violation, at, failing_step};
    if (found_) return keep_if_shorter(found);
    if (recorder_.count(violation)) keep(found);
    if (!recorder_.finished()) return;
    // What fewer steps than these lead to was looked at before.
    const bool is_shortest = steps_of(*recorder_.result.first) <= levels_ + 1;
    if (is_shortest || options_.max_errors > 1) return stop(Ending::error_limit);
    found_ = found;
    found_length_ = steps_of(*recorder_.result.first);
  }

  void keep_if_shorter(const Found& found) {
    const Violation& first = found_->violation;
    const Violation& other = found.violation;
    if (other.kind != first.kind || other.property != first.property || other.site != first.site) return;
    const std::uint64_t steps = steps_of(run_of(found));
    if (steps >= found_length_) return;
    found_ = found;
    found_length_ = steps;
    keep(found);
  }

  void keep(const Found& found) {
    recorder_.result.first = run_of(found);
    recorder_.result.first->violation = found.violation;
  }

  Counterexample run_of(const Found& found) {
    if (!found.at) return {{}, {}, found.failing_step, false};
    model_.quiet(true);
    Counterexample run = run_to(*found.at, found.failing_step);
    model_.quiet(false);
    return run;
  }

  static std::uint64_t steps_of(const Counterexample& run) {
    const std::uint64_t failing = run.failing_step ? 1 : 0;
    return run.states.empty() ? 0 : run.states.size() - 1 + failing;
  }

  void stop(Ending ending) {
    going_ = false;
    recorder_.result.ending = ending;
  }

  [[nodiscard]] bool has_room(std::uint64_t states) {
    return reserve_beside(store_, states, options_.memory_limit, [this] { return bytes(); });
  }

  [[nodiscard]] std::uint64_t bytes() const {
    std::uint64_t total = store_.bytes() + nodes_.bytes();
    for (const Queue* queue : {&level_, &next_, &added_, &seeds_, &reduced_, &reduced_next_}) total += queue->bytes();
    return total + planned_.size() / 8 + ahead_.bytes() + kinds_ahead_.bytes();
  }

  void pause_now_and_then() {
    if (!pace_.is_due(1 + last_steps_)) return;
    if (bytes() > options_.memory_limit) return stop(Ending::memory_limit);
    const Progress progress{.states = store_.size(),
                            .transitions = recorder_.result.statistics.transitions,
                            .depth = longest_,
                            .queue = level_.size() - std::min(done_in_level_, level_.size()) + next_.size(),
                            .bytes = bytes()};
    if (!options_.tick(progress)) stop(Ending::time_or_user);
  }

  SearchResult finish() {
    const bool all_expanded = std::ranges::all_of(nodes_, [](const Node& node) { return node.expanded != 0; });
    if (going_ && !all_expanded) {
      recorder_.result.ending = Ending::bound;
      recorder_.result.scope.depth = options_.max_depth;
    }
    recorder_.result.statistics.threads = crew_.size();
    return recorder_.finish(store_, longest_, bytes());
  }

  M& model_;
  S& store_;
  const SearchOptions& options_;
  const Guidance& guidance_;
  const BiasedBfsSettings settings_;
  const std::uint32_t words_;
  Recorder recorder_;
  std::mt19937_64 random_;
  bool going_ = true;

  Crew<M> crew_;
  OrderedPortions<BiasedSteps> ahead_;
  OrderedPortions<MarkedKinds> kinds_ahead_;
  std::vector<bool> planned_;  // by place in the level: its steps are prepared ahead

  Queue level_, next_;  // to be expanded: now, and after that
  Queue added_;         // found by the reduced search of this level
  Queue seeds_;         // where it begins
  Queue reduced_, reduced_next_;
  GrowingArray<Node> nodes_{options_.memory_limit};  // by id

  StateBuffer current_;  // the state whose steps are taken
  StateBuffer moved_;
  Undo overwritten_;
  BiasedSteps own_;  // steps that were not prepared ahead
  Batch enabled_;
  MarkedKinds kinds_;
  std::map<std::uint64_t, std::uint64_t> begun_;  // seeds of this level, by their kind
  Pace pace_;
  std::uint64_t levels_ = 0;    // that have been expanded
  std::optional<Found> found_;  // ends the search, once the rest of the level was looked through for a shorter way
  std::uint64_t found_length_ = 0;
  std::size_t done_in_level_ = 0;
  std::uint32_t last_steps_ = 0;  // of the state that had the last turn
  std::uint32_t longest_ = 0;     // path by which a state was first reached
};

}  // namespace fathom
