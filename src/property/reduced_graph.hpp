// Partial order reduction for properties of runs. The reduced graph of the model is settled first, by a depth-first
// search of the model alone; what the automaton does plays no part in it. Only then is the product searched, and there
// every state has the steps that were settled.
//
// That way the textbook conditions are those of one fixed graph: a state that leaves out steps takes invisible ones
// only, and none that leads back into the stack of the first search, so each cycle has a state with all its steps. A
// reduction that is decided in the product may choose other steps for the same state of the model, and is wrong in
// general (Siegel, CAV 2019); nested searches have the same trouble (Holzmann, Peled, Yannakakis, SPIN 1996,
// section 5.2), which one bit for each state, as here, cures.
#pragma once

#include <algorithm>
#include <array>
#include <functional>
#include <vector>

#include "reduction/reduction.hpp"
#include "search/search.hpp"
#include "store/indexed_store.hpp"
#include "support/plain_list.hpp"
#include "support/sealed_file.hpp"

namespace fathom {

template <Model M>
class ReducedGraph {
 public:
  // How the settling ended: `pointless` when the reduction hardly leaves anything out, or when there are more states
  // than options.max_nodes.
  enum class End : std::uint8_t { complete, pointless, stopped, out_of_memory };

  // What must not be left out of the rules; all but `sound` exist for tests that show what goes wrong otherwise.
  enum class Rules : std::uint8_t { sound, no_proviso, one_step_leads_away, choices_not_repeated };

  ReducedGraph(M& model, IndexedStore& store, const SearchOptions& options, Rules rules = Rules::sound)
      : model_(model), store_(store), options_(options), rules_(rules) {}

  // Asked now and then whether it is time to save what was settled so far, which is also done when a limit or the user
  // ends it.
  std::function<bool()> save_due;
  std::function<void()> save;
  // How many states are settled between two questions of this kind.
  void set_pace(std::uint64_t states) { pace_ = states; }

  End settle() {
    explore_rest();  // of a graph that was read
    Batch starts;
    model_.initial(starts);
    if (!store_.reserve(starts.size())) return End::out_of_memory;
    std::vector<StateId> ids;
    for (std::uint32_t k = 0; k < starts.size(); ++k)
      if (starts.outcome(k).ok()) ids.push_back(store_.insert(starts.state(k), store_.hash(starts.state(k))).id);
    for (const StateId id : ids)
      if (end_ == End::complete && !has(id, visited)) {
        enter(id);
        explore_rest();
      }
    return end_;
  }

  // What is settled, without the store, and how far the search has come that settles it.
  void write(SealedWriter& out) const {
    options_.reduction->write(out);
    out.byte_list(flags_);
    out.list({entered_, reduced_states_, offered_, left_out_});
    out.number(stack_.size());
    for (const Frame& frame : stack_) out.words(std::array{index_of(frame.id), frame.first, frame.next});
    out.number(successors_.size());
    for (const StateId id : successors_) out.number(index_of(id));
  }

  void read(SealedReader& in) {
    options_.reduction->read(in);
    flags_ = in.byte_list();
    std::vector<std::uint64_t> counts = in.list();
    counts.resize(4);
    entered_ = counts[0];
    reduced_states_ = counts[1];
    offered_ = counts[2];
    left_out_ = counts[3];
    for (std::uint64_t left = in.number(); left > 0; --left) {
      std::array<std::uint64_t, 3> row;
      in.words(row);
      stack_.push_back({StateId{row[0]}, row[1], row[2]});
    }
    for (std::uint64_t left = in.number(); left > 0; --left) successors_.push_back(StateId{in.number()});
  }

  // Of the steps of a state, those it keeps; false: all of them.
  bool select(StateId id, StateView state, const Batch& steps, std::vector<std::uint32_t>& chosen) {
    const bool leaves_out = has(id, reduced) || rules_ == Rules::choices_not_repeated;
    return leaves_out && options_.reduction->select(state, steps, 0, steps.size(), chosen);
  }

  // How many states leave out steps.
  [[nodiscard]] std::uint64_t reduced_states() const { return reduced_states_; }
  [[nodiscard]] std::uint64_t bytes() const { return flags_.capacity(); }

