// Moving the states of a full store into a tree (tree_store.hpp), which takes less memory as a rule, within the memory
// they have: the table is given up first, since states are moved in the order of their numbers, and behind those that
// were moved the memory is given back. Numbers stay what they are.
#pragma once

#include <memory>

#include "store/indexed_store.hpp"
#include "store/tree_store.hpp"

namespace fathom {

// States that were being moved when it turned out that the rest does not fit in: the first ones are in the tree, the
// others where they were. They can be asked for, and taken elsewhere.
class HalfMoved {
 public:
  HalfMoved(std::unique_ptr<TreeStore> moved, std::unique_ptr<IndexedStore> rest)
      : moved_(std::move(moved)), rest_(std::move(rest)) {}

  [[nodiscard]] std::uint64_t size() const { return rest_->size(); }
  [[nodiscard]] StateView state(StateId id) const {
    return index_of(id) < moved_->size() ? moved_->state(id) : rest_->state(id);
  }
  [[nodiscard]] std::uint64_t bytes() const { return moved_->bytes() + left_bytes(); }
  [[nodiscard]] std::uint64_t table_bytes() const { return moved_->table_bytes(); }
  void give_up_table() { moved_->give_up_table(); }
  template <class Reduce>
  [[nodiscard]] VirtualArray<std::uint64_t> into_words(std::uint64_t count, const Reduce& reduce);

 private:
  [[nodiscard]] std::uint64_t left_bytes() const {
    return (rest_->size() - moved_->size()) * rest_->words() * sizeof(std::uint64_t);
  }

  std::unique_ptr<TreeStore> moved_;
  std::unique_ptr<IndexedStore> rest_;
};

template <class Reduce>
VirtualArray<std::uint64_t> HalfMoved::into_words(std::uint64_t count, const Reduce& reduce) {
  std::uint64_t next = std::min(moved_->size(), count);
  auto words = moved_->into_words(next, reduce);
  for (; next < count; ++next) words[next] = reduce(rest_->state(StateId{next}));
  rest_.reset();
  return words;
}

// One of them, or neither.
struct Compressed {
  std::unique_ptr<TreeStore> all;
  std::unique_ptr<HalfMoved> half;
};

// Where the tree would not be smaller by a tenth at least, `full` stays, and is what it was. `limit`: of the memory
// there is; it is the limit of the tree, too.
Compressed compress(std::unique_ptr<IndexedStore>& full, std::uint64_t limit);

}  // namespace fathom
