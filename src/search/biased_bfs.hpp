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
#pragma once

#include <algorithm>
#include <map>
#include <random>

#include "search/deadlock.hpp"
#include "search/guidance.hpp"
#include "search/pace.hpp"
#include "search/parents.hpp"
#include "search/recorder.hpp"
#include "search/waiting_states.hpp"

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
                     BiasedBfsSettings settings)
      : model_(model),
        store_(store),
        options_(options),
        guidance_(guidance),
        settings_(settings),
        words_(model.state_words()),
        recorder_(options),
        random_(options.seed),
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
    model_.initial(batch_);
    if (!store_.reserve(batch_.size())) return stop(Ending::memory_limit);
    for (std::uint32_t k = 0; k < batch_.size() && going_; ++k) {
      const Outcome outcome = batch_.outcome(k);
      if (!outcome.is_fault()) continue;
      violated({Violation::Kind::fault, 0, outcome.site()}, std::nullopt, batch_.instance(k));
    }
    insert_steps(no_parent, 0, next_);
    finish_level();
  }

  void expand_level() {
    if constexpr (Policy::new_seeds_each_level) seeds_.clear();
    begun_.clear();
    for (std::size_t k = 0; k < level_.size() && going_; ++k) {
      ++done_in_level_;
      pause_now_and_then();
      if (found_ && node(level_.id(k)).length + 1 >= found_length_) continue;
      const std::size_t before = next_.size();
      expand(level_.id(k), level_.state(k, store_));
      if (settings_.batched) continue;
      choose_seeds(before);
      explore_marked();
      seeds_.clear();
    }
    done_in_level_ = 0;
    ++levels_;
    if (found_) return end_search();
    finish_level();
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
    for (const bool just_enabled : {true, false})
      for (std::size_t k = first; k < next_.size() && going_; ++k) {
        const StateId id = next_.id(k);
        if (Policy::skips_spent_seeds && node(id).reduced) continue;
        if (comes_from_marked(id) == just_enabled || is_at_bound(id)) continue;
        const std::uint64_t kind = kind_by_marked_rules(next_.state(k, store_));
        if (kind == no_marked_rule || (settings_.limit > 0 && begun_[kind]++ >= settings_.limit)) continue;
        seeds_.push(id, next_.state(k, store_));
      }
  }

  bool comes_from_marked(StateId id) {
    const StateId parent{node(id).parent};
    return parent != no_parent && node(parent).has_marked;
  }

  static constexpr std::uint64_t no_marked_rule = 0;

  // The same number for states in which the same marked rules are enabled, whatever their parameters.
  std::uint64_t kind_by_marked_rules(StateView state) {
    enabled_.clear();
    model_.quiet(true);
    model_.enabled(state, enabled_);
    model_.quiet(false);
    std::uint64_t kind = no_marked_rule;
    std::uint32_t last = UINT32_MAX;
    for (std::uint32_t k = 0; k < enabled_.size(); ++k) {
      const std::uint32_t rule = edge_of(enabled_.instance(k));
      if (rule == last || !guidance_.marked(enabled_.instance(k), state)) continue;
      last = rule;
      kind = mix_bijective(kind + rule + 1);
    }
    return kind;
  }

  void expand(StateId id, StateView state) {
    if ((Policy::remembers_expanded && node(id).expanded) || is_at_bound(id)) return;
    node(id).expanded = 1;
    current_.assign(state.begin(), state.end());
    generate(node(id).counted != 0);
    if (!store_.reserve(batch_.size())) return stop(Ending::memory_limit);
    node(id).has_marked = has_marked_in_batch();
    if (node(id).counted == 0) count_steps(id);
    if (going_) insert_steps(id, node(id).length + 1, next_);
  }

  [[nodiscard]] bool is_at_bound(StateId id) { return options_.max_depth && node(id).length >= *options_.max_depth; }

  // The successors of current_, in the wanted order. What a model prints and counts it does the first time only.
  void generate(bool again) {
    batch_.clear();
    if (again) model_.quiet(true);
    model_.successors(current_, batch_);
    if (again) model_.quiet(false);
    reorder();
  }

  void reorder() {
    if (options_.order == Order::declared) return;
    for (std::uint32_t k = 0, left = batch_.size(); left > 1; ++k, --left) {
      const std::uint32_t other =
          options_.order == Order::reverse ? batch_.size() - 1 - k : k + static_cast<std::uint32_t>(random_() % left);
      if (other > k) batch_.swap_steps(k, other);
    }
  }

  [[nodiscard]] bool has_marked_in_batch() const {
    for (std::uint32_t k = 0; k < batch_.size(); ++k)
      if (guidance_.marked(batch_.instance(k), current_)) return true;
    return false;
  }

  // Also decides whether the state is a deadlock: that is about the concrete successors, so it comes before
  // canonicalisation.
  void count_steps(StateId id) {
    const bool count_marked = node(id).counted_marked == 0;
    node(id).counted = node(id).counted_marked = 1;
    bool moves = false;
    for (std::uint32_t k = 0; k < batch_.size() && going_; ++k) {
      moves = moves || batch_.outcome(k).is_fault() || !same_words(current_.data(), batch_.words(k), words_);
      if (count_marked || !guidance_.marked(batch_.instance(k), current_)) count_step(id, k);
    }
    if (!going_) return;
    if (is_deadlock(model_, options_, current_, !batch_.empty(), moves)) violated({Violation::Kind::deadlock}, id);
  }

  void count_step(StateId id, std::uint32_t k) {
    recorder_.fire(batch_.instance(k));
    if (recorder_.is_violation(batch_.outcome(k)))
      violated({Violation::Kind::fault, 0, batch_.outcome(k).site()}, id, batch_.instance(k));
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
    if (!store_.reserve(batch_.size())) return stop(Ending::memory_limit);
    if (node(id).counted_marked == 0) {
      node(id).counted_marked = 1;
      for (std::uint32_t k = 0; k < batch_.size() && going_; ++k) count_step(id, k);
    }
    if (going_) insert_steps(id, node(id).length + 1, reduced_next_, true);
  }

  // These steps are taken again when the state is expanded; the model prints and counts only then.
  void generate_marked() {
    model_.quiet(true);
    enabled_.clear();
    model_.enabled(current_, enabled_);
    batch_.clear();
    for (std::uint32_t k = 0; k < enabled_.size(); ++k) {
      if (!guidance_.marked(enabled_.instance(k), current_)) continue;
      moved_ = current_;
      const Outcome guard = enabled_.outcome(k);
      const Outcome outcome = guard.ok() ? model_.apply(moved_, enabled_.instance(k), overwritten_) : guard;
      if (outcome.is_blocked()) continue;
      std::copy(moved_.begin(), moved_.end(), batch_.spare(words_));
      batch_.push(enabled_.instance(k), outcome, words_);
    }
    model_.quiet(false);
    reorder();
  }

  // States that have to be expanded go to the queue; the reduced search wants to see the others as well.
  void insert_steps(StateId from, std::uint32_t length, Queue& queue, bool also_known = false) {
    const std::uint32_t count = batch_.size();
    if (hashes_.size() < count) hashes_.resize(count);
    for (std::uint32_t k = 0; k < count; ++k) {
      if (!batch_.outcome(k).has_successor()) continue;
      if (options_.canonicaliser != nullptr) options_.canonicaliser->canonicalise(batch_.words(k));
      hashes_[k] = store_.hash(successor(k));
      store_.prefetch(hashes_[k]);
    }
    for (std::uint32_t k = 0; k < count && going_; ++k) {
      if (!batch_.outcome(k).has_successor()) continue;
      const auto [id, is_new] = store_.insert(successor(k), hashes_[k]);
      const bool waits = is_new ? discover(id, from, length, successor(k)) : found_shorter_path(id, from, length);
      if (waits || also_known || !Policy::remembers_expanded) queue.push(id, successor(k));
    }
  }

  [[nodiscard]] StateView successor(std::uint32_t k) { return {batch_.words(k), words_}; }

  bool discover(StateId id, StateId from, std::uint32_t length, StateView state) {
    nodes_.push_back({index_of(from), 0, 0, 0, 0, 0, length});
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

  [[nodiscard]] std::uint64_t bytes() const {
    std::uint64_t total = store_.bytes() + nodes_.size() * sizeof(Node);
    for (const Queue* queue : {&level_, &next_, &added_, &seeds_, &reduced_, &reduced_next_}) total += queue->bytes();
    return total;
  }

  void pause_now_and_then() {
    if (!pace_.is_due(1 + batch_.size())) return;
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

  Queue level_, next_;  // to be expanded: now, and after that
  Queue added_;         // found by the reduced search of this level
  Queue seeds_;         // where it begins
  Queue reduced_, reduced_next_;
  std::vector<Node> nodes_;  // by id

  StateBuffer current_;  // the state whose steps are in the batch
  StateBuffer moved_;
  Undo overwritten_;
  Batch batch_;
  Batch enabled_;
  std::vector<Hash> hashes_;
  std::map<std::uint64_t, std::uint64_t> begun_;  // seeds of this level, by their kind
  Pace pace_;
  std::uint64_t levels_ = 0;    // that have been expanded
  std::optional<Found> found_;  // ends the search, once the rest of the level was looked through for a shorter way
  std::uint64_t found_length_ = 0;
  std::size_t done_in_level_ = 0;
  std::uint32_t longest_ = 0;  // path by which a state was first reached
};

}  // namespace fathom
