// Depth-first search on an explicit stack. Only the top state is held in full; below it lie the words each step
// overwrote and the steps still to be tried, so a deep stack costs little and the depth is bounded by memory alone.
//
// Under a depth bound a state that comes back on a shorter path is opened again, since more may be within reach from
// there; without that the search would miss states inside the bound (Udupa, Desai, Rajamani, SPIN 2011: Fig. 3 is the
// unsound search, Fig. 5 the one below).
//
// Under a reduction only the steps it chose are taken, and nothing must be put off for ever. Where a strongly connected
// component of the reduced graph has a way out, what was put off in it has its turn behind that; one without needs a
// state that takes all its steps (Valmari, 1991), and that is the state it was entered by, which is left last.
// Components are found as Tarjan does (1972). A chosen step that leads nowhere has nothing behind it, and then all
// steps are taken as well.
//
// A reduction that removes processes as soon as it can hides how many there could have been. No run has more than it
// creates, so we count how many processes are created on a way from each state on; in a component, without end.
#pragma once

#include <algorithm>
#include <random>
#include <ranges>
#include <utility>

#include "search/deadlock.hpp"
#include "search/pace.hpp"
#include "search/recorder.hpp"
#include "store/room.hpp"
#include "store/store.hpp"
#include "support/plain_list.hpp"

