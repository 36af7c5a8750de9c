#include "store/run_set.hpp"

namespace fathom {

void RunSet::add(SharedRun run, const std::function<bool()>& go_on) {
  runs_.push_back(std::move(run));
  std::size_t first = runs_.size() - 1;
  for (std::uint64_t together = runs_[first]->count; first > 0 && runs_[first - 1]->count < 2 * together;)
    together += runs_[--first]->count;
  const auto begin = runs_.begin() + static_cast<std::ptrdiff_t>(first);
  const std::vector<SharedRun> parts(begin, runs_.end());
  if (parts.size() < 2) return;
  SharedRun merged = merge_runs(parts, parts[0]->words, parts[0]->file, go_on);
  if (merged == nullptr) return;
  runs_.erase(begin, runs_.end());
  runs_.push_back(std::move(merged));
}

}  // namespace fathom
