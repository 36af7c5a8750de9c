#include "store/packed_tree.hpp"

#include <algorithm>

namespace fathom {

static_assert(SharedStore<PackedTree>);

namespace {
// Both halves of a root are numbers of the same nodes.
constexpr std::uint32_t least_width = QuotientShape::least_bits / 2;
}  // namespace

PackedTree::Shared::Shared(const StateTree& tree, std::uint64_t memory_limit, bool alone)
    : memory_limit(memory_limit),
      mixed_width(std::max(least_width, tree.half_width(0))),
      roots(QuotientShape::Bits{2 * mixed_width, 0}, memory_limit, alone) {}

PackedTree::PackedTree(StateTree tree, std::uint64_t memory_limit, bool alone)
    : PackedTree(std::move(tree), std::make_shared<Shared>(tree, memory_limit, alone)) {}

PackedTree::PackedTree(StateTree&& tree, std::shared_ptr<Shared> shared)
    : tree_(std::move(tree)), shared_(std::move(shared)), mixed_width_(shared_->mixed_width), roots_(shared_->roots) {}

std::uint32_t PackedTree::beyond_bits_for(std::uint64_t extra) const {
  const std::uint32_t width = tree_.half_width(extra);
  return width > mixed_width_ ? 2 * (width - mixed_width_) : 0;
}

bool PackedTree::reserve(std::uint64_t extra, Team* team) {
  return bytes() + growth_for(extra) <= shared_->memory_limit && tree_.reserve(extra, team) &&
         roots_.reserve(extra, beyond_bits_for(extra), team);
}

bool PackedTree::reserve_roots(std::uint64_t extra, std::uint64_t bytes_elsewhere) {
  return bytes() + bytes_elsewhere + roots_.growth_for(extra) <= shared_->memory_limit && roots_.reserve(extra);
}

std::uint64_t PackedTree::growth_for(std::uint64_t extra) const {
  return tree_.growth_for(extra) + roots_.growth_for(extra, beyond_bits_for(extra));
}

// As TreeStore::room, and not more than there are numbers for with the bits that the table has.
std::uint64_t PackedTree::room() const {
  constexpr std::uint64_t a_while = 4096;
  const std::uint64_t numbers = tree_.states_within(mixed_width_ + roots_.beyond_bits() / 2);
  const std::uint64_t room = std::min({roots_.room(), tree_.room(), numbers});
  const std::uint64_t limit = shared_->memory_limit, used = bytes();
  return used >= limit ? 0 : std::min(room, std::max(a_while, (limit - used) / tree_.most_state_bytes()));
}

}  // namespace fathom
