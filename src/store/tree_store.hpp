// Exact store for long states, which are mostly alike: a state is cut into chunks, and each chunk that occurs is kept
// once and has a number. The numbers of the chunks, in groups, are treated in the same way, level by level, until two
// numbers are left: they are one word that stands for the state and that an IndexedStore keeps. (Blom, Lisser, van de
// Pol, Weber 2009; Laarman, van de Pol, Weber 2011: there a node has two children, here up to four.)
//
// A step changes little, so most chunks of a successor are those of the state it was reached from: near() says which
// one that is, and only what differs from it is looked up. Many states are hashed together, a level at a time, so that
// the look-ups of a level wait for memory together.
#pragma once

#include <deque>
#include <memory>
#include <vector>

#include "store/indexed_store.hpp"

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
    return std::unique_ptr<TreeStore>(new TreeStore(tables_));
  }

  // The word that stands for the state. Its chunks become known, whether or not the state is inserted, so there must be
  // room for the state.
  [[nodiscard]] Hash hash(StateView state) const;
  [[gnu::always_inline]] void prefetch(Hash root) const { roots_.prefetch(mixed(root)); }
  [[nodiscard]] bool reserve(std::uint64_t extra, Team* team = nullptr);
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
  [[nodiscard]] StateView state(StateId id) const;

  // Hashing many states: those that are added after near() are probably like the state it names, and must stay where
  // they are until the hashes of all of them are asked for, in the order in which they were added.
  void near(StateId id) const { reference_ = &unfolded(id); }
  void add(StateView state) const;
  void hash_added(Hash* hashes) const;

  [[nodiscard]] std::uint64_t size() const { return roots_.size(); }
  [[nodiscard]] std::uint64_t bytes() const;
  [[nodiscard]] std::uint64_t table_bytes() const;
  [[nodiscard]] std::uint64_t usual_bytes() const;  // as IndexedStore::usual_bytes

  // For those who take states in from elsewhere: how much memory there is, now and later.
  void set_memory_limit(std::uint64_t bytes) { tables_->memory_limit = bytes; }
  // For those who take the states elsewhere; see IndexedStore.
  void give_up_table();
  template <class Reduce>
  [[nodiscard]] VirtualArray<std::uint64_t> into_words(std::uint64_t count, const Reduce& reduce);

 private:
  using Number = std::uint32_t;
  static constexpr std::uint32_t chunk_words = 2;
  static constexpr std::uint32_t group_words = 2;  // of numbers, two in a word
  static constexpr std::uint32_t largest_group = 2 * group_words;

  // The nodes of one level. At level 0 a node is a chunk of the state, above it a group of numbers of the level below.
  struct Level {
    Level(std::uint32_t words, std::uint64_t memory_limit, std::uint32_t first, std::uint32_t count)
        : nodes(words, memory_limit), words(words), first(first), count(count) {}
    IndexedStore nodes;
    std::uint32_t words;  // of a node
    std::uint32_t first;  // position of its numbers among those of all levels
    std::uint32_t count;  // of its numbers in one state
  };
  // What all threads share.
  struct Tables {
    Tables(std::uint32_t words, std::uint64_t memory_limit);
    std::uint32_t words;
    std::uint64_t memory_limit;
    std::uint32_t numbers_per_state = 0;
    std::deque<Level> levels;
    IndexedStore roots;
  };
  // A state, with zeros up to a whole chunk, and the numbers of all nodes it is made of.
  struct Folded {
    std::uint64_t id = max_states;  // if it was unfolded
    std::vector<std::uint64_t> words;
    std::vector<Number> numbers;
  };
  // A node of a state that was added, whose number is not known yet.
  struct Pending {
    std::uint32_t row;       // of the state
    std::uint32_t position;  // among the numbers of the level
    Hash hash;
    std::uint64_t slot;
    std::uint64_t node[chunk_words];
  };

  explicit TreeStore(std::shared_ptr<Tables> tables);

  static Hash mixed(Hash root) { return hash_words(&root, 1); }
  [[nodiscard]] std::uint32_t chunks() const { return levels_.front().count; }
  Number* numbers_of(std::uint32_t row) const { return &numbers_[std::size_t{row} * numbers_per_state_]; }
  void look_up(Level& level) const;
  void find_groups(std::size_t level) const;
  [[nodiscard]] bool is_next_pending(std::uint32_t row, std::uint32_t position) const;
  [[nodiscard]] Hash root_of(std::uint32_t row) const;
  void refer_to(StateView state) const;
  [[nodiscard]] const Folded& unfolded(StateId id) const;
  void unfold(StateId id, Folded& to) const;

  std::shared_ptr<Tables> tables_;
  // Hashing is const to those who ask for it: what it changes is how states are written, and not which there are.
  std::deque<Level>& levels_;
  IndexedStore& roots_;
  std::uint32_t words_;
  std::uint32_t numbers_per_state_;
  mutable Folded latest_;                       // a state that was hashed alone
  mutable const Folded* reference_ = &latest_;  // what the next states are probably like
  mutable std::vector<Folded> recent_;          // states that were asked for, by their ids
  // The states that were added.
  mutable std::uint32_t rows_ = 0;
  mutable std::vector<Number> numbers_;
  mutable std::vector<Pending> pending_, next_pending_;
};

// The word of a state takes the place of its root.
template <class Reduce>
VirtualArray<std::uint64_t> TreeStore::into_words(std::uint64_t count, const Reduce& reduce) {
  give_up_table();
  std::uint64_t index = 0;
  auto words = roots_.into_words(count, [&](StateView) { return reduce(state(StateId{index++})); });
  levels_.clear();
  return words;
}

}  // namespace fathom
