// How a table of lines keeps states exactly in fewer bits than they have: the line in which a state stands tells some
// of them (quotienting: Knuth, vol. 3, exercise 6.4-13; Cleary 1984).
//
// A state is mixed by a bijection, and the mixed word decides the line: of 2^power * factor lines, the factor being 16
// to 31, each is for an interval of words. The quotient says which word of the interval it is. The order of the words
// is that of their lines, so a larger table is filled from its end to its beginning where the smaller one stands.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>

#include "model/model.hpp"
#include "store/quotient_line.hpp"
#include "support/hash.hpp"

namespace fathom {

// Of states of at most 64 bits all, of others the first 64, mixed so that the upper bits depend on all of them; what
// lies beyond is mixed in, and two states that have it in common are still told apart. The outcome stands in the upper
// bits of a word, and so does everything on the way there: multiplying leaves the zeros below alone. (Multiplying by an
// odd number can be undone, and so can adding upper bits to lower ones.)
class BijectiveMix {
 public:
  explicit constexpr BijectiveMix(std::uint32_t bits)
      : unused_(64 - bits), down_(std::min(bits / 2, usual_down)), used_(~std::uint64_t{0} << unused_) {}

  [[nodiscard, gnu::always_inline]] Hash mixed(std::uint64_t word, std::uint64_t beyond) const {
    if (down_ == usual_down) [[likely]]  // a constant is faster
      return mixed(word, beyond, usual_down);
    return mixed(word, beyond, down_);
  }
  // The word again, as far as it has these bits.
  [[nodiscard]] std::uint64_t undone(Hash mixed, std::uint64_t beyond) const {
    std::uint64_t x = mixed * inverse(0xd6e8feb86659fd93);
    x = undone_shift(x) * inverse(0x9fb21c651e98df25);
    return (undone_shift(x) >> unused_) ^ (beyond * 0x9e3779b97f4a7c15 << unused_ >> unused_);
  }

 private:
  static constexpr std::uint32_t usual_down = 28;

  [[nodiscard, gnu::always_inline]] Hash mixed(std::uint64_t word, std::uint64_t beyond, std::uint32_t down) const {
    std::uint64_t x = (word ^ beyond * 0x9e3779b97f4a7c15) << unused_;
    x ^= x >> down & used_;
    x *= 0x9fb21c651e98df25;
    x ^= x >> down & used_;
    return x * 0xd6e8feb86659fd93;
  }
  // Of an odd number, by Newton's method: each time twice as many bits are right, three at first.
  static constexpr std::uint64_t inverse(std::uint64_t odd) {
    std::uint64_t x = odd;
    for (int bits = 3; bits < 64; bits *= 2) x *= 2 - odd * x;
    return x;
  }
  [[nodiscard]] std::uint64_t undone_shift(std::uint64_t x) const {
    for (std::uint32_t down = down_; down < 64; down *= 2) x ^= x >> down & used_;
    return x;
  }

  std::uint32_t unused_, down_;
  std::uint64_t used_;
};

inline std::uint64_t high_product(std::uint64_t a, std::uint64_t b) {
  return static_cast<std::uint64_t>(static_cast<unsigned __int128>(a) * b >> 64);
}

class QuotientShape {
 public:
  // Where the line of an entry is full, another one is taken: first its neighbour, then some that lie all over a window
  // of lines. (One line after the other is not enough: they fill up in clusters.)
  static constexpr std::uint64_t window = 512;
  static constexpr std::uint32_t place_bits = 4;
  static constexpr std::uint64_t places = std::uint64_t{1} << place_bits;

  // How many bits of a state are mixed, and how many lie beyond. Few bits would leave too few quotients for a large
  // table, so they are taken for more.
  static constexpr std::uint32_t least_bits = 40, most_bits = 128;
  static constexpr std::uint32_t most_short_bits = 85;  // for which an entry is at most nine bytes
  struct Bits {
    std::uint32_t mixed, beyond;
  };
  static constexpr Bits bits_of(std::uint32_t state_bits) {
    return {std::clamp(state_bits, least_bits, 64U), state_bits > 64 ? state_bits - 64 : 0};
  }

