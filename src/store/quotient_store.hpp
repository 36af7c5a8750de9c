// Exact store for many states of at most 128 bits: a table of quotients (quotient_shape.hpp), 4 to 15 bytes for each,
// and nothing else. It can say whether a state is there, and no more: a search that wants to show how it came there
// keeps some of the levels (search/milestones.hpp).
//
// Where the line of an entry is full others are tried, and which of them it is stands in the entry. What finds no place
// in any of them is kept aside, which is next to nothing.
//
// A thread that adds to a line locks it by a bit of its counter. Readers look at the entries that the counter tells,
// which never change.
#pragma once

#include <algorithm>
#include <array>
#include <atomic>
#include <memory>
#include <mutex>
#include <set>
#include <utility>
#include <vector>

#include "store/quotient_shape.hpp"
#include "store/store.hpp"
#include "support/prefetch.hpp"
#include "support/team.hpp"
#include "support/virtual_array.hpp"

namespace fathom {

class QuotientStore {
 public:
  static constexpr bool exact = true;
  static constexpr bool keeps_states = false;
  static constexpr bool known_ids = false;

  // `alone`: one thread has the store to itself.
  QuotientStore(std::uint32_t state_bits, std::uint64_t memory_limit, bool alone)
      : QuotientStore(QuotientShape::bits_of(state_bits), state_bits > 64, memory_limit, alone) {}
  // For pairs of words, of which the second gets more bits when they are needed (reserve). Pairs with more of them are
  // kept aside until then, which is slow.
  QuotientStore(QuotientShape::Bits bits, std::uint64_t memory_limit, bool alone)
      : QuotientStore(bits, true, memory_limit, alone) {}

  [[nodiscard, gnu::always_inline]] Hash hash(StateView state) const { return mix_.mixed(state[0], beyond(state)); }
  [[gnu::always_inline]] void prefetch(Hash hash) const {
    prefetch_to_write(&bytes_[shape_.line_of(hash) * QuotientLine::bytes]);
  }
  [[nodiscard]] bool reserve(std::uint64_t extra, Team* team = nullptr) { return reserve(extra, 0, team); }
  // For states with so many bits beyond the first word, or fewer.
  [[nodiscard]] bool reserve(std::uint64_t extra, std::uint32_t beyond_bits, Team* team);
  [[nodiscard]] std::uint32_t beyond_bits() const { return shape_.bits().beyond; }
  // What a larger table takes that so many more states need; 0 if there is room for them.
  [[nodiscard]] std::uint64_t growth_for(std::uint64_t extra, std::uint32_t beyond_bits = 0) const {
    return (shape_for(extra, beyond_bits).lines() - shape_.lines()) * QuotientLine::bytes;
  }
  [[nodiscard]] std::uint64_t room() const { return most_ > size_ ? most_ - size_ : 0; }
  Inserted insert(StateView state, Hash hash) {
    return insert(state, hash, [this] { return next_index(); });
  }
  template <class NextIndex>
  Inserted insert(StateView state, Hash hash, NextIndex next_index);
  // Where states are inserted in a row: states of so many words, and whether one thread has the store to itself.
  static constexpr std::uint32_t most_words = 2;
  [[nodiscard]] bool is_alone() const { return alone_; }
  // `widths_vary`: of the second word states may have more bits than there are for it.
  template <std::uint32_t words, bool alone, bool widths_vary = false>
  class View;
  std::uint64_t next_index() { return size_++; }
  void move(StateId, StateId) {}  // nothing here knows a number
  void set_size(std::uint64_t count) { size_ = count; }
  [[nodiscard]] std::uint64_t size() const { return size_; }
  [[nodiscard]] std::uint64_t bytes() const { return shape_.lines() * QuotientLine::bytes; }
  // How much memory counts beside time while there is plenty of it.
  enum class Thrift : std::uint8_t { little, some, much };
  void set_thrift(Thrift thrift) {
    thrift_ = thrift;
    most_ = most_in(shape_);
  }
  // An empty one for such states, for one thread.
  [[nodiscard]] std::unique_ptr<QuotientStore> another() const {
    return std::unique_ptr<QuotientStore>(new QuotientStore(shape_.bits(), is_long_, memory_limit_, true));
  }
  // It is not of use any more.
  void give_up() { bytes_ = VirtualArray<Byte>(); }
  void save(SealedWriter& out) const;
  // Into a new one for such states; false at the memory limit.
  [[nodiscard]] bool load(SealedReader& in);
  // Calls each(pair) for the states in some of its parts, of which there are so many; not while others insert.
  using Pair = std::array<std::uint64_t, 2>;
  [[nodiscard]] std::uint64_t parts() const { return shape_.lines() / QuotientShape::window; }
  template <class Each>
  void for_each(std::uint64_t first_part, std::uint64_t end_part, Each&& each) const;
  // What is in these parts is not of use any more.
  void forget(std::uint64_t first_part, std::uint64_t end_part) const {
    constexpr std::uint64_t part_bytes = QuotientShape::window * QuotientLine::bytes;
    bytes_.give_back(first_part * part_bytes, end_part * part_bytes);
  }
  // And for those that are in none of them.
  template <class Each>
  void for_each_aside(Each&& each) const {
    for (const auto& [mixed, beyond] : aside_) each(Pair{mix_.undone(mixed, beyond), beyond});
  }

