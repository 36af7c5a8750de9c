#include "store/tree_store.hpp"

#include <algorithm>

namespace fathom {

static_assert(StateStore<TreeStore> && StagedStore<TreeStore> && SharedStore<TreeStore>);

TreeStore::TreeStore(std::uint32_t words, std::uint64_t memory_limit)
    : TreeStore(StateTree(words, memory_limit), std::make_shared<Shared>(memory_limit)) {
  static_cast<void>(reserve(1));
}

TreeStore::TreeStore(StateTree tree, std::shared_ptr<Shared> shared)
    : tree_(std::move(tree)), shared_(std::move(shared)), roots_(shared_->roots) {}

// That a table does not fit in beside the others is found out before it grows.
bool TreeStore::reserve(std::uint64_t extra, Team* team) {
  const std::uint64_t bytes = roots_.table_bytes_for(extra) + roots_.array_bytes() + tree_.bytes_for(extra);
  return bytes <= shared_->memory_limit && tree_.reserve(extra, team) && roots_.reserve(extra, team);
}

// Each new state may have nothing in common with those before. Near the memory limit, where few states of that kind
// would fit in, it is asked again after a while.
std::uint64_t TreeStore::room() const {
  constexpr std::uint64_t a_while = 4096;
  const std::uint64_t room = std::min(roots_.room(), tree_.room());
  const std::uint64_t state_bytes = sizeof(std::uint64_t) + tree_.most_state_bytes();
  const std::uint64_t limit = shared_->memory_limit, used = bytes();
  return used >= limit ? 0 : std::min(room, std::max(a_while, (limit - used) / state_bytes));
}

void TreeStore::save(SealedWriter& out) const {
  tree_.save(out);
  roots_.save(out);
}

bool TreeStore::load(SealedReader& in) {
  return tree_.load(in) && roots_.load(in) && bytes() <= shared_->memory_limit;
}

void TreeStore::give_up_table() {
  tree_.give_up_tables();
  roots_.give_up_table();
}

}  // namespace fathom
