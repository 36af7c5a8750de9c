// Sorted sequences of states on a disk, written once and read from the beginning to the end.
//
// A run is a list of blocks, each of which is read and written as a whole. Within a block a state is written as the
// bytes in which its words differ from those of the state before, and so takes a few bytes where states are sorted. The
// first state of each block is kept in memory: a reader that looks for certain states leaves out the blocks in which
// none of them can be.
#pragma once

#include <compare>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <vector>

#include "model/model.hpp"

namespace fathom {

// A file without a name: when it is closed, by whatever end of the process, its room on the disk is free again. All
// members throw EnvironmentError.
class DiskFile {
 public:
  explicit DiskFile(const std::filesystem::path& folder);
  DiskFile(const DiskFile&) = delete;
  DiskFile& operator=(const DiskFile&) = delete;
  ~DiskFile();

  // Returns where they are.
  std::uint64_t append(const void* data, std::size_t size);
  void read(std::uint64_t offset, void* data, std::size_t size) const;
  [[nodiscard]] std::uint64_t size() const { return size_; }
  // What stands there is needed no more: its room on the disk is free again, where the file system can do that.
  void release(std::uint64_t offset, std::uint64_t size) noexcept;
  [[nodiscard]] std::uint64_t most_in_use() const { return most_in_use_; }

 private:
  std::filesystem::path folder_;
  int handle_;
  std::uint64_t size_ = 0;
  std::uint64_t released_ = 0, most_in_use_ = 0;
};

// States are ordered by their words, the first one first.
inline std::strong_ordering compare_states(const std::uint64_t* a, const std::uint64_t* b, std::uint32_t words) {
  for (std::uint32_t k = 0; k < words; ++k)
    if (a[k] != b[k]) return a[k] <=> b[k];
  return std::strong_ordering::equal;
}

// Sorts `count` states that lie one behind the other.
void sort_states(std::uint64_t* states, std::uint64_t count, std::uint32_t words);

// Its room in the file is released with it.
struct DiskRun {
  struct Block {
    std::uint64_t offset;
    std::uint32_t bytes, count;
  };
  DiskRun() = default;
  DiskRun(const DiskRun&) = delete;
  DiskRun& operator=(const DiskRun&) = delete;
  ~DiskRun();

  std::shared_ptr<DiskFile> file;
  std::uint32_t words = 1;
  std::vector<Block> blocks;
  std::vector<std::uint64_t> firsts;  // the first state of each block
  std::uint64_t count = 0;            // of all states

  [[nodiscard]] std::uint64_t memory() const { return blocks.size() * (sizeof(Block) + words * sizeof firsts[0]); }
};
using SharedRun = std::shared_ptr<const DiskRun>;

class RunWriter {
 public:
  RunWriter(std::shared_ptr<DiskFile> file, std::uint32_t words);

  void append(const std::uint64_t* state);
  [[nodiscard]] SharedRun finish();
  [[nodiscard]] std::uint64_t count() const { return run_->count + waiting_.size() / run_->words; }

 private:
  void write_block();

  std::shared_ptr<DiskRun> run_;
  const std::size_t block_size_;  // in words
  std::vector<std::uint64_t> waiting_;
  std::vector<std::uint8_t> bytes_;
};

class RunReader {
 public:
  explicit RunReader(SharedRun run, std::size_t first_block = 0);
  RunReader(RunReader&&) = default;

  // The states from here to the end of the block; none at the end of the run.
  [[nodiscard]] const std::uint64_t* begin() const { return at_; }
  [[nodiscard]] const std::uint64_t* end() const { return end_; }
  [[nodiscard]] bool at_end() const { return at_ == end_; }
  [[nodiscard]] std::size_t block() const { return block_; }

  // Goes on behind states of this block; at its end, with the next one.
  void move_to(const std::uint64_t* at) {
    at_ = at;
    if (at_ == end_) load(block_ + 1);
  }
  // In a sorted run: leaves out blocks all states of which are less than this one; the block that was read last, too,
  // if its states are done with.
  void skip_to(const std::uint64_t* state);
  void skip_block_to(const std::uint64_t* state);

 private:
  void load(std::size_t block);
  [[nodiscard]] std::size_t block_of(const std::uint64_t* state, std::size_t at_least) const;

  SharedRun run_;
  std::size_t block_ = 0;
  std::vector<std::uint64_t> states_;
  std::vector<std::uint8_t> bytes_;
  const std::uint64_t* at_ = nullptr;
  const std::uint64_t* end_ = nullptr;
};

// Several sorted runs as one, in which each state occurs once.
class MergedRuns {
 public:
  MergedRuns(const std::vector<SharedRun>& runs, std::uint32_t words);

  [[nodiscard]] bool at_end() const { return heap_.empty(); }
  [[nodiscard]] const std::uint64_t* state() const { return heap_.front()->begin(); }
  // Not after state() was used for the last time.
  void next();

 private:
  [[nodiscard]] bool is_less(std::size_t a, std::size_t b) const;
  void advance_first();
  void sink(std::size_t k);

  std::uint32_t words_;
  std::vector<RunReader> readers_;
  std::vector<RunReader*> heap_;  // the least state on top
  std::vector<std::uint64_t> last_;
};

// Asks go_on() now and then; null when that says no.
SharedRun merge_runs(const std::vector<SharedRun>& runs, std::uint32_t words, std::shared_ptr<DiskFile> file,
                     const std::function<bool()>& go_on);

// Sets is_known[k] for each of `count` sorted states, all different, that stands in the run. Reads the run as far as
// that needs.
void mark_known(const std::uint64_t* states, std::uint64_t count, std::uint32_t words, RunReader& run,
                std::vector<std::uint8_t>& is_known);

}  // namespace fathom
