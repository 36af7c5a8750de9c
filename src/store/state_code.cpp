#include "store/state_code.hpp"

#include <algorithm>

#include "support/sealed_file.hpp"

namespace fathom {

namespace {

std::uint32_t width_for(std::uint32_t values) {
  return static_cast<std::uint32_t>(std::bit_width(values - 1));
}

}  // namespace

// Some processors have it and are slower by it than without.
bool StateCode::has_instruction() {
#if defined(__x86_64__)
  const bool is_slow = __builtin_cpu_is("znver1") != 0 || __builtin_cpu_is("znver2") != 0;
  return __builtin_cpu_supports("bmi2") != 0 && !is_slow;
#else
  return false;
#endif
}

StateCode::StateCode(std::uint32_t words, const std::vector<ColumnBits>& columns, bool by_instruction)
    : words_(words), by_instruction_(by_instruction), numberings_(columns.size()) {
  for (const ColumnBits& bits : columns) columns_.push_back(column_of(bits));
}

StateCode::Column StateCode::column_of(const ColumnBits& bits) {
  const std::size_t values = std::size_t{1} << bits.count();
  return {bits, static_cast<std::uint32_t>(std::popcount(bits.first)), std::vector<Code>(values, Code{unknown, 0})};
}

std::uint64_t StateCode::gather_one_by_one(std::uint64_t word, std::uint64_t mask) {
  std::uint64_t bits = 0;
  for (std::uint32_t k = 0; mask != 0; ++k, mask &= mask - 1) bits |= (word >> std::countr_zero(mask) & 1) << k;
  return bits;
}

std::uint64_t StateCode::any_value_of(const Column& column, const std::uint64_t* state) const {
  if (by_instruction_) return words_ == 1 ? value_of<1, gather>(column, state) : value_of<2, gather>(column, state);
  return words_ == 1 ? value_of<1, gather_one_by_one>(column, state) : value_of<2, gather_one_by_one>(column, state);
}

// Until it is decided what the codes are, a number stands for one.
void StateCode::learn(const std::uint64_t* state) {
  for (std::size_t k = 0; k < columns_.size(); ++k) {
    std::uint64_t& number = columns_[k].codes[any_value_of(columns_[k], state)][0];
    if (number == unknown) number = numberings_[k].values++;
  }
}

// Columns may need all of their bits in the end, of which not too many may lie beyond. Bits that are there anyway go to
// the columns that would need them first.
bool StateCode::decide(std::uint32_t least_mixed_bits) {
  std::uint32_t all = 0;
  std::vector<std::size_t> order(columns_.size());
  for (std::size_t k = 0; k < columns_.size(); ++k) {
    numberings_[k].width = width_for(numberings_[k].values);
    mixed_bits_ += numberings_[k].width;
    all += columns_[k].bits.count();
    order[k] = k;
  }
  const auto filling = [this](std::size_t k) {
    if (numberings_[k].width >= columns_[k].bits.count()) return 0.0;
    return static_cast<double>(numberings_[k].values) / static_cast<double>(std::uint64_t{1} << numberings_[k].width);
  };
  for (; mixed_bits_ < std::min(least_mixed_bits, all) || all - mixed_bits_ > most_beyond_bits; ++mixed_bits_)
    ++numberings_[*std::ranges::max_element(order, {}, filling)].width;
  mixed_bits_ = std::max(mixed_bits_, least_mixed_bits);
  if (mixed_bits_ > most_mixed_bits) return false;
  std::uint32_t first_bit = 0;
  for (std::size_t k = 0; k < columns_.size(); ++k) {
    numberings_[k].first_bit = first_bit;
    first_bit += numberings_[k].width;
    for (std::uint64_t value = 0; value < columns_[k].codes.size(); ++value)
      if (const std::uint64_t number = columns_[k].codes[value][0]; number != unknown)
        give_code(k, value, static_cast<std::uint32_t>(number));
  }
  return true;
}

void StateCode::save(SealedWriter& out) const {
  out.list({words_, mixed_bits_, beyond_bits()});
  out.number(columns_.size());
  for (std::size_t k = 0; k < columns_.size(); ++k) {
    const Numbering& numbering = numberings_[k];
    out.list({columns_[k].bits.first, columns_[k].bits.second, numbering.values, numbering.width, numbering.first_bit});
    out.list({numbering.further.begin(), numbering.further.end()});
    for (const Code& code : columns_[k].codes) out.words(code);
  }
}

std::shared_ptr<const StateCode> StateCode::loaded(SealedReader& in) {
  const auto narrow = [](std::uint64_t number) { return static_cast<std::uint32_t>(number); };
  const std::vector<std::uint64_t> sizes = in.list();
  const auto code = std::make_shared<StateCode>(narrow(sizes.at(0)), std::vector<ColumnBits>());
  code->mixed_bits_ = narrow(sizes.at(1));
  code->beyond_bits_ = narrow(sizes.at(2));
  for (std::uint64_t columns = in.number(); columns > 0; --columns) {
    const std::vector<std::uint64_t> numbers = in.list(), further = in.list();
    Column& column = code->columns_.emplace_back(column_of({numbers.at(0), numbers.at(1)}));
    code->numberings_.push_back({narrow(numbers.at(2)), narrow(numbers.at(3)), narrow(numbers.at(4)), {}});
    for (const std::uint64_t bit : further) code->numberings_.back().further.push_back(narrow(bit));
    for (Code& each : column.codes) in.words(each);
  }
  return code;
}

StateCode::Code StateCode::learned_code(const std::uint64_t* state) const {
  for (std::size_t k = 0; k < columns_.size(); ++k) learn(k, any_value_of(columns_[k], state));
  return code(state);
}

void StateCode::learn(std::size_t column, std::uint64_t value) const {
  const std::lock_guard lock(mutex_);
  if (columns_[column].codes[value][0] == unknown) give_code(column, value, numberings_[column].values++);
}

// What lies beyond is there before others see the value.
void StateCode::give_code(std::size_t column, std::uint64_t value, std::uint32_t number) const {
  Numbering& numbering = numberings_[column];
  while (numbering.width + numbering.further.size() < width_for(number + 1))
    numbering.further.push_back(beyond_bits_.fetch_add(1, std::memory_order_relaxed));
  const std::uint64_t low = number & ((std::uint64_t{1} << numbering.width) - 1);
  std::uint64_t beyond = 0;
  for (std::size_t k = 0; k < numbering.further.size(); ++k)
    beyond |= std::uint64_t{number >> (numbering.width + k) & 1} << numbering.further[k];
  const Code& code = columns_[column].codes[value];
  word_of(code, 1).store(beyond, std::memory_order_relaxed);
  word_of(code, 0).store(low << numbering.first_bit, std::memory_order_release);
}

}  // namespace fathom
