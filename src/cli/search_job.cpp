#include "cli/search_job.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <new>
#include <utility>

#include "analysis/cells.hpp"
#include "analysis/effort.hpp"
#include "analysis/symmetry.hpp"
#include "cli/job_checkpoint.hpp"
#include "cli/manual.hpp"
#include "cli/marks.hpp"
#include "cli/memory_watch.hpp"
#include "cli/run_rules.hpp"
#include "cli/searches.hpp"
#include "cli/usage_error.hpp"
#include "ir/print.hpp"
#include "model/executor.hpp"
#include "native/cache.hpp"
#include "property/bad_runs.hpp"
#include "property/ltl/formula.hpp"
#include "property/ltl/stutter.hpp"
#include "reduction/partial_order.hpp"
#include "reduction/symmetry.hpp"
#include "reduction/symmetry_agents.hpp"
#include "search/mu.hpp"
#include "search/packing.hpp"
#include "support/errors.hpp"
#include "support/heap.hpp"
#include "support/virtual_array.hpp"
#include "trace/shorten.hpp"

namespace fathom {

EngineChoice engine_choice(EngineOption option) {
  switch (option) {
    case EngineOption::native:
      return EngineChoice::native;
    case EngineOption::interpret:
      return EngineChoice::interpret;
    case EngineOption::automatic:
      break;
  }
  return EngineChoice::automatic;
}

SearchOptions search_options(const SearchJob& job) {
  const CheckOptions& from = job.options;
  SearchOptions to;
  to.shape = {job.program.edges().size(), job.program.properties.size(), job.program.sites.size()};
  to.deadlock = job.selection.deadlock ? from.deadlock : DeadlockMode::off;
  to.valid_end = ir::valid_end_of(job.program);
  to.assertions = job.selection.assertions;
  to.order = from.order;
  to.seed = from.seed;
  to.max_errors = from.max_errors;
  to.max_depth = from.max_depth;
  // The limit is for the whole process.
  to.memory_limit = from.memory - std::min(memory_in_use(), from.memory / 4) - spare_pages(from.memory);
  to.selected = job.selection.selected;
  to.check_states = std::ranges::any_of(job.program.properties, [](const auto& property) {
    return property->kind == ir::Property::Kind::invariant || property->kind == ir::Property::Kind::cover;
  });
  to.seconds = from.seconds;
  to.tick = job.tick;
  return to;
}

namespace {

bool goes_by_marks(const SearchExpression& search) {
  return entry_of(search).needs_marks || first_that_needs_marks(search) != nullptr;
}

void add_marks(const SearchJob& job, const SearchExpression& search, Marking& marking) {
  const bool given = !job.options.marks.empty() || job.options.flows;
  const bool needed = goes_by_marks(search);
  read_marks(job.program, job.promela, job.options, job.selection.selected, needed && !given, marking);
  if (marking.marks.all.empty()) require_marks(search, job.options.search);
  if (needed && marking.marks.all.empty())
    marking.warnings.push_back(fmt::format("no rule is marked: `{}` has nothing to go by", search.name));
  if (given && !needed) marking.warnings.push_back(fmt::format("the search `{}` does not look at marks", search.name));
}

// A condition of a mark that tells elements of a scalarset apart would make representatives speak for states that are
// marked otherwise, so such a set is not permuted.
void leave_out_asymmetric(const SearchJob& job, const Marking& marking, std::vector<const ir::Type*>& sets,
                          JobResult& result) {
  if (marking.conditions == nullptr) return;
  const std::vector<const ir::Type*> safe = analyse_symmetry(*marking.conditions).safe;
  const auto is_symmetric = [&](const ir::Type* set) { return std::ranges::count(safe, set->lo, &ir::Type::lo) > 0; };
  const std::vector<const ir::Type*> safe_in_model = analyse_symmetry(job.program).safe;
  std::erase_if(sets, [&](const ir::Type* set) {
    if (is_symmetric(set) || std::ranges::count(safe_in_model, set->lo, &ir::Type::lo) == 0) return false;
    const std::string message = fmt::format(
        "a condition of a mark could not be shown to treat the elements of scalarset `{}` alike", set->name);
    if (job.options.symmetry) throw UsageError(message + ": leave out --reduce symmetry");
    result.warnings.push_back(message + ": they are not permuted in this run");
    return true;
  });
}

// Searches that remember agents rename them with the states, where agents are elements of a permuted set.
std::unique_ptr<AgentSymmetry> agent_symmetry(const SearchJob& job, const Agents& agents, JobResult& result,
                                              const std::vector<const ir::Type*>& sets) {
  if (result.canonicaliser == nullptr || agents.type() == nullptr) return nullptr;
  const ir::Type& type = *agents.type();
  const std::vector<const ir::Type*> parts =
      type.kind == ir::Type::Kind::unite ? type.members : std::vector<const ir::Type*>{&type};
  const bool permuted = std::ranges::any_of(parts, [&](const ir::Type* part) {
    return part->kind == ir::Type::Kind::scalarset && std::ranges::count(sets, part->lo, &ir::Type::lo) > 0;
  });
  return permuted ? std::make_unique<AgentSymmetry>(*result.canonicaliser, job.program, sets, type) : nullptr;
}

// By default we permute the scalarsets that provably may be; asked for explicitly, all of them.
std::vector<const ir::Type*> add_symmetry(const SearchJob& job, const Marking& marking, JobResult& result) {
  if (!job.options.symmetry.value_or(true)) return {};
  SymmetryAnalysis analysis = analyse_symmetry(job.program);
  std::vector<const ir::Type*> sets = job.options.symmetry ? scalarsets(job.program) : analysis.safe;
  leave_out_asymmetric(job, marking, sets, result);
  Diagnostics diagnostics;
  for (Diagnostic& warning : analysis.warnings) diagnostics.add(std::move(warning));
  job.tell(diagnostics);
  result.symmetry_assumed = job.options.symmetry && !diagnostics.all().empty();
  if (result.symmetry_assumed)
    result.warnings.emplace_back(
        "--reduce symmetry also permutes scalarsets for which that could not be shown to be sound: a violation may "
        "have "
        "been missed");
  if (sets.empty()) return {};
  result.canonicaliser = std::make_unique<Symmetry>(job.program, sets);
  result.exact_canonicaliser = std::make_unique<Symmetry>(job.program, sets, UINT64_MAX);
  return sets;
}

// A reduced run differs from a full one in how often states repeat, and in who moves when.
std::string why_not_for_claim(const SearchJob& job, const ir::Claim& claim) {
  if (job.options.fair || !job.options.strong_fair.empty()) return "under fairness it matters who moves";
  if (!job.options.progress.empty()) return "progress is a matter of steps here";
  if (claim.kind == ir::Claim::Kind::never && !ltl::is_stutter_invariant(*claim.automaton, claim.acceptance))
    return fmt::format("the automaton `{}` could not be shown to be blind to how often a state is repeated",
                       claim.name);
  if (claim.kind == ir::Claim::Kind::mu)
    return fmt::format("the formula `{}` is about all that can happen in a state", claim.name);
  if (claim.kind == ir::Claim::Kind::ltl &&
      !ltl::is_stutter_invariant(*claim.formula, static_cast<std::uint32_t>(claim.atoms.size())))
    return fmt::format("the formula `{}` can tell how often a state is repeated", claim.name);
  return "";
}

// For the largest programs it takes longer than most searches to find out which step touches what.
std::string too_large_for_partial_order(const ir::Program& program) {
  constexpr std::uint64_t most = 400'000;
  const AnalysisEffort effort = effort_to_analyse(program);
  if (effort.pairs() <= most) return "";
  return fmt::format("{} possible steps and {} variables are too many to be compared with each other", effort.steps,
                     effort.cells);
}

// What asks for more than the reduction preserves; "" if nothing does.
std::string why_not_partial_order(const SearchJob& job) {
  if (job.options.max_depth) return "what is put off may come to lie beyond --max-depth";
  if (std::string reason = too_large_for_partial_order(job.program); !reason.empty()) return reason;
  if (job.claim) return why_not_for_claim(job, job.program.claims[*job.claim]);
  const auto& properties = job.program.properties;
  for (std::size_t k = 0; k < properties.size(); ++k)
    if (properties[k]->kind == ir::Property::Kind::liveness && job.selection.selected[k])
      return fmt::format("`{}` is about what can still be reached from every state", properties[k]->name);
  return "";
}

void refuse_partial_order(const SearchEntry& search) {
  if (search.leaves_out_steps == LeavesOutSteps::never)
    throw UsageError(fmt::format(
        "the search `{}` cannot leave out steps: --reduce por goes with dfs, bfs, greedy and astar, for example",
        search.name));
}

void add_partial_order(const SearchJob& job, const SearchEntry& search, JobResult& result) {
  const bool asked = job.options.partial_order.value_or(false);
  if (asked) refuse_partial_order(search);
  const bool wanted = job.options.partial_order.value_or(search.leaves_out_steps == LeavesOutSteps::by_default);
  if (!wanted) return;
  std::string reason = why_not_partial_order(job);
  if (reason.empty() && job.claim && !asked) {
    result.partial_order = std::make_unique<PartialOrderOnDemand>(job.program, job.selection.selected);
    return;
  }
  if (reason.empty()) {
    auto reduction = std::make_unique<PartialOrder>(job.program, job.selection.selected);
    reason = reduction->refusal();
    if (reason.empty()) result.partial_order = std::move(reduction);
  }
  if (!reason.empty() && asked) result.warnings.push_back("no partial order reduction: " + reason);
}

bool prints(const ir::Program& program) {
  return std::ranges::any_of(program.stmts, [](const ir::Stmt& stmt) {
    return stmt.kind == ir::Stmt::Kind::put_text || stmt.kind == ir::Stmt::Kind::put_value;
  });
}

// Steps that other threads take ahead, and that turn out not to be needed, must not count.
bool counts_covers_in_steps(const ir::Program& program) {
  return std::ranges::count(program.stmts, ir::Stmt::Kind::cover, &ir::Stmt::kind) > 0;
}

// Of a search for cycles. Partial order reduction is not in the way: where it pays, one thread is used after all.
std::string why_one_thread_for_cycles(const SearchJob& job) {
  if (job.options.max_depth) return "within a bound on the depth a search for cycles works with one thread";
  if (job.options.max_errors > 1) return "a search for more than one cycle works with one thread";
  if (job.options.deterministic) return "with --deterministic a search for cycles works with one thread";
  return "";
}

// Why the search works with one thread; "" if it may use several.
std::string why_one_thread(const SearchJob& job, const SearchEntry& search, const JobResult& result) {
  if (!search.parallel) return fmt::format("the search `{}` works with one thread", search.name);
  if (const std::string reason = search.for_claims ? why_one_thread_for_cycles(job) : ""; !reason.empty())
    return reason;
  if (result.partial_order != nullptr && !search.for_claims)
    return "with partial order reduction a search works with one thread";
  if (job.options.order != Order::declared)
    return "with an order of rules that is not theirs a search works with one thread";
  if (job.put != nullptr && prints(job.program)) return "the model prints, so the search works with one thread";
  if (search.keeps_order)
    return counts_covers_in_steps(job.program)
               ? "the model counts in its steps what they cover, so the search works with one thread"
               : "";
  if (!search.any_store && (job.options.deterministic || !is_exact(job.options.store)))
    return fmt::format("with --deterministic or a lossy store the search `{}` works with one thread", search.name);
  if (job.options.store == StoreOption::compact || job.options.store == StoreOption::bitstate)
    return "a search with --store compact or bitstate works with one thread";
  if (job.options.deterministic && !is_exact(job.options.store))
    return "--deterministic and a lossy store together make the search work with one thread";
  return "";
}

void set_threads(const SearchJob& job, const SearchEntry& search, SearchOptions& options, JobResult& result) {
  const std::string reason = why_one_thread(job, search, result);
  options.threads = reason.empty() ? static_cast<unsigned>(job.options.threads) : 1;
  options.deterministic = reason.empty() && job.options.deterministic;
  if (!reason.empty() && job.options.threads_given && job.options.threads > 1) result.warnings.push_back(reason);
}

std::string endless_step(const ir::Program& program, std::uint32_t edge) {
  const ir::Edge& taken = *program.edges()[edge];
  return fmt::format(
      "{}: an atomic sequence can go on for ever here, after `{}`: then no other process ever moves, and no state "
      "comes "
      "of it",
      program.sources->location(taken.range), taken.name);
}

// What is known when the search could not return: the last progress it reported.
SearchResult out_of_memory(const Progress& last, const SearchOptions& options) {
  SearchResult result;
  result.ending = Ending::memory_limit;
  result.statistics.states = last.states;
  result.statistics.transitions = last.transitions;
  result.statistics.depth = last.depth;
  result.statistics.store_bytes = last.bytes;
  result.fired.resize(options.shape.edges);
  result.violations.resize(options.shape.properties);
  result.faults.resize(options.shape.sites);
  return result;
}

// Runs with costs are runs of the model itself, and the cheapest of them.
void refuse_with_costs(const SearchJob& job) {
  if (job.options.symmetry.value_or(false)) throw UsageError("--reduce symmetry does not go with costs of steps");
  if (job.options.partial_order.value_or(false)) throw UsageError("--reduce por does not go with costs of steps");
  if (job.options.store != StoreOption::exact) throw UsageError("--store fingerprint does not go with costs of steps");
  if (job.options.spill_to) throw UsageError("disk(DIR) does not go with costs of steps");
  if (job.options.max_depth) throw UsageError("--max-depth does not go with costs of steps");
  if (job.options.max_errors > 1) throw UsageError("--keep-going and --max-errors do not go with costs of steps");
}

// What only some searches need.
struct Extras {
  const Guidance* guidance = nullptr;
  AgentSymmetry* pairs = nullptr;
  const ClaimRequest* claim = nullptr;
  std::function<Canonicaliser*()> more_canonicalisers = {};
  const CheckpointRequest* checkpoint = nullptr;
  const CostRequest* costs = nullptr;
};

// Runs a search of whatever kind, with an eye on memory, and notes what the executor did.
template <class Search>
void run_guarded(const SearchJob& job, Executor& executor, SearchOptions& options, JobResult& result,
                 const Search& search) {
  Progress last;
  MemoryWatch memory(job.options.process_memory);
  options.tick = [&](const Progress& progress) {
    last = progress;
    return !memory.is_full(progress.bytes) && job.tick(progress);
  };
  try {
    result.search = search();
    if (memory.was_full() && result.search.ending == Ending::time_or_user) result.search.ending = Ending::memory_limit;
  } catch (const std::bad_alloc&) {
    result.search = out_of_memory(last, options);
  }
  options.tick = job.tick;
  for (std::string& warning : result.search.warnings) result.warnings.push_back(std::move(warning));
  const EngineUse use = executor.use();
  result.engine = {use.interpreted, use.native, use.note};
  if (use.endless_edge) result.warnings.push_back(endless_step(job.program, *use.endless_edge));
  result.compile_seconds = use.compile_seconds;
  result.hits.assign(executor.hits().begin(), executor.hits().end());
  result.pending.assign(executor.pending().begin(), executor.pending().end());
}

StoreChoice store_choice(StoreOption option) {
  switch (option) {
    case StoreOption::tree:
      return StoreChoice::tree;
    case StoreOption::fingerprint:
      return StoreChoice::fingerprint;
    case StoreOption::compact:
      return StoreChoice::compact;
    case StoreOption::bitstate:
      return StoreChoice::bitstate;
    case StoreOption::exact:
      break;
  }
  return StoreChoice::exact;
}

void run_search(const SearchJob& job, const SearchExpression& search, Executor& executor, SearchOptions& options,
                const Extras& extras, JobResult& result) {
  const StoreChoice store = store_choice(job.options.store);
  try {
    run_guarded(job, executor, options, result, [&] {
      return entry_of(search).run({job.program, executor, options, store, Arguments(search), extras.guidance,
                                   extras.pairs, extras.claim, job.evaluators, extras.more_canonicalisers,
                                   job.options.store_parameter, extras.checkpoint, extras.costs, job.options.when_full,
                                   job.options.spill_to ? &*job.options.spill_to : nullptr, job.announce,
                                   states_to_pack(options.memory_limit)});
    });
  } catch (const RefusedRequest& refusal) {
    throw UsageError(refusal.what());
  }
}

// Beside the share of its own effort that the user grants, every search has this much for a shorter trace: it is not
// noticed, and most violations are near enough.
constexpr double free_expansions = 20000;
constexpr double free_seconds = 0.2;

ShorteningEffort shortening_effort(const SearchJob& job, const EngineUse& use, double seconds) {
  const double share = *job.options.shorten;
  const double expansions = share * static_cast<double>(use.interpreted + use.native) + free_expansions;
  const auto go_on = [&job](std::uint64_t states) { return job.tick({.states = states, .phase = "shortening"}); };
  return {static_cast<std::uint64_t>(std::min(expansions, 1e15)), share * seconds + free_seconds, job.options.memory,
          go_on};
}

// Then the program grows, as a rule, and the search begins anew.
bool creates_too_many(const ir::Program& program, const Violation& violation) {
  return violation.kind == Violation::Kind::fault &&
         program.sites[static_cast<std::size_t>(violation.site)].kind == ir::FaultKind::unplanned_process;
}

// A trace whose states may not be those of a run, because the user forced a reduction, is left as it is.
void shorten_trace(const SearchJob& job, Executor& model, const SearchOptions& options, double seconds,
                   JobResult& result) {
  std::optional<Counterexample>& first = result.search.first;
  if (!job.options.shorten || !first || !can_be_shortened(*first) || result.symmetry_assumed) return;
  if (creates_too_many(job.program, first->violation)) return;
  result.found_length = length_of(*first);
  first = shorten(std::move(*first), model, options, shortening_effort(job, model.use(), seconds));
}

// The search for the properties at hand: one for cycles does not look at states, and the other way round.
SearchExpression choose_search(const SearchJob& job) {
  const SearchExpression given = resolve_search(job.options.search);
  const SearchEntry& entry = entry_of(given);
  if (!job.claim) return with_defaults(entry.for_claims ? resolve_search("dfs") : given);
  if (entry.takes_claims) return with_defaults(given);
  const bool fairly = job.options.fair || !job.options.strong_fair.empty();
  if (entry.for_claims && fairly && !entry.takes_fairness)
    throw UsageError(fmt::format("{} does not go with the search `{}`; leave it out, or say scc",
                                 job.options.fair ? "--fair" : "--strong-fair", given.name));
  if (entry.for_claims) return with_defaults(given);
  return with_defaults(resolve_search(fairly ? "scc" : "ndfs"));
}

void refuse_liveness(const SearchJob& job, const std::string& why) {
  const auto& properties = job.program.properties;
  for (std::size_t k = 0; k < properties.size(); ++k)
    if (properties[k]->kind == ir::Property::Kind::liveness && job.selection.selected[k])
      throw UsageError(fmt::format("`{}` is about the whole graph, and {}", properties[k]->name, why));
}

// A search that goes on in another way when its memory is full is one that takes a level of states after the other, or
// on a disk a bucket. It does not come back to the store in which the graph could be looked at, and on a disk it finds
// out late which of its states are new.
void refuse_when_full(const SearchJob& job, const SearchEntry& search) {
  const CheckOptions& options = job.options;
  if (options.when_full.empty() || job.claim) return;
  const std::string step = name(options.when_full.front());
  const bool in_folder_alone = options.when_full.size() == 1 && options.when_full.front() == FullStep::disk;
  if (!search.any_store && !(search.spills && in_folder_alone))
    throw UsageError(fmt::format("the search `{}` cannot go on so when the memory is full: {} is for bfs{}",
                                 search.name, step, in_folder_alone ? ", astar and dijkstra" : ""));
  if (!is_exact(options.store)) throw UsageError(fmt::format("--when-full {} goes with --store exact or tree", step));
  if (options.store == StoreOption::tree && options.when_full.front() == FullStep::compress)
    throw UsageError("--when-full compress goes with --store exact: that is what --store tree does from the beginning");
  if (options.partial_order.value_or(false) || options.order != Order::declared)
    throw UsageError(fmt::format("{} goes neither with --reduce por nor with --order", step));
  if ((options.checkpoint || options.resume) && !(search.any_store && in_folder_alone))
    throw UsageError(fmt::format("{} goes neither with --checkpoint nor with --resume{}", step,
                                 in_folder_alone ? fmt::format(" in `{}`", search.name) : ""));
  refuse_liveness(job, fmt::format("{} does not keep it", step));
}

void refuse_store(const SearchJob& job, const SearchEntry& search) {
  refuse_when_full(job, search);
  const StoreOption store = job.options.store;
  if (search.takes_claims && store != StoreOption::exact && !job.claim)
    throw UsageError(fmt::format("the search `{}` takes --store exact; others are for bfs", search.name));
  const bool has_numbers = store != StoreOption::compact && store != StoreOption::bitstate;
  if (!has_numbers && (job.options.partial_order.value_or(false) || job.options.order != Order::declared))
    throw UsageError("--store compact and bitstate go neither with --reduce por nor with --order");
  if (job.claim || search.any_store || store == StoreOption::exact || store == StoreOption::fingerprint) return;
  throw UsageError(fmt::format("the search `{}` takes --store exact or fingerprint; others are for bfs", search.name));
}

// Whether another seed is another search.
bool chooses_at_random(const SearchJob& job, const SearchExpression& search) {
  const Arguments arguments(search);
  const bool opens_at_random =
      arguments.has("open") && (arguments.word("open") == "epsilon" || arguments.word("open") == "type-based");
  return entry_of(search).random || opens_at_random || job.options.order == Order::random;
}

SearchExpression search_for(const SearchJob& job) {
  const SearchExpression search = choose_search(job);
  if (job.options.max_depth && !entry_of(search).takes_depth_bound)
    throw UsageError(fmt::format("--max-depth does not go with the search `{}`", search.name));
  if (job.options.repeat > 1 && !chooses_at_random(job, search))
    throw UsageError(fmt::format("--repeat is for searches that choose at random, and `{}` does not", search.name));
  refuse_store(job, entry_of(search));
  if (!entry_of(search).guarantee.keeps_graph)
    refuse_liveness(
        job, fmt::format("the search `{}` does not keep it: take another one, such as bfs or astar", search.name));
  if (!is_exact(job.options.store)) refuse_liveness(job, "a lossy --store does not keep it");
  if (job.options.max_errors > 1 && !entry_of(search).guarantee.counts_all)
    throw UsageError(fmt::format(
        "the search `{}` looks for one violation: --keep-going and --max-errors do not go with it", search.name));
  return search;
}

void refuse_for_claims(const SearchJob& job) {
  if (!is_exact(job.options.store))
    throw UsageError("a lossy --store cannot be used for properties of runs: a cycle must be a real one");
  if (job.options.symmetry.value_or(false))
    throw UsageError("--reduce symmetry does not go with properties of runs, which may tell the elements apart");
}

// The reduction must not lose a change of an atom.
SearchJob of_atoms(SearchJob job) {
  for (const std::uint32_t atom : job.program.claims[*job.claim].atoms) job.selection.selected[atom] = true;
  return job;
}

ir::Automaton automaton_of(const ir::Claim& claim) {
  try {
    return bad_runs(claim);
  } catch (const ltl::LimitError& error) {
    throw UsageError(fmt::format("the formula `{}` is too large: {}", claim.name, error.what()));
  }
}

void refuse_for_formula(const SearchJob& job) {
  refuse_for_claims(job);
  if (job.options.fair || !job.options.strong_fair.empty())
    throw UsageError(fmt::format("{} does not go with --mu: say what is fair in the formula",
                                 job.options.fair ? "--fair" : "--strong-fair"));
  if (job.options.max_depth)
    throw UsageError("--max-depth does not go with --mu: beyond the bound anything could happen");
}

void warn_about_reductions(const SearchJob& job, JobResult& result) {
  if (!scalarsets(job.program).empty() && job.options.symmetry.value_or(true))
    result.warnings.emplace_back(
        "symmetry is not used for properties of runs, which may tell the elements of a scalarset apart");
}

mu::Equations checked_equations(const ir::Claim& claim) {
  try {
    return mu::equations_of(*claim.mu_formula);
  } catch (const ltl::LimitError& error) {
    throw UsageError(fmt::format("the formula `{}` is too large: {}", claim.name, error.what()));
  }
}

// A formula of the μ-calculus is decided by a game that looks at states in an order of its own.
JobResult run_formula_job(const SearchJob& job) {
  refuse_for_formula(job);
  JobResult result;
  result.search_text = "mu";
  const ir::Claim& claim = job.program.claims[*job.claim];
  if (job.options.partial_order.value_or(false))
    result.warnings.push_back("no partial order reduction: " + why_not_for_claim(job, claim));
  warn_about_reductions(job, result);
  SearchOptions options = search_options(job);
  options.assertions = false;
  Executor executor(job.program, engine_choice(job.options.engine));
  const mu::Equations equations = checked_equations(claim);
  const SearchExpression search = with_defaults(resolve_search(job.options.search));
  const bool on_part = entry_of(search).takes_claims && entry_of(search).fill != nullptr;
  if (on_part) result.search_text = search.text();
  run_guarded(job, executor, options, result, [&] {
    const SearchRequest request{job.program, executor, options, StoreChoice::exact, Arguments(search)};
    MuResult decided = on_part ? run_mu_on_part(request, entry_of(search), *job.claim, equations)
                               : run_mu(request, *job.claim, equations);
    result.proof = std::move(decided.proof);
    return std::move(decided.search);
  });
  return result;
}

JobResult run_claim_job(const SearchJob& job) {
  if (job.program.claims[*job.claim].kind == ir::Claim::Kind::mu) return run_formula_job(job);
  refuse_for_claims(job);
  JobResult result;
  const SearchExpression search = search_for(job);
  result.search_text = search.text();
  const ir::Claim& claim = job.program.claims[*job.claim];
  const ir::Automaton automaton = automaton_of(claim);
  const bool direct = search.argument("variant") != nullptr && search.argument("variant")->written == "direct";
  const bool progress = claim.kind == ir::Claim::Kind::non_progress;
  if (direct && !progress)
    throw UsageError("ndfs(variant=direct) is for non-progress cycles: say --property non-progress");
  const bool by_itself = progress && (direct || search.name == "scc");
  result.automaton_states = by_itself ? 0 : automaton.states.size();
  const std::string hindrance = wants_checkpoints(job) ? why_no_checkpoint(search) : "";
  const bool is_saved = wants_checkpoints(job) && hindrance.empty();
  add_partial_order(of_atoms(job), entry_of(search), result);
  SearchOptions options = search_options(job);
  options.reduction = result.partial_order.get();
  options.assertions = false;
  set_threads(job, entry_of(search), options, result);
  if (!job.options.when_full.empty())
    result.warnings.push_back(fmt::format("{} is for the search of states: `{}` is checked in memory",
                                          name(job.options.when_full.front()), claim.name));
  if (!hindrance.empty())
    result.warnings.push_back(fmt::format("`{}` is checked from the beginning: {}", claim.name, hindrance));
  warn_about_reductions(job, result);
  result.rules = run_rules(job.program, job.options);
  if (!progress) result.rules.progress.clear();
  std::optional<CheckpointRequest> checkpoint;
  if (is_saved) checkpoint = checkpoint_of_claim(job, automaton, options, result);
  if (checkpoint && take_finished(job, *checkpoint, result)) return result;
  Executor executor(job.program, engine_choice(job.options.engine));
  const ClaimRequest request{claim, *job.claim, automaton, stutters(claim), result.rules};
  run_search(job, search, executor, options, {.claim = &request, .checkpoint = checkpoint ? &*checkpoint : nullptr},
             result);
  return result;
}

void take_what_evaluators_say(EvaluatorInputs& evaluators, JobResult& result) {
  result.evaluators.assign(evaluators.uses.begin(), evaluators.uses.end());
  result.warnings.insert(result.warnings.end(), evaluators.warnings.begin(), evaluators.warnings.end());
}

// How far the best run may be from a cheapest one.
std::string gap_of(Cost cost, Cost at_least) {
  if (at_least >= cost) return "no run costs less";
  if (at_least == 0) return "nothing is known of cheaper ones";
  return fmt::format("none costs less than {}: at most {:.0f} % too much", at_least,
                     100.0 * (cost - at_least) / at_least);
}

// Everything is off that would change what a run costs.
JobResult run_cost_job(const SearchJob& job, const SearchExpression& search) {
  refuse_with_costs(job);
  refuse_liveness(job, "a search by costs does not keep it: choose other properties with --property");
  JobResult result;
  result.search_text = search.text();
  Marking marking;
  add_marks(job, search, marking);
  result.warnings = marking.warnings;
  const Agents agents = choose_agents(job.program, job.options);
  const ProgramGuidance guidance(job.program, agents, marking.marks);
  SearchOptions options = search_options(job);
  Executor executor(job.program, engine_choice(job.options.engine));
  executor.set_put_sink(job.put);
  RunCost& cost = result.cost.emplace(RunCost{job.costs->of_edge, 0, false, {}});
  const auto begin = std::chrono::steady_clock::now();
  job.costs->improved = [&](Cost of_run, Cost at_least) {
    const std::chrono::duration<double> elapsed = std::chrono::steady_clock::now() - begin;
    cost.found.push_back({of_run, cost.at_least = at_least, elapsed.count()});
    job.note(fmt::format("a run was found that costs {}; {}", of_run, gap_of(of_run, at_least)));
  };
  job.costs->bounded = [&](Cost at_least) { cost.at_least = std::max(cost.at_least, at_least); };
  run_search(job, search, executor, options, {.guidance = &guidance, .costs = job.costs}, result);
  if (result.search.first) cost.cheapest = std::exchange(result.search.first->shortest, false);
  const bool open = !result.search.first && result.search.ending != Ending::exhausted;
  if (open && cost.at_least > 0 && cost.at_least < dead_end)
    result.warnings.push_back(fmt::format("no run was found; none costs less than {}", cost.at_least));
  if (job.evaluators != nullptr) take_what_evaluators_say(*job.evaluators, result);
  return result;
}

JobResult run_any_job(const SearchJob& job) {
  if (job.claim) return run_claim_job(job);
  JobResult result;
  const SearchExpression search = search_for(job);
  if (job.costs != nullptr && entry_of(search).takes_costs) return run_cost_job(job, search);
  result.search_text = search.text();
  Marking marking;
  add_marks(job, search, marking);
  result.warnings = marking.warnings;
  const Agents agents = choose_agents(job.program, job.options);
  const ProgramGuidance guidance(job.program, agents, marking.marks);
  const std::vector<const ir::Type*> permuted = add_symmetry(job, marking, result);
  const std::unique_ptr<AgentSymmetry> pairs = agent_symmetry(job, agents, result, permuted);
  add_partial_order(job, entry_of(search), result);
  SearchOptions options = search_options(job);
  options.canonicaliser = result.canonicaliser.get();
  options.reduction = result.partial_order.get();
  set_threads(job, entry_of(search), options, result);
  Executor executor(job.program, engine_choice(job.options.engine));
  executor.set_put_sink(job.put);
  std::vector<std::unique_ptr<Symmetry>> more;
  const auto more_canonicalisers = [&] {
    return more.emplace_back(std::make_unique<Symmetry>(job.program, permuted)).get();
  };
  std::optional<CheckpointRequest> checkpoint = checkpoint_of_states(job, entry_of(search), options, result);
  if (checkpoint && take_finished(job, *checkpoint, result)) return result;
  const auto begin = std::chrono::steady_clock::now();
  run_search(job, search, executor, options,
             {&guidance, pairs.get(), nullptr, more_canonicalisers, checkpoint ? &*checkpoint : nullptr}, result);
  std::uint64_t capped = result.canonicaliser == nullptr ? 0 : result.canonicaliser->capped();
  for (const auto& canonicaliser : more) capped += canonicaliser->capped();
  if (capped > 0)
    result.warnings.push_back(fmt::format(
        "{} states were too symmetric to find their exact representative within the effort limit: they were "
        "normalised instead, so some classes may have been visited more than once",
        capped));
  const std::chrono::duration<double> elapsed = std::chrono::steady_clock::now() - begin;
  shorten_trace(job, executor, options, elapsed.count(), result);
  if (job.evaluators != nullptr) take_what_evaluators_say(*job.evaluators, result);
  return result;
}

}  // namespace

// The user may want to end while a program runs that the search cannot do without.
JobResult run_job(const SearchJob& job) {
  try {
    return run_any_job(job);
  } catch (const EnvironmentError&) {
    if (job.tick({})) throw;
    JobResult result;
    result.search_text = search_for(job).text();
    result.search = out_of_memory({}, search_options(job));
    result.search.ending = Ending::time_or_user;
    result.hits.resize(job.program.properties.size());
    return result;
  }
}

}  // namespace fathom
