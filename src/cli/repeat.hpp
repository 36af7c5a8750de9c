// `--repeat K`: a search that chooses at random is run with K seeds, and the runs are summed up.
#pragma once

#include "cli/search_job.hpp"

namespace fathom {

struct RepeatedJob {
  JobResult result;  // of the first run with a violation; else of one that kept every state, else of the first run
  std::uint64_t seed = 1;              // of that run
  std::optional<RepeatReport> repeat;  // where there were several
};

// As many runs as the options ask for, in as many threads. They end early when one of them has kept every state, for
// then nothing is left to be found, and when the job is told to stop.
RepeatedJob run_repeated(const SearchJob& job);

}  // namespace fathom
