// Exact store for many long states: they are words, the roots of a tree (state_tree.hpp), and a table of quotients
// knows which words there are (the compact tree of van der Vegt and Laarman 2012; Laarman 2019). Beside the nodes of
// the tree, which many states share, a state takes 4 to 8 bytes. As quotient_store.hpp it can say whether a state is
// there, and no more; what a search keeps of a state that waits is its root.
//
// A root is two numbers of nodes, and the table has as many bits for them as these need: the low bits of both are
// mixed, and when there are more nodes the next bit of either lies beyond.
#pragma once

#include <array>
#include <memory>

#include "store/quotient_store.hpp"
#include "store/state_tree.hpp"

namespace fathom {

class PackedTree {
 public:
  static constexpr bool exact = true;
  static constexpr bool keeps_states = false;
  static constexpr bool known_ids = false;

  // `alone`: one thread has the store to itself.
  PackedTree(StateTree tree, std::uint64_t memory_limit, bool alone);
  PackedTree(const PackedTree&) = delete;
  PackedTree& operator=(const PackedTree&) = delete;

  // The same store for another thread, as TreeStore has it.
  [[nodiscard]] std::unique_ptr<PackedTree> for_another_thread() const {
    return std::unique_ptr<PackedTree>(new PackedTree(tree_.for_another_thread(), shared_));
  }

  // The root of the state, with whose chunks it is as with those of TreeStore.
  [[nodiscard]] Hash hash(StateView state) const { return tree_.root(state); }
  [[gnu::always_inline]] void prefetch(Hash root) const { roots_.prefetch(roots_.hash(parts_of(root))); }
  [[nodiscard]] bool reserve(std::uint64_t extra, Team* team = nullptr);
  // For states whose nodes are there, while so many bytes are taken elsewhere.
  [[nodiscard]] bool reserve_roots(std::uint64_t extra, std::uint64_t bytes_elsewhere);
  // What larger tables take that so many more states need; 0 if there is room for them.
  [[nodiscard]] std::uint64_t growth_for(std::uint64_t extra) const;
  [[nodiscard]] std::uint64_t room() const;
  Inserted insert(StateView, Hash root) {
    const Parts parts = parts_of(root);
    return roots_.insert(parts, roots_.hash(parts));
  }
  template <class NextIndex>
  Inserted insert(StateView, Hash root, NextIndex next_index) {
    const Parts parts = parts_of(root);
    return roots_.insert(parts, roots_.hash(parts), next_index);
  }
  // Where states are inserted in a row whose roots are known, and whether one thread has the store to itself.
  [[nodiscard]] bool is_alone() const { return roots_.is_alone(); }
  template <bool alone>
  class RootView;
  void move(StateId, StateId) {}  // nothing here knows a number
  void set_size(std::uint64_t count) { roots_.set_size(count); }
  [[nodiscard]] std::uint64_t size() const { return roots_.size(); }
  [[nodiscard]] std::uint64_t bytes() const { return roots_.bytes() + tree_.bytes(); }

  // Hashing many states, as StateTree does.
  void near(StateId id) const { tree_.near(id); }
  void add(StateView state) const { tree_.add(state); }
  void hash_added(Hash* hashes) const { tree_.take_roots(hashes); }

  // ---- What a search keeps of a state that waits (search/origin_rows.hpp), and the state again.
  [[nodiscard]] static std::uint32_t key_bits() { return 64; }
  [[nodiscard]] static const std::uint64_t* key_of(StateView, const Hash& root) { return &root; }
  [[nodiscard]] StateView state_at(StateId id, const std::uint64_t* key) const { return tree_.state(id, *key); }

  // An empty one with the same tree, for one thread.
  [[nodiscard]] std::unique_ptr<PackedTree> another() const {
    return std::make_unique<PackedTree>(tree_.for_another_thread(), shared_->memory_limit, true);
  }
  // It is not of use any more, except for its tree.
  void give_up() { roots_.give_up(); }

  void save(SealedWriter& out) const;
  // Nothing at the memory limit.
  [[nodiscard]] static std::unique_ptr<PackedTree> loaded(SealedReader& in, std::uint64_t memory_limit, bool alone);

 private:
  using Parts = std::array<std::uint64_t, 2>;
  // What all threads share.
  struct Shared {
    Shared(std::uint32_t mixed_width, std::uint64_t memory_limit, bool alone);
    std::uint64_t memory_limit;
    std::uint32_t mixed_width;  // of a half of a root, as far as it is mixed
    QuotientStore roots;
  };

  PackedTree(StateTree&& tree, std::shared_ptr<Shared> shared);

  [[nodiscard, gnu::always_inline]] Parts parts_of(StateTree::Root root) const {
    const std::uint64_t low = root & UINT32_MAX, high = root >> 32;
    const std::uint64_t mask = (std::uint64_t{1} << mixed_width_) - 1;
    return {(low & mask) | (high & mask) << mixed_width_,
            every_other_bit(low >> mixed_width_) | every_other_bit(high >> mixed_width_) << 1};
  }
  // Bit k of the word becomes bit 2k; it is nearly always zero.
  [[nodiscard, gnu::always_inline]] static std::uint64_t every_other_bit(std::uint64_t word) {
    std::uint64_t spread = 0;
    for (std::uint32_t k = 0; word != 0; ++k, word >>= 1) spread |= (word & 1) << 2 * k;
    return spread;
  }
  [[nodiscard]] static std::uint32_t mixed_width_for(const StateTree& tree);
  [[nodiscard]] std::uint32_t beyond_bits_for(std::uint64_t extra) const;

  StateTree tree_;
  std::shared_ptr<Shared> shared_;
  const std::uint32_t mixed_width_;
  QuotientStore& roots_;
};

// The store as a search sees it that inserts many roots in a row; as QuotientStore::View. Of a state it looks at its
// root alone.
template <bool alone>
class PackedTree::RootView {
 public:
  explicit RootView(PackedTree& store) : store_(store), roots_(store.roots_) {}

  [[nodiscard, gnu::always_inline]] std::uint64_t approach(Hash root) const {
    return roots_.approach(roots_.hash(store_.parts_of(root).data()));
  }
  template <class NextIndex>
  [[gnu::always_inline]] Found insert_at_home(std::uint64_t home, const std::uint64_t*, Hash root,
                                              const NextIndex& next_index) {
    const Parts parts = store_.parts_of(root);
    return roots_.insert_at_home(home, parts.data(), roots_.hash(parts.data()), next_index);
  }
  template <class NextIndex>
  [[gnu::always_inline]] bool insert(std::uint64_t home, const std::uint64_t*, Hash root, const NextIndex& next_index) {
    const Parts parts = store_.parts_of(root);
    return roots_.insert(home, parts.data(), roots_.hash(parts.data()), next_index);
  }

 private:
  const PackedTree& store_;
  QuotientStore::View<QuotientStore::most_words, alone, true> roots_;
};

}  // namespace fathom
