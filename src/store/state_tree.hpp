// Long states, which are mostly alike, as words: a state is arranged (state_arrangement.hpp) and cut into chunks, and
// each chunk that occurs is kept once and has a number. The numbers of the chunks, in groups, are treated in the same
// way, level by level, until two numbers are left: they are the root, a word that stands for the state. (Blom, Lisser,
// van de Pol, Weber 2009; Laarman, van de Pol, Weber 2011: there a node has two children, here up to four.) Which roots
// there are is for others to know (tree_store.hpp, packed_tree.hpp).
//
// A step changes little, so most chunks of a successor are those of the state it was reached from: near() says which
// one that is, and only what differs from it is looked up. Many states are made roots together, a level at a time, so
// that the look-ups of a level wait for memory together.
#pragma once

#include <deque>
#include <memory>
#include <vector>

#include "store/indexed_store.hpp"
#include "store/state_arrangement.hpp"

namespace fathom {

class StateTree {
 public:
  using Root = std::uint64_t;

  StateTree(std::uint32_t words, std::uint64_t memory_limit) : StateTree(StateArrangement(words), memory_limit) {}
  StateTree(StateArrangement arrangement, std::uint64_t memory_limit);
  StateTree(StateTree&&) noexcept = default;
  StateTree& operator=(StateTree&&) = delete;

  // The same tree for another thread: the nodes are shared, and what is needed on the way to them is not.
  [[nodiscard]] StateTree for_another_thread() const { return StateTree(nodes_); }

  // The word that stands for a state. Its chunks become known, so there must be room for the state.
  [[nodiscard]] Root root(StateView state) const;
  // The state of a root. The number is one by which near() finds it again for a while.
  [[nodiscard]] StateView state(StateId id, Root root) const { return {unfolded(id, root).words.data(), words()}; }

  // Roots of many states, which are asked for in the order in which they were added: those that are added after near()
  // are probably like the state it names. It is no more than a hint: a number that was not asked for lately has no
  // effect.
  void near(StateId id) const;
  void near(StateId id, Root root) const { reference_ = &unfolded(id, root); }
  void add(StateView state) const;
  void take_roots(Root* roots) const;

  [[nodiscard]] const StateArrangement& arrangement() const { return nodes_->arrangement; }
  [[nodiscard]] std::uint32_t words() const { return nodes_->arrangement.words(); }
  // Below which half of a root, 0 or 1, each chunk lies of states of so many words.
  [[nodiscard]] static std::vector<std::uint32_t> halves(std::uint32_t words);
  // A root is two halves of 32 bits. How many of them may be used when there are so many more states, and for how many
  // more states so many are enough.
  [[nodiscard]] std::uint32_t half_width(std::uint64_t extra) const;
  [[nodiscard]] std::uint64_t states_within(std::uint32_t half_width) const;

  // ---- Room for nodes. All of it is about the nodes of `extra` more states, which may have nothing in common with
  // those that are there.
  [[nodiscard]] bool reserve(std::uint64_t extra, Team* team);
  [[nodiscard]] std::uint64_t bytes_for(std::uint64_t extra) const;   // when there is room for them in the tables
  [[nodiscard]] std::uint64_t growth_for(std::uint64_t extra) const;  // of the tables
  [[nodiscard]] std::uint64_t room() const;                           // states, before tables must grow
  [[nodiscard]] std::uint64_t most_state_bytes() const;               // of the nodes of one state
  [[nodiscard]] std::uint64_t bytes() const;
  [[nodiscard]] std::uint64_t table_bytes() const;
  [[nodiscard]] std::uint64_t usual_bytes() const;  // as IndexedStore::usual_bytes

  void save(SealedWriter& out) const;
  [[nodiscard]] bool load(SealedReader& in);  // into a new tree; false at the memory limit
  void give_up_tables();                      // see IndexedStore
  void clear() { nodes_->levels.clear(); }    // the end of it

 private:
  using Number = std::uint32_t;
  static constexpr std::uint32_t chunk_words = StateArrangement::chunk_words;
  static constexpr std::uint32_t group_words = 2;  // of numbers, two in a word
  static constexpr std::uint32_t largest_group = 2 * group_words;

  // The nodes of one level. At level 0 a node is a chunk of the state, above it a group of numbers of the level below.
  struct Level {
    Level(std::uint32_t words, std::uint64_t memory_limit, std::uint32_t first, std::uint32_t count)
        : nodes(words, memory_limit, thrifty_pace), words(words), first(first), count(count) {}
    IndexedStore nodes;
    std::uint32_t words;  // of a node
    std::uint32_t first;  // position of its numbers among those of all levels
    std::uint32_t count;  // of its numbers in one state
  };
  // What all threads share.
  struct Nodes {
    Nodes(StateArrangement arrangement, std::uint64_t memory_limit);
    StateArrangement arrangement;
    std::uint32_t numbers_per_state = 0;
    std::deque<Level> levels;
  };
  // A state, what it is when it is arranged, and the numbers of all nodes it is made of.
  struct Folded {
    std::uint64_t id = max_states;  // if it was unfolded
    Root root = 0;
    std::vector<std::uint64_t> words;
    std::vector<std::uint64_t> chunks;
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
  // Those of many states, in memory that is used again.
  class PendingNodes {
   public:
    [[gnu::always_inline]] Pending& add() {
      if (count_ == nodes_.size()) nodes_.resize(2 * count_ + 64);
      return nodes_[count_++];
    }
    [[nodiscard]] Pending* begin() { return nodes_.data(); }
    [[nodiscard]] Pending* end() { return nodes_.data() + count_; }
    [[nodiscard]] std::size_t size() const { return count_; }
    void clear() { count_ = 0; }

   private:
    std::vector<Pending> nodes_;
    std::size_t count_ = 0;
  };

  explicit StateTree(std::shared_ptr<Nodes> nodes);

  [[nodiscard]] static std::vector<std::uint32_t> level_sizes(std::uint32_t chunks);
  [[nodiscard]] std::uint32_t chunks() const { return nodes_->levels.front().count; }
  Number* numbers_of(std::uint32_t row) const { return &numbers_[std::size_t{row} * nodes_->numbers_per_state]; }
  void add_chunks(std::uint32_t row, const std::uint64_t* words) const;
  void add_pieces(std::uint32_t row, const std::uint64_t* words) const;
  void add_chunk(std::uint32_t row, std::uint32_t position, std::uint64_t first, std::uint64_t second) const;
  void look_up(Level& level) const;
  void find_groups(std::size_t level) const;
  [[nodiscard]] bool is_next_pending(std::uint32_t row, std::uint32_t position) const;
  [[nodiscard]] Root root_of(std::uint32_t row) const;
  void refer_to_zeros() const;
  [[nodiscard]] const Folded& unfolded(StateId id, Root root) const;
  void unfold(Folded& to) const;

  // Making roots is const to those who ask for them: what it changes is how states are written, and not which there
  // are.
  std::shared_ptr<Nodes> nodes_;
  mutable std::unique_ptr<Folded> latest_;  // a state whose root was asked for alone
  mutable const Folded* reference_;         // what the next states are probably like
  mutable std::vector<Folded> recent_;      // states that were asked for, by their ids
  // The states that were added.
  mutable std::uint32_t rows_ = 0;
  mutable std::vector<Number> numbers_;
  mutable PendingNodes pending_, next_pending_;
  mutable std::vector<std::uint64_t> differences_;  // of the chunks of a state from those of the reference
};

}  // namespace fathom
