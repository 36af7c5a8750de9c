#include "store/code_choice.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace fathom {

namespace {

// A column, and the number of its value in each state of the sample.
struct SampledColumn {
  ColumnBits bits;
  std::vector<std::uint16_t> numbers;
  std::uint32_t values = 1;
};

SampledColumn column_of_bit(const StateSample& sample, std::uint32_t bit) {
  SampledColumn column;
  (bit < 64 ? column.bits.first : column.bits.second) = std::uint64_t{1} << bit % 64;
  bool varies = false;
  for (std::size_t k = 0; k < sample.size(); ++k) {
    column.numbers.push_back(sample.state(k)[bit / 64] >> bit % 64 & 1);
    varies |= column.numbers.back() != column.numbers.front();
  }
  if (varies)
    column.values = 2;
  else
    column.numbers = {};
  return column;
}

bool fit_together(const ColumnBits& a, const ColumnBits& b) {
  return a.count() + b.count() <= ColumnBits::most;
}
ColumnBits together(const ColumnBits& a, const ColumnBits& b) {
  return {a.first | b.first, a.second | b.second};
}

// Counts and numbers the pairs of values that two columns have side by side.
class PairCounter {
 public:
  std::uint32_t operator()(const SampledColumn& a, const SampledColumn& b) {
    number_of_.assign(std::size_t{a.values} * b.values, 0);
    std::uint32_t count = 0;
    for (std::size_t k = 0; k < a.numbers.size(); ++k) {
      std::uint16_t& number = number_of_[place(a, b, k)];
      if (number == 0) number = static_cast<std::uint16_t>(++count);
    }
    return count;
  }
  // Of the pair in this state, when they have been counted.
  [[nodiscard]] std::uint16_t number_of(const SampledColumn& a, const SampledColumn& b, std::size_t state) const {
    return static_cast<std::uint16_t>(number_of_[place(a, b, state)] - 1);
  }

 private:
  static std::size_t place(const SampledColumn& a, const SampledColumn& b, std::size_t state) {
    return std::size_t{a.numbers[state]} * b.values + b.numbers[state];
  }
  std::vector<std::uint16_t> number_of_;  // from 1 on
};

class Merging {
 public:
  Merging(const StateSample& sample, std::uint32_t state_bits, Team* team) : team_(team) {
    for (std::uint32_t bit = 0; bit < state_bits; ++bit) {
      SampledColumn column = column_of_bit(sample, bit);
      (column.values > 1 ? varied_ : constant_).push_back(std::move(column));
    }
    const std::size_t columns = varied_.size();
    gains_.assign(columns * columns, no_gain);
    in_slices(team_, columns * columns, [&](std::uint64_t first, std::uint64_t end) {
      PairCounter count;
      for (std::uint64_t pair = first; pair < end; ++pair)
        if (const std::size_t a = pair / columns, b = pair % columns; b < a)
          gains_[pair] = gain(varied_[a], varied_[b], count);
    });
  }

  // What saves most is merged first; columns that have nothing to do with each other are, too, as long as they are
  // small: the fewer there are, the less is to be done.
  std::vector<ColumnBits> columns() {
    while (merge_best()) {
    }
    std::vector<ColumnBits> columns;
    for (const SampledColumn& column : varied_)
      if (!column.numbers.empty()) columns.push_back(column.bits);
    add_constant(columns);
    return columns;
  }

 private:
  static constexpr double no_gain = -1, least_gain = -1e-9;

  [[nodiscard]] std::size_t place(std::size_t a, std::size_t b) const {
    return std::max(a, b) * varied_.size() + std::min(a, b);
  }

  // Bits that it saves if two columns become one.
  [[nodiscard]] static double gain(const SampledColumn& a, const SampledColumn& b, PairCounter& count) {
    if (!fit_together(a.bits, b.bits)) return no_gain;
    const double pairs = static_cast<double>(a.values) * b.values;
    return std::log2(pairs) - std::log2(static_cast<double>(count(a, b)));
  }

  bool merge_best() {
    const auto best = std::ranges::max_element(gains_);
    if (best == gains_.end() || *best < least_gain) return false;
    const auto at = static_cast<std::size_t>(best - gains_.begin());
    SampledColumn& a = varied_[at / varied_.size()];
    SampledColumn& b = varied_[at % varied_.size()];
    merge(a, b);
    const auto gone = static_cast<std::size_t>(&b - varied_.data()),
               here = static_cast<std::size_t>(&a - varied_.data());
    in_slices(team_, varied_.size(), [&](std::uint64_t first, std::uint64_t end) {
      PairCounter count;
      for (std::uint64_t k = first; k < end; ++k) {
        gains_[place(k, gone)] = no_gain;
        if (k != here && !varied_[k].numbers.empty()) gains_[place(k, here)] = gain(a, varied_[k], count);
      }
    });
    return true;
  }

  static void merge(SampledColumn& a, SampledColumn& b) {
    PairCounter count;
    const std::uint32_t values = count(a, b);
    for (std::size_t k = 0; k < a.numbers.size(); ++k) a.numbers[k] = count.number_of(a, b, k);
    a.bits = together(a.bits, b.bits);
    a.values = values;
    b.numbers.clear();
  }

  // Bits that are the same in all states of the sample go where there is room for them.
  void add_constant(std::vector<ColumnBits>& columns) const {
    std::size_t at = 0;
    for (const SampledColumn& column : constant_) {
      while (at < columns.size() && !fit_together(columns[at], column.bits)) ++at;
      if (at == columns.size()) columns.emplace_back();
      columns[at] = together(columns[at], column.bits);
    }
  }

  std::vector<SampledColumn> varied_, constant_;
  std::vector<double> gains_;
  Team* const team_;
};

}  // namespace

std::vector<ColumnBits> choose_columns(const StateSample& sample, std::uint32_t state_bits, Team* team) {
  return Merging(sample, state_bits, team).columns();
}

}  // namespace fathom