  // ---- What a search keeps of a state that waits (search/origin_rows.hpp), and the state again.
  [[nodiscard]] std::uint32_t key_bits() const { return shape_.bits().mixed + shape_.bits().beyond; }
  [[nodiscard]] static const std::uint64_t* key_of(StateView state, const Hash&) { return state.data(); }
  [[nodiscard]] StateView state_at(StateId, const std::uint64_t* key) const { return {key, is_long_ ? 2U : 1U}; }

 private:
  using Byte = QuotientLine::Byte;
  using Word = QuotientShape::Word;
  static constexpr Byte locked = 0x80;

  QuotientStore(QuotientShape::Bits bits, bool is_long, std::uint64_t memory_limit, bool alone);

  [[nodiscard, gnu::always_inline]] std::uint64_t beyond(StateView state) const { return is_long_ ? state[1] : 0; }
  bool enter_aside(Word word);

  // Calls each(word) for the entries of a line, which is empty then.
  template <class Each>
  static void take_out(const QuotientShape& shape, QuotientLine format, std::uint64_t number, Byte* line,
                       const Each& each);
  [[nodiscard]] QuotientShape shape_for(std::uint64_t extra, std::uint32_t beyond_bits) const;
  void grow_to(const QuotientShape& shape, Team* team);
  void widen_lines(const QuotientShape& old, QuotientLine old_format, Team* team);
  void widen_line(const QuotientShape& old, QuotientLine old_format, std::uint64_t number, std::vector<Word>& too_many);
  void move_from(const QuotientShape& old, QuotientLine old_format, Team* team);
  // While there is plenty of memory the table is doubled, and its lines are left emptier, so that most look-ups need
  // one of them. The more of the memory it takes, the less it grows and the fuller are its lines. (Entries are moved in
  // the order in which they stand, which is cheap beside finding them.)
  struct Pace {
    std::uint32_t growth, fill;  // in sixteenths: of the table, and of its lines
  };
  [[nodiscard]] Pace pace_of(const QuotientShape& shape) const {
    const std::uint64_t bytes = shape.lines() * QuotientLine::bytes;
    const bool is_plenty = bytes < memory_limit_ / 16;
    if (is_plenty && thrift_ == Thrift::little) return {16, 10};
    if (is_plenty && thrift_ == Thrift::some) return {8, 11};
    const std::uint64_t quarters = bytes / (memory_limit_ / 4 + 1);
    if (quarters == 0 && thrift_ == Thrift::much) return {8, 13};
    constexpr Pace paces[] = {{8, 12}, {4, 13}, {2, 14}, {1, 15}};
    return paces[std::min<std::uint64_t>(quarters, 3)];
  }
  [[nodiscard]] std::uint64_t most_in(const QuotientShape& shape) const {
    return shape.lines() / 16 * shape.line().entries() * pace_of(shape).fill;
  }

  const bool is_long_;
  const bool alone_;
  const std::uint64_t memory_limit_;
  Thrift thrift_ = Thrift::little;
  QuotientShape shape_;
  QuotientLine format_;  // of the lines of this shape
  std::uint64_t most_;   // entries
  const BijectiveMix mix_;
  VirtualArray<Byte> bytes_;
  std::uint64_t size_ = 0;
  std::mutex mutex_;
  std::set<std::pair<Hash, std::uint64_t>> aside_;  // mixed, and beyond
};

// The store as a search sees it that inserts many states in a row. What does not change meanwhile is held here: entries
// are bytes, and the compiler must otherwise assume that writing one changes everything.
template <std::uint32_t words, bool alone, bool widths_vary>
class QuotientStore::View {
 public:
  explicit View(QuotientStore& store)
      : store_(store), shape_(store.shape_), format_(store.format_), mix_(store.mix_), bytes_(store.bytes_.data()) {}

