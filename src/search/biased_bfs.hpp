// Biased breadth-first search (Talupur, Han, "Biased Model Checking Using Flows", 2011, section 4): breadth first, but
// before the next level is expanded, everything that marked steps alone reach from some of its states is found and put
// in front of it. Marked steps thus cost almost nothing, and what lies behind them is seen levels earlier. The figure
// in the paper begins at the states that were just expanded; we begin where its text does, at those they lead to, one
// level earlier.
//
// It is complete: run to the end it visits what a breadth-first search visits. The first violation it finds has a
// short trace, but not always a shortest one.
//
// The figure does not end as printed. Three things have to be added: (a) a state that was expanded is remembered as
// such; (b) each level begins with an empty set of states to start from; (c) so does each level of the reduced search.
// The policy exists so that the tests can leave them out.
#pragma once

#include <algorithm>
#include <random>

#include "search/deadlock.hpp"
#include "search/guidance.hpp"
#include "search/parents.hpp"
#include "search/recorder.hpp"
#include "search/waiting_states.hpp"

namespace fathom {

struct BiasedBfsSettings {
  std::uint64_t limit = 5;  // of states per level at which the reduced search begins; 0: all
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

  using Queue = WaitingStates<S>;

  [[nodiscard]] Node& node(StateId id) { return nodes_[index_of(id)]; }

  void start() {
    model_.initial(batch_);
    if (!store_.reserve(batch_.size())) return stop(Ending::memory_limit);
    for (std::uint32_t k = 0; k < batch_.size() && going_; ++k) {
      const Outcome outcome = batch_.outcome(k);
      if (!outcome.is_fault()) continue;
      violated({Violation::Kind::fault, 0, outcome.site()}, [&] {
        return Counterexample{{}, {}, batch_.instance(k), false};
      });
    }
    insert_steps(no_parent, 0, next_);
    finish_level();
  }

  void expand_level() {
    if constexpr (Policy::new_seeds_each_level) seeds_.clear();
    begun_ = 0;
    for (std::size_t k = 0; k < level_.size() && going_; ++k) {
      ++done_in_level_;
      pause_now_and_then();
      const std::size_t before = next_.size();
      expand(level_.id(k), level_.state(k, store_));
      if (settings_.batched) continue;
      choose_seeds(before);
      explore_marked();
      seeds_.clear();
    }
    done_in_level_ = 0;
    finish_level();
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
  // search has been before there is nothing left for it: such a state would only use up the limit.
  void choose_seeds(std::size_t first) {
    for (const bool just_enabled : {true, false})
      for (std::size_t k = first; k < next_.size() && going_; ++k) {
        if (settings_.limit > 0 && begun_ == settings_.limit) return;
        const StateId id = next_.id(k);
        if (Policy::skips_spent_seeds && node(id).reduced) continue;
        if (comes_from_marked(id) == just_enabled || is_at_bound(id) || !has_marked_step(next_.state(k, store_)))
          continue;
        ++begun_;
        seeds_.push(id, next_.state(k, store_));
      }
  }

  bool comes_from_marked(StateId id) {
    const StateId parent{node(id).parent};
    return parent != no_parent && node(parent).has_marked;
  }

  bool has_marked_step(StateView state) {
    enabled_.clear();
    model_.quiet(true);
    model_.enabled(state, enabled_);
    model_.quiet(false);
    for (std::uint32_t k = 0; k < enabled_.size(); ++k)
      if (guidance_.marked(enabled_.instance(k), state)) return true;
    return false;
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
    if (is_deadlock(model_, options_, current_, !batch_.empty(), moves))
      violated({Violation::Kind::deadlock}, [&] { return run_to(id); });
  }

  void count_step(StateId id, std::uint32_t k) {
    recorder_.fire(batch_.instance(k));
    if (recorder_.is_violation(batch_.outcome(k)))
      violated({Violation::Kind::fault, 0, batch_.outcome(k).site()}, [&] { return run_to(id, batch_.instance(k)); });
  }

  // ---- The reduced search: breadth first from the seeds by marked steps alone. All it meets goes to the front of the
  // next level, with the seeds themselves, which does no harm since they are expanded already.

  void explore_marked() {
    added_.append(seeds_);
    reduced_.clear();
    reduced_next_.clear();
    reduced_.append(seeds_);
    while (going_ && !reduced_.empty()) {
      for (std::size_t k = 0; k < reduced_.size() && going_; ++k) {
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
      for (const Violation& violation : recorder_.examine(model_, state))
        violated(violation, [&] { return run_to(id); });
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
    if (++looked_at_ % 1024 != 0) return;
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
  std::uint64_t begun_ = 0;  // seeds of this level
  std::uint64_t looked_at_ = 0;
  std::size_t done_in_level_ = 0;
  std::uint32_t longest_ = 0;  // path by which a state was first reached
};

}  // namespace fathom
