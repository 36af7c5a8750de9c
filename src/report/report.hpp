// Everything Fathom says about one run, as plain data. It is put together once (report/assess.hpp) and rendered as
// text, JSON and an exit code, so that these never disagree.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "search/search.hpp"
#include "trace/trace.hpp"

namespace fathom {

enum class Verdict : std::uint8_t { holds, holds_in_scope, violated, inconclusive, rejected };

const char* name(Verdict verdict);

struct PropertyReport {
  std::string name;
  std::string kind;  // "invariant", "assertion", "run-time error", "deadlock", "cover", "liveness"
  Verdict verdict = Verdict::inconclusive;  // holds, violated or inconclusive
  std::string location;
  std::string message;
};

struct ScopeReport {
  bool exhaustive = false;
  bool covered = false;  // the search came to the end of what was asked: everything, or everything within the bound
  bool exact = true;
  std::optional<std::uint64_t> depth;     // every state within so many steps was checked, or was asked for
  std::optional<std::uint64_t> switches;  // the same of switches between agents
  std::string statement;
};

struct StatisticsReport {
  std::uint64_t states = 0;
  std::uint64_t transitions = 0;
  std::uint64_t depth = 0;
  std::uint64_t revisits = 0;
  std::uint64_t reduced = 0;    // states of which a reduction left out steps
  std::uint64_t dead_ends = 0;  // states that were not expanded: nothing can go wrong behind them
  std::uint64_t errors = 0;
  std::uint64_t state_bytes = 0;
  std::uint64_t store_bytes = 0;
  std::uint64_t stack_bytes = 0;
  std::uint64_t frontier_bytes = 0;
  std::uint64_t disk_bytes = 0;
  double seconds = 0;
  double compile_seconds = 0;
  std::uint32_t threads = 1;
  std::optional<BreadthStatistics> breadth = {};  // of a search that bounds it
};

struct RuleReport {
  std::string rule;
  std::uint64_t fired = 0;  // how often a step began with it
  std::string location;
  bool inside = false;  // steps that began elsewhere may have gone through it
};

struct CoverReport {
  std::string name;
  std::uint64_t hits = 0;
  std::string location;
};

// An invariant of the form "a implies b" where a never held: nothing was tested.
struct VacuousReport {
  std::string name;
  std::string location;
};

struct DiagnosticReport {
  std::string severity;
  std::string location;
  std::string message;
  std::string code;
};

// What an evaluator of a directed search was asked, and how long it took.
struct EvaluatorReport {
  std::string name;
  std::string about;
  std::uint64_t calls = 0;
  double seconds = 0;
};

struct EngineReport {
  std::uint64_t interpreted = 0;  // states that each executor expanded
  std::uint64_t native = 0;
  std::string note;
};

// How a number came out in several runs.
struct SpreadReport {
  double mean = 0;
  double deviation = 0;  // of the sample
  std::uint64_t least = 0;
  std::uint64_t most = 0;
};

// A search that chooses at random, run with several seeds.
struct RepeatReport {
  std::uint64_t runs = 0;
  std::uint64_t successes = 0;  // runs that showed a violation
  std::uint64_t first_seed = 1;
  std::uint64_t seed = 1;  // of the run that is reported
  SpreadReport states;
  SpreadReport depth;
  // Where no run showed a violation: if one run had at least this chance to show it, all of them together would have
  // missed it with the probability `doubt` at most.
  std::optional<double> chance;
  double doubt = 0;
};

// What that rests on, in words.
std::string assumption_of(const RepeatReport& repeat);

// One of several searches that a check took.
struct RunReport {
  std::string property;  // what it was for: a claim, or "states"
  std::string search;
  Verdict verdict = Verdict::inconclusive;
  StatisticsReport statistics;
  std::string statement;
  std::size_t automaton_states = 0;  // of a claim; 0 where it is searched for without
  std::optional<RepeatReport> repeat = {};
};

// One of the searches of a hunt.
struct HuntSearchReport {
  std::string search;    // with its order and seed, where they matter
  std::string property;  // what it looked at: a claim, or "states"
  std::uint64_t states = 0;
  std::uint64_t depth = 0;
  double seconds = 0;
  bool found = false;  // the violation that is reported
};

struct HuntReport {
  std::vector<HuntSearchReport> searches;
  std::string command;  // the check that repeats what was found; "" when nothing was
};

struct Report {
  std::string model;
  std::string language;
  Verdict verdict = Verdict::inconclusive;
  std::vector<PropertyReport> properties;
  std::optional<std::size_t> culprit;  // the violated property that the trace shows
  ScopeReport scope;
  StatisticsReport statistics;
  std::vector<RunReport> runs;
  std::vector<RuleReport> coverage;
  std::vector<CoverReport> covers;
  std::vector<VacuousReport> vacuous;
  std::optional<Trace> trace;
  std::optional<std::uint64_t> found_length;  // of the trace the search found, where a shorter one was looked for
  std::vector<std::string> conclusion;        // lines after the trace: why its last state or step is wrong
  std::vector<DiagnosticReport> diagnostics;
  std::vector<std::string> warnings;
  std::string search = "bfs";
  std::vector<std::string> reductions;
  std::uint64_t seed = 1;
  EngineReport engine;
  std::vector<EvaluatorReport> evaluators;
  std::optional<double> omission_probability;
  std::optional<HuntReport> hunt;
  int signal = 0;  // SIGINT or SIGTERM when one of them ended the search
};

}  // namespace fathom