  // The smallest table for states of so many bits; the rest of an entry is at most 64 bits, to which many bits that are
  // not mixed do not belong.
  static QuotientShape smallest(Bits bits) {
    const std::uint32_t all = bits.mixed + (bits.beyond <= most_in_rest ? bits.beyond : 0);
    return {bits, std::max(least_power, all > 72 ? all - 72 : 0), least_factor};
  }
  // The numbers that tell one shape from others, and the shape of such numbers.
  using Numbers = std::array<std::uint64_t, 4>;
  [[nodiscard]] Numbers numbers() const { return {bits_.mixed, bits_.beyond, power_, factor_}; }
  static QuotientShape of(const Numbers& numbers) {
    const auto number = [&](std::size_t k) { return static_cast<std::uint32_t>(numbers[k]); };
    return {{number(0), number(1)}, number(2), number(3)};
  }
  // A larger one, by as many sixteenths of the largest power of two in it: 1 to 16.
  [[nodiscard]] QuotientShape larger(std::uint32_t sixteenths) const {
    const std::uint32_t factor = factor_ + sixteenths;
    if (factor < 2 * least_factor) return {bits_, power_, factor};
    return {bits_, power_ + 1, factor / 2};
  }
  // As large as this one, with more bits that are not mixed: those of the states that are there are zero.
  [[nodiscard]] QuotientShape with_beyond(std::uint32_t bits) const { return {{bits_.mixed, bits}, power_, factor_}; }
  [[nodiscard]] Bits bits() const { return bits_; }
  [[nodiscard, gnu::always_inline]] std::uint64_t beyond_mask() const { return beyond_mask_; }
  [[nodiscard]] bool is_largest() const { return power_ + least_below >= bits_.mixed; }
  // How many bits are to be mixed so that a table can take so many bytes.
  static std::uint32_t bits_for_table(std::uint64_t bytes) {
    const auto power = static_cast<std::uint32_t>(std::bit_width(bytes / QuotientLine::bytes / least_factor));
    return std::max(power, least_power) + least_below + 1;
  }
  [[nodiscard]] BijectiveMix mix() const { return BijectiveMix(bits_.mixed); }

  using Entry = QuotientLine::Entry;
  [[nodiscard, gnu::always_inline]] std::uint64_t line_of(Hash mixed) const { return high_product(mixed, lines_); }
  // Of a state in its line; `beyond` are the bits of the state that are not mixed. The lower half of the product above
  // says how far the word is into the interval of its line, times the factor.
  [[nodiscard, gnu::always_inline]] Entry entry_of(Hash mixed, std::uint64_t beyond) const {
    const std::uint64_t quotient = high_product(mixed * lines_, reciprocal_) >> (64 - below_);
    return {static_cast<std::uint8_t>(quotient), quotient >> 8 | (beyond & rest_mask_) << beyond_shift_,
            beyond & ~rest_mask_};
  }
  // The line where an entry stands after so many tries, and what it tells of another try.
  [[nodiscard, gnu::always_inline]] static std::uint64_t place(std::uint64_t home, std::uint64_t tries,
                                                               std::uint8_t tag) {
    if (tries < 2) return home ^ tries;
    return (home & ~(window - 1)) | ((home + tries * stride(tag)) & (window - 1));
  }
  [[nodiscard, gnu::always_inline]] std::uint64_t one_more_try() const { return std::uint64_t{1} << tries_shift_; }

