// States of at most 127 bits in fewer bits. A state is cut into columns, each some of its bits, up to twelve. The
// values that a column takes are few beside those that it could take, so they are numbered as they occur, and the code
// of a state is the numbers of its columns side by side: nothing is lost, and most of what can be saved is. (A
// dictionary for each column, as in data bases: Abadi, Madden, Ferreira 2006.)
//
// A column has as many bits of the code as the values need that are known when the code is made. If there are more
// later, the next bit of their numbers lies beyond, as in quotient_shape.hpp: codes that were given stay what they are.
#pragma once

#include <array>
#include <atomic>
#include <bit>
#include <cstdint>
#include <memory>
#include <mutex>
#include <vector>

namespace fathom {

class SealedReader;
class SealedWriter;

// The bits of a column, of the first word of a state and of the second.
struct ColumnBits {
  static constexpr std::uint32_t most = 12;
  std::uint64_t first = 0, second = 0;

  [[nodiscard]] std::uint32_t count() const {
    return static_cast<std::uint32_t>(std::popcount(first) + std::popcount(second));
  }
};

class StateCode {
 public:
  static constexpr std::uint32_t most_state_bits = 127, most_mixed_bits = 63;
  // The part that is mixed in a table of quotients, and the one beyond.
  using Code = std::array<std::uint64_t, 2>;

  // For states of one or two words, of which every bit that may be set belongs to a column. There is an instruction for
  // what is done most often, which not all processors have.
  StateCode(std::uint32_t words, std::vector<ColumnBits> columns, bool by_instruction = has_instruction());
  [[nodiscard]] static bool has_instruction();

  // ---- First the values of many states become known, by several threads if need be, then it is said how many bits are
  // to be mixed at least, and from then on there are codes.
  void learn(const std::uint64_t* state);
  // False: there cannot be one.
  [[nodiscard]] bool decide(std::uint32_t least_mixed_bits);

  // Of a code that is decided.
  void save(SealedWriter& out) const;
  [[nodiscard]] static std::shared_ptr<StateCode> loaded(SealedReader& in);

  // More bits to be mixed than were decided, which are zero in all codes.
  void mix(std::uint32_t bits) { mixed_bits_ = bits; }

  [[nodiscard]] std::uint32_t words() const { return words_; }
  [[nodiscard]] std::uint32_t mixed_bits() const { return mixed_bits_; }
  // That may be set in the codes so far.
  [[nodiscard]] std::uint32_t beyond_bits() const { return beyond_bits_.load(std::memory_order_relaxed); }
  // Several threads may ask at the same time.
  [[nodiscard]] Code code(const std::uint64_t* state) const;
  // Of `count` states, which state_of(k) gives. One that has a value that was not there before gets none.
  template <class StateOf>
  [[gnu::always_inline]] void codes(std::uint32_t count, const StateOf& state_of, Code* codes) const {
    if (words_ == 1)
      by_instruction_ ? codes_by<1, gather>(count, state_of, codes)
                      : codes_by<1, gather_one_by_one>(count, state_of, codes);
    else
      by_instruction_ ? codes_by<2, gather>(count, state_of, codes)
                      : codes_by<2, gather_one_by_one>(count, state_of, codes);
  }
  [[nodiscard]] static bool is_known(const Code& code) { return code[0] != unknown; }

 private:
  static constexpr std::uint64_t unknown = ~std::uint64_t{0};  // instead of the part that is mixed
  static constexpr std::uint32_t most_beyond_bits = 64;

  // Small, since all of them are looked at for each state.
  struct Column {
    ColumnBits bits;
    std::uint64_t in_first;  // bits of the first word
    std::uint64_t* mixed;    // what each value adds to this part of the code
  };
  // How the values of a column are numbered.
  struct Numbering {
    std::uint32_t values = 0;
    std::uint32_t width = 0, first_bit = 0;  // in the part that is mixed
    std::vector<std::uint32_t> further;      // bits of the number, beyond
  };

