#include "store/sorted_states.hpp"

namespace fathom {

void SortedStates::take(MergedRuns& from, std::uint64_t most) {
  clear();
  for (; !from.at_end() && states_.size() < most * words_; from.next()) add({from.state(), words_});
}

SharedRun SortedStates::write(std::shared_ptr<DiskFile> file) const {
  RunWriter out(std::move(file), words_);
  for (std::size_t k = 0; k < states_.size(); k += words_) out.append(&states_[k]);
  return out.finish();
}

void SortedStates::compare(std::vector<RunReader>& runs, const std::function<bool()>& go_on) {
  found_.assign(size(), 0);
  for (std::size_t k = 0; k < runs.size() && go_on(); ++k) mark_known(states_.data(), size(), words_, runs[k], found_);
}

}  // namespace fathom