  // The same backwards, of an entry that stands in this line.
  struct Word {
    Hash mixed;
    std::uint64_t beyond;
  };
  [[nodiscard]] std::uint64_t home_of(std::uint64_t line, Entry entry) const {
    const std::uint64_t tries = entry.rest >> tries_shift_;
    if (tries < 2) return line ^ tries;
    return (line & ~(window - 1)) | ((line - tries * stride(entry.tag)) & (window - 1));
  }
  // The least mixed word of a line: the line times 2^below, divided by the factor and rounded up.
  [[nodiscard]] Hash first_of(std::uint64_t home) const {
    const std::uint64_t first = (home / factor_ << below_) + (((home % factor_) << below_) + factor_ - 1) / factor_;
    return first << (64 - bits_.mixed);
  }
  [[nodiscard, gnu::always_inline]] Word word_of(Hash first, Entry entry) const {
    const std::uint64_t kept = entry.rest & (one_more_try() - 1);
    const std::uint64_t quotient = (kept & ((std::uint64_t{1} << beyond_shift_) - 1)) << 8 | entry.tag;
    return {first + (quotient << (64 - bits_.mixed)), kept >> beyond_shift_ | entry.more};
  }

  // An entry of a table of the same size with fewer bits that are not mixed, in this one: it stays in its line.
  [[nodiscard, gnu::always_inline]] Entry widened(Entry entry, const QuotientShape& old) const {
    const std::uint64_t kept = entry.rest & (old.one_more_try() - 1), tries = entry.rest >> old.tries_shift_;
    const std::uint64_t beyond = kept >> old.beyond_shift_ | entry.more;
    const std::uint64_t quotient = kept & ((std::uint64_t{1} << beyond_shift_) - 1);
    return {entry.tag, quotient | (beyond & rest_mask_) << beyond_shift_ | tries << tries_shift_, beyond & ~rest_mask_};
  }

  // What belongs to this line or a later one belongs to `line` or a later one in a larger table.
  [[nodiscard]] std::uint64_t least_line_for(std::uint64_t line, const QuotientShape& larger) const {
    return static_cast<std::uint64_t>((static_cast<unsigned __int128>(line) * lines() + larger.lines() - 1) /
                                      larger.lines());
  }
  // Lines from a multiple of this number on go to windows of another table that those before it do not go to.
  [[nodiscard]] std::uint64_t lines_that_move_together() const { return factor_ * window; }
  [[nodiscard]] std::uint64_t lines() const { return lines_; }
  [[nodiscard]] QuotientLine line() const {
    return QuotientLine(tries_shift_ + place_bits, rest_mask_ == 0 ? bits_.beyond : 0);
  }

 private:
  static constexpr std::uint32_t least_power = 9;  // a window
  static constexpr std::uint32_t least_factor = 16;
  static constexpr std::uint32_t least_below = 12;

  QuotientShape(Bits bits, std::uint32_t power, std::uint32_t factor)
      : bits_(bits),
        power_(power),
        factor_(factor),
        below_(bits.mixed - power),
        lines_(std::uint64_t{factor} << power),
        reciprocal_(~std::uint64_t{0} / factor + 1),
        beyond_shift_(below_ - 4 - 8),  // a quotient is less than 2^below / 16, and eight bits of it are the tag
        tries_shift_(beyond_shift_ + in_rest()),
        rest_mask_(in_rest() == bits.beyond ? ~std::uint64_t{0} : 0),
        beyond_mask_(bits.beyond == 0 ? 0 : ~std::uint64_t{0} >> (64 - bits.beyond)) {}

  // Of the bits that are not mixed all stand in the rest of an entry, or none.
  static constexpr std::uint32_t most_in_rest = most_short_bits - 64;
  [[nodiscard]] std::uint32_t in_rest() const {
    return bits_.beyond <= most_in_rest && beyond_shift_ + bits_.beyond + place_bits <= 64 ? bits_.beyond : 0;
  }

  // Odd, so that all lines of a window are different places.
  static constexpr std::uint64_t stride(std::uint8_t tag) { return 2 * std::uint64_t{tag} + 1; }

  Bits bits_;
  std::uint32_t power_, factor_;
  std::uint32_t below_;  // bits of a mixed word that do not decide the line
  std::uint64_t lines_, reciprocal_;
  std::uint32_t beyond_shift_, tries_shift_;
  std::uint64_t rest_mask_;    // for bits that are not mixed
  std::uint64_t beyond_mask_;  // all of these
};

}  // namespace fathom
