// Depth-first search under a depth bound that is raised step by step (Udupa, Desai, Rajamani: Depth Bounded
// Explicit-State Model Checking, SPIN 2011). After each bound exactly the states nearer than it are explored, and
// exactly those at it wait in the frontier: the breadth-first guarantee, with the memory of a depth-first search. Only
// the top of the stack is held in full, and the frontier need not be held in full either.
//
// Parts: the table that decides when a state is explored again (bounded_dfs_naive.hpp, bounded_dfs_depth.hpp,
// bounded_dfs_threshold.hpp), the frontier (frontier_kinds.hpp), and the walk with its undo log (frontier_walk.hpp).
// Every state seen, frontier states included, is in the store and was checked once, when it was met first. Traces are
// not shortest: a state may be met first on a longer path within the bound.
#pragma once

#include <algorithm>
#include <memory>
#include <optional>
#include <random>
#include <utility>

#include "search/bounded_dfs_table.hpp"
#include "search/deadlock.hpp"
#include "search/frontier_kinds.hpp"
#include "search/recorder.hpp"
#include "store/room.hpp"
#include "store/store.hpp"
#include "support/plain_list.hpp"

namespace fathom {

struct DeepeningPlan {
  std::optional<std::uint64_t> bound = std::nullopt;  // the last one; none: until nothing is left
  std::uint64_t step = 0;                             // from one bound to the next; 0: straight to the last one
  FrontierKind frontier = FrontierKind::tree;

