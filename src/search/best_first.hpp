// Best-first search: the engine of most directed searches. States wait in an open list (open/), which decides what is
// expanded next; a plan says the rest. This is ModelCheck of the survey with its relaxation of costs (Edelkamp,
// Schuppan, Bošnački, Wijs, Fehnker, Aljazzar: Survey on Directed Model Checking, MoChArt 2008, sections 3 and 4):
//
//   A* (Hart, Nilsson, Raphael 1968)    in turn, ranked by cost plus estimate
//   greedy search                       ranked by the estimate, or any other open list
//   branch and bound, IDA*, …           a stack under a bound on the cost, which a rule moves (bound_rules.hpp)
//
// A search in turn finds a cheapest run if its evaluator is admissible and the store exact, and two things make it so.
// A state that was expanded is opened again when a cheaper path to it is found, which happens when the evaluator is not
// consistent. And violations are reported when their turn comes and not when they are met: a state is examined when it
// is expanded, and a step that fails waits in the open list with the cost of the run that it ends. Other searches
// report at once.
//
// All are complete. Run to the end they visit what a breadth-first search visits, except what lies behind states from
// which an evaluator has proven that nothing can go wrong.
//
// What an evaluator promises is checked on the way, as far as that costs nothing: each step that is taken must not
// break its consistency, each violation not its admissibility. If one does, nothing is promised any more.
//
// Under a reduction the steps it chose are enough if one of them leads to a state that is not closed, that is, one that
// waits: what was put off is not forgotten there (Lluch Lafuente, Edelkamp, Leue: Partial Order Reduction in Directed
// Model Checking, SPIN 2002, condition C2c). A state whose steps were all taken once gets them all again.
#pragma once

#include <algorithm>
#include <span>
#include <type_traits>

#include "open/open_list.hpp"
#include "open/state_pool.hpp"
#include "search/bound_rules.hpp"
#include "search/expander.hpp"
#include "search/pace.hpp"
#include "search/parents.hpp"
#include "search/recorder.hpp"
#include "search/step_costs.hpp"
#include "store/room.hpp"
#include "support/growing_array.hpp"

namespace fathom {

struct BestFirstPlan {
  bool cost_counts = false;         // the order of the open list depends on the cost of the path
  bool in_turn = false;             // violations are reported when their turn comes; implies cost_counts
  Promise promise = {};             // of the first evaluator
  std::uint64_t width = 1;          // so many states are taken from the open list together
  double within = 1;                // in turn: the run costs at most so many times what a cheapest one does
  bool leaves_dead_ends = false;    // they are not expanded
  BoundRule* rule = nullptr;        // null: no bound
  bool opens_again = true;          // false, for tests: a cheaper path to a state that was expanded changes nothing
  std::uint64_t room = UINT64_MAX;  // for tests: after so many states the memory is full
};

// A state in the open list, with its words if the store does not keep them.
template <StateSet S>
struct WaitingState {
  struct InStore {};
  using Place = std::conditional_t<S::keeps_states, InStore, StatePool::Place>;

