#include "store/packed_tree.hpp"

#include <algorithm>

#include "support/sealed_file.hpp"

namespace fathom {

static_assert(SharedStore<PackedTree>);

namespace {
// Both halves of a root are numbers of the same nodes.
constexpr std::uint32_t least_width = QuotientShape::least_bits / 2;
}  // namespace

PackedTree::Shared::Shared(std::uint32_t mixed_width, std::uint64_t memory_limit, bool alone)
    : memory_limit(memory_limit),
      mixed_width(mixed_width),
      roots(QuotientShape::Bits{2 * mixed_width, 0}, memory_limit, alone) {
  roots.set_thrift(QuotientStore::Thrift::much);  // making a root takes longer than finding it in a full line
}

std::uint32_t PackedTree::mixed_width_for(const StateTree& tree) {
  return std::max(least_width, tree.half_width(0));
}

PackedTree::PackedTree(StateTree tree, std::uint64_t memory_limit, bool alone)
    : PackedTree(std::move(tree), std::make_shared<Shared>(mixed_width_for(tree), memory_limit, alone)) {}

PackedTree::PackedTree(StateTree&& tree, std::shared_ptr<Shared> shared)
    : tree_(std::move(tree)), shared_(std::move(shared)), mixed_width_(shared_->mixed_width), roots_(shared_->roots) {}

void PackedTree::save(SealedWriter& out) const {
  tree_.arrangement().save(out);
  tree_.save(out);
  out.number(mixed_width_);
  roots_.save(out);
}

std::unique_ptr<PackedTree> PackedTree::loaded(SealedReader& in, std::uint64_t memory_limit, bool alone) {
  StateTree tree(StateArrangement::loaded(in), memory_limit);
  if (!tree.load(in)) return nullptr;
  const auto mixed_width = static_cast<std::uint32_t>(in.number());
  auto shared = std::make_shared<Shared>(mixed_width, memory_limit, alone);
  if (!shared->roots.load(in)) return nullptr;
  std::unique_ptr<PackedTree> store(new PackedTree(std::move(tree), std::move(shared)));
  return store->bytes() <= memory_limit ? std::move(store) : nullptr;
}

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
