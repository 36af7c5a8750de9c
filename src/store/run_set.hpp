// A set of states that grows on a disk by one sorted run after the other. So that there are few of them, a run that is
// less than twice as long as those behind it together is merged with them: each state is written anew a few times only.
#pragma once

#include <functional>
#include <vector>

#include "store/disk_run.hpp"

namespace fathom {

class RunSet {
 public:
  // Merged runs lie in the file of the others. Asks go_on() now and then: when that says no, the runs stay as they are.
  void add(SharedRun run, const std::function<bool()>& go_on);

  [[nodiscard]] const std::vector<SharedRun>& runs() const { return runs_; }  // the longest first
  // All of them from their beginning.
  [[nodiscard]] std::vector<RunReader> readers() const { return {runs_.begin(), runs_.end()}; }

 private:
  std::vector<SharedRun> runs_;
};

}  // namespace fathom