  [[nodiscard]] Depth last(std::optional<std::uint64_t> max_depth) const {
    return clamp_depth(std::min(bound.value_or(UINT64_MAX), max_depth.value_or(UINT64_MAX)));
  }
  // The bound after this one.
  [[nodiscard]] Depth after(Depth from, Depth last) const {
    const std::uint64_t raise =
        step == 0 ? DepthTable::max_depth : std::min<std::uint64_t>(step, DepthTable::max_depth);
    return std::min(last, clamp_depth(static_cast<std::uint64_t>(from) + raise));
  }
};

template <Model M, StateSet S, class Revisit>
requires(S::known_ids) class BoundedDfs {
 public:
  BoundedDfs(M& model, S& store, const SearchOptions& options, const DeepeningPlan& deepening)
      : model_(model),
        store_(store),
        options_(options),
        deepening_(deepening),
        limit_(deepening.last(options.max_depth)),
        recorder_(options),
        random_(options.seed),
        walk_(model, options.canonicaliser, tree_),
        frontier_(make_frontier(deepening.frontier)),
        beyond_(make_frontier(deepening.frontier)) {}

  SearchResult run() {
    return run([](const BoundedDfs&) {});
  }

  // IterBoundedDfs (Fig. 2). The observer sees the search after each bound that was completed.
  template <class Observer>
  SearchResult run(Observer observe) {
    start();
    while (going_ && frontier_->waiting() > 0 && bound_ < limit_) {
      explore_from_frontier();
      if (going_) observe(*this);
    }
    if (going_ && frontier_->waiting() > 0) look_beyond();
    return finish();
  }

  // ---- For other searches, during an observation and after run().

  // The bound that was completed last.
  [[nodiscard]] std::uint64_t bound() const { return static_cast<std::uint64_t>(completed_.back().bound); }

  // Visits the ids of exactly the states within `depth` steps of a start state; a search for lassos can be confined to
  // them (section 7 of the paper). False, and no visit, where they are not known: `depth` must be a bound that was
  // completed, or lie beyond the last one when that left nothing, and the table must be sound. The store then gives
  // the states, where it keeps them.
  template <class Visit>
  bool for_each_state_within(std::uint64_t depth, Visit visit) const {
    if (!Revisit::sound || completed_.empty()) return false;
    auto layer = std::ranges::find(completed_, clamp_depth(depth), &Completed::bound);
    if (layer == completed_.end() && exhausted_ && depth > bound()) --layer;
    if (layer == completed_.end()) return false;
    for (std::uint64_t id = 0; id < layer->states; ++id) visit(StateId{id});
    return true;
  }

  template <class Visit>
  void for_each_frontier_state(Visit visit) const {
    for (Place place = 0; place < frontier_->places(); ++place)
      if (frontier_->occupied(place)) visit(frontier_->id(place));
  }

  [[nodiscard]] Revisit& revisit() { return revisit_; }

 private:
  using Place = typename Frontier<M>::Place;

  struct Candidate {
    InstanceId instance;
    Outcome guard;  // a fault in the guard
  };

  struct Frame {
    StateId id;
    std::size_t first_step;  // its steps are at the end of steps_, from here on ...
    std::size_t next_step;   // ... and this one is tried next
    Depth threshold = -1;    // what its successors said so far
    bool counting = true;    // false for a state explored again: its steps and errors were counted before
    bool enabled = false;    // some step can be taken ...
    bool moves = false;      // ... and some step leads to another state
  };

  // Ids are given in the order of discovery, so the states within a bound are those below a number.
  struct Completed {
    Depth bound;
    std::uint64_t states;
  };

  std::unique_ptr<Frontier<M>> make_frontier(FrontierKind kind) {
    if (kind == FrontierKind::traces) return std::make_unique<TraceFrontier<M>>(numbers_);
    if (kind == FrontierKind::tree) return std::make_unique<TreeFrontier<M>>(tree_);
    typename StateFrontier<M>::StateOf state_of;
    if constexpr (S::keeps_states) state_of = [this](StateId id) { return store_.state(id); };
    return std::make_unique<StateFrontier<M>>(tree_, std::move(state_of));
  }

  // The start states are the frontier of bound 0.
  void start() {
    Batch starts;
    model_.initial(starts);
    for (std::uint32_t k = 0; k < starts.size() && going_; ++k) {
      if (starts.outcome(k).is_fault()) {
        violated({Violation::Kind::fault, 0, starts.outcome(k).site()}, {}, starts.instance(k));
      } else if (starts.outcome(k).ok()) {
        if (options_.canonicaliser != nullptr) options_.canonicaliser->canonicalise(starts.words(k));
        walk_.start(walk_.add_start({starts.words(k), model_.state_words()}));
        visit();
      }
    }
    complete_bound();
  }

  // BoundedDfsFromFrontier (Fig. 2), up to the next bound. Entries are given up as soon as they are done with.
  void explore_from_frontier() {
    const Depth from = bound_;
    bound_ = deepening_.after(bound_, limit_);
    for (Place place = 0; place < frontier_->places() && going_; ++place) {
      if (!frontier_->occupied(place)) continue;
      if (const StateId id = frontier_->id(place); revisit_.must_explore(id, from)) {
        go_to(place, from);
        open(id);
        explore();
      }
      frontier_->remove(place);
    }
    complete_bound();
  }

  // BoundedDfs (Figs. 3, 5, 6) on an explicit stack.
  void explore() {
    while (going_ && !stack_.empty()) {
      if (stack_.back().next_step == steps_.size())
        leave();
      else
        take(steps_[stack_.back().next_step++]);
    }
  }

  // Takes one step of the frame on top and visits where it leads.
  void take(const Candidate step) {
    Frame& frame = stack_.back();
    const bool counting = frame.counting;
    hush(!counting);
    const Outcome outcome = step.guard.ok() ? walk_.take(step.instance) : step.guard;
    if (outcome.is_blocked()) return;
    frame.enabled = true;
    frame.moves = frame.moves || outcome.is_fault() || walk_.moved();
    if (counting) recorder_.fire(step.instance);
    if (counting && recorder_.is_violation(outcome)) report_fault(outcome, step.instance);
    if (outcome.has_successor() && going_) visit();
  }

  // The run to a failing step ends in the state it is taken from.
  void report_fault(Outcome outcome, InstanceId step) {
    std::vector<StateBuffer> run = path();
    if (outcome.has_successor() && !run.empty()) run.pop_back();
    violated({Violation::Kind::fault, 0, outcome.site()}, std::move(run), step);
  }

  // Looks at the state the walk has come to. If it is not to be explored, the walk goes back to where it came from.
  void visit() {
    if (!has_room(1)) return stop(Ending::memory_limit);
    const auto [id, fresh] = store_.insert(walk_.state(), store_.hash(walk_.state()));
    if (fresh) discover();
    if (!going_) return;
    const Depth at = depth();
    const bool explore = revisit_.must_explore(id, at);
    if (explore && at < bound_) return open(id);
    if (explore && !revisit_.waits(id)) wait(id);
    if (!stack_.empty()) return_with(explore ? at : revisit_.depth(id));
  }

  void discover() {
    revisit_.add_state();
    deepest_ = std::max(deepest_, depth());
    if (!options_.check_states) return;
    hush(false);
    const std::vector<Violation>& violations = recorder_.examine(model_, walk_.state());
    if (violations.empty()) return;
    const std::vector<StateBuffer> run = path();
    for (const Violation& violation : violations) violated(violation, run, std::nullopt);
  }

  void wait(StateId id) {
    if (beyond_->full() || tree_.full()) return stop(Ending::memory_limit);
    revisit_.wait(id, beyond_->add(id, walk_));
    frontier_peak_ = std::max(frontier_peak_, frontier_bytes());
    if (bytes() > options_.memory_limit) stop(Ending::memory_limit);
  }

  void open(StateId id) {
    const bool again = revisit_.explored(id);
    if (again) ++recorder_.result.statistics.revisits;
    if (revisit_.waits(id)) beyond_->remove(revisit_.place(id));
    revisit_.enter(id, depth());
    stack_.push_back({.id = id, .first_step = steps_.size(), .next_step = steps_.size(), .counting = !again});
    hush(again);
    batch_.clear();
    model_.enabled(walk_.state(), batch_);
    for (std::uint32_t k = 0; k < batch_.size(); ++k) steps_.push_back({batch_.instance(k), batch_.outcome(k)});
    reorder(steps_.begin() + static_cast<std::ptrdiff_t>(stack_.back().first_step));
    stack_peak_ = std::max(stack_peak_, stack_bytes());
    pause_now_and_then();
  }

  void leave() {
    const Frame frame = stack_.back();
    if (frame.counting && is_deadlock(model_, options_, walk_.state(), frame.enabled, frame.moves))
      violated({Violation::Kind::deadlock}, path(), std::nullopt);
    if (!going_) return;
    revisit_.leave(frame.id, frame.threshold);
    steps_.resize(frame.first_step);
    stack_.pop_back();
    if (!stack_.empty()) return_with(revisit_.depth(frame.id));
  }

  // Goes back to the state of the frame on top and tells it the threshold of the successor.
  void return_with(Depth threshold) {
    walk_.back();
    stack_.back().threshold = std::max(stack_.back().threshold, threshold - 1);
  }

  void complete_bound() {
    if (!going_) return;
    frontier_->clear();
    std::swap(frontier_, beyond_);
    for_each_frontier_state([&](StateId id) { revisit_.leave_frontier(id); });
    completed_.push_back({bound_, store_.size()});
  }

  // The states at the last bound are not explored. We only want to know whether that leaves something out: a new state,
  // or a step that goes wrong or a deadlock, which are not looked for there and so must not be vouched for. Where this
  // pass is cut short we assume so.
  void look_beyond() {
    something_beyond_ = true;
    if (!Revisit::sound) return;
    for (Place place = 0; place < frontier_->places(); ++place) {
      if (!frontier_->occupied(place)) continue;
      go_to(place, bound_);
      pause_now_and_then();
      if (!going_ || leads_beyond()) {
        going_ = true;
        return;
      }
    }
    something_beyond_ = false;
  }

  bool leads_beyond() {
    batch_.clear();
    model_.successors(walk_.state(), batch_);
    if (!has_room(batch_.size())) return true;
    bool moves = false;
    for (std::uint32_t k = 0; k < batch_.size(); ++k) {
      if (recorder_.is_violation(batch_.outcome(k))) return true;
      const StateView next(batch_.words(k), model_.state_words());
      moves = moves || !std::ranges::equal(next, walk_.state());
      if (!batch_.outcome(k).has_successor()) continue;
      if (options_.canonicaliser != nullptr) options_.canonicaliser->canonicalise(batch_.words(k));
      if (store_.insert(next, store_.hash(next)).fresh) return true;
    }
    return is_deadlock(model_, options_, walk_.state(), !batch_.empty(), moves);
  }

  void go_to(Place place, Depth from) {
    hush(true);
    frontier_->go_to(place, static_cast<std::uint32_t>(from), walk_);
  }

  [[nodiscard]] Depth depth() const { return static_cast<Depth>(walk_.depth()); }

  // The run to where the walk stands. It is wanted for the first violation only.
  std::vector<StateBuffer> path() {
    if (recorder_.result.first) return {};
    hush(true);
    return walk_.path();
  }

  void violated(const Violation& violation, std::vector<StateBuffer> run, std::optional<InstanceId> failing_step) {
    if (recorder_.count(violation))
      recorder_.result.first = Counterexample{violation, std::move(run), failing_step, false};
    if (recorder_.finished()) stop(Ending::error_limit);
  }

  // Steps that are only repeated print nothing and count for no cover.
  void hush(bool on) {
    if (on != quiet_) model_.quiet(on);
    quiet_ = on;
  }

  void reorder(typename PlainList<Candidate>::iterator first) {
    if (options_.order == Order::reverse) std::reverse(first, steps_.end());
    if (options_.order == Order::random) std::shuffle(first, steps_.end(), random_);
  }

  void stop(Ending ending) {
    going_ = false;
    recorder_.result.ending = ending;
  }

  [[nodiscard]] std::uint64_t frontier_bytes() const {
    return frontier_->bytes() + beyond_->bytes() + tree_.bytes() + numbers_.bytes();
  }
  [[nodiscard]] std::uint64_t stack_bytes() const { return walk_.bytes() + stack_.bytes() + steps_.bytes(); }
  [[nodiscard]] bool has_room(std::uint64_t states) {
    return reserve_beside(store_, states, options_.memory_limit, [this] { return bytes(); });
  }

  [[nodiscard]] std::uint64_t bytes() const {
    return store_.bytes() + revisit_.bytes() + frontier_bytes() + stack_bytes();
  }

  // Repeating the way to a frontier state is work as much as exploring is, so we go by the steps taken.
  void pause_now_and_then() {
    if (walk_.taken() < next_pause_) return;
    next_pause_ = walk_.taken() + 2048;
    if (bytes() > options_.memory_limit) return stop(Ending::memory_limit);
    const Progress progress{.states = store_.size(),
                            .transitions = recorder_.result.statistics.transitions,
                            .depth = std::uint64_t(deepest_),
                            .queue = frontier_->waiting() + beyond_->waiting(),
                            .bytes = bytes()};
    if (!options_.tick(progress)) stop(Ending::time_or_user);
  }

  SearchResult finish() {
    hush(false);
    exhausted_ = going_ && Revisit::sound && !something_beyond_;
    // The pass beyond the bound may have left a state in the store that was not checked.
    const std::uint64_t states = something_beyond_ ? completed_.back().states : store_.size();
    describe_scope();
    const std::uint64_t most_bytes = store_.bytes() + revisit_.bytes() + stack_peak_ + frontier_peak_;
    SearchResult result = recorder_.finish(store_, std::uint64_t(deepest_), most_bytes);
    result.statistics.states = states;
    result.statistics.stack_bytes = stack_peak_;
    result.statistics.frontier_bytes = frontier_peak_;
    return result;
  }

  void describe_scope() {
    SearchResult& result = recorder_.result;
    if (going_ && !Revisit::sound) {
      result.ending = Ending::incomplete;
      result.scope.gap =
          "with revisit=naive a state met again on a shorter path is not explored again, so states within the bound "
          "may "
          "have been left out";
    } else if (going_) {
      result.ending = something_beyond_ ? Ending::bound : Ending::exhausted;
      if (something_beyond_) result.scope.depth = bound();
    } else if (Revisit::sound && result.ending != Ending::error_limit && !completed_.empty() && bound() > 0) {
      result.scope.depth = bound();
    }
  }

  M& model_;
  S& store_;
  const SearchOptions& options_;
  const DeepeningPlan deepening_;
  const Depth limit_;
  Recorder recorder_;
  std::mt19937_64 random_;

  StepTree tree_;
  StepNumbers numbers_;  // of the steps in traces
  Walk<M> walk_;
  std::unique_ptr<Frontier<M>> frontier_;  // where this iteration starts ...
  std::unique_ptr<Frontier<M>> beyond_;    // ... and where the next one will: outFrontier in the paper
  Revisit revisit_;
  PlainList<Frame> stack_;
  PlainList<Candidate> steps_;
  Batch batch_;

  Depth bound_ = 0;  // that is being explored
  std::vector<Completed> completed_;
  bool going_ = true;
  bool quiet_ = false;
  bool something_beyond_ = false;
  bool exhausted_ = false;
  Depth deepest_ = 0;
  std::uint64_t next_pause_ = 0;
  std::uint64_t stack_peak_ = 0;
  std::uint64_t frontier_peak_ = 0;
};

}  // namespace fathom
