// Best-first search: the state of lowest rank is expanded next, where the rank is what an evaluator says of the state,
// alone (greedy search) or together with the length of the path to it (A*: Hart, Nilsson, Raphael 1968). States of one
// rank are expanded in the order in which they got it.
//
// A* promises a shortest run if the evaluator is admissible and the store exact, and two things make it so. A state
// that was expanded is opened again when a shorter path to it is found, which happens when the evaluator is not
// consistent. And violations are reported when their turn comes and not when they are met: a state is examined when it
// is expanded, and a step that fails waits in the open list with the length of the run that it ends (Edelkamp et al.,
// Survey on Directed Model Checking, MoChArt 2008, section 3). Greedy search promises nothing and reports at once.
//
// Both are complete. Run to the end they visit what a breadth-first search visits; under a depth bound too, where also
// the greedy search opens states again.
#pragma once

#include <algorithm>
#include <random>
#include <type_traits>

#include "heuristic/evaluator.hpp"
#include "open/bucket_list.hpp"
#include "open/state_pool.hpp"
#include "search/deadlock.hpp"
#include "search/parents.hpp"
#include "search/recorder.hpp"

namespace fathom {

struct BestFirstOrder {
  bool path_counts = false;  // A*: the length of the path is part of the rank
  bool admissible = false;   // what the evaluator promises
};

template <Model M, StateSet S>
requires(S::known_ids) class BestFirst {
 public:
  BestFirst(M& model, S& store, const SearchOptions& options, Evaluator& evaluator, BestFirstOrder order)
      : model_(model),
        store_(store),
        options_(options),
        evaluator_(evaluator),
        order_(order),
        words_(model.state_words()),
        recorder_(options),
        random_(options.seed),
        pool_(words_) {}

  SearchResult run() {
    start();
    while (going_ && !open_.empty()) {
      take(open_.pop());
      if (going_ && ++taken_ % 1024 == 0) pause();
    }
    return finish();
  }

  // A run to a stored state, and the step there that goes wrong. Valid after run(), too.
  Counterexample run_to(StateId id, std::optional<InstanceId> failing_step = std::nullopt) {
    const auto chain = ancestors(id, [&](StateId state) { return StateId{node(state).parent}; });
    Counterexample run;
    run.states = states_along(chain, model_, store_, options_.canonicaliser);
    run.failing_step = failing_step;
    return run;
  }

 private:
  // What is remembered of a state. Its steps are counted at its first expansion only, and so are its violations.
  struct Node {
    std::uint64_t parent : 41;
    std::uint64_t closed : 1;    // it waits no longer; entries for it that are left in the open list are outdated
    std::uint64_t examined : 1;  // its invariants
    std::uint64_t expanded : 1;
    std::uint64_t failed : 1;  // its failing steps have been reported
    Cost length;               // of the shortest path to it so far
    Cost estimate;
  };

  // Where the words of a waiting state are, if the store does not keep them.
  struct InStore {};
  using Place = std::conditional_t<S::keeps_states, InStore, StatePool::Place>;

  struct Entry {
    std::uint64_t id : 41;
    std::uint64_t failing : 1;  // the turn of the steps of this state that fail
    [[no_unique_address]] Place place;
  };

  [[nodiscard]] Node& node(StateId id) { return nodes_[index_of(id)]; }
  [[nodiscard]] bool reopens() const { return order_.path_counts || options_.max_depth.has_value(); }

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
    if (going_) insert_successors(no_parent, 0);
  }

  void take(const Entry entry) {
    const StateId id{entry.id};
    fetch(entry);
    if (entry.failing != 0) return report_failing_steps(id);
    if (node(id).closed != 0) return;
    node(id).closed = 1;
    if (order_.path_counts && node(id).examined == 0) examine(id, current_);
    if (!going_ || (options_.max_depth && node(id).length >= *options_.max_depth)) return;
    expand(id);
  }

  // The state of an entry becomes the current one.
  void fetch(const Entry& entry) {
    if constexpr (S::keeps_states) {
      const StateView state = store_.state(StateId{entry.id});
      current_.assign(state.begin(), state.end());
    } else {
      pool_.take(entry.place, current_);
    }
  }

  void expand(StateId id) {
    const bool again = node(id).expanded != 0;
    node(id).expanded = 1;
    generate(again);
    if (!store_.reserve(batch_.size())) return stop(Ending::memory_limit);
    if (again)
      ++recorder_.result.statistics.revisits;
    else
      count_steps(id);
    if (going_ && node(id).failed == 0 && some_step_fails()) fail(id);
    if (going_) insert_successors(id, node(id).length + step_cost);
  }

  // The successors of current_ in the wanted order. What a model prints and counts it does at the first time only.
  void generate(bool again) {
    batch_.clear();
    if (again) model_.quiet(true);
    model_.successors(current_, batch_);
    if (again) model_.quiet(false);
    if (options_.order == Order::declared) return;
    for (std::uint32_t k = 0, left = batch_.size(); left > 1; ++k, --left) {
      const std::uint32_t other =
          options_.order == Order::reverse ? batch_.size() - 1 - k : k + static_cast<std::uint32_t>(random_() % left);
      if (other > k) batch_.swap_steps(k, other);
    }
  }

  // Also decides whether the state is a deadlock: that is about the concrete successors, so it comes before
  // canonicalisation.
  void count_steps(StateId id) {
    bool moves = false;
    for (std::uint32_t k = 0; k < batch_.size(); ++k) {
      recorder_.fire(batch_.instance(k));
      moves = moves || batch_.outcome(k).is_fault() || !same_words(current_.data(), batch_.words(k), words_);
    }
    if (is_deadlock(model_, options_, current_, !batch_.empty(), moves))
      violated({Violation::Kind::deadlock}, [&] { return run_to(id); });
  }