  using Parts = std::vector<std::uint64_t>;  // of each value of a column

  // The bits of a mask side by side.
  using Gather = std::uint64_t (*)(std::uint64_t word, std::uint64_t mask);
  [[nodiscard, gnu::always_inline]] static std::uint64_t gather(std::uint64_t word, std::uint64_t mask) {
#if defined(__x86_64__)
    std::uint64_t bits;
    asm("pext %2, %1, %0" : "=r"(bits) : "r"(word), "r"(mask));
    return bits;
#else
    return gather_one_by_one(word, mask);
#endif
  }
  static std::uint64_t gather_one_by_one(std::uint64_t word, std::uint64_t mask);

  template <std::uint32_t words, Gather gather_bits, class StateOf>
  void codes_by(std::uint32_t count, const StateOf& state_of, Code* codes) const {
    for (std::uint32_t k = 0; k < count; ++k) codes[k] = {mixed_part<words, gather_bits>(state_of(k)), 0};
    // Whoever gives a value something beyond says so before others see the value.
    for (std::uint64_t wide = wide_columns_.load(std::memory_order_relaxed); wide != 0; wide &= wide - 1) {
      const auto number = static_cast<std::size_t>(std::countr_zero(wide));
      const Column& column = columns_[number];
      const Parts& beyond = beyond_[number];
      for (std::uint32_t k = 0; k < count; ++k)
        codes[k][1] |= read(beyond[value_of<words, gather_bits>(column, state_of(k))]);
    }
  }
  // Most columns lie in one word, so that there is less to do.
  template <std::uint32_t words, Gather gather_bits>
  [[nodiscard, gnu::always_inline]] std::uint64_t mixed_part(const std::uint64_t* state) const {
    std::uint64_t part = 0;
    const Column* column = columns_.data();
    for (const Column* const end = column + in_first_; column < end; ++column)
      part |= read(column->mixed[gather_bits(state[0], column->bits.first)]);
    if (words == 1) return part;
    for (const Column* const end = column + in_second_; column < end; ++column)
      part |= read(column->mixed[gather_bits(state[1], column->bits.second)]);
    for (const Column* const end = columns_.data() + columns_.size(); column < end; ++column)
      part |= read(column->mixed[value_of<words, gather_bits>(*column, state)]);
    return part;
  }
  template <std::uint32_t words, Gather gather_bits>
  [[nodiscard, gnu::always_inline]] static std::uint64_t value_of(const Column& column, const std::uint64_t* state) {
    const std::uint64_t value = gather_bits(state[0], column.bits.first);
    return words == 1 ? value : value | gather_bits(state[1], column.bits.second) << column.in_first;
  }
  [[nodiscard, gnu::always_inline]] static std::uint64_t read(const std::uint64_t& part) {
    return std::atomic_ref(const_cast<std::uint64_t&>(part)).load(std::memory_order_acquire);
  }
  [[nodiscard]] std::uint64_t any_value_of(const Column& column, const std::uint64_t* state) const;
  void learn(std::size_t column, std::uint64_t value) const;
  void give_code(std::size_t column, std::uint64_t value, std::uint32_t number) const;

  const std::uint32_t words_;
  const bool by_instruction_;
  std::uint32_t mixed_bits_ = 0;
  std::size_t in_first_ = 0, in_second_ = 0;  // columns that lie in the first word, and behind them in the second
  // What becomes known while codes are asked for: which states there are does not change by it.
  std::vector<Column> columns_;
  mutable std::vector<Parts> mixed_, beyond_;  // of these
  mutable std::vector<Numbering> numberings_;  // of these
  mutable std::atomic<std::uint32_t> beyond_bits_ = 0;
  mutable std::atomic<std::uint64_t> wide_columns_ = 0;  // whose values have something beyond, a bit for each
  mutable std::mutex mutex_;
};

}  // namespace fathom
