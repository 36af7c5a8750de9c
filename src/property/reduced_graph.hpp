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

#include <vector>

#include "reduction/reduction.hpp"
#include "search/search.hpp"
#include "store/indexed_store.hpp"

namespace fathom {

template <Model M>
class ReducedGraph {
 public:
  // How the settling ended: `pointless` when the reduction hardly leaves anything out.
  enum class End : std::uint8_t { complete, pointless, stopped, out_of_memory };

  ReducedGraph(M& model, IndexedStore& store, const SearchOptions& options)
      : model_(model), store_(store), options_(options) {}

  End settle() {
    Batch starts;
    model_.initial(starts);
    if (!store_.reserve(starts.size())) return End::out_of_memory;
    std::vector<StateId> ids;
    for (std::uint32_t k = 0; k < starts.size(); ++k)
      if (starts.outcome(k).ok()) ids.push_back(store_.insert(starts.state(k), store_.hash(starts.state(k))).id);
    for (const StateId id : ids)
      if (end_ == End::complete && !has(id, visited)) explore(id);
    return end_;
  }

  // Of the steps of a state, those it keeps; false: all of them.
  bool select(StateId id, StateView state, const Batch& steps, std::vector<std::uint32_t>& chosen) {
    return has(id, reduced) && options_.reduction->select(state, steps, 0, steps.size(), chosen);
  }

  [[nodiscard]] std::uint64_t bytes() const { return flags_.capacity(); }

 private:
  static constexpr std::uint8_t visited = 1, on_stack = 2, reduced = 4;

  struct Frame {
    StateId id;
    std::size_t first;  // its successors are at the end of successors_, from here on
    std::size_t next;
  };

  void explore(StateId start) {
    enter(start);
    while (end_ == End::complete && !stack_.empty()) {
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
    if (options_.reduction->select(store_.state(id), batch_, 0, batch_.size(), chosen_) && add_chosen()) {
      set(id, reduced);
    } else {
      for (std::uint32_t k = 0; k < batch_.size(); ++k) add(k);
    }
    if (++entered_ % 1024 == 0) pause();
  }

  // False, and nothing is added, if a chosen step leads back into the stack.
  bool add_chosen() {
    const std::size_t first = successors_.size();
    for (const std::uint32_t k : chosen_) {
      add(k);
      if (successors_.size() > first && has(successors_.back(), on_stack)) {
        successors_.resize(first);
        return false;
      }
    }
    return true;
  }

  void add(std::uint32_t k) {
    if (!batch_.outcome(k).has_successor()) return;
    successors_.push_back(store_.insert(batch_.state(k), store_.hash(batch_.state(k))).id);
  }

  void pause() {
    if (!options_.reduction->pays()) {
      end_ = End::pointless;
    } else if (!options_.tick(
                   {.states = entered_, .depth = stack_.size(), .bytes = store_.bytes(), .phase = "reducing"})) {
      end_ = End::stopped;
    }
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
  End end_ = End::complete;
  Batch batch_;
  std::vector<std::uint32_t> chosen_;
  std::vector<StateId> successors_;
  std::vector<Frame> stack_;
  std::vector<std::uint8_t> flags_;
  std::uint64_t entered_ = 0;
};

}  // namespace fathom