  [[nodiscard, gnu::always_inline]] Hash hash(const std::uint64_t* state) const {
    return mix_.mixed(state[0], beyond(state));
  }
  [[gnu::always_inline]] void prefetch(Hash hash) const { __builtin_prefetch(line(shape_.line_of(hash)), 1); }
  [[nodiscard, gnu::always_inline]] std::uint64_t approach(Hash hash) const { return shape_.line_of(hash); }
  template <class NextIndex>
  [[gnu::always_inline]] bool insert(std::uint64_t home, const std::uint64_t* state, Hash hash,
                                     const NextIndex& next_index) {
    if (!enter<false>(home, {hash, beyond(state)})) return false;
    next_index();
    return true;
  }
  // The same in its own line alone. If that is full the state may be elsewhere: what is needed to find out is on its
  // way then.
  template <class NextIndex>
  [[gnu::always_inline]] Found insert_at_home(std::uint64_t home, const std::uint64_t* state, Hash hash,
                                              const NextIndex& next_index) {
    if (is_too_wide(beyond(state))) [[unlikely]]
      return Found::full;
    const Found found = find_or_add<false>(line(home), shape_.entry_of(hash, beyond(state)));
    if (found == Found::full) [[unlikely]]
      __builtin_prefetch(line(QuotientShape::place(home, 1, 0)), 1);
    if (found == Found::added) next_index();
    return found;
  }
  // Whether it was not there; with is_new that is known.
  template <bool is_new>
  [[gnu::always_inline]] bool enter(std::uint64_t home, Word word) {
    if (is_too_wide(word.beyond)) [[unlikely]]
      return store_.enter_aside(word);
    const Found found = find_or_add<is_new>(line(home), shape_.entry_of(word.mixed, word.beyond));
    if (found == Found::full) [[unlikely]]
      return enter_elsewhere<is_new>(home, word);
    return found == Found::added;
  }
  void enter_new(Word word) { enter<true>(shape_.line_of(word.mixed), word); }

 private:
  [[nodiscard, gnu::always_inline]] std::uint64_t beyond(const std::uint64_t* state) const {
    return words == 1 ? 0 : state[1];
  }
  // Has more bits beyond than the table has for them.
  [[nodiscard, gnu::always_inline]] bool is_too_wide(std::uint64_t beyond) const {
    return widths_vary && (beyond & ~shape_.beyond_mask()) != 0;
  }
  [[nodiscard, gnu::always_inline]] Byte* line(std::uint64_t number) const {
    return bytes_ + number * QuotientLine::bytes;
  }
  template <bool is_new>
  [[gnu::always_inline]] Found find_or_add(Byte* line, QuotientShape::Entry entry) const;
  // The line is full.
  template <bool is_new>
  [[gnu::noinline]] bool enter_elsewhere(std::uint64_t home, Word word) {
    QuotientShape::Entry entry = shape_.entry_of(word.mixed, word.beyond);
    for (std::uint64_t tries = 1; tries < QuotientShape::places; ++tries) {
      entry.rest += shape_.one_more_try();
      const Found found = find_or_add<is_new>(line(shape_.place(home, tries, entry.tag)), entry);
      if (found != Found::full) return found == Found::added;
    }
    return store_.enter_aside(word);
  }

  QuotientStore& store_;
  const QuotientShape shape_;
  const QuotientLine format_;
  const BijectiveMix mix_;
  Byte* const bytes_;
};

template <std::uint32_t words, bool alone, bool widths_vary>
template <bool is_new>
inline Found QuotientStore::View<words, alone, widths_vary>::find_or_add(Byte* line, QuotientShape::Entry entry) const {
  if constexpr (alone) {
    const std::uint32_t count = line[0];
    if (!is_new && format_.has(line, count, entry)) return Found::known;
    if (count == format_.entries()) return Found::full;
    format_.write(line, count, entry);
    line[0] = static_cast<Byte>(count + 1);
    return Found::added;
  } else {
    const std::atomic_ref<Byte> counter(line[0]);
    for (Byte count = counter.load(std::memory_order_acquire);;) {
      if (!is_new && format_.has(line, count & ~locked, entry)) return Found::known;
      if (count == format_.entries()) return Found::full;
      if ((count & locked) != 0) {
        count = counter.load(std::memory_order_acquire);
      } else if (counter.compare_exchange_weak(count, count | locked, std::memory_order_acquire)) {
        format_.write(line, count, entry);
        counter.store(static_cast<Byte>(count + 1), std::memory_order_release);
        return Found::added;
      }
    }
  }
}

template <class Each>
void QuotientStore::for_each(std::uint64_t first_part, std::uint64_t end_part, Each&& each) const {
  constexpr std::uint64_t window = QuotientShape::window;
  for (std::uint64_t number = first_part * window; number < end_part * window; ++number) {
    const Byte* const line = &bytes_[number * QuotientLine::bytes];
    for (std::uint32_t k = 0; k < line[0]; ++k) {
      const QuotientShape::Entry entry = format_.at(line, k);
      const Word word = shape_.word_of(shape_.first_of(shape_.home_of(number, entry)), entry);
      each(Pair{mix_.undone(word.mixed, word.beyond), word.beyond});
    }
  }
}

template <class NextIndex>
Inserted QuotientStore::insert(StateView state, Hash hash, NextIndex next_index) {
  const Word word{hash, beyond(state)};
  const std::uint64_t home = shape_.line_of(hash);
  const bool fresh = alone_ ? View<most_words, true, true>(*this).template enter<false>(home, word)
                            : View<most_words, false, true>(*this).template enter<false>(home, word);
  return fresh ? Inserted{StateId{next_index()}, true} : Inserted{StateId{}, false};
}

static_assert(SharedStore<QuotientStore> && ViewedStore<QuotientStore>);

}  // namespace fathom
