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

StateCode::StateCode(std::uint32_t words, std::vector<ColumnBits> columns, bool by_instruction)
    : words_(words), by_instruction_(by_instruction), numberings_(columns.size()) {
  const auto lies_in_first = [](const ColumnBits& bits) { return bits.second == 0; };
  const auto lies_in_second = [](const ColumnBits& bits) { return bits.first == 0; };
  const auto behind_first = std::ranges::stable_partition(columns, lies_in_first);
  in_first_ = columns.size() - behind_first.size();
  in_second_ = behind_first.size() - std::ranges::stable_partition(behind_first, lies_in_second).size();
  for (const ColumnBits& bits : columns) {
    const std::size_t values = std::size_t{1} << bits.count();
    std::uint64_t* const mixed = mixed_.emplace_back(values, unknown).data();
    beyond_.emplace_back(values, 0);
    columns_.push_back({bits, static_cast<std::uint64_t>(std::popcount(bits.first)), mixed});
  }
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

// Until it is decided what the codes are, values that occur are marked.
void StateCode::learn(const std::uint64_t* state) {
  for (const Column& column : columns_) {
    const std::atomic_ref part(column.mixed[any_value_of(column, state)]);
    if (part.load(std::memory_order_relaxed) == unknown) part.store(0, std::memory_order_relaxed);
  }
}

// Columns may need all of their bits in the end, of which not too many may lie beyond. Bits that are there anyway go to
// the columns that would need them first.
bool StateCode::decide(std::uint32_t least_mixed_bits) {
  std::uint32_t all = 0;
  std::vector<std::size_t> order(columns_.size());
  for (std::size_t k = 0; k < columns_.size(); ++k) {
    numberings_[k].values = static_cast<std::uint32_t>(mixed_[k].size() - std::ranges::count(mixed_[k], unknown));
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
    std::uint32_t number = 0;
    for (std::uint64_t value = 0; value < mixed_[k].size(); ++value)
      if (mixed_[k][value] != unknown) give_code(k, value, number++);
  }
  return true;
}

void StateCode::save(SealedWriter& out) const {
  std::vector<std::uint64_t> masks;
  for (const Column& column : columns_) masks.insert(masks.end(), {column.bits.first, column.bits.second});
  out.number(words_);
  out.list(masks);
  out.list({mixed_bits_, beyond_bits(), wide_columns_});
  for (std::size_t k = 0; k < columns_.size(); ++k) {
    const Numbering& numbering = numberings_[k];
    out.list({numbering.values, numbering.width, numbering.first_bit});
    out.list({numbering.further.begin(), numbering.further.end()});
    out.words(mixed_[k]);
    out.words(beyond_[k]);
  }
}

std::shared_ptr<StateCode> StateCode::loaded(SealedReader& in) {
  const auto narrow = [](std::uint64_t number) { return static_cast<std::uint32_t>(number); };
  const std::uint32_t words = narrow(in.number());
  std::vector<ColumnBits> columns;
  const std::vector<std::uint64_t> masks = in.list();
  for (std::size_t k = 0; k + 1 < masks.size(); k += 2) columns.push_back({masks[k], masks[k + 1]});
  const auto code = std::make_shared<StateCode>(words, columns);
  const std::vector<std::uint64_t> bits = in.list();
  code->mixed_bits_ = narrow(bits.at(0));
  code->beyond_bits_ = narrow(bits.at(1));
  code->wide_columns_ = bits.at(2);
  for (std::size_t k = 0; k < columns.size(); ++k) {
    const std::vector<std::uint64_t> numbers = in.list(), further = in.list();
    code->numberings_[k] = {narrow(numbers.at(0)), narrow(numbers.at(1)), narrow(numbers.at(2)), {}};
    for (const std::uint64_t bit : further) code->numberings_[k].further.push_back(narrow(bit));
    in.words(code->mixed_[k]);
    in.words(code->beyond_[k]);
  }
  return code;
}

StateCode::Code StateCode::code(const std::uint64_t* state) const {
  const auto same = [=](std::uint32_t) { return state; };
  Code code;
  codes(1, same, &code);
  if (is_known(code)) return code;
  for (std::size_t k = 0; k < columns_.size(); ++k) learn(k, any_value_of(columns_[k], state));
  codes(1, same, &code);
  return code;
}

void StateCode::learn(std::size_t column, std::uint64_t value) const {
  const std::lock_guard lock(mutex_);
  if (columns_[column].mixed[value] == unknown) give_code(column, value, numberings_[column].values++);
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
  if (beyond != 0) wide_columns_.fetch_or(std::uint64_t{1} << column, std::memory_order_relaxed);
  std::atomic_ref(beyond_[column][value]).store(beyond, std::memory_order_relaxed);
  std::atomic_ref(mixed_[column][value]).store(low << numbering.first_bit, std::memory_order_release);
}

}  // namespace fathom
