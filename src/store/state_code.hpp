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
  static constexpr std::uint32_t most_state_bits = 127;
  // The part that is mixed in a table of quotients, and the one beyond.
  using Code = std::array<std::uint64_t, 2>;

  // For states of one or two words, of which every bit that may be set belongs to a column. There is an instruction for
  // what is done most often, which not all processors have.
  StateCode(std::uint32_t words, const std::vector<ColumnBits>& columns, bool by_instruction = has_instruction());
  [[nodiscard]] static bool has_instruction();

  // ---- First the values of many states become known, then it is said how many bits are to be mixed at least, and from
  // then on there are codes.
  void learn(const std::uint64_t* state);
  // False: there cannot be one.
  [[nodiscard]] bool decide(std::uint32_t least_mixed_bits);

  // Of a code that is decided.
  void save(SealedWriter& out) const;
  [[nodiscard]] static std::shared_ptr<const StateCode> loaded(SealedReader& in);

  [[nodiscard]] std::uint32_t words() const { return words_; }
  [[nodiscard]] std::uint32_t mixed_bits() const { return mixed_bits_; }
  // That may be set in the codes so far.
  [[nodiscard]] std::uint32_t beyond_bits() const { return beyond_bits_.load(std::memory_order_relaxed); }
  // Several threads may ask at the same time.
  template <std::uint32_t words>
  [[nodiscard, gnu::always_inline]] Code code(const std::uint64_t* state) const {
    const Code code = by_instruction_ ? code_by<words, gather>(state) : code_by<words, gather_one_by_one>(state);
    return code[0] != unknown ? code : learned_code(state);
  }
  [[nodiscard]] Code code(const std::uint64_t* state) const { return words_ == 1 ? code<1>(state) : code<2>(state); }

 private:
  static constexpr std::uint64_t unknown = ~std::uint64_t{0};  // instead of the part that is mixed
  static constexpr std::uint32_t most_mixed_bits = 63, most_beyond_bits = 64;

  struct Column {
    ColumnBits bits;
    std::uint32_t in_first = 0;  // bits of the first word
    std::vector<Code> codes;     // what the values add to the code
  };
  // How the values of a column are numbered.
  struct Numbering {
    std::uint32_t values = 0;
    std::uint32_t width = 0, first_bit = 0;  // in the part that is mixed
    std::vector<std::uint32_t> further;      // bits of the number, beyond
  };

  [[nodiscard]] static Column column_of(const ColumnBits& bits);

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

  template <std::uint32_t words, Gather gather_bits>
  [[nodiscard, gnu::always_inline]] static std::uint64_t value_of(const Column& column, const std::uint64_t* state) {
    const std::uint64_t value = gather_bits(state[0], column.bits.first);
    return words == 1 ? value : value | gather_bits(state[1], column.bits.second) << column.in_first;
  }
  template <std::uint32_t words, Gather gather_bits>
  [[nodiscard, gnu::always_inline]] Code code_by(const std::uint64_t* state) const {
    Code code{};
    for (const Column& column : columns_) {
      const Code& part = column.codes[value_of<words, gather_bits>(column, state)];
      code[0] |= word_of(part, 0).load(std::memory_order_acquire);
      code[1] |= word_of(part, 1).load(std::memory_order_relaxed);
    }
    return code;
  }
  [[nodiscard, gnu::always_inline]] static std::atomic_ref<std::uint64_t> word_of(const Code& code, std::size_t k) {
    return std::atomic_ref(const_cast<std::uint64_t&>(code[k]));
  }
  [[nodiscard]] std::uint64_t any_value_of(const Column& column, const std::uint64_t* state) const;
  [[nodiscard, gnu::noinline]] Code learned_code(const std::uint64_t* state) const;
  void learn(std::size_t column, std::uint64_t value) const;
  void give_code(std::size_t column, std::uint64_t value, std::uint32_t number) const;

  const std::uint32_t words_;
  const bool by_instruction_;
  std::uint32_t mixed_bits_ = 0;
  // What becomes known while codes are asked for: which states there are does not change by it.
  mutable std::vector<Column> columns_;
  mutable std::vector<Numbering> numberings_;  // of these
  mutable std::atomic<std::uint32_t> beyond_bits_ = 0;
  mutable std::mutex mutex_;
};

}  // namespace fathom
