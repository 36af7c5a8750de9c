// A byte of flags for each node of a product graph, zero until it is set.
#pragma once

#include <algorithm>
#include <span>

#include "support/growing_bytes.hpp"

namespace fathom {

class NodeFlags {
 public:
  [[nodiscard]] bool has(std::uint64_t node, std::uint8_t flag) const { return (of(node) & flag) != 0; }
  // All flags of a node.
  [[nodiscard]] std::uint8_t of(std::uint64_t node) const { return node < flags_.size() ? flags_[node] : 0; }
  [[gnu::always_inline]] void prefetch(std::uint64_t node) const { __builtin_prefetch(flags_.data() + node); }
  void set(std::uint64_t node, std::uint8_t flag) {
    flags_.cover(node + 1);
    flags_[node] = static_cast<std::uint8_t>(flags_[node] | flag);
  }
  void clear(std::uint64_t node, std::uint8_t flag) { flags_[node] = static_cast<std::uint8_t>(flags_[node] & ~flag); }
  // For those who look at many: all flags, by nodes, as far as the bound.
  [[nodiscard]] std::uint8_t* all_below(std::uint64_t bound) {
    flags_.cover(bound);
    return flags_.data();
  }
  [[nodiscard]] std::uint64_t bytes() const { return flags_.size(); }
  [[nodiscard]] std::span<const std::uint8_t> all() const { return {flags_.data(), flags_.size()}; }
  // What all() of another gave.
  void restore(std::span<const std::uint8_t> flags) { std::ranges::copy(flags, all_below(flags.size())); }

 private:
  GrowingBytes flags_;
};

}  // namespace fathom
