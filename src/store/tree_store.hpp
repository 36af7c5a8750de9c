// Exact store for long states: a tree of the parts they share makes each of them a word (state_tree.hpp), and an
// IndexedStore keeps the words.
#pragma once

#include <memory>

#include "store/state_tree.hpp"

namespace fathom {

class TreeStore {
 public:
  static constexpr bool exact = true;
  static constexpr bool keeps_states = true;
  static constexpr bool known_ids = true;
  // Shorter states take less time, and hardly more memory, as they are.
  static constexpr std::uint32_t min_words = 10;

  TreeStore(std::uint32_t words, std::uint64_t memory_limit);
  TreeStore(const TreeStore&) = delete;
  TreeStore& operator=(const TreeStore&) = delete;

  // The same store for another thread: the states are shared, and what hashing them needs on the way is not.
  [[nodiscard]] std::unique_ptr<TreeStore> for_another_thread() const {
    return std::unique_ptr<TreeStore>(new TreeStore(tree_.for_another_thread(), shared_));
  }

  // The word that stands for the state. Its chunks become known, whether or not the state is inserted, so there must be
  // room for the state.
  [[nodiscard]] Hash hash(StateView state) const { return tree_.root(state); }
  [[gnu::always_inline]] void prefetch(Hash root) const { roots_.prefetch(mixed(root)); }
  [[nodiscard]] bool reserve(std::uint64_t extra, Team* team = nullptr);
  [[nodiscard]] std::uint64_t growth_for(std::uint64_t extra) const {
    return roots_.growth_for(extra) + tree_.growth_for(extra);
  }
  [[nodiscard]] std::uint64_t room() const;
  Inserted insert(StateView, Hash root) { return roots_.insert({&root, 1}, mixed(root)); }
  [[nodiscard, gnu::always_inline]] std::uint64_t approach(Hash root) const { return roots_.approach(mixed(root)); }
  Inserted insert_from(std::uint64_t slot, StateView, Hash root) {
    return roots_.insert_from(slot, {&root, 1}, mixed(root));
  }
  template <class NextIndex>
  Inserted insert(StateView, Hash root, NextIndex next_index) {
    return roots_.insert({&root, 1}, mixed(root), next_index);
  }
  template <class NextIndex>
  Inserted insert_from(std::uint64_t slot, StateView, Hash root, NextIndex next_index) {
    return roots_.insert_from(slot, {&root, 1}, mixed(root), next_index);
  }
  void move(StateId from, StateId to) { roots_.move(from, to); }
  void save(SealedWriter& out) const;
  [[nodiscard]] bool load(SealedReader& in);  // into a new store; false at the memory limit
  void set_size(std::uint64_t count) { roots_.set_size(count); }
  [[nodiscard]] StateId find(StateView, Hash root) const { return roots_.find({&root, 1}, mixed(root)); }
  [[nodiscard]] StateView state(StateId id) const { return tree_.state(id, root(id)); }

  // Hashing many states, as StateTree does.
  void near(StateId id) const { tree_.near(id, root(id)); }
  void add(StateView state) const { tree_.add(state); }
  void hash_added(Hash* hashes) const { tree_.take_roots(hashes); }

  [[nodiscard]] std::uint32_t words() const { return tree_.words(); }
  [[nodiscard]] std::uint64_t size() const { return roots_.size(); }
  [[nodiscard]] std::uint64_t bytes() const { return roots_.bytes() + tree_.bytes(); }
  [[nodiscard]] std::uint64_t table_bytes() const { return roots_.table_bytes() + tree_.table_bytes(); }
  // As IndexedStore::usual_bytes.
  [[nodiscard]] std::uint64_t usual_bytes() const { return roots_.usual_bytes() + tree_.usual_bytes(); }

  // For those who take states in from elsewhere: how much memory there is, now and later.
  void set_memory_limit(std::uint64_t bytes) { shared_->memory_limit = bytes; }
  // For those who take the states elsewhere; see IndexedStore.
  void give_up_table();
  template <class Reduce>
  [[nodiscard]] VirtualArray<std::uint64_t> into_words(std::uint64_t count, const Reduce& reduce);
  // Or leave them in the tree and take their roots.
  [[nodiscard]] const StateTree& tree() const { return tree_; }
  [[nodiscard]] StateTree::Root root(StateId id) const { return roots_.state(id)[0]; }

 private:
  // What all threads share.
  struct Shared {
    Shared(std::uint64_t memory_limit) : memory_limit(memory_limit), roots(1, memory_limit) {}
    std::uint64_t memory_limit;
    IndexedStore roots;
  };

  TreeStore(StateTree tree, std::shared_ptr<Shared> shared);
  static Hash mixed(Hash root) { return hash_words(&root, 1); }

  StateTree tree_;
  std::shared_ptr<Shared> shared_;
  IndexedStore& roots_;
};

// The word of a state takes the place of its root.
template <class Reduce>
VirtualArray<std::uint64_t> TreeStore::into_words(std::uint64_t count, const Reduce& reduce) {
  give_up_table();
  std::uint64_t index = 0;
  auto words = roots_.into_words(count, [&](StateView) { return reduce(state(StateId{index++})); });
  tree_.clear();
  return words;
}

}  // namespace fathom
