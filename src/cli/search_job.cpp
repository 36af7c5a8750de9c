#include "cli/search_job.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <new>

#include "analysis/symmetry.hpp"
#include "cli/searches.hpp"
#include "model/executor.hpp"
#include "reduction/symmetry.hpp"

namespace fathom {

namespace {

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
  to.order = from.order;
  to.seed = from.seed;
  to.max_errors = from.max_errors;
  to.max_depth = from.max_depth;
  to.memory_limit = from.memory;
  to.selected = job.selection.selected;
  to.check_states = std::ranges::any_of(job.program.properties, [](const auto& property) {
    return property->kind == ir::Property::Kind::invariant || property->kind == ir::Property::Kind::cover;
  });
  to.tick = job.tick;
  return to;
}

// By default we permute the scalarsets that provably may be; asked for explicitly, all of them.
void add_symmetry(const SearchJob& job, JobResult& result) {
  if (!job.options.symmetry.value_or(true)) return;
  SymmetryAnalysis analysis = analyse_symmetry(job.program);
  const std::vector<const ir::Type*> sets = job.options.symmetry ? scalarsets(job.program) : analysis.safe;
  Diagnostics diagnostics;
  for (Diagnostic& warning : analysis.warnings) diagnostics.add(std::move(warning));
  job.tell(diagnostics);
  result.symmetry_assumed = job.options.symmetry && !diagnostics.all().empty();
  if (result.symmetry_assumed)
    result.warnings.emplace_back(
        "--reduce symmetry also permutes scalarsets for which that could not be shown to be sound: a violation may "
        "have "
        "been missed");
  if (sets.empty()) return;
  result.canonicaliser = std::make_unique<Symmetry>(job.program, sets);
  result.exact_canonicaliser = std::make_unique<Symmetry>(job.program, sets, UINT64_MAX);
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

}  // namespace

JobResult run_job(const SearchJob& job) {
  JobResult result;
  add_symmetry(job, result);
  SearchOptions options = search_options(job);
  options.canonicaliser = result.canonicaliser.get();
  Progress last;
  options.tick = [&](const Progress& progress) {
    last = progress;
    return job.tick(progress);
  };

  Executor executor(job.program, engine_choice(job.options.engine));
  executor.set_put_sink(job.put);
  const StoreChoice store = job.options.store == StoreOption::exact ? StoreChoice::exact : StoreChoice::fingerprint;
  try {
    const SearchExpression search = with_defaults(resolve_search(job.options.search));
    result.search = entry_of(search).run({job.program, executor, options, store, Arguments(search)});
  } catch (const std::bad_alloc&) {
    result.search = out_of_memory(last, options);
  }
  if (result.canonicaliser != nullptr && result.canonicaliser->capped() > 0)
    result.warnings.push_back(fmt::format(
        "{} states were too symmetric to find their exact representative within the effort limit: they were "
        "normalised instead, so some classes may have been visited more than once",
        result.canonicaliser->capped()));
  const EngineUse use = executor.use();
  result.engine = {use.interpreted, use.native, use.note};
  result.compile_seconds = use.compile_seconds;
  result.hits = executor.hits();
  result.pending = executor.pending();
  return result;
}

}  // namespace fathom
