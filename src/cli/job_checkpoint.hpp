// What a checkpoint is for a job of the command line: of which run it is, which parts of a check it has the results of,
// and for which searches there is none.
#pragma once

#include <optional>
#include <string>

#include "cli/search_job.hpp"
#include "search/run.hpp"

namespace fathom {

bool wants_checkpoints(const SearchJob& job);

// Why a search for cycles cannot be saved and resumed; empty if it can.
std::string why_no_checkpoint(const SearchExpression& search);

// What the search is to save and to begin with; the result gets its identity. Throws UsageError for a search of states
// that cannot be saved.
std::optional<CheckpointRequest> checkpoint_of_states(const SearchJob& job, const SearchEntry& search,
                                                      const SearchOptions& options, JobResult& result);
CheckpointRequest checkpoint_of_claim(const SearchJob& job, const ir::Automaton& automaton,
                                      const SearchOptions& options, JobResult& result);

// True: the checkpoint knows what came of this search, and that is the result.
bool take_finished(const SearchJob& job, CheckpointRequest& request, JobResult& result);

}  // namespace fathom
