// A part of the states of a search on a disk, sorted in memory: on its way into a run, or to be compared with runs.
#pragma once

#include <functional>
#include <vector>

#include "store/disk_run.hpp"

namespace fathom {

class SortedStates {
 public:
  explicit SortedStates(std::uint32_t words) : words_(words) {}

  void reserve(std::uint64_t count) { states_.reserve(count * words_); }
  void clear() { states_.clear(); }
  void add(StateView state) { states_.insert(states_.end(), state.begin(), state.end()); }
  // After the last one was added.
  void sort() { sort_states(states_.data(), size(), words_); }
  // Those that come next in the runs, at most so many, instead of what was here.
  void take(MergedRuns& from, std::uint64_t most);

  [[nodiscard]] SharedRun write(std::shared_ptr<DiskFile> file) const;
  // Finds out which of them, all different, stand in one of the runs, and reads these as far as that needs. Asks
  // go_on() between two runs.
  void compare(std::vector<RunReader>& runs, const std::function<bool()>& go_on);

  [[nodiscard]] std::uint64_t size() const { return states_.size() / words_; }
  [[nodiscard]] StateView operator[](std::uint64_t k) const { return {&states_[k * words_], words_}; }
  [[nodiscard]] bool was_found(std::uint64_t k) const { return found_[k] != 0; }  // by compare()
  [[nodiscard]] std::uint64_t bytes() const { return states_.capacity() * sizeof(std::uint64_t) + found_.capacity(); }

 private:
  std::uint32_t words_;
  StateBuffer states_;
  std::vector<std::uint8_t> found_;
};

}  // namespace fathom
