// The seam between the command line and the engines: executor, symmetry, store and search are put together here.
#pragma once

#include <memory>
#include <span>

#include "cli/model_file.hpp"
#include "cli/options.hpp"
#include "cli/property_selection.hpp"
#include "heuristic/inputs.hpp"
#include "model/executor.hpp"
#include "property/run_rules.hpp"
#include "property/structure.hpp"
#include "reduction/partial_order.hpp"
#include "reduction/symmetry.hpp"
#include "report/report.hpp"
#include "search/checkpoint.hpp"
#include "search/search.hpp"
#include "search/step_costs.hpp"
#include "support/diagnostics.hpp"

namespace fathom {

struct SearchJob {
  const ir::Program& program;
  const CheckOptions& options;
  PropertySelection selection;
  PutSink* put = nullptr;
  std::function<bool(const Progress&)> tick;
  std::function<void(const Diagnostics&)> tell;  // located warnings about the model, before the search begins
  std::optional<std::uint32_t> claim = {};       // check this one, and nothing else but run-time errors
  EvaluatorInputs* evaluators = nullptr;
  const LoadedModel* promela = nullptr;  // of a Promela model: what conditions of marks are read with
  CostRequest* costs = nullptr;          // what steps cost, where they cost anything but one each
  std::function<void(const std::string&)> note = [](const std::string&) {};  // what the search found on its way
  // What will stand among its warnings, at once.
  std::function<void(const std::string&)> announce = [](const std::string&) {};
  std::span<const FinishedRun> finished = {};  // other searches of the same check that are through, for checkpoints
  bool may_save = true;                        // false: one of them was not
};

// Of the runs that were found, where steps have costs.
struct RunCost {
  std::vector<Cost> of_edge;
  Cost at_least = 0;  // what any run costs
  bool cheapest = false;
  std::vector<Improvement> found;
};

struct JobResult {
  SearchResult search;
  std::optional<std::uint64_t> found_length;  // of the run the search found, where a shorter one was looked for
  EngineReport engine;
  double compile_seconds = 0;
  std::vector<std::uint64_t> hits;                     // per Program property
  std::vector<std::uint64_t> pending;                  // bit set of Program properties
  std::unique_ptr<Symmetry> canonicaliser;             // the one the search used; null without symmetry
  std::unique_ptr<Canonicaliser> exact_canonicaliser;  // of unlimited effort, for the trace
  std::unique_ptr<Reduction> partial_order;            // null without partial order reduction
  bool symmetry_assumed = false;                       // the user forced it where it was not shown to be sound
  std::vector<std::string> warnings;
  std::string search_text;               // what searched, as it would be written
  std::size_t automaton_states = 0;      // of a claim; 0 where it is searched for without
  RunRules rules;                        // which runs counted
  std::optional<FiniteStructure> proof;  // what decides a formula of the μ-calculus
  std::vector<EvaluatorUse> evaluators;
  std::optional<RunCost> cost;
  RunIdentity identity;  // where there are checkpoints
};

EngineChoice engine_choice(EngineOption option);

// What the options and the selected properties say to any search.
SearchOptions search_options(const SearchJob& job);

// When memory runs out the result is a partial one with Ending::memory_limit.
JobResult run_job(const SearchJob& job);

}  // namespace fathom
