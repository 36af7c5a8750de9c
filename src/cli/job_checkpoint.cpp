#include "cli/job_checkpoint.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "cli/manual.hpp"
#include "cli/usage_error.hpp"
#include "ir/print.hpp"
#include "native/cache.hpp"
#include "native/emit_user_code.hpp"

namespace fathom {

namespace {

// Which runs of a claim are bad, as far as a checkpoint has to know.
std::string summary_of(const ir::Claim& claim, const ir::Automaton& automaton) {
  const auto number = [](const std::optional<std::uint32_t>& atom) { return atom ? std::to_string(*atom) : "none"; };
  std::string text =
      fmt::format("{} atoms {} from {} acceptance {} progress {}", static_cast<int>(claim.kind),
                  fmt::join(claim.atoms, ","), automaton.initial, number(claim.acceptance), number(claim.progress));
  for (const ir::Automaton::State& state : automaton.states) {
    text += fmt::format(" state {}{}", state.accepting, state.end);
    for (const ir::Automaton::Edge& edge : state.edges)
      text += fmt::format(" to {} if {} and not {} asserting {}", edge.target, edge.condition.positive,
                          edge.condition.negative, number(edge.asserted));
  }
  return text;
}

// Which of the searches of a check it is.
std::string part_of_check(const SearchJob& job) {
  return job.claim ? "claim " + job.program.claims[*job.claim].name : "states";
}

std::string order_text(const SearchOptions& options) {
  const bool random = options.order == Order::random;
  return fmt::format("{}{}", static_cast<int>(options.order), random ? fmt::format(" by seed {}", options.seed) : "");
}

// All that the model is, with the C code that it brings along.
std::string text_of(const ir::Program& program) {
  return ir::print(program) + (program.user_code == nullptr ? "" : emit_user_code(*program.user_code));
}

// What must be the same for a search to go on from where another stood.
RunIdentity identity_of(const SearchJob& job, const JobResult& result, const SearchOptions& options) {
  std::string selected;
  for (const bool each : options.selected) selected += each ? '1' : '0';
  const auto number = [](std::uint64_t value) { return std::to_string(value); };
  const CheckOptions& asked = job.options;
  return {{"version", version},
          {"list of formulas", fmt::format("{}", fmt::join(asked.formulas, "\n"))},
          {"list of automata", fmt::format("{}", fmt::join(asked.automata, "\n"))},
          {"model", content_hash(text_of(job.program))},
          {"--loop-limit", number(job.program.loop_limit)},
          {part_name, part_of_check(job)},
          {growths_name, job.promela == nullptr ? "" : growths_text(*job.promela)},
          {"search", result.search_text},
          {"choice of properties", fmt::format("{}{}{}", selected, options.assertions, options.check_states)},
          {"--deadlock", name(options.deadlock)},
          {"--max-errors", options.max_errors == UINT64_MAX ? "without limit" : number(options.max_errors)},
          {"--max-depth", options.max_depth ? number(*options.max_depth) : "none"},
          {"--deterministic", options.deterministic ? "on" : "off"},
          {"--order", order_text(options)},
          {"partial order reduction", result.partial_order == nullptr ? "off" : "on"},
          {"symmetry reduction", result.canonicaliser == nullptr ? "off" : "on"},
          {"--store", name(asked.store)},
          {"--fair", asked.fair ? "on" : "off"},
          {"--strong-fair", fmt::format("{}", fmt::join(asked.strong_fair, ","))},
          {"--progress", fmt::format("{}", fmt::join(asked.progress, ","))}};
}

CheckpointRequest make_request(const SearchJob& job, const SearchOptions& options, JobResult& result) {
  result.identity = identity_of(job, result, options);
  const bool begins_anew = job.promela != nullptr && job.promela->grew;
  CheckpointRequest request{job.options.checkpoint,
                            job.options.checkpoint_seconds.value_or(usual_checkpoint_seconds),
                            begins_anew ? std::nullopt : job.options.resume,
                            result.identity,
                            job.finished,
                            job.announce};
  if (!job.may_save) request.write.reset();
  return request;
}

}  // namespace

bool wants_checkpoints(const SearchJob& job) {
  return job.options.checkpoint || job.options.resume;
}

std::string why_no_checkpoint(const SearchExpression& search) {
  if (search.name != "ndfs" && search.name != "scc")
    return fmt::format("there are no checkpoints of `{}`", search.text());
  return "";
}

std::optional<CheckpointRequest> checkpoint_of_states(const SearchJob& job, const SearchEntry& search,
                                                      const SearchOptions& options, JobResult& result) {
  if (!wants_checkpoints(job)) return std::nullopt;
  const char* const option = job.options.resume ? "--resume" : "--checkpoint";
  const bool can_be_saved = search.any_store && result.partial_order == nullptr && job.options.order == Order::declared;
  if (!can_be_saved && !job.selection.states) {
    result.warnings.push_back("there are no checkpoints of the search of the states that the claims did not look at");
    return std::nullopt;
  }
  if (!can_be_saved)
    throw UsageError(
        fmt::format("{} is for breadth-first search, without partial order reduction and in declared order", option));
  if (job.options.store == StoreOption::compact || job.options.store == StoreOption::bitstate)
    throw UsageError(fmt::format("{} does not go with --store compact or bitstate", option));
  return make_request(job, options, result);
}

CheckpointRequest checkpoint_of_claim(const SearchJob& job, const ir::Automaton& automaton,
                                      const SearchOptions& options, JobResult& result) {
  CheckpointRequest request = make_request(job, options, result);
  const ir::Claim& claim = job.program.claims[*job.claim];
  request.identity.emplace_back("list of bad runs", content_hash(summary_of(claim, automaton)));
  result.identity = request.identity;
  return request;
}

bool take_finished(const SearchJob& job, CheckpointRequest& request, JobResult& result) {
  if (!request.resume) return false;
  CheckpointHead head = head_of(*request.resume);
  const std::string part = part_of(request.identity), its_part = part_of(head.identity);
  if (part == its_part) return false;
  const auto is_part = [](const std::string& which) {
    return [&which](const FinishedRun& run) { return part_of(run.identity) == which; };
  };
  if (const auto run = std::ranges::find_if(head.finished, is_part(part)); run != head.finished.end()) {
    expect_same(request.identity, run->identity, *request.resume);
    result.search = std::move(run->search);
    result.hits = std::move(run->hits);
    result.pending = std::move(run->pending);
    return true;
  }
  if (std::ranges::none_of(job.finished, is_part(its_part)))
    expect_same(request.identity, head.identity, *request.resume);
  request.resume.reset();  // it was left by a search that comes before this one
  return false;
}

}  // namespace fathom
