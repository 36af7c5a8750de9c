// The one table of options. The parser, `--help`, the manual page and the shell completions all come from it.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "lang/murphi/dialect.hpp"
#include "report/structure_file.hpp"
#include "report/text.hpp"
#include "search/full_step.hpp"
#include "search/search.hpp"

namespace fathom {

// As it is written, but for the folder.
const char* name(FullStep step);
const char* name(DeadlockMode mode);

enum class EngineOption { automatic, native, interpret };
enum class StoreOption { exact, tree, fingerprint, compact, bitstate };
const char* name(StoreOption store);
constexpr bool is_exact(StoreOption store) {
  return store == StoreOption::exact || store == StoreOption::tree;
}

struct CheckOptions {
  std::string model;

  std::vector<std::string> properties;  // empty: everything the model states
  DeadlockMode deadlock = DeadlockMode::stuttering;
  std::uint64_t max_errors = 1;
  std::vector<std::string> formulas;     // --ltl
  std::vector<std::string> automata;     // files
  std::vector<std::string> mu_formulas;  // --mu
  std::vector<std::string> mu_files;
  std::optional<std::string> mu_proof;   // where to write what decides a formula of the μ-calculus
  std::vector<std::string> progress;     // lists of rules; with a goal an expression
  std::optional<std::string> goal;       // that runs are looked for to reach
  std::vector<std::string> strong_fair;  // lists of rules or proctypes
  bool fair = false;

  std::string search = "bfs";
  std::vector<std::string> marks;
  std::vector<std::string> costs;  // lists of RULE=N
  std::optional<std::string> flows;
  std::optional<std::string> agents;
  Order order = Order::declared;
  std::optional<bool> symmetry;       // not set: where it is sound
  std::optional<bool> partial_order;  // not set: where it is sound and the search promises no shortest trace
  StoreOption store = StoreOption::exact;
  std::uint32_t store_parameter = 0;              // the number in compact(40)
  std::vector<FullStep> when_full;                // what is done when the memory is full, before the search stops
  std::optional<std::filesystem::path> spill_to;  // the folder of FullStep::disk
  bool allow_lossy = false;
  bool optimise = true;
  std::optional<std::uint64_t> max_depth;
  std::optional<double> shorten = 0.1;  // the part of the search's effort that may go into a shorter trace

  std::optional<double> seconds;
  std::uint64_t memory = 0;                               // bytes, for this search
  std::uint64_t process_memory = std::uint64_t{1} << 62;  // for all that there are
  std::uint64_t threads = 1;                              // as many as there are cores, unless given
  bool threads_given = false;
  bool deterministic = false;
  std::optional<std::string> checkpoint;     // where to save the search
  std::optional<double> checkpoint_seconds;  // from one checkpoint to the next
  std::optional<std::string> resume;         // the checkpoint to go on from
  std::uint64_t seed = 1;
  std::uint64_t repeat = 1;  // runs of a search that chooses at random
  EngineOption engine = EngineOption::automatic;
  bool allow_native_code = false;

  std::optional<std::string> language;
  murphi::Dialect dialect = murphi::Dialect::cmurphi;
  std::vector<std::string> definitions;                         // -D as given
  std::vector<std::pair<std::string, std::int64_t>> constants;  // the same, for Murphi
  std::vector<std::string> undefinitions;
  std::vector<std::string> include_paths;
  std::uint64_t loop_limit = 1000;

  std::string recorded;              // replay, shorten: the trace to follow
  std::optional<std::string> guide;  // simulate: the trace to begin with
  std::uint64_t steps = 10'000;
  bool interactive = false;

  StructureFormat format = StructureFormat::aut;  // graph
  std::optional<std::string> output;              // graph: not set: standard output
  std::optional<std::uint64_t> max_states;        // graph

  std::optional<std::string> json;  // "-": standard output
  TraceDetail trace = TraceDetail::diff;
  ColourChoice colour = ColourChoice::automatic;
  bool chart = false;
  bool ascii = false;
  bool quiet = false;
  bool help = false;
};

struct OptionRow {
  const char* names;  // "-D" or "-q,--quiet"
  const char* value;  // "N"; "a|b|c" lists all there are; null for a flag
  const char* group;
  const char* help;
  void (*set)(CheckOptions&, const std::string&);
  bool repeatable = false;
  const char* command = nullptr;  // the only one that takes it; null: all
};

std::span<const OptionRow> option_table();

// The alternatives of a value like "stuck|stuttering|off"; empty for any other.
std::vector<std::string> alternatives(const OptionRow& row);

// "murphi", "promela" or "aut", by the option or the ending of the file name; nothing where neither tells.
std::optional<std::string> language_of(const CheckOptions& options);

// Reads the arguments after the command; throws UsageError. `replay` and `shorten` take a trace before the model.
CheckOptions parse_options(std::vector<std::string> arguments, const std::string& command = "check");

}  // namespace fathom
