#include "cli/options.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <map>

#include "cli/machine.hpp"
#include "cli/quantities.hpp"
#include "cli/searches.hpp"
#include "cli/usage_error.hpp"

namespace fathom {

namespace {

constexpr const char* properties_group = "Properties";
constexpr const char* search_group = "Search";
constexpr const char* resources_group = "Resources";
constexpr const char* language_group = "Model";
constexpr const char* simulation_group = "Simulation";
constexpr const char* graph_group = "Graph";
constexpr const char* output_group = "Output";

// Table entries are checked against their alternatives before they get here, so the look-up succeeds.
template <class T>
T choice(const std::string& text, const std::map<std::string, T>& values) {
  return values.at(text);
}

std::uint64_t count(const char* option, const std::string& text, std::uint64_t least = 0) {
  const std::optional<std::uint64_t> value = parse_count(text);
  if (!value) throw UsageError(fmt::format("{} wants a number such as 40 or 2k, not `{}`", option, text));
  if (*value < least) throw UsageError(fmt::format("{} must be at least {}", option, least));
  return *value;
}

// Given again, it adds to what was asked for before; `none` takes that back. Symmetry is used by default where it is
// sound, and asking for partial order reduction does not change that.
void set_reductions(CheckOptions& options, const std::string& list) {
  const std::vector<std::string> known{"symmetry", "por", "none"};
  bool none = false, some = false;
  options.partial_order = options.partial_order.value_or(false);
  for (std::size_t start = 0; start <= list.size();) {
    const std::size_t comma = std::min(list.find(',', start), list.size());
    const std::string name = list.substr(start, comma - start);
    start = comma + 1;
    if (!std::ranges::count(known, name)) {
      throw UsageError(fmt::format("--reduce knows no `{}`{} (there are: {})", name, did_you_mean(name, known),
                                   fmt::join(known, ", ")));
    }
    none |= name == "none";
    some |= name != "none";
    if (name == "symmetry") options.symmetry = true;
    if (name == "por") options.partial_order = true;
  }
  if (none && some) throw UsageError("--reduce none cannot be combined with a reduction");
  if (none) options.symmetry = options.partial_order = false;
}

void set_memory(CheckOptions& options, const std::string& text) {
  const std::optional<std::uint64_t> size = parse_size(text, available_memory());
  if (!size || *size == 0)
    throw UsageError(fmt::format("--memory wants a size such as 512M, 4G or 50%, not `{}`", text));
  options.memory = *size;
}

void set_time(CheckOptions& options, const std::string& text) {
  const std::optional<double> seconds = parse_duration(text);
  if (!seconds) throw UsageError(fmt::format("--time wants a duration such as 10s, 5m or 2h, not `{}`", text));
  options.seconds = *seconds;
}

// A kind of store, with a number where it has one: compact(40).
struct StoreRow {
  const char* name;
  StoreOption store;
  std::uint32_t least, most, fallback;  // of the number; 0: there is none
  std::uint32_t multiple_of = 1;
};
constexpr StoreRow stores[] = {
    {"exact", StoreOption::exact, 0, 0, 0},
    {"tree", StoreOption::tree, 0, 0, 0},
    {"fingerprint", StoreOption::fingerprint, 0, 0, 0},
    {"compact", StoreOption::compact, 16, 56, 40, 8},
    {"bitstate", StoreOption::bitstate, 1, 8, 3},
};

// disk(DIR): the states come to lie there when the memory is full.
bool add_folder(CheckOptions& options, const std::string& option, const std::string& text) {
  if (!text.starts_with("disk")) return false;
  if (!text.starts_with("disk(") || !text.ends_with(")") || text.size() < 7)
    throw UsageError(fmt::format("{0} disk wants a folder: {0} 'disk(/var/tmp)'", option));
  const std::filesystem::path folder = text.substr(5, text.size() - 6);
  if (!std::filesystem::is_directory(folder))
    throw UsageError(fmt::format("{} {}: there is no folder `{}`", option, text, folder.string()));
  options.spill_to = folder;
  options.when_full.push_back(FullStep::disk);
  return true;
}

// What stands between commas, but not between those in the name of a folder.
std::vector<std::string> listed_steps(const std::string& text) {
  std::vector<std::string> steps(1);
  for (int open = 0; const char c : text) {
    open += (c == '(' ? 1 : 0) - (c == ')' ? 1 : 0);
    if (c == ',' && open <= 0)
      steps.emplace_back();
    else
      steps.back() += c;
  }
  return steps;
}

// The states themselves are needed by all steps, and there are none any more after fingerprint; a disk takes all of
// them.
void add_full_step(CheckOptions& options, const std::string& text) {
  const std::vector<FullStep> before = options.when_full;
  const auto refuse = [](const std::string& why) { throw UsageError("--when-full: " + why); };
  const auto comes_after = [&](FullStep step) { return std::ranges::count(before, step) > 0; };
  if (!before.empty() && before.back() == FullStep::disk) refuse("nothing comes after disk(DIR)");
  if (add_folder(options, "--when-full", text)) {
    if (comes_after(FullStep::fingerprint)) refuse("disk(DIR) cannot come after fingerprint, which leaves no states");
    return;
  }
  if (text != "compress" && text != "fingerprint")
    refuse(fmt::format("`{}` is no step; there are compress, fingerprint, disk(DIR) and stop", text));
  const FullStep step = text == "compress" ? FullStep::compress : FullStep::fingerprint;
  if (comes_after(step)) refuse(fmt::format("{} stands there twice", text));
  if (comes_after(FullStep::fingerprint)) refuse("compress cannot come after fingerprint, which leaves no states");
  options.when_full.push_back(step);
}

void refuse_two_lists(const CheckOptions& options) {
  if (!options.when_full.empty())
    throw UsageError(
        "what to do when the memory is full was said before: give one list, --when-full compress,disk(DIR)");
}

void set_when_full(CheckOptions& options, const std::string& text) {
  refuse_two_lists(options);
  std::vector<std::string> steps = listed_steps(text);
  if (steps.back() == "stop") steps.pop_back();
  for (const std::string& step : steps) {
    if (step == "stop") throw UsageError("--when-full: nothing comes after stop");
    add_full_step(options, step);
  }
}

void set_store(CheckOptions& options, const std::string& text) {
  if (text.starts_with("disk")) refuse_two_lists(options);
  if (add_folder(options, "--store", text)) {
    options.store = StoreOption::exact;
    return;
  }
  const std::size_t open = text.find('(');
  const std::string name = text.substr(0, open);
  const auto* const row = std::ranges::find(stores, name, [](const StoreRow& each) { return std::string(each.name); });
  if (row == std::end(stores)) {
    std::vector<std::string> known;
    for (const StoreRow& each : stores) known.emplace_back(each.name);
    known.emplace_back("disk(DIR)");
    throw UsageError(fmt::format("--store knows no `{}`{} (there are: {})", text, did_you_mean(name, known),
                                 fmt::join(known, ", ")));
  }
  options.store = row->store;
  options.store_parameter = row->fallback;
  if (open == std::string::npos) return;
  const bool closed = text.back() == ')';
  const auto number = closed ? parse_count(text.substr(open + 1, text.size() - open - 2)) : std::nullopt;
  if (row->most == 0) throw UsageError(fmt::format("--store {} takes no number", name));
  if (!number || *number < row->least || *number > row->most || *number % row->multiple_of != 0) {
    const std::string kind = row->multiple_of == 1 ? "number" : fmt::format("multiple of {}", row->multiple_of);
    throw UsageError(fmt::format("--store {0} takes a {1} from {2} to {3}: {0}({4})", name, kind, row->least, row->most,
                                 row->fallback));
  }
  options.store_parameter = static_cast<std::uint32_t>(*number);
}

void set_checkpoint_interval(CheckOptions& options, const std::string& text) {
  const std::optional<double> seconds = parse_duration(text);
  if (!seconds) throw UsageError(fmt::format("--every wants a duration such as 10s, 5m or 2h, not `{}`", text));
  options.checkpoint_seconds = *seconds;
}

void set_shorten(CheckOptions& options, const std::string& text) {
  options.shorten = parse_percentage(text);
  if (!options.shorten && text != "off")
    throw UsageError(fmt::format("--shorten wants a share such as 50%, or off, not `{}`", text));
}

constexpr std::uint64_t most_threads = 1024;

using O = CheckOptions;
using S = std::string;

constexpr OptionRow table[] = {
    {"--property", "NAME", properties_group,
     "check only this: invariants, invariant:NAME, assertions, deadlock, covers, liveness, ltl, ltl:NAME, acceptance, "
     "non-progress, mu, goal. Run-time errors are always reported, and failed assertions of Murphi models",
     [](O& o, const S& v) { o.properties.push_back(v); }, true},
    {"--deadlock", "stuck|stuttering|off", properties_group,
     "what a deadlock is: no rule enabled, no rule that leads to another state (default), or nothing",
     [](O& o, const S& v) {
       o.deadlock = choice<DeadlockMode>(
           v, {{"stuck", DeadlockMode::stuck}, {"stuttering", DeadlockMode::stuttering}, {"off", DeadlockMode::off}});
     }},
    {"--keep-going", nullptr, properties_group, "count violations and explore on past them",
     [](O& o, const S&) { o.max_errors = UINT64_MAX; }},
    {"--max-errors", "N", properties_group, "stop after N violations (default 1)",
     [](O& o, const S& v) { o.max_errors = count("--max-errors", v, 1); }},
    {"--ltl", "FORMULA", properties_group, "check one more LTL property; see docs/liveness.md",
     [](O& o, const S& v) { o.formulas.push_back(v); }, true},
    {"--automaton", "FILE", properties_group,
     "check that no run is accepted by this Büchi automaton (a HOA file; its AP are expressions of the model)",
     [](O& o, const S& v) { o.automata.push_back(v); }, true},
    {"--mu", "FORMULA", properties_group, "check a formula of the modal μ-calculus, or of CTL; see docs/mu-calculus.md",
     [](O& o, const S& v) { o.mu_formulas.push_back(v); }, true},
    {"--mu-file", "FILE", properties_group, "the same, from a file, in which // begins a comment",
     [](O& o, const S& v) { o.mu_files.push_back(v); }, true},
    {"--mu-proof", "FILE", properties_group,
     "write the part of the state space that decides a --mu formula, as an Aldebaran file (.aut)",
     [](O& o, const S& v) { o.mu_proof = v; }},
    {"--progress", "RULE,RULE", properties_group,
     "Murphi: no run may go on for ever without a step of one of these rules (--property non-progress). With a goal: "
     "an "
     "expression that tells how far a state is on the way; see docs/schedules.md",
     [](O& o, const S& v) { o.progress.push_back(v); }, true},
    {"--goal", "EXPR", properties_group,
     "look for a run to a state in which this holds, and nothing else; see docs/schedules.md",
     [](O& o, const S& v) { o.goal = v; }},
    {"--fair", nullptr, properties_group,
     "weak fairness: only runs count in which nobody who could always move is kept waiting for ever",
     [](O& o, const S&) { o.fair = true; }},
    {"--strong-fair", "NAME,NAME", properties_group,
     "only runs count in which these rules (Murphi), processes or statements (Promela) get their turn again and again "
     "if they can again and again",
     [](O& o, const S& v) { o.strong_fair.push_back(v); }, true},

    {"--search", "SPEC", search_group, "bfs (default) or dfs; see `fathom help search`",
     [](O& o, const S& v) { o.search = resolve_search(v).text(); }},
    {"--mark", "RULE,RULE", search_group,
     "rules that matter to a guided search: names, `NAME when EXPRESSION`, or auto for those on the way to a violation "
     "(the default of searches that need marks); see docs/flows.md",
     [](O& o, const S& v) { o.marks.push_back(v); }, true},
    {"--cost", "RULE=N,RULE=N", search_group,
     "what steps cost, for searches that look for cheapest runs (default: one each); * for all rules; see "
     "docs/schedules.md",
     [](O& o, const S& v) { o.costs.push_back(v); }, true},
    {"--flows", "FILE", search_group, "take the marks from the flows in a file; see docs/flows.md",
     [](O& o, const S& v) { o.flows = v; }},
    {"--agents", "TYPE", search_group,
     "whose rules are whose: by their parameters of this type (default: the scalarset or range most rules begin with)",
     [](O& o, const S& v) { o.agents = v; }},
    {"--reduce", "LIST", search_group,
     "reductions: symmetry, por (partial order), both with a comma, or none; several --reduce add up. Default: "
     "symmetry where the model has scalarsets, also beside por, and por where the search promises no shortest trace",
     set_reductions, true},
    {"--order", "declared|reverse|random", search_group, "the order in which rules are tried",
     [](O& o, const S& v) {
       o.order =
           choice<Order>(v, {{"declared", Order::declared}, {"reverse", Order::reverse}, {"random", Order::random}});
     }},
    {"--store", "KIND", search_group,
     "how states are remembered: exact (default), tree (exact, smaller and slower), fingerprint (64 bits each), "
     "compact(BITS), or bitstate(K): these three may miss states; disk(DIR) is exact and goes on in a folder when the "
     "memory is full, with bfs, dijkstra, and astar if its evaluator is consistent. See docs/scale.md",
     set_store},
    {"--allow-lossy", nullptr, search_group,
     "let a search with a lossy store end with exit code 0; the report states the probability of an omission",
     [](O& o, const S&) { o.allow_lossy = true; }},
    {"--max-depth", "N", search_group, "do not go beyond N steps from a start state",
     [](O& o, const S& v) { o.max_depth = count("--max-depth", v); }},
    {"--shorten", "SHARE", search_group,
     "look for a shorter trace after a search that does not promise the shortest, with this share of its effort "
     "(default 10%), or off",
     set_shorten},
    {"--no-optimise", nullptr, search_group,
     "keep every step and variable of the source (no effect for Murphi, where nothing is removed)",
     [](O& o, const S&) { o.optimise = false; }},

    {"--time", "DURATION", resources_group, "stop after this time: 10s, 5m, 2h", set_time},
    {"--memory", "SIZE", resources_group, "memory to use: 512M, 4G, 50% (default 80% of the machine's)", set_memory},
    {"--when-full", "STEPS", resources_group,
     "what bfs does when the memory is full, step by step: compress (the states, into a tree), fingerprint (keep only "
     "64 bits of each: lossy), disk(DIR) (go on with the states in that folder; astar and dijkstra do that, too), stop "
     "(default, and always the end); such as compress,fingerprint",
     set_when_full},
    {"--threads", "N", resources_group,
     "number of threads (default: as many as there are cores). `fathom help search` says which searches use them",
     [](O& o, const S& v) {
       o.threads = count("--threads", v, 1);
       if (o.threads > most_threads) throw UsageError(fmt::format("--threads must be at most {}", most_threads));
       o.threads_given = true;
     }},
    {"--deterministic", nullptr, resources_group,
     "let the trace depend neither on the number of threads nor on which of them is faster",
     [](O& o, const S&) { o.deterministic = true; }},
    {"--checkpoint", "FILE", resources_group,
     "save the search to this file now and then, and when a limit or an interrupt ends it (bfs, in memory "
     "or on a disk, and searches for cycles)",
     [](O& o, const S& v) { o.checkpoint = v; }, false, "check"},
    {"--every", "DURATION", resources_group, "time from one checkpoint to the next (default 10m)",
     set_checkpoint_interval, false, "check"},
    {"--resume", "FILE", resources_group, "go on from a checkpoint of the same model and question",
     [](O& o, const S& v) { o.resume = v; }, false, "check"},
    {"--seed", "N", resources_group, "seed of every random choice (default 1)",
     [](O& o, const S& v) { o.seed = count("--seed", v); }},
    {"--repeat", "K", resources_group,
     "run a search that chooses at random with K seeds, from --seed on, and sum the runs up",
     [](O& o, const S& v) { o.repeat = count("--repeat", v, 1); }},
    {"--engine", "auto|native|interpret", resources_group, "who executes the model (default auto)",
     [](O& o, const S& v) {
       o.engine = choice<EngineOption>(v, {{"auto", EngineOption::automatic},
                                           {"native", EngineOption::native},
                                           {"interpret", EngineOption::interpret}});
     }},
    {"--allow-native-code", nullptr, resources_group, "let the model run C code of its own",
     [](O& o, const S&) { o.allow_native_code = true; }},

    {"-D", "NAME[=VALUE]", language_group,
     "Promela: define a preprocessor symbol (1 if there is no value); Murphi: replace the value of a const",
     [](O& o, const S& v) { o.definitions.push_back(v); }, true},
    {"-U", "NAME", language_group, "Promela: forget a preprocessor symbol",
     [](O& o, const S& v) { o.undefinitions.push_back(v); }, true},
    {"-I", "FOLDER", language_group, "Promela: look for included files here as well",
     [](O& o, const S& v) { o.include_paths.push_back(v); }, true},
    {"--language", "murphi|promela|aut", language_group, "the language, where the file name does not tell",
     [](O& o, const S& v) { o.language = v; }},
    {"--dialect", "cmurphi|rumur", language_group, "where the two Murphi dialects disagree (default cmurphi)",
     [](O& o, const S& v) { o.dialect = v == "rumur" ? murphi::Dialect::rumur : murphi::Dialect::cmurphi; }},
    {"--loop-limit", "N", language_group, "rounds after which a while loop is an error (default 1000)",
     [](O& o, const S& v) { o.loop_limit = count("--loop-limit", v, 1); }},

    {"--steps", "N", simulation_group, "simulate: end after so many steps (default 10k)",
     [](O& o, const S& v) { o.steps = count("--steps", v); }, false, "simulate"},
    {"-i,--interactive", nullptr, simulation_group, "simulate: choose every step yourself; see `fathom help simulate`",
     [](O& o, const S&) { o.interactive = true; }, false, "simulate"},
    {"--guide", "FILE", simulation_group, "simulate: begin with the trace in a JSON report and go on from its end",
     [](O& o, const S& v) { o.guide = v; }, false, "simulate"},

    {"--format", "aut|dot|graphml|json", graph_group, "graph: what to write (default aut, for mCRL2, CADP and LTSmin)",
     [](O& o, const S& v) {
       o.format = choice<StructureFormat>(v, {{"aut", StructureFormat::aut},
                                              {"dot", StructureFormat::dot},
                                              {"graphml", StructureFormat::graphml},
                                              {"json", StructureFormat::json}});
     },
     false, "graph"},
    {"--output", "FILE", graph_group, "graph: where to write it (default standard output)",
     [](O& o, const S& v) { o.output = v; }, false, "graph"},
    {"--max-states", "N", graph_group, "graph: no more than the first N states",
     [](O& o, const S& v) { o.max_states = count("--max-states", v, 1); }, false, "graph"},

    {"--json", "FILE", output_group,
     "write the report as JSON; `-` is standard output and moves the text to standard error",
     [](O& o, const S& v) { o.json = v; }},
    {"--trace", "full|diff|off", output_group, "show whole states, changes (default), or no trace",
     [](O& o, const S& v) {
       o.trace = choice<TraceDetail>(
           v, {{"full", TraceDetail::full}, {"diff", TraceDetail::diff}, {"off", TraceDetail::off}});
     }},
    {"--chart", nullptr, output_group, "draw the trace as a sequence chart as well",
     [](O& o, const S&) { o.chart = true; }},
    {"--ascii", nullptr, output_group, "draw with ASCII characters only (default where the locale has no UTF-8)",
     [](O& o, const S&) { o.ascii = true; }},
    {"--color,--colour", "auto|always|never", output_group, "colour the output (default auto)",
     [](O& o, const S& v) {
       o.colour = choice<ColourChoice>(
           v, {{"auto", ColourChoice::automatic}, {"always", ColourChoice::always}, {"never", ColourChoice::never}});
     }},
    {"-q,--quiet", nullptr, output_group, "no progress and no statistics", [](O& o, const S&) { o.quiet = true; }},
    {"-h,--help", nullptr, output_group, "show this help", [](O& o, const S&) { o.help = true; }},
};

}  // namespace

std::optional<std::string> language_of(const CheckOptions& options) {
  if (options.language) return options.language;
  const std::string extension = std::filesystem::path(options.model).extension().string();
  if (extension == ".m") return "murphi";
  if (extension == ".aut") return "aut";
  for (const char* known : {".pml", ".prom", ".pm", ".promela", ".pr"})
    if (extension == known) return "promela";
  return std::nullopt;
}

const char* name(FullStep step) {
  switch (step) {
    case FullStep::compress:
      return "compress";
    case FullStep::fingerprint:
      return "fingerprint";
    case FullStep::disk:
      break;
  }
  return "disk(DIR)";
}

const char* name(StoreOption store) {
  return std::ranges::find(stores, store, &StoreRow::store)->name;
}

const char* name(DeadlockMode mode) {
  switch (mode) {
    case DeadlockMode::off:
      return "off";
    case DeadlockMode::stuck:
      return "stuck";
    case DeadlockMode::stuttering:
      break;
  }
  return "stuttering";
}

std::span<const OptionRow> option_table() {
  return table;
}

std::vector<std::string> alternatives(const OptionRow& row) {
  const std::string text = row.value == nullptr ? "" : row.value;
  std::vector<std::string> result;
  if (text.find('|') == std::string::npos) return result;
  for (std::size_t start = 0; start <= text.size();) {
    const std::size_t bar = std::min(text.find('|', start), text.size());
    result.push_back(text.substr(start, bar - start));
    start = bar + 1;
  }
  return result;
}

}  // namespace fathom