 private:
  // The graph is gone through once more than without a reduction, so that one has to leave out many steps to pay.
  static constexpr std::uint64_t trial = 20'000;
  static constexpr std::uint64_t least_share = 25;  // of each hundred steps

  static constexpr std::uint8_t visited = 1, on_stack = 2, reduced = 4;

  struct Frame {
    StateId id;
    std::size_t first;  // its successors are at the end of successors_, from here on
    std::size_t next;
  };

  void explore_rest() {
    while (may_go_on() && !stack_.empty()) {
      Frame& frame = stack_.back();
      if (frame.next < successors_.size()) {
        const StateId target = successors_[frame.next++];
        if (!has(target, visited)) enter(target);
        continue;
      }
      flags_[index_of(frame.id)] &= static_cast<std::uint8_t>(~on_stack);
      successors_.resize(frame.first);
      stack_.pop_back();
    }
  }

  void enter(StateId id) {
    stack_.push_back({id, successors_.size(), successors_.size()});
    set(id, visited | on_stack);
    batch_.clear();
    model_.successors(store_.state(id), batch_);
    if (!store_.reserve(batch_.size())) {
      end_ = End::out_of_memory;
      return;
    }
    offered_ += batch_.size();
    if (options_.reduction->select(store_.state(id), batch_, 0, batch_.size(), chosen_) && add_chosen()) {
      set(id, reduced);
      ++reduced_states_;
      left_out_ += batch_.size() - chosen_.size();
    } else {
      for (std::uint32_t k = 0; k < batch_.size(); ++k) add(k);
    }
    if (++entered_ % pace_ == 0) pause();
  }

  // False, and nothing is added, if a chosen step leads back into the stack.
  bool add_chosen() {
    const std::size_t first = successors_.size();
    for (const std::uint32_t k : chosen_) add(k);
    const auto back = std::count_if(successors_.begin() + static_cast<std::ptrdiff_t>(first), successors_.end(),
                                    [this](StateId id) { return has(id, on_stack); });
    if (!breaks_proviso(static_cast<std::size_t>(back), successors_.size() - first)) return true;
    successors_.resize(first);
    return false;
  }

  [[nodiscard]] bool breaks_proviso(std::size_t back, std::size_t chosen) const {
    switch (rules_) {
      case Rules::no_proviso:
        return false;
      case Rules::one_step_leads_away:
        return back == chosen;
      default:
        return back > 0;
    }
  }

  void add(std::uint32_t k) {
    if (!batch_.outcome(k).has_successor()) return;
    successors_.push_back(store_.insert(batch_.state(k), store_.hash(batch_.state(k))).id);
  }

  void pause() {
    const bool leaves_out_enough = entered_ < trial || left_out_ * 100 >= offered_ * least_share;
    if (!options_.reduction->pays() || !leaves_out_enough || entered_ >= options_.max_nodes) {
      end_ = End::pointless;
      return;
    }
    stops_ = !options_.tick({.states = entered_, .depth = stack_.size(), .bytes = store_.bytes(), .phase = "reducing"});
    save_is_due_ = stops_ || (save_due && save_due());
  }

  [[nodiscard]] bool may_go_on() {
    if (end_ == End::complete && save_is_due_) {
      save_is_due_ = false;
      if (save) save();
      if (stops_) end_ = End::stopped;
    }
    return end_ == End::complete;
  }

  [[nodiscard]] bool has(StateId id, std::uint8_t flag) const {
    return index_of(id) < flags_.size() && (flags_[index_of(id)] & flag) != 0;
  }
  void set(StateId id, std::uint8_t flag) {
    if (index_of(id) >= flags_.size()) flags_.resize(store_.size());
    flags_[index_of(id)] |= flag;
  }

  M& model_;
  IndexedStore& store_;
  const SearchOptions& options_;
  const Rules rules_;
  End end_ = End::complete;
  Batch batch_;
  std::vector<std::uint32_t> chosen_;
  std::vector<StateId> successors_;
  PlainList<Frame> stack_;
  std::vector<std::uint8_t> flags_;
  std::uint64_t entered_ = 0, pace_ = 1024;
  std::uint64_t reduced_states_ = 0;
  std::uint64_t offered_ = 0;   // steps of the states entered ...
  std::uint64_t left_out_ = 0;  // ... and those of them that are not taken
  bool save_is_due_ = false, stops_ = false;
};

}  // namespace fathom
