#include "store/quotient_store.hpp"

#include <algorithm>
#include <array>

#include "support/sealed_file.hpp"

namespace fathom {

QuotientStore::QuotientStore(QuotientShape::Bits bits, bool is_long, std::uint64_t memory_limit, bool alone)
    : is_long_(is_long),
      alone_(alone),
      memory_limit_(memory_limit),
      shape_(QuotientShape::smallest(bits)),
      format_(shape_.line()),
      most_(most_in(shape_)),
      mix_(shape_.mix()),
      bytes_(std::min(std::max(memory_limit, bytes()), most_reserved)) {}

QuotientShape QuotientStore::shape_for(std::uint64_t extra, std::uint32_t beyond_bits) const {
  QuotientShape shape = shape_.with_beyond(std::max(beyond_bits, this->beyond_bits()));
  while (size_ + extra > most_in(shape) && !shape.is_largest()) shape = shape.larger(pace_of(shape).growth);
  return shape;
}

bool QuotientStore::reserve(std::uint64_t extra, std::uint32_t beyond_bits, Team* team) {
  if (size_ + extra <= most_ && beyond_bits <= this->beyond_bits()) return true;
  const QuotientShape shape = shape_for(extra, beyond_bits);
  const std::uint64_t bytes = shape.lines() * QuotientLine::bytes;
  if (size_ + extra > most_in(shape) || bytes > memory_limit_ || bytes > bytes_.capacity()) return false;
  grow_to(shape, team);
  return true;
}

void QuotientStore::save(SealedWriter& out) const {
  out.words(shape_.numbers());
  out.number(size_);
  out.bytes({bytes_.data(), bytes()});
  out.number(aside_.size());
  for (const auto& [mixed, beyond] : aside_) out.words(Pair{mixed, beyond});
}

bool QuotientStore::load(SealedReader& in) {
  QuotientShape::Numbers numbers;
  in.words(numbers);
  shape_ = QuotientShape::of(numbers);
  if (bytes() > memory_limit_ || bytes() > bytes_.capacity()) return false;
  format_ = shape_.line();
  most_ = most_in(shape_);
  size_ = in.number();
  in.bytes({bytes_.data(), bytes()});
  for (std::uint64_t count = in.number(); count > 0; --count) {
    Pair pair;
    in.words(pair);
    aside_.emplace(pair[0], pair[1]);
  }
  return true;
}

bool QuotientStore::enter_aside(Word word) {
  const std::lock_guard lock(mutex_);
  return aside_.emplace(word.mixed, word.beyond).second;
}

template <class Each>
void QuotientStore::take_out(const QuotientShape& shape, QuotientLine format, std::uint64_t number, Byte* line,
                             const Each& each) {
  std::array<Byte, QuotientLine::bytes> copy;
  std::copy_n(line, copy.size(), copy.begin());
  std::fill_n(line, copy.size(), Byte{0});
  const Hash first = shape.first_of(number);
  for (std::uint32_t k = 0; k < copy[0]; ++k) {
    const QuotientShape::Entry entry = format.at(copy.data(), k);
    const std::uint64_t home = shape.home_of(number, entry);
    each(shape.word_of(home == number ? first : shape.first_of(home), entry));
  }
}

void QuotientStore::grow_to(const QuotientShape& shape, Team* team) {
  const QuotientShape old = std::exchange(shape_, shape);
  const QuotientLine old_format = std::exchange(format_, shape.line());
  most_ = most_in(shape);
  if (old.lines() == shape.lines())
    widen_lines(old, old_format, team);
  else
    move_from(old, old_format, team);
  View<most_words, true, true> view(*this);
  for (const auto& [mixed, beyond] : std::exchange(aside_, {})) view.enter_new({mixed, beyond});
}

// In a table of the same size entries stay in their lines, except for some where a line has room for fewer of them:
// they find another place in their window.
void QuotientStore::widen_lines(const QuotientShape& old, QuotientLine old_format, Team* team) {
  constexpr std::uint64_t window = QuotientShape::window;
  in_slices(team, old.lines() / window, [&](std::uint64_t first, std::uint64_t end) {
    View<most_words, true> view(*this);
    std::vector<Word> too_many;
    for (std::uint64_t here = first; here < end; ++here) {
      too_many.clear();
      for (std::uint64_t number = here * window; number < (here + 1) * window; ++number)
        widen_line(old, old_format, number, too_many);
      for (const Word word : too_many) view.enter_new(word);
    }
  });
}

void QuotientStore::widen_line(const QuotientShape& old, QuotientLine old_format, std::uint64_t number,
                               std::vector<Word>& too_many) {
  std::array<QuotientShape::Entry, QuotientLine::most_entries> entries;
  Byte* const line = &bytes_[number * QuotientLine::bytes];
  const std::uint32_t count = line[0];
  for (std::uint32_t k = 0; k < count; ++k) entries[k] = shape_.widened(old_format.at(line, k), old);
  std::fill_n(line, QuotientLine::bytes, Byte{0});
  const std::uint32_t stay = std::min(count, format_.entries());
  format_.write_first(line, entries.data(), stay);
  for (std::uint32_t k = stay; k < count; ++k)
    too_many.push_back(shape_.word_of(shape_.first_of(shape_.home_of(number, entries[k])), entries[k]));
}

// Entries move from their window to one that is not before it. So those of the last windows go first, to windows behind
// all that are taken; then those whose new windows have become free, and so on. Near the beginning of the table, where
// both are the same, entries wait until their window is free. Threads share the lines so that they never write to the
// same window, and lock nothing.
void QuotientStore::move_from(const QuotientShape& old, QuotientLine old_format, Team* team) {
  constexpr std::uint64_t window = QuotientShape::window;
  const std::uint64_t part = old.lines_that_move_together();
  std::vector<Word> waiting;
  for (std::uint64_t free = old.lines(); free > 0;) {  // from this line on all are free for the new shape
    const auto has_place = [&](Word word) { return shape_.line_of(word.mixed) / window * window >= free; };
    const std::uint64_t begin =
        std::min(free - window, (old.least_line_for(free, shape_) + window - 1) / window * window);
    const std::uint64_t first_part = begin / part, parts = (free + part - 1) / part - first_part;
    in_slices(parts > 1 ? team : nullptr, parts, [&](std::uint64_t first, std::uint64_t end) {
      View<most_words, true> view(*this);
      std::vector<Word> too_early;
      const std::uint64_t last = std::min(free, (first_part + end) * part);
      for (std::uint64_t number = std::max(begin, (first_part + first) * part); number < last; ++number)
        take_out(old, old_format, number, &bytes_[number * QuotientLine::bytes], [&](Word word) {
          if (has_place(word))
            view.enter_new(word);
          else
            too_early.push_back(word);
        });
      const std::lock_guard lock(mutex_);
      waiting.insert(waiting.end(), too_early.begin(), too_early.end());
    });
    free = begin;
    View<most_words, true> view(*this);
    std::erase_if(waiting, [&](Word word) { return has_place(word) && (view.enter_new(word), true); });
  }
}

}  // namespace fathom
