// Biased depth-first search (Talupur, Han, "Biased Model Checking Using Flows", 2011, section 5), for systems of agents
// that take turns. One agent runs at a time; going on with another one at some state is put off to the next stage. In
// this way marked steps of several agents become enabled together, and once a state has enough of those (the
// threshold), everything around it is explored depth first, as far as marked steps are enabled at all.
//
// It is complete: run to the end it visits what a breadth-first search visits. Figure 2 of the paper is not: where the
// last agent is stuck it returns without putting off the others. We put off every state that is reached; the policy
// exists so that the tests can do as the paper does. Traces are real but can be long.
//
// Without marks, and without the free turn of the next agent where one is stuck, stage k covers exactly what k switches
// between agents can reach: context-bounded search (Musuvathi, Qadeer, "Iterative context bounding", PLDI 2007). The
// switches of a run are the fewest changes of agent when each of its steps is given to one of its owners.
//
// Under a depth bound a state is explored again when it comes back on a shorter path, for each agent by itself: then
// exactly the states are visited that runs within the bound reach, or those with so few switches among them.
#pragma once

#include <algorithm>
#include <random>

#include "reduction/symmetry_agents.hpp"
#include "search/deadlock.hpp"
#include "search/guidance.hpp"
#include "search/pace.hpp"
#include "search/parents.hpp"
#include "search/recorder.hpp"
#include "search/visited_agents.hpp"
#include "search/waiting_states.hpp"
#include "store/room.hpp"
#include "support/growing_array.hpp"
#include "support/plain_list.hpp"

