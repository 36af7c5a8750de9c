#include "search/frontier_tree.hpp"

namespace fathom {

std::uint32_t StepNumbers::number_of(InstanceId step) {
  const auto [entry, fresh] =
      numbers_.try_emplace(static_cast<std::uint64_t>(step), static_cast<std::uint32_t>(steps_.size()));
  if (fresh) steps_.push_back(step);
  return entry->second;
}

std::uint64_t StepNumbers::bytes() const {
  constexpr std::uint64_t per_entry = 4 * sizeof(std::uint64_t);  // a node of the map and its bucket, about
  return steps_.size() * (sizeof(InstanceId) + per_entry);
}

StepTree::Node StepTree::add(Node parent, InstanceId step) {
  const Record record{parent, numbers_.number_of(step), 1};
  Node node = free_;
  if (node == none) {
    node = static_cast<Node>(nodes_.size());
    nodes_.push_back(record);
  } else {
    free_ = nodes_[node].parent;
    nodes_[node] = record;
  }
  if (parent != none) hold(parent);
  ++live_;
  return node;
}

void StepTree::release(Node node) {
  while (node != none && --nodes_[node].references == 0) {
    const Node parent = nodes_[node].parent;
    nodes_[node].parent = free_;
    free_ = node;
    --live_;
    node = parent;
  }
}

}  // namespace fathom
