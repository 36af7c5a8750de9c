// A byte of flags for each node of a product graph, zero until it is set.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

namespace fathom {

class NodeFlags {
 public:
  [[nodiscard]] bool has(std::uint64_t node, std::uint8_t flag) const {
    return node < flags_.size() && (flags_[node] & flag) != 0;
  }
  // All flags of a node.
  [[nodiscard]] std::uint8_t of(std::uint64_t node) const { return node < flags_.size() ? flags_[node] : 0; }
  [[gnu::always_inline]] void prefetch(std::uint64_t node) const { __builtin_prefetch(flags_.data() + node); }
  void set(std::uint64_t node, std::uint8_t flag) {
    if (node >= flags_.size()) flags_.resize(std::max<std::uint64_t>(node + 1, flags_.size() * 2));
    flags_[node] = static_cast<std::uint8_t>(flags_[node] | flag);
  }
  void clear(std::uint64_t node, std::uint8_t flag) { flags_[node] = static_cast<std::uint8_t>(flags_[node] & ~flag); }
  [[nodiscard]] std::uint64_t bytes() const { return flags_.capacity(); }

 private:
  std::vector<std::uint8_t> flags_;
};

}  // namespace fathom