namespace fathom {

struct BiasedDfsSettings {
  static constexpr std::uint64_t never = UINT64_MAX;
  std::uint64_t threshold = 2;            // agents with a marked step enabled that make a state worth exploring
  bool switch_on_marked = false;          // an agent that has a marked step enabled waits for the next stage
  bool next_takes_over = true;            // where an agent is stuck, the next one runs in the same stage
  std::optional<std::uint64_t> switches;  // the last stage
};

struct BiasedDfsPolicy {
  static constexpr bool puts_off_where_the_last_is_stuck = true;
};

template <Model M, StateSet S, class Policy = BiasedDfsPolicy>
requires(S::known_ids) class BiasedDepthFirst {
 public:
  // `symmetry` is there when the agents are elements of a scalarset that is permuted.
  BiasedDepthFirst(M& model, S& store, const SearchOptions& options, const Guidance& guidance,
                   BiasedDfsSettings settings, AgentSymmetry* symmetry = nullptr)
      : model_(model),
        store_(store),
        options_(options),
        guidance_(guidance),
        settings_(settings),
        symmetry_(symmetry),
        words_(model.state_words()),
        recorder_(options),
        random_(options.seed),
        visited_(guidance.agents(), options.max_depth.has_value()),
        stage_(words_),
        next_stage_(words_) {}

  SearchResult run() {
    start();
    for (std::uint64_t stage = 0; going_ && !next_stage_.empty(); ++stage) {
      begin_next_stage();
      if (settings_.switches && stage > *settings_.switches) {
        end_at_bound();
        break;
      }
      run_stage();
    }
    return finish();
  }

  // A run to a stored state, and the step there that goes wrong. Valid after run(), too.
  Counterexample run_to(StateId id, std::optional<InstanceId> failing_step = std::nullopt) {
    const auto chain = ancestors(id, [&](StateId state) { return StateId{nodes_[index_of(state)].parent}; });
    Counterexample run;
    run.states = states_along(chain, model_, store_, options_.canonicaliser);
    run.failing_step = failing_step;
    return run;
  }

 private:
  static constexpr Agent everyone = UINT32_MAX;

  struct Enabled {
    InstanceId instance;
    Outcome guard;  // a fault in the guard
    Owners owners;
  };

  // The steps that are enabled in a state, and the agents that have a marked one.
  struct Look {
    StateId id = no_parent;
    std::vector<Enabled> steps;
    std::vector<std::uint8_t> has_marked;
    std::uint64_t marked_agents = 0;
  };

  struct Candidate {
    InstanceId instance;
    Outcome guard;  // a fault in the guard
    bool again;     // it was taken before, for its other owner or on a longer run
  };

  struct Frame {
    StateId id;
    Agent agent;             // who runs, or everyone
    std::uint64_t steps;     // of the run that led here
    std::size_t first_step;  // its steps are at the end of steps_, from here on ...
    std::size_t next_step;   // ... and this one is taken next
  };

  using Stage = WaitingStates<S>;

  void start() {
    Batch starts;
    model_.initial(starts);
    for (std::uint32_t k = 0; k < starts.size() && going_; ++k) {
      if (starts.outcome(k).is_fault()) {
        violated({Violation::Kind::fault, 0, starts.outcome(k).site()}, [&] {
          return Counterexample{{}, {}, starts.instance(k), false};
        });
      } else if (starts.outcome(k).ok()) {
        state_.assign(starts.words(k), starts.words(k) + words_);
        Agent nobody = 0;
        canonicalise(nobody);
        const StateId id = insert(no_parent, 0);
        if (going_ && !is_at_bound(0)) wait_for_next_stage(id, 0);
      }
    }
  }

  void begin_next_stage() {
    stage_.clear();
    stage_.swap(next_stage_);
    stage_steps_.clear();
    stage_steps_.swap(next_stage_steps_);
  }

  void run_stage() {
    for (std::size_t k = 0; k < stage_.size() && going_; ++k) {
      for (Agent turn = 0; turn < guidance_.agents() && going_; ++turn) {
        if (visited_.has(stage_.id(k), agent_at(turn), stage_steps_[k])) continue;
        fetch(k);
        look(stage_.id(k));
        if (stage_look_.id != look_.id) stage_look_ = look_;
        arrive(stage_.id(k), agent_at(turn), stage_steps_[k], true);
        explore_stack();
      }
    }
  }

  // A state of this stage becomes state_.
  void fetch(std::size_t k) {
    const StateView state = stage_.state(k, store_);
    state_.assign(state.begin(), state.end());
  }

  // Agent 0, who is nobody in particular, comes last.
  [[nodiscard]] Agent agent_at(Agent turn) const { return turn + 1 < guidance_.agents() ? turn + 1 : 0; }
  [[nodiscard]] bool is_last(Agent agent) const { return agent == 0; }
  [[nodiscard]] Agent after(Agent agent) const { return agent_at(agent); }

  void explore_stack() {
    while (going_ && !stack_.empty()) {
      if (pace_.is_due(1)) pause();
      if (stack_.back().next_step == steps_.size())
        leave();
      else
        take(steps_[stack_.back().next_step++]);
    }
  }

  // ---- Where a step leads, state_ is the state and `id` its number.

  // One agent has come to a state, by a step or because its turn came in a later stage.
  void arrive(StateId id, Agent agent, std::uint64_t steps, bool its_turn) {
    for (;;) {
      if (visited_.has(id, agent, steps)) return;
      look(id);
      if (look_.marked_agents >= settings_.threshold) return explore(id, steps);
      const bool stuck = !can_move(agent);
      const bool hands_over = settings_.switch_on_marked && look_.has_marked[agent] && !its_turn;
      if (Policy::puts_off_where_the_last_is_stuck || !stuck || !is_last(agent)) wait_for_next_stage(id, steps);
      if (!stuck && !hands_over) return enter(id, agent, steps);
      if (stuck) visit(id, agent, steps);
      if (its_turn || is_last(agent) || (stuck && !settings_.next_takes_over)) return;
      agent = after(agent);
    }
  }

  // The search around states with marked steps has come to a state.
  void explore(StateId id, std::uint64_t steps) {
    if (visited_.has_any(id, steps)) return;
    look(id);
    if (look_.marked_agents == 0) return wait(stage_, stage_steps_, id, steps);
    enter(id, everyone, steps);
  }

  // The state waits for its agents' turns, in this stage or the next: once is enough.
  void wait(Stage& stage, PlainList<std::uint64_t>& steps_of, StateId id, std::uint64_t steps) {
    if (visited_.waits(id, steps)) return;
    visited_.set_waits(id, steps);
    stage.push(id, state_);
    steps_of.push_back(steps);
  }

  void wait_for_next_stage(StateId id, std::uint64_t steps) { wait(next_stage_, next_stage_steps_, id, steps); }

  void look(StateId id) {
    if (look_.id == id) return;
    if (stage_look_.id == id)
      look_ = stage_look_;
    else
      look_anew(id);
  }

  void look_anew(StateId id) {
    batch_.clear();
    const bool again = visited_.has_ever_waited(id) || visited_.has_ever_any(id);
    if (again) model_.quiet(true);
    model_.enabled(state_, batch_);
    if (again) model_.quiet(false);
    look_.id = id;
    look_.steps.clear();
    look_.has_marked.assign(guidance_.agents(), 0);
    for (std::uint32_t k = 0; k < batch_.size(); ++k) {
      const InstanceId step = batch_.instance(k);
      const Owners owners = guidance_.owners(step);
      look_.steps.push_back({step, batch_.outcome(k), owners});
      if (guidance_.marked(step, state_)) look_.has_marked[owners.first] = look_.has_marked[owners.second] = 1;
    }
    look_.marked_agents = static_cast<std::uint64_t>(std::ranges::count(look_.has_marked, 1));
  }

  [[nodiscard]] bool can_move(Agent agent) const {
    return std::ranges::any_of(look_.steps, [&](const Enabled& step) { return step.owners.include(agent); });
  }

  // Agents that a permutation exchanges in this state need only one visit.
  void visit(StateId id, Agent agent, std::uint64_t steps) {
    visited_.set(id, agent, steps);
    if (symmetry_ == nullptr || agent == 0) return;
    for (Agent other = 1; other < guidance_.agents(); ++other)
      if (!visited_.has(id, other, steps) && symmetry_->is_alike(state_.data(), agent, other))
        visited_.set(id, other, steps);
  }

  void enter(StateId id, Agent agent, std::uint64_t steps) {
    if (options_.max_depth && visited_.has_ever(id, agent == everyone ? 0 : agent))
      ++recorder_.result.statistics.revisits;
    stack_.push_back({id, agent, steps, steps_.size(), steps_.size()});
    if constexpr (!S::keeps_states) stacked_words_.append(state_);
    for (const Enabled& step : look_.steps) {
      if (agent != everyone && !step.owners.include(agent)) continue;
      const bool again = visited_.has_ever(id, step.owners.first) || visited_.has_ever(id, step.owners.second);
      steps_.push_back({step.instance, step.guard, again});
    }
    if (agent == everyone)
      visited_.set_all(id, steps);
    else
      visit(id, agent, steps);
    reorder();
    if (pace_.is_due(look_.steps.size())) pause();
  }

  void reorder() {
    const auto first = steps_.begin() + static_cast<std::ptrdiff_t>(stack_.back().first_step);
    if (options_.order == Order::reverse) std::reverse(first, steps_.end());
    if (options_.order == Order::random) std::shuffle(first, steps_.end(), random_);
  }

  void take(const Candidate step) {
    const Frame frame = stack_.back();
    copy_top();
    if (step.again) model_.quiet(true);
    const Outcome outcome = step.guard.ok() ? model_.apply(state_, step.instance, overwritten_) : step.guard;
    if (step.again) model_.quiet(false);
    if (outcome.is_blocked()) return;
    if (!step.again) recorder_.fire(step.instance);
    if (recorder_.is_violation(outcome) && !step.again)
      violated({Violation::Kind::fault, 0, outcome.site()}, [&] { return run_to(frame.id, step.instance); });
    if (!outcome.has_successor() || !going_) return;
    Agent agent = frame.agent;
    canonicalise(agent);
    const std::uint64_t steps = frame.steps + 1;
    const StateId id = insert(frame.id, steps);
    if (!going_ || is_at_bound(steps)) return;
    if (agent == everyone)
      explore(id, steps);
    else
      arrive(id, agent, steps, false);
  }

  [[nodiscard]] bool is_at_bound(std::uint64_t steps) const {
    return options_.max_depth && steps >= *options_.max_depth;
  }

  // The state on top of the stack becomes state_.
  void copy_top() {
    if constexpr (S::keeps_states) {
      const StateView top = store_.state(stack_.back().id);
      state_.assign(top.begin(), top.end());
    } else {
      state_.assign(stacked_words_.end() - words_, stacked_words_.end());
    }
  }

  void leave() {
    steps_.resize(stack_.back().first_step);
    if constexpr (!S::keeps_states) stacked_words_.resize(stacked_words_.size() - words_);
    stack_.pop_back();
  }

  void canonicalise(Agent& agent) {
    if (symmetry_ != nullptr && agent != everyone)
      agent = symmetry_->canonicalise(state_.data(), agent);
    else if (options_.canonicaliser != nullptr)
      options_.canonicaliser->canonicalise(state_.data());
  }

  // The number of state_, to which a run of so many steps has led; a new one is looked at.
  StateId insert(StateId from, std::uint64_t steps) {
    if (!has_room(1)) {
      stop(Ending::memory_limit);
      return {};
    }
    const auto [id, fresh] = store_.insert(state_, store_.hash(state_));
    if (fresh)
      discover(id, from, steps);
    else if (options_.max_depth && steps < nodes_[index_of(id)].length)
      found_shorter_path(id, from, steps);
    return id;
  }

  void discover(StateId id, StateId from, std::uint64_t steps) {
    nodes_.push_back({index_of(from), steps});
    visited_.add();
    deepest_ = std::max(deepest_, steps);
    if (options_.check_states)
      for (const Violation& violation : recorder_.examine(model_, state_))
        violated(violation, [&] { return run_to(id); });
    if (going_ && !is_at_bound(steps)) look_for_deadlock(id);
  }

  // Traces must not be longer than the bound allows.
  void found_shorter_path(StateId id, StateId from, std::uint64_t steps) {
    const bool was_at_bound = is_at_bound(nodes_[index_of(id)].length);
    nodes_[index_of(id)] = {index_of(from), steps};
    if (was_at_bound) look_for_deadlock(id);
  }

  void look_for_deadlock(StateId id) {
    if (options_.deadlock == DeadlockMode::off) return;
    look(id);
    if (is_stuck()) violated({Violation::Kind::deadlock}, [&] { return run_to(id); });
  }

  // Steps are tried until one settles it, which is nearly always the first.
  bool is_stuck() {
    model_.quiet(true);
    bool enabled = false, moves = false;
    for (std::size_t k = 0; k < look_.steps.size() && !moves; ++k) {
      const auto& [instance, guard, owners] = look_.steps[k];
      moved_ = state_;
      const Outcome outcome = guard.ok() ? model_.apply(moved_, instance, overwritten_) : guard;
      if (outcome.is_blocked()) continue;
      enabled = true;
      moves = outcome.is_fault() || moved_ != state_;
    }
    model_.quiet(false);
    return is_deadlock(model_, options_, state_, enabled, moves);
  }

  // ---- The end.

  // What waits beyond the last stage may hold nothing new: then everything was covered. To find out, we take the steps
  // that are left until one ends in a new state or a fault.
  void end_at_bound() {
    for (std::size_t k = 0; k < stage_.size() && going_; ++k)
      for (Agent agent = 0; agent < guidance_.agents() && going_; ++agent)
        if (!visited_.has_ever(stage_.id(k), agent)) look_beyond(k, agent);
  }

  void look_beyond(std::size_t k, Agent agent) {
    fetch(k);
    look(stage_.id(k));
    enter(stage_.id(k), agent, stage_steps_[k]);
    for (std::size_t step = stack_.back().first_step; step < steps_.size() && going_; ++step)
      if (!steps_[step].again) try_beyond(steps_[step]);
    leave();
  }

  void try_beyond(const Candidate& step) {
    copy_top();
    const Outcome outcome = step.guard.ok() ? model_.apply(state_, step.instance, overwritten_) : step.guard;
    if (recorder_.is_violation(outcome)) return stop_at_bound();
    if (!outcome.is_blocked()) recorder_.fire(step.instance);
    if (!outcome.has_successor()) return;
    Agent nobody = 0;
    canonicalise(nobody);
    if (!has_room(1)) return stop(Ending::memory_limit);
    if (!store_.insert(state_, store_.hash(state_)).fresh) return;
    beyond_ = 1;
    stop_at_bound();
  }

  void stop_at_bound() {
    stop(Ending::bound);
    recorder_.result.scope.switches = settings_.switches;
    recorder_.result.scope.depth = options_.max_depth;
  }

  // A state at which nobody has run lies at the depth bound.
  [[nodiscard]] bool reaches_depth_bound() const {
    if (!options_.max_depth) return false;
    for (std::uint64_t id = 0; id < nodes_.size(); ++id)
      if (!visited_.has_ever_any(StateId{id})) return true;
    return false;
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

  [[nodiscard]] std::uint64_t stack_bytes() const {
    return stack_.bytes() + steps_.bytes() + stacked_words_.size() * 8;
  }

  [[nodiscard]] bool has_room(std::uint64_t states) {
    return reserve_beside(store_, states, options_.memory_limit, [this] { return bytes(); });
  }

  [[nodiscard]] std::uint64_t bytes() const {
    return store_.bytes() + nodes_.bytes() + visited_.bytes() + stage_.bytes() + next_stage_.bytes() +
           (stage_steps_.size() + next_stage_steps_.size()) * sizeof(std::uint64_t) + stack_bytes();
  }

  void pause() {
    recorder_.result.statistics.stack_bytes = std::max(recorder_.result.statistics.stack_bytes, stack_bytes());
    if (bytes() > options_.memory_limit) return stop(Ending::memory_limit);
    const Progress progress{.states = store_.size(),
                            .transitions = recorder_.result.statistics.transitions,
                            .depth = deepest_,
                            .queue = stage_.size() + next_stage_.size(),
                            .bytes = bytes()};
    if (!options_.tick(progress)) stop(Ending::time_or_user);
  }

  SearchResult finish() {
    if (going_ && reaches_depth_bound()) stop_at_bound();
    SearchResult result = recorder_.finish(store_, deepest_, bytes());
    result.statistics.states -= beyond_;
    return result;
  }

  // From where a state was reached, and in how many steps: the first time, or under a depth bound by a shortest run.
  struct Node {
    std::uint64_t parent;
    std::uint64_t length;
  };

  M& model_;
  S& store_;
  const SearchOptions& options_;
  const Guidance& guidance_;
  const BiasedDfsSettings settings_;
  AgentSymmetry* const symmetry_;
  const std::uint32_t words_;
  Recorder recorder_;
  std::mt19937_64 random_;
  bool going_ = true;

  GrowingArray<Node> nodes_{options_.memory_limit};  // by id
  VisitedAgents visited_;

  StateBuffer state_;  // the one at hand
  StateBuffer moved_;
  Undo overwritten_;
  Batch batch_;
  Look look_;        // at the state at hand
  Look stage_look_;  // at the state of this stage whose agents have their turns

  Stage stage_, next_stage_;
  PlainList<std::uint64_t> stage_steps_, next_stage_steps_;  // of the runs that led to their states
  PlainList<Frame> stack_;
  PlainList<Candidate> steps_;
  PlainList<std::uint64_t> stacked_words_;

  Pace pace_;
  std::uint64_t deepest_ = 0;
  std::uint64_t beyond_ = 0;  // states in the store that lie beyond the bound
};

}  // namespace fathom
