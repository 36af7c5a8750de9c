#include "store/disk_run.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cerrno>
#include <cstring>
#include <numeric>

#include "store/short_states.hpp"
#include "support/errors.hpp"

namespace fathom {

namespace {

constexpr std::uint32_t block_words = 8192;  // when it is read
constexpr std::size_t spare_bytes = 8;       // behind a block in memory, so that words can be read and written whole

std::uint32_t states_per_block(std::uint32_t words) {
  return std::max(1U, block_words / words);
}

[[noreturn]] void complain(const char* what, const std::filesystem::path& folder) {
  throw EnvironmentError(fmt::format("cannot {} a file in {}: {}", what, folder.string(), std::strerror(errno)));
}

int open_without_name(const std::filesystem::path& folder) {
  const int handle = ::open(folder.c_str(), O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);
  if (handle >= 0 || (errno != EOPNOTSUPP && errno != EISDIR && errno != EINVAL)) return handle;
  std::string name = folder / "fathom.XXXXXX";  // a file system that has no files without names
  const int named = ::mkostemp(name.data(), O_CLOEXEC);
  if (named >= 0) ::unlink(name.c_str());
  return named;
}

}  // namespace

DiskFile::DiskFile(const std::filesystem::path& folder) : folder_(folder), handle_(open_without_name(folder)) {
  if (handle_ < 0) complain("make", folder_);
}

DiskFile::~DiskFile() {
  ::close(handle_);
}

std::uint64_t DiskFile::append(const void* data, std::size_t size) {
  const std::uint64_t begin = size_;
  const auto* from = static_cast<const char*>(data);
  while (size > 0) {
    const ssize_t written = ::pwrite(handle_, from, size, static_cast<off_t>(size_));
    if (written < 0 && errno == EINTR) continue;
    if (written <= 0) complain("write", folder_);
    from += written;
    size -= static_cast<std::size_t>(written);
    size_ += static_cast<std::uint64_t>(written);
  }
  most_in_use_ = std::max(most_in_use_, size_ - released_);
  return begin;
}

void DiskFile::read(std::uint64_t offset, void* data, std::size_t size) const {
  auto* to = static_cast<char*>(data);
  while (size > 0) {
    const ssize_t got = ::pread(handle_, to, size, static_cast<off_t>(offset));
    if (got < 0 && errno == EINTR) continue;
    if (got == 0) errno = EIO;  // it is shorter than what was written
    if (got <= 0) complain("read", folder_);
    to += got;
    size -= static_cast<std::size_t>(got);
    offset += static_cast<std::uint64_t>(got);
  }
}

void DiskFile::release(std::uint64_t offset, std::uint64_t size) noexcept {
  released_ += size;
  (void)::fallocate(handle_, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE, static_cast<off_t>(offset),
                    static_cast<off_t>(size));
}

// Neighbouring blocks together: what the file system frees are whole pages.
DiskRun::~DiskRun() {
  for (std::size_t first = 0, next = 0; first < blocks.size(); first = next) {
    std::uint64_t end = blocks[first].offset;
    for (; next < blocks.size() && blocks[next].offset == end; ++next) end += blocks[next].bytes;
    file->release(blocks[first].offset, end - blocks[first].offset);
  }
}

// ---- Order.

namespace {

template <std::uint32_t words>
void sort_short(std::uint64_t* states, std::uint64_t count) {
  using State = std::array<std::uint64_t, words>;
  auto* const first = reinterpret_cast<State*>(states);
  std::sort(first, first + count);
}

void sort_long(std::uint64_t* states, std::uint64_t count, std::uint32_t words) {
  std::vector<std::uint64_t> order(count);
  std::iota(order.begin(), order.end(), std::uint64_t{0});
  std::ranges::sort(order, [=](std::uint64_t a, std::uint64_t b) {
    return compare_states(states + a * words, states + b * words, words) < 0;
  });
  // Each cycle of the permutation is gone round once, with one state put aside.
  std::vector<std::uint64_t> aside(words);
  for (std::uint64_t start = 0; start < count; ++start) {
    if (order[start] == start) continue;
    std::copy_n(states + start * words, words, aside.data());
    std::uint64_t to = start;
    for (std::uint64_t from = order[to]; from != start; from = order[to]) {
      std::copy_n(states + from * words, words, states + to * words);
      order[to] = to;
      to = from;
    }
    std::copy_n(aside.data(), words, states + to * words);
    order[to] = to;
  }
}

}  // namespace

void sort_states(std::uint64_t* states, std::uint64_t count, std::uint32_t words) {
  without_loop(
      words,
      [=]<std::uint32_t... k>(std::integer_sequence<std::uint32_t, k...>) { sort_short<sizeof...(k)>(states, count); },
      [=] { sort_long(states, count, words); });
}

// ---- Blocks: for each word of each state half a byte that says how many of its low-order bytes differ from the state
// before, and behind all of them these bytes.

namespace {

constexpr std::array<std::uint64_t, 9> low_bytes = {
    0, 0xff, 0xffff, 0xff'ffff, 0xffff'ffff, 0xff'ffff'ffff, 0xffff'ffff'ffff, 0xff'ffff'ffff'ffff, UINT64_MAX};

std::size_t encode(const std::uint64_t* states, std::uint32_t count, std::uint32_t words,
                   std::vector<std::uint8_t>& bytes) {
  const std::size_t all = std::size_t{count} * words;
  bytes.assign((all + 1) / 2 + all * sizeof(std::uint64_t) + spare_bytes, 0);
  std::uint8_t* const lengths = bytes.data();
  std::uint8_t* to = lengths + (all + 1) / 2;
  for (std::size_t k = 0; k < all; ++k) {
    const std::uint64_t change = k < words ? states[k] : states[k] ^ states[k - words];
    const auto length = static_cast<std::uint32_t>(71 - std::countl_zero(change)) / 8;
    lengths[k / 2] |= static_cast<std::uint8_t>(length << (k % 2 * 4));
    std::memcpy(to, &change, sizeof change);
    to += length;
  }
  return static_cast<std::size_t>(to - lengths);
}

void decode(const std::uint8_t* bytes, std::uint32_t count, std::uint32_t words, std::uint64_t* states) {
  const std::size_t all = std::size_t{count} * words;
  const std::uint8_t* from = bytes + (all + 1) / 2;
  for (std::size_t k = 0; k < all; ++k) {
    const std::uint32_t length = bytes[k / 2] >> (k % 2 * 4) & 15;
    std::uint64_t change;
    std::memcpy(&change, from, sizeof change);
    change &= low_bytes[length];
    states[k] = k < words ? change : change ^ states[k - words];
    from += length;
  }
}

}  // namespace

RunWriter::RunWriter(std::shared_ptr<DiskFile> file, std::uint32_t words)
    : run_(std::make_shared<DiskRun>()), block_size_(std::size_t{states_per_block(words)} * words) {
  run_->file = std::move(file);
  run_->words = words;
  waiting_.reserve(block_size_);
}

void RunWriter::append(const std::uint64_t* state) {
  waiting_.insert(waiting_.end(), state, state + run_->words);
  if (waiting_.size() == block_size_) write_block();
}

void RunWriter::write_block() {
  const auto count = static_cast<std::uint32_t>(waiting_.size() / run_->words);
  const std::size_t size = encode(waiting_.data(), count, run_->words, bytes_);
  run_->blocks.push_back({run_->file->append(bytes_.data(), size), static_cast<std::uint32_t>(size), count});
  run_->firsts.insert(run_->firsts.end(), waiting_.begin(), waiting_.begin() + run_->words);
  run_->count += count;
  waiting_.clear();
}

SharedRun RunWriter::finish() {
  if (!waiting_.empty()) write_block();
  return std::move(run_);
}

RunReader::RunReader(SharedRun run, std::size_t first_block) : run_(std::move(run)) {
  load(first_block);
}

void RunReader::load(std::size_t block) {
  block_ = block;
  at_ = end_ = nullptr;
  if (block_ >= run_->blocks.size()) return;
  const DiskRun::Block& here = run_->blocks[block_];
  bytes_.resize(here.bytes + spare_bytes);
  states_.resize(std::size_t{here.count} * run_->words);
  run_->file->read(here.offset, bytes_.data(), here.bytes);
  decode(bytes_.data(), here.count, run_->words, states_.data());
  at_ = states_.data();
  end_ = at_ + states_.size();
}

// The last block from `at_least` on that does not begin behind the state, or that one.
std::size_t RunReader::block_of(const std::uint64_t* state, std::size_t at_least) const {
  const std::uint32_t words = run_->words;
  const auto begins_behind = [&](std::size_t block) {
    return block >= run_->blocks.size() || compare_states(&run_->firsts[block * words], state, words) > 0;
  };
  std::size_t block = at_least, step = 1;
  for (; !begins_behind(block + step); step *= 2) block += step;
  for (; step > 1; step /= 2)
    if (!begins_behind(block + step / 2)) block += step / 2;
  return block;
}

void RunReader::skip_to(const std::uint64_t* state) {
  if (at_end()) return;
  const std::size_t block = block_of(state, block_);
  if (block != block_) load(block);
}

void RunReader::skip_block_to(const std::uint64_t* state) {
  load(block_of(state, block_ + 1));
}

// ---- Several runs.

MergedRuns::MergedRuns(const std::vector<SharedRun>& runs, std::uint32_t words) : words_(words) {
  readers_.reserve(runs.size());
  for (const SharedRun& run : runs) {
    readers_.emplace_back(run);
    if (!readers_.back().at_end()) heap_.push_back(&readers_.back());
  }
  for (std::size_t k = heap_.size(); k-- > 0;) sink(k);
}

bool MergedRuns::is_less(std::size_t a, std::size_t b) const {
  return compare_states(heap_[a]->begin(), heap_[b]->begin(), words_) < 0;
}

void MergedRuns::sink(std::size_t k) {
  for (;;) {
    std::size_t child = 2 * k + 1;
    if (child >= heap_.size()) return;
    if (child + 1 < heap_.size() && is_less(child + 1, child)) ++child;
    if (!is_less(child, k)) return;
    std::swap(heap_[child], heap_[k]);
    k = child;
  }
}

void MergedRuns::advance_first() {
  heap_.front()->move_to(heap_.front()->begin() + words_);
  if (heap_.front()->at_end()) {
    heap_.front() = heap_.back();
    heap_.pop_back();
  }
  if (!heap_.empty()) sink(0);
}

void MergedRuns::next() {
  last_.assign(state(), state() + words_);
  do advance_first();
  while (!heap_.empty() && compare_states(state(), last_.data(), words_) == 0);
}

SharedRun merge_runs(const std::vector<SharedRun>& runs, std::uint32_t words, std::shared_ptr<DiskFile> file,
                     const std::function<bool()>& go_on) {
  constexpr std::uint64_t between_questions = std::uint64_t{1} << 20;
  RunWriter out(std::move(file), words);
  for (MergedRuns in(runs, words); !in.at_end(); in.next()) {
    out.append(in.state());
    if (out.count() % between_questions == 0 && !go_on()) return nullptr;
  }
  return out.finish();
}

namespace {

// Both sequences go on by one or both by what the comparison says, without a branch where states are single words.
template <std::uint32_t known>
void mark(const std::uint64_t* states, std::uint64_t count, std::uint32_t given, RunReader& run,
          std::uint8_t* is_known) {
  const std::uint32_t words = length_of<known>(given);
  if (count > 0) run.skip_to(states);
  for (std::uint64_t k = 0; k < count && !run.at_end();) {
    const std::uint64_t* other = run.begin();
    const std::uint64_t* const end = run.end();
    while (k < count && other != end) {
      const std::strong_ordering order = compare_states(states + k * words, other, words);
      is_known[k] |= static_cast<std::uint8_t>(order == 0);
      k += order <= 0 ? 1 : 0;
      other += order >= 0 ? words : 0;
    }
    if (other == end && k < count)
      run.skip_block_to(states + k * words);
    else
      run.move_to(other);
  }
}

}  // namespace

void mark_known(const std::uint64_t* states, std::uint64_t count, std::uint32_t words, RunReader& run,
                std::vector<std::uint8_t>& is_known) {
  without_loop(
      words,
      [&]<std::uint32_t... k>(std::integer_sequence<std::uint32_t, k...>) {
        mark<sizeof...(k)>(states, count, words, run, is_known.data());
      },
      [&] { mark<0>(states, count, words, run, is_known.data()); });
}

}  // namespace fathom