namespace fathom {

template <Model M, StateSet S>
requires(S::known_ids) class DepthFirst {
 public:
  DepthFirst(M& model, S& store, const SearchOptions& options)
      : model_(model),
        store_(store),
        options_(options),
        words_(model.state_words()),
        recorder_(options),
        random_(options.seed),
        removes_ended_(options.reduction != nullptr && options.reduction->removes_ended()) {}

  SearchResult run() {
    Batch starts;
    model_.initial(starts);
    for (std::uint32_t k = 0; k < starts.size() && going_; ++k) {
      if (starts.outcome(k).is_fault()) {
        violated({Violation::Kind::fault, 0, starts.outcome(k).site()}, {}, starts.instance(k));
      } else if (starts.outcome(k).ok()) {
        top_.assign(starts.words(k), starts.words(k) + words_);
        canonicalise(top_);
        if (removes_ended_) at_start_ = options_.reduction->processes(top_);
        visit();
        explore();
      }
    }
    return finish();
  }

 private:
  struct Candidate {
    InstanceId instance;
    Outcome guard;  // a fault in the guard
  };

  struct Frame {
    StateId id;
    std::size_t first_step;   // its steps are at the end of steps_, from here on ...
    std::size_t next_step;    // ... and this one is tried next
    std::size_t end_step;     // before this one; those behind it are left out by a reduction
    std::size_t first_undo;   // the words that lead back to the state below are at the end of undo_, from here on
    bool counting;            // false for a state opened again: its steps and errors were counted before
    bool enabled = false;     // some step can be taken ...
    bool moves = false;       // ... and some step leads to another state
    bool breaks_off = false;  // some step leads nowhere
    // Under a reduction, of the part of its component that was found behind it:
    std::uint32_t rank = 0;    // in the order of discovery
    std::uint32_t low = 0;     // of the first state of the component that is known to be within reach
    bool leads_out = false;    // to another component
    bool has_full = false;     // some state takes all its steps
    std::uint8_t created = 0;  // processes, by the step that led here
    std::uint8_t creates = 0;  // on a way from here on, at most
  };

  static constexpr std::uint32_t not_expanded = UINT32_MAX;
  static constexpr std::uint32_t left = UINT32_MAX;

  void explore() {
    while (going_ && !stack_.empty()) {
      Frame& frame = stack_.back();
      if (frame.next_step == frame.end_step && needs_all_steps(frame)) {
        frame.end_step = steps_.size();
        frame.has_full = true;
      }
      if (frame.next_step == frame.end_step)
        leave();
      else
        take(steps_[frame.next_step++]);
    }
  }

  [[nodiscard]] bool needs_all_steps(const Frame& frame) const {
    if (frame.end_step == steps_.size() || options_.proviso != Proviso::sound) return false;
    const bool is_put_off_for_ever = frame.low == frame.rank && !frame.leads_out && !frame.has_full;
    return frame.breaks_off || is_put_off_for_ever;
  }

  // Takes one step of the frame on top and visits where it leads; top_ comes back unless a new frame was entered.
  void take(const Candidate step) {
    if (pace_.is_due(1)) pause();
    Frame& frame = stack_.back();
    below_ = top_;
    const Outcome outcome = step.guard.ok() ? model_.apply(top_, step.instance, overwritten_) : step.guard;
    if (outcome.is_blocked()) {
      top_ = below_;
      return;
    }
    frame.enabled = true;
    frame.moves = frame.moves || outcome.is_fault() || top_ != below_;
    const bool counting = frame.counting;
    if (counting) recorder_.fire(step.instance);
    frame.breaks_off = frame.breaks_off || !outcome.has_successor();
    if (counting && recorder_.is_violation(outcome)) report_fault(outcome.site(), step.instance);
    if (outcome.has_successor() && going_) {
      canonicalise(top_);
      if (visit()) return;
    }
    top_ = below_;
  }

  void report_fault(ir::SiteId site, InstanceId step) {
    const StateBuffer reached = std::exchange(top_, below_);
    violated({Violation::Kind::fault, 0, site}, path_to_top(), step);
    top_ = reached;
  }

  // Looks at the state on top. If it is new, or under a bound nearer than before, it gets a frame.
  bool visit() {
    if (!reserve_beside(store_, 1, options_.memory_limit, [this] { return bytes(); })) {
      stop(Ending::memory_limit);
      return false;
    }
    const auto [id, fresh] = store_.insert(top_, store_.hash(top_));
    if (fresh) discover();
    note_successor(id, fresh);
    if (!going_ || !worth_expanding(id, fresh)) return false;
    enter(id, fresh || first_expansion_);
    return true;
  }

  void note_successor(StateId id, bool fresh) {
    if (options_.reduction == nullptr) return;
    if (fresh) add_to_components();
    if (fresh || stack_.empty()) return;
    if (ranks_[index_of(id)] == left) {
      stack_.back().leads_out = true;
      if (removes_ended_) note_creations(created(), creations_[index_of(id)]);
    } else {
      stack_.back().low = std::min(stack_.back().low, ranks_[index_of(id)]);
      if (removes_ended_ && created() > 0) note_creations(without_end, 0);
    }
  }

  void add_to_components() {
    ranks_.push_back(0);
    if (removes_ended_) creations_.push_back(0);
  }

  // Processes that the last step has created.
  [[nodiscard]] std::uint8_t created() const {
    const std::uint64_t before = options_.reduction->processes(below_), after = options_.reduction->processes(top_);
    return static_cast<std::uint8_t>(after > before ? after - before : 0);
  }

  // On a way from the topmost state: by its first step and behind that.
  void note_creations(std::uint64_t at_once, std::uint64_t behind) {
    const std::uint64_t all = std::min<std::uint64_t>(at_once + behind, without_end);
    stack_.back().creates = std::max(stack_.back().creates, static_cast<std::uint8_t>(all));
  }

  void discover() {
    deepest_ = std::max<std::uint64_t>(deepest_, stack_.size());
    if (options_.max_depth) expanded_at_.push_back(not_expanded);
    if (!options_.check_states) return;
    const std::vector<Violation>& violations = recorder_.examine(model_, top_);
    if (violations.empty()) return;
    const StateBuffer found = std::exchange(top_, below_);
    std::vector<StateBuffer> path = path_to_top();
    top_ = found;
    path.push_back(found);
    for (const Violation& violation : violations) violated(violation, path, std::nullopt);
  }

  bool worth_expanding(StateId id, bool fresh) {
    if (!options_.max_depth) return fresh;
    if (stack_.size() >= *options_.max_depth) return false;
    std::uint32_t& expanded_at = expanded_at_[index_of(id)];
    if (stack_.size() >= expanded_at) return false;
    first_expansion_ = expanded_at == not_expanded;
    if (!first_expansion_) ++recorder_.result.statistics.revisits;
    expanded_at = static_cast<std::uint32_t>(stack_.size());
    return true;
  }

  void enter(StateId id, bool counting) {
    stack_.push_back({id, steps_.size(), steps_.size(), steps_.size(), undo_.size(), counting});
    if (removes_ended_ && stack_.size() > 1) stack_.back().created = created();
    if (stack_.size() > 1)
      for (std::uint32_t k = 0; k < words_; ++k)
        if (top_[k] != below_[k]) undo_.push_back({k, below_[k]});
    batch_.clear();
    model_.enabled(top_, batch_);
    if (!push_chosen_steps()) push_steps([](std::uint32_t) { return true; });
    if (pace_.is_due(batch_.size())) pause();
  }

  template <class Test>
  void push_steps(Test test) {
    const auto first = static_cast<std::ptrdiff_t>(steps_.size());
    for (std::uint32_t k = 0; k < batch_.size(); ++k)
      if (test(k)) steps_.push_back({batch_.instance(k), batch_.outcome(k)});
    reorder(steps_.begin() + first);
    stack_.back().end_step = steps_.size();
  }

  // The chosen steps come first, and behind them those that may still be needed.
  bool push_chosen_steps() {
    if (options_.reduction == nullptr) return false;
    Frame& frame = stack_.back();
    if (last_rank_ + 1 == left) stop(Ending::memory_limit);  // ranks are 32 bits wide
    ranks_[index_of(frame.id)] = frame.rank = frame.low = static_cast<std::uint32_t>(++last_rank_);
    open_.push_back(frame.id);
    frame.has_full = true;
    if (!options_.reduction->pays() || !options_.reduction->select(top_, batch_, 0, batch_.size(), chosen_))
      return false;
    const auto is_chosen = [this](std::uint32_t k) { return std::ranges::binary_search(chosen_, k); };
    push_steps(is_chosen);
    const std::size_t end = steps_.size();
    push_steps([&](std::uint32_t k) { return !is_chosen(k); });
    frame.end_step = end;
    frame.has_full = false;
    return true;
  }

  void leave() {
    const Frame frame = stack_.back();
    if (frame.end_step < steps_.size()) ++recorder_.result.statistics.reduced;
    if (options_.reduction != nullptr) leave_component(frame);
    if (frame.counting && is_deadlock(model_, options_, top_, frame.enabled, frame.moves))
      violated({Violation::Kind::deadlock}, path_to_top(), std::nullopt);
    steps_.resize(frame.first_step);
    step_back(top_, frame, undo_.size());
    undo_.resize(frame.first_undo);
    stack_.pop_back();
    if (removes_ended_) leave_creations(frame);
  }

  void leave_creations(const Frame& frame) {
    if (stack_.empty()) {
      most_processes_ = std::max<std::uint64_t>(most_processes_, at_start_ + frame.creates);
      return;
    }
    const bool in_one_component = frame.low < frame.rank;
    note_creations(in_one_component && frame.created > 0 ? without_end : frame.created, frame.creates);
  }

  // What was found behind the topmost state becomes a part of what was found behind the one below, or is a component.
  void leave_component(const Frame& frame) {
    Frame* const below = stack_.size() > 1 ? &stack_[stack_.size() - 2] : nullptr;
    if (frame.low < frame.rank) {
      below->low = std::min(below->low, frame.low);
      below->leads_out = below->leads_out || frame.leads_out;
      below->has_full = below->has_full || frame.has_full;
      return;
    }
    if (below != nullptr) below->leads_out = true;
    StateId last{};
    do {
      last = open_.back();
      ranks_[index_of(last)] = left;
      if (removes_ended_) creations_[index_of(last)] = frame.creates;
      open_.pop_back();
    } while (last != frame.id);
  }

  void step_back(StateBuffer& state, const Frame& frame, std::size_t undo_end) const {
    for (std::size_t k = frame.first_undo; k < undo_end; ++k) state[undo_[k].index] = undo_[k].old;
  }

  // The states on the stack, given that top_ is the state of the topmost frame.
  std::vector<StateBuffer> path_to_top() const {
    std::vector<StateBuffer> path;
    StateBuffer state = top_;
    std::size_t undo_end = undo_.size();
    for (const Frame& frame : std::views::reverse(stack_)) {
      path.push_back(state);
      step_back(state, frame, undo_end);
      undo_end = frame.first_undo;
    }
    std::reverse(path.begin(), path.end());
    return path;
  }

  void violated(const Violation& violation, std::vector<StateBuffer> path, std::optional<InstanceId> failing_step) {
    if (recorder_.count(violation))
      recorder_.result.first = Counterexample{violation, std::move(path), failing_step, false};
    if (recorder_.finished()) stop(Ending::error_limit);
  }

  void canonicalise(StateBuffer& state) {
    if (options_.canonicaliser != nullptr) options_.canonicaliser->canonicalise(state.data());
  }

  void reorder(typename PlainList<Candidate>::iterator first) {
    if (options_.order == Order::reverse) std::reverse(first, steps_.end());
    if (options_.order == Order::random) std::shuffle(first, steps_.end(), random_);
  }

  void stop(Ending ending) {
    going_ = false;
    recorder_.result.ending = ending;
  }

  [[nodiscard]] std::uint64_t bytes() const {
    return store_.bytes() + stack_.bytes() + steps_.bytes() + undo_.bytes() +
           (expanded_at_.size() + ranks_.size()) * sizeof(std::uint32_t) + open_.bytes() + creations_.size();
  }

  void pause() {
    if (bytes() > options_.memory_limit) return stop(Ending::memory_limit);
    const Progress progress{.states = store_.size(),
                            .transitions = recorder_.result.statistics.transitions,
                            .depth = deepest_,
                            .queue = steps_.size(),
                            .bytes = bytes()};
    if (!options_.tick(progress)) stop(Ending::time_or_user);
  }

  SearchResult finish() {
    if (going_ && std::ranges::count(expanded_at_, not_expanded) > 0) {
      recorder_.result.ending = Ending::bound;
      recorder_.result.scope.depth = options_.max_depth;
    }
    SearchResult result = recorder_.finish(store_, deepest_, bytes());
    result.statistics.most_processes = most_processes_;
    return result;
  }

  M& model_;
  S& store_;
  const SearchOptions& options_;
  std::uint32_t words_;
  Recorder recorder_;
  std::mt19937_64 random_;
  bool going_ = true;

  StateBuffer top_;    // the state on top of the stack, or the one being visited
  StateBuffer below_;  // the state the last step was taken from
  Undo overwritten_;
  Batch batch_;
  PlainList<Frame> stack_;
  PlainList<Candidate> steps_;
  PlainList<Undo::Word> undo_;

  // Under a reduction.
  PlainList<std::uint32_t> ranks_;  // per state: its rank, or that its component was left
  PlainList<StateId> open_;         // states of components that were not left yet
  std::uint64_t last_rank_ = 0;
  std::vector<std::uint32_t> chosen_;

  // Under one that removes processes.
  static constexpr std::uint8_t without_end = UINT8_MAX;
  const bool removes_ended_;
  PlainList<std::uint8_t> creations_;  // per state whose component was left
  std::uint64_t at_start_ = 0;         // processes
  std::uint64_t most_processes_ = 0;

  PlainList<std::uint32_t> expanded_at_;  // under a bound: the smallest depth at which a state was expanded
  bool first_expansion_ = false;
  std::uint64_t deepest_ = 0;
  Pace pace_;
};

}  // namespace fathom
