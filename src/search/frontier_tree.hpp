// The frontier tree (Udupa, Desai, Rajamani: Depth Bounded Explicit-State Model Checking, SPIN 2011, Figs. 8 and 9):
// the runs that lead to the states of a frontier, with their common beginnings kept once. A node is one step below its
// parent; the paper draws a node per frontier state with a trace from the frontier before, which is this tree with the
// chains folded. One step per node lets states found close together share their run up to the step where they part.
//
// A node lives as long as something refers to it: a child, an entry of a frontier, or the walk that stands below it.
#pragma once

#include <cstdint>
#include <unordered_map>
#include <vector>

#include "model/model.hpp"
#include "support/plain_list.hpp"

namespace fathom {

// Numbers the steps that occur in runs: there are few different ones, and a small number is short to keep.
class StepNumbers {
 public:
  std::uint32_t number_of(InstanceId step);
  [[nodiscard]] InstanceId step(std::uint32_t number) const { return steps_[number]; }
  [[nodiscard]] std::uint64_t bytes() const;

 private:
  std::unordered_map<std::uint64_t, std::uint32_t> numbers_;
  std::vector<InstanceId> steps_;
};

class StepTree {
 public:
  using Node = std::uint32_t;
  static constexpr Node none = UINT32_MAX;

  // A new node with one reference, the caller's. The parent of a root is none, and its step says which start state.
  Node add(Node parent, InstanceId step);
  void hold(Node node) { ++nodes_[node].references; }
  // Gives a reference back; frees the node, and its ancestors, when that was the last one.
  void release(Node node);

  [[nodiscard]] Node parent(Node node) const { return nodes_[node].parent; }
  [[nodiscard]] InstanceId step(Node node) const { return numbers_.step(nodes_[node].step); }

  [[nodiscard]] std::uint64_t size() const { return live_; }
  // Nodes are counted with 32 bits. A walk adds fewer than half of that number at a time.
  [[nodiscard]] bool full() const { return nodes_.size() > none / 2; }
  [[nodiscard]] std::uint64_t bytes() const { return nodes_.bytes() + numbers_.bytes(); }

 private:
  struct Record {
    Node parent;  // of a free node: the next free one
    std::uint32_t step;
    std::uint32_t references;
  };

  PlainList<Record> nodes_;
  Node free_ = none;
  std::uint64_t live_ = 0;
  StepNumbers numbers_;
};

}  // namespace fathom