  std::uint64_t id : 41 = 0;
  std::uint64_t failing : 1 = 0;  // the turn of the steps of this state that fail
  [[no_unique_address]] Place place = {};
};

template <Model M, StateSet S, class Costs = UnitCosts>
requires(S::known_ids) class BestFirst {
 public:
  using Algebra = typename Costs::Algebra;
  using Value = typename Algebra::Value;
  using Entry = WaitingState<S>;
  using Open = OpenList<Algebra, Entry>;

  // The first evaluator is the one the plan speaks of; others are for the open list alone.
  BestFirst(M& model, S& store, const SearchOptions& options, std::span<Evaluator* const> evaluators, Open& open,
            const BestFirstPlan& plan, Costs costs = {})
      : store_(store),
        options_(options),
        evaluators_(evaluators),
        open_(open),
        plan_(plan),
        costs_(costs),
        expander_(model, options),
        recorder_(options),
        trusted_(plan.promise.admissible),
        pool_(model.state_words()),
        estimates_(evaluators.size()) {}

  SearchResult run() {
    if (plan_.rule == nullptr)
      pass();
    else
      run_within_bounds();
    return finish();
  }

  // ---- For a search that goes on elsewhere when the memory is full, after run().

  // Whether every state that is done with was reached on a cheapest path, as far as is known.
  [[nodiscard]] bool can_be_left() const { return !nodes_.empty() && trusted_ && plan_.promise.consistent; }

  struct Place {
    Value cost;
    Cost estimate;
    bool done;  // it has been looked at, and expanded if it is to be
  };
  [[nodiscard]] Place place_of(StateId id) const {
    const Node& known = nodes_[index_of(id)];
    return {known.cost, known.estimate, known.expanded != 0 || (known.closed != 0 && known.examined != 0)};
  }
  // The state whose steps had no room any more; none of them was taken.
  [[nodiscard]] std::optional<StateId> half_done() const { return half_done_; }
  // The states with failing steps whose turn has not come. Empties the open list.
  [[nodiscard]] std::vector<StateId> take_failing() {
    while (!open_.empty()) selected_.push_back(open_.pop());
    std::vector<StateId> failing;
    for (const Entry& entry : selected_)
      if (entry.failing != 0 && nodes_[entry.id].failed == 0) failing.push_back(StateId{entry.id});
    return failing;
  }

  // A run to a stored state, and the step there that goes wrong. Valid after run(), too.
  Counterexample run_to(StateId id, std::optional<InstanceId> failing_step = std::nullopt) {
    const auto chain = ancestors(id, [&](StateId state) { return StateId{node(state).parent}; });
    Counterexample run;
    run.states = states_along(chain, expander_.model(), store_, options_.canonicaliser);
    run.failing_step = failing_step;
    if constexpr (!Costs::unit) run.steps = expander_.cheapest_steps(run.states, costs_);
    return run;
  }

 private:
  // What is remembered of a state. Its steps are counted at its first expansion only, and so are its violations.
  struct Node {
    std::uint64_t parent : 41;
    std::uint64_t closed : 1;    // it waits no longer; entries for it that are left in the open list are outdated
    std::uint64_t examined : 1;  // its invariants ...
    std::uint64_t bad : 1;       // ... of which one is violated
    std::uint64_t expanded : 1;
    std::uint64_t whole : 1;   // with all its steps
    std::uint64_t failed : 1;  // its failing steps have been reported
    Value cost;                // of the cheapest path to it so far
    Cost estimate;
  };

  [[nodiscard]] Node& node(StateId id) { return nodes_[index_of(id)]; }
  [[nodiscard]] bool reopens(const Node& known) const {
    if (known.closed != 0 && !plan_.opens_again) return false;
    return plan_.cost_counts || plan_.in_turn || plan_.rule != nullptr || options_.max_depth.has_value();
  }
  [[nodiscard]] bool going() const { return running_ && !pass_over_; }
  [[nodiscard]] Value total(const Node& node) const { return Algebra::then(node.cost, Algebra::lift(node.estimate)); }

  // ---- Passes: one, or under a bound as many as its rule asks for.

  void pass() {
    const bool again = !nodes_.empty();
    start(again);
    while (going() && !open_.empty()) {
      select();
      for (const Entry& entry : selected_) {
        if (going())
          look_at(entry);
        else
          discard(entry);
      }
    }
  }

  void run_within_bounds() requires(std::is_same_v<Value, Cost>) {
    std::optional<Cost> bound = plan_.rule->first(estimate_at_start());
    do {
      bound_ = bound;
      found_ = next_larger_ = std::nullopt;
      pass_over_ = false;
      while (!open_.empty()) discard(open_.pop());
      for (Node& node : nodes_) {
        node.closed = 0;
        node.cost = Algebra::worst();
      }
      pass();
      bound = running_ ? plan_.rule->next({found_, next_larger_}) : std::nullopt;
    } while (bound);
  }
  void run_within_bounds() requires(!std::is_same_v<Value, Cost>) {}

  Cost estimate_at_start() {
    Cost least = dead_end;
    expander_.starts(batch_);
    for (std::uint32_t k = 0; k < batch_.size(); ++k)
      if (batch_.outcome(k).has_successor())
        least = std::min(least, expander_.estimate(*evaluators_[0], expander_.successor(batch_, k)));
    return least == dead_end ? 0 : least;
  }

  void start(bool again) {
    expander_.starts(batch_);
    if (!has_room(batch_.size())) return stop(Ending::memory_limit);
    for (std::uint32_t k = 0; k < batch_.size() && going() && !again; ++k) {
      const Outcome outcome = batch_.outcome(k);
      if (!outcome.is_fault()) continue;
      found({Violation::Kind::fault, 0, outcome.site()}, Algebra::none(), [&] {
        return Counterexample{{}, {}, batch_.instance(k), false};
      });
    }
    if (going()) insert_successors(no_parent, 0, batch_.size());
    open_.end_of_successors();
  }

  // The states of this round are closed before the first of them is expanded.
  void select() {
    selected_.clear();
    while (selected_.size() < plan_.width && !open_.empty()) {
      const Entry entry = open_.pop();
      Node& known = node(StateId{entry.id});
      const bool outdated = entry.failing != 0 ? known.failed != 0 : known.closed != 0 || beyond(total(known));
      if (outdated) {
        discard(entry);
        continue;
      }
      if (entry.failing == 0) known.closed = 1;
      selected_.push_back(entry);
    }
  }

  void look_at(const Entry& entry) {
    const StateId id{entry.id};
    fetch(entry);
    current_id_ = entry.id;
    if (pace_.is_due(1 + batch_.size())) pause();
    if (!going()) return;
    if (entry.failing != 0) return report_failing_steps(id);
    if (node(id).closed == 0) return;  // another state of this round has opened it again
    if (plan_.in_turn && node(id).examined == 0) examine(id, current_);
    if (going() && !is_at_depth_bound(node(id))) expand(id);
  }

  [[nodiscard]] bool is_at_depth_bound(const Node& node) const {
    if constexpr (Costs::unit)
      return options_.max_depth && node.cost >= *options_.max_depth;
    else
      return false;
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
  void discard(const Entry& entry) {
    if constexpr (!S::keeps_states) pool_.release(entry.place);
  }

  // ---- One expansion.

  void expand(StateId id) {
    const bool again = node(id).expanded != 0;
    const bool had_all = node(id).whole != 0;
    node(id).expanded = 1;
    if (again) ++recorder_.result.statistics.revisits;
    expander_.steps(current_, again, batch_);
    if (store_.size() >= plan_.room || !has_room(batch_.size())) {
      half_done_ = id;
      return stop(Ending::memory_limit);
    }
    if ((!again || plan_.rule != nullptr) && expander_.is_stuck(current_, batch_)) report_deadlock(id);
    const std::uint32_t enough = had_all ? batch_.size() : expander_.move_chosen_to_front(current_, batch_);
    if (!going() || take_steps(id, 0, enough, again)) {
      if (!again && enough < batch_.size()) ++recorder_.result.statistics.reduced;
    } else if (going()) {
      take_steps(id, enough, batch_.size(), had_all);
      node(id).whole = 1;
    }
    if (enough == batch_.size()) node(id).whole = 1;
    open_.end_of_successors();
  }

  void report_deadlock(StateId id) {
    check_admissible(node(id), Algebra::none());
    found({Violation::Kind::deadlock}, node(id).cost, [&] { return run_to(id); });
  }

  // Takes the steps [first, end) of the current state; `known`: they were taken before. True if they are enough: there
  // are no others, or one of them leads to a state that is not closed.
  bool take_steps(StateId id, std::uint32_t first, std::uint32_t end, bool known) {
    bool fails = false;
    for (std::uint32_t k = first; k < end; ++k) {
      if (!known) recorder_.fire(batch_.instance(k));
      fails = fails || recorder_.is_violation(batch_.outcome(k));
    }
    if (fails && node(id).failed == 0) fail(id, first, end, known);
    if (!going()) return true;
    const bool goes_on = insert_successors(id, first, end);
    return goes_on || end == batch_.size() || options_.proviso == Proviso::none;
  }

  // In turn, the failing steps of a state opened again get an earlier turn.
  void fail(StateId id, std::uint32_t first, std::uint32_t end, bool known) {
    if (plan_.in_turn) {
      const Value cost = cheapest_failing(id, first, end);
      if (!failing_ || Algebra::better(cost, *failing_)) failing_ = cost;
      push(cost, no_estimates_, id, current_, true);
    } else if (!known || plan_.rule != nullptr) {
      report_faults(id, first, end);
    }
  }

  [[nodiscard]] Value cost_of_step(StateId from, std::uint32_t k) {
    return Algebra::then(node(from).cost, costs_.of_step(current_, batch_.instance(k)));
  }

  Value cheapest_failing(StateId id, std::uint32_t first, std::uint32_t end) {
    Value cheapest = Algebra::worst();
    for (std::uint32_t k = first; k < end; ++k)
      if (recorder_.is_violation(batch_.outcome(k)) && Algebra::better(cost_of_step(id, k), cheapest))
        cheapest = cost_of_step(id, k);
    return cheapest;
  }

  void report_failing_steps(StateId id) {
    expander_.steps(current_, true, batch_);
    report_faults(id, 0, batch_.size());
    node(id).failed = 1;
  }

  // The cheapest one first: it is the one that is shown.
  void report_faults(StateId id, std::uint32_t first, std::uint32_t end) {
    const Value cheapest = cheapest_failing(id, first, end);
    for (const bool later : {false, true})
      for (std::uint32_t k = first; k < end && going(); ++k) {
        const Outcome outcome = batch_.outcome(k);
        if (!recorder_.is_violation(outcome) || Algebra::better(cheapest, cost_of_step(id, k)) != later) continue;
        check_admissible(node(id), costs_.of_step(current_, batch_.instance(k)));
        found({Violation::Kind::fault, 0, outcome.site()}, cost_of_step(id, k),
              [&] { return run_to(id, batch_.instance(k)); });
      }
  }

  // Returns whether one of them is not closed.
  bool insert_successors(StateId from, std::uint32_t first, std::uint32_t end) {
    if (hashes_.size() < end) hashes_.resize(end);
    for (std::uint32_t k = first; k < end; ++k) {
      if (!batch_.outcome(k).has_successor()) continue;
      hashes_[k] = store_.hash(expander_.successor(batch_, k));
      store_.prefetch(hashes_[k]);
    }
    bool goes_on = false;
    for (std::uint32_t k = first; k < end && going(); ++k) {
      if (!batch_.outcome(k).has_successor()) continue;
      const StateView state{batch_.words(k), expander_.words()};
      const Value cost = from == no_parent ? Algebra::none() : cost_of_step(from, k);
      const auto [id, fresh] = store_.insert(state, hashes_[k]);
      if (fresh)
        discover(id, from, cost, k);
      else if (Algebra::better(cost, node(id).cost))
        found_cheaper_path(id, from, cost, state);
      if (from != no_parent) check_consistent(node(from), costs_.of_step(current_, batch_.instance(k)), node(id));
      goes_on = goes_on || node(id).closed == 0;
    }
    return goes_on;
  }

  void discover(StateId id, StateId from, Value cost, std::uint32_t step) {
    const StateView state{batch_.words(step), expander_.words()};
    const Cost estimate = from == no_parent
                              ? expander_.estimate(*evaluators_[0], state)
                              : expander_.estimate(*evaluators_[0], state, batch_.instance(step), node(from).estimate);
    nodes_.push_back({index_of(from), 0, 0, 0, 0, 0, 0, cost, estimate});
    if constexpr (Costs::unit) longest_ = std::max<std::uint64_t>(longest_, cost);
    admit(id, state);
  }

  // An entry that is outdated by this leaves the open list after the new one, or is passed over.
  void found_cheaper_path(StateId id, StateId from, Value cost, StateView state) {
    Node& known = node(id);
    const bool rank_stays = known.closed == 0 && !plan_.cost_counts && !plan_.in_turn && plan_.rule == nullptr;
    known.cost = cost;
    known.parent = index_of(from);
    if (rank_stays || !reopens(known) || is_left(known)) return;
    known.closed = 0;
    admit(id, state);
  }

  [[nodiscard]] bool is_left(const Node& node) const { return plan_.leaves_dead_ends && node.estimate == dead_end; }

  // A state that was reached joins the others that wait, unless nothing can go wrong behind it or it is too costly.
  void admit(StateId id, StateView state) {
    const bool left = is_left(node(id));
    const bool look = node(id).examined == 0 || (plan_.rule != nullptr && node(id).bad != 0);
    if (look && (!plan_.in_turn || left)) examine(id, state);
    if (left) return leave(node(id));
    if (!going()) return;
    if (beyond(total(node(id)))) return note_cut(total(node(id)));
    estimates_[0] = node(id).estimate;
    for (std::size_t k = 1; k < evaluators_.size(); ++k) estimates_[k] = expander_.estimate(*evaluators_[k], state);
    push(node(id).cost, estimates_, id, state, false);
  }

  void leave(Node& node) {
    if (node.expanded == 0) ++recorder_.result.statistics.dead_ends;
    node.closed = node.expanded = 1;
  }

  void push(Value cost, std::span<const Cost> estimates, StateId id, StateView state, bool failing) {
    Entry entry;
    entry.id = index_of(id);
    entry.failing = failing ? 1 : 0;
    if constexpr (!S::keeps_states) entry.place = pool_.put(state);
    open_.push({cost, estimates}, entry);
  }

  void examine(StateId id, StateView state) {
    node(id).examined = 1;
    if (!options_.check_states) return;
    for (const Violation& violation : recorder_.examine(expander_.model(), state)) {
      node(id).bad = 1;
      check_admissible(node(id), Algebra::none());
      found(violation, node(id).cost, [&] { return run_to(id); });
    }
  }

  // ---- Promises.

  void check_consistent(const Node& from, Value step, const Node& to) {
    if (!trusted_ || !plan_.promise.consistent) return;
    if (Algebra::better(Algebra::then(step, Algebra::lift(to.estimate)), Algebra::lift(from.estimate)))
      distrust("consistent: along a step its estimate drops by more than the step costs");
  }

  void check_admissible(const Node& node, Value rest) {
    if (trusted_ && Algebra::better(rest, Algebra::lift(node.estimate)))
      distrust("admissible: at a violation its estimate is larger than what the run still costs");
  }

  void distrust(const char* why) {
    trusted_ = false;
    recorder_.result.warnings.push_back(std::string("the evaluator is not ") + why +
                                        "; that the trace is shortest is not promised any more");
  }

  // ---- Violations, and bounds on what they cost.

  [[nodiscard]] bool beyond(Value total) const {
    return (bound_ && Algebra::better(*bound_, total)) || (best_cost_ && !Algebra::better(total, *best_cost_));
  }

  void note_cut(Value total) {
    if (!next_larger_ || Algebra::better(total, *next_larger_)) next_larger_ = total;
  }

  template <class MakeRun>
  void found(const Violation& violation, Value cost, MakeRun make_run) {
    if (plan_.rule != nullptr) return improve(violation, cost, make_run);
    if (recorder_.count(violation)) {
      keep(violation, make_run);
      if constexpr (ToldOfRuns<Costs>) costs_.request->improved(cost, least_possible(cost));
      recorder_.result.first->shortest = keeps_promise() && plan_.in_turn && plan_.within == 1;
      if (keeps_promise() && plan_.in_turn) recorder_.result.first->within = plan_.within;
    }
    if (recorder_.finished()) stop(Ending::error_limit);
  }

  // Within bounds a violation replaces the one before it, which cost more.
  template <class MakeRun>
  void improve(const Violation& violation, Value cost, MakeRun make_run) {
    if (beyond(cost)) return note_cut(cost);
    best_cost_ = found_ = cost;
    keep(violation, make_run);
    if constexpr (ToldOfRuns<Costs>) costs_.request->improved(cost, least_possible(cost));
    pass_over_ = plan_.rule->one_is_enough() || !Algebra::better(Algebra::none(), cost);
  }

  // No run costs less than one through the most promising of the states that wait, or through the current one.
  [[nodiscard]] Value least_possible(Value best) const {
    if (!trusted_ || plan_.width > 1) return Algebra::none();
    if (failing_ && Algebra::better(*failing_, best)) best = *failing_;
    for (const Node& node : nodes_)
      if ((node.closed == 0 || &node == &nodes_[current_id_]) && Algebra::better(total(node), best)) best = total(node);
    return best;
  }

  template <class MakeRun>
  void keep(const Violation& violation, MakeRun make_run) {
    expander_.model().quiet(true);
    recorder_.result.first = make_run();
    recorder_.result.first->violation = violation;
    expander_.model().quiet(false);
  }

  [[nodiscard]] bool keeps_promise() const {
    return S::exact && trusted_ && plan_.width == 1 && options_.reduction == nullptr;
  }

  // ---- The end.

  void stop(Ending ending) {
    running_ = false;
    recorder_.result.ending = ending;
  }

  [[nodiscard]] bool has_room(std::uint64_t states) {
    return reserve_beside(store_, states, options_.memory_limit, [this] { return bytes(); });
  }

  [[nodiscard]] std::uint64_t bytes() const { return store_.bytes() + nodes_.bytes() + open_.bytes() + pool_.bytes(); }

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
    if constexpr (ToldOfRuns<Costs>) costs_.request->bounded(least_possible(best_cost_.value_or(Algebra::worst())));
    const bool all_expanded = std::ranges::all_of(nodes_, [](const Node& node) { return node.expanded != 0; });
    if (best_cost_) {
      (void)recorder_.count(recorder_.result.first->violation);
      recorder_.result.first->shortest = running_ && keeps_promise();
      if (running_) recorder_.result.ending = Ending::error_limit;
    } else if (running_ && !all_expanded) {
      recorder_.result.ending = Ending::bound;
      recorder_.result.scope.depth = options_.max_depth;
    }
    return recorder_.finish(store_, depth(), bytes());
  }

  [[nodiscard]] std::uint64_t depth() const {
    std::uint64_t deepest = 0;
    if constexpr (Costs::unit) {
      for (const Node& node : nodes_)
        if (node.cost != Algebra::worst()) deepest = std::max<std::uint64_t>(deepest, node.cost);
    } else if (recorder_.result.first && !recorder_.result.first->states.empty()) {
      deepest = recorder_.result.first->states.size() - 1;
    }
    return deepest;
  }

  S& store_;
  const SearchOptions& options_;
  const std::span<Evaluator* const> evaluators_;
  Open& open_;
  const BestFirstPlan plan_;
  Costs costs_;
  Expander<M> expander_;
  Recorder recorder_;
  bool running_ = true;
  bool pass_over_ = false;
  bool trusted_;  // nothing has shown that the evaluator is not admissible, as it promised

  std::uint64_t current_id_ = 0;  // of the state being expanded
  std::optional<StateId> half_done_;
  StateBuffer current_;
  Batch batch_;  // its successors
  std::vector<Hash> hashes_;
  GrowingArray<Node> nodes_{options_.memory_limit};  // by id
  std::vector<Entry> selected_;
  StatePool pool_;
  std::vector<Cost> estimates_;
  std::vector<Cost> no_estimates_ = std::vector<Cost>(estimates_.size(), 0);
  Pace pace_;
  std::uint64_t longest_ = 0;  // path by which a state was first reached

  // Under a rule: no run may cost more than the bound, nor as much as the best one so far.
  std::optional<Value> bound_, best_cost_;
  std::optional<Value> failing_;              // the cheapest run to a step that fails, in turn
  std::optional<Value> found_, next_larger_;  // in this pass
};

}  // namespace fathom