  [[nodiscard]] bool some_step_fails() const {
    for (std::uint32_t k = 0; k < batch_.size(); ++k)
      if (recorder_.is_violation(batch_.outcome(k))) return true;
    return false;
  }

  // Under A* the failing steps of a state opened again get an earlier turn.
  void fail(StateId id) {
    if (order_.path_counts)
      push(node(id).length + step_cost, id, current_, true);
    else
      report_faults(id);
  }

  void report_failing_steps(StateId id) {
    if (node(id).failed != 0) return;
    generate(true);
    report_faults(id);
  }

  void report_faults(StateId id) {
    node(id).failed = 1;
    for (std::uint32_t k = 0; k < batch_.size() && going_; ++k) {
      const Outcome outcome = batch_.outcome(k);
      if (recorder_.is_violation(outcome))
        violated({Violation::Kind::fault, 0, outcome.site()}, [&] { return run_to(id, batch_.instance(k)); });
    }
  }

  void insert_successors(StateId from, Cost length) {
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
      const auto [id, fresh] = store_.insert(successor(k), hashes_[k]);
      if (fresh)
        discover(id, from, length, successor(k));
      else if (length < node(id).length)
        found_shorter_path(id, from, length, successor(k));
    }
  }

  [[nodiscard]] StateView successor(std::uint32_t k) { return {batch_.words(k), words_}; }

  void discover(StateId id, StateId from, Cost length, StateView state) {
    nodes_.push_back({index_of(from), 0, 0, 0, 0, length, estimate(state)});
    longest_ = std::max(longest_, length);
    push(rank(node(id)), id, state, false);
    if (!order_.path_counts) examine(id, state);
  }

  // An entry that is outdated by this stays behind the new one, whose rank is lower.
  void found_shorter_path(StateId id, StateId from, Cost length, StateView state) {
    Node& known = node(id);
    known.length = length;
    known.parent = index_of(from);
    const bool waits = known.closed == 0;
    if (waits ? !order_.path_counts : !reopens()) return;
    known.closed = 0;
    push(rank(known), id, state, false);
  }

  [[nodiscard]] Cost estimate(StateView state) {
    enabled_.clear();
    if (evaluator_.wants_enabled()) {
      model_.quiet(true);
      model_.enabled(state, enabled_);
      model_.quiet(false);
    }
    return evaluator_.estimate(state, enabled_);
  }

  [[nodiscard]] std::uint64_t rank(const Node& node) const {
    return order_.path_counts ? std::uint64_t{node.length} + node.estimate : node.estimate;
  }

  void push(std::uint64_t rank, StateId id, StateView state, bool failing) {
    if constexpr (S::keeps_states)
      open_.push(rank, {index_of(id), failing, {}});
    else
      open_.push(rank, {index_of(id), failing, pool_.put(state)});
  }

  void examine(StateId id, StateView state) {
    node(id).examined = 1;
    if (!options_.check_states) return;
    for (const Violation& violation : recorder_.examine(model_, state)) violated(violation, [&] { return run_to(id); });
  }

  template <class MakeRun>
  void violated(const Violation& violation, MakeRun make_run) {
    if (recorder_.count(violation)) {
      model_.quiet(true);
      recorder_.result.first = make_run();
      recorder_.result.first->violation = violation;
      recorder_.result.first->shortest = S::exact && order_.path_counts && order_.admissible;
      model_.quiet(false);
    }
    if (recorder_.finished()) stop(Ending::error_limit);
  }

  void stop(Ending ending) {
    going_ = false;
    recorder_.result.ending = ending;
  }

  [[nodiscard]] std::uint64_t bytes() const {
    return store_.bytes() + nodes_.size() * sizeof(Node) + open_.bytes() + pool_.bytes();
  }

  void pause() {
    if (bytes() > options_.memory_limit) return stop(Ending::memory_limit);
    const Progress progress{.states = store_.size(),
                            .transitions = recorder_.result.statistics.transitions,
                            .depth = longest_,
                            .queue = open_.size(),
                            .bytes = bytes()};
    if (!options_.tick(progress)) stop(Ending::time_or_user);
  }

  SearchResult finish() {
    const bool all_expanded = std::ranges::all_of(nodes_, [](const Node& node) { return node.expanded != 0; });
    if (going_ && !all_expanded) {
      recorder_.result.ending = Ending::bound;
      recorder_.result.scope.depth = options_.max_depth;
    }
    Cost deepest = 0;
    for (const Node& node : nodes_) deepest = std::max(deepest, node.length);
    return recorder_.finish(store_, deepest, bytes());
  }

  M& model_;
  S& store_;
  const SearchOptions& options_;
  Evaluator& evaluator_;
  const BestFirstOrder order_;
  const std::uint32_t words_;
  Recorder recorder_;
  std::mt19937_64 random_;
  bool going_ = true;

  StateBuffer current_;  // the state being expanded
  Batch batch_;          // its successors
  Batch enabled_;        // the steps of the state being evaluated
  std::vector<Hash> hashes_;
  std::vector<Node> nodes_;  // by id
  BucketList<Entry> open_;
  StatePool pool_;
  std::uint64_t taken_ = 0;
  Cost longest_ = 0;  // path by which a state was first reached
};

}  // namespace fathom
