#include "report/combine.hpp"

#include <algorithm>
#include <iterator>

namespace fathom {

namespace {

// The worse of two verdicts is that of both together.
Verdict worse(Verdict a, Verdict b) {
  constexpr Verdict order[] = {Verdict::rejected, Verdict::violated, Verdict::inconclusive, Verdict::holds_in_scope};
  for (const Verdict verdict : order)
    if (a == verdict || b == verdict) return verdict;
  return Verdict::holds;
}

template <class T>
void move_to_end(std::vector<T>& to, std::vector<T>& from) {
  std::ranges::move(from, std::back_inserter(to));
}

void add(StatisticsReport& to, const StatisticsReport& from) {
  to.states += from.states;
  to.transitions += from.transitions;
  to.depth = std::max(to.depth, from.depth);
  to.revisits += from.revisits;
  to.reduced += from.reduced;
  to.dead_ends += from.dead_ends;
  to.errors += from.errors;
  to.state_bytes = from.state_bytes;
  to.store_bytes = std::max(to.store_bytes, from.store_bytes);
  to.stack_bytes = std::max(to.stack_bytes, from.stack_bytes);
  to.frontier_bytes = std::max(to.frontier_bytes, from.frontier_bytes);
  to.disk_bytes = std::max(to.disk_bytes, from.disk_bytes);
  to.compile_seconds += from.compile_seconds;
  to.threads = std::max(to.threads, from.threads);
}

void add(ScopeReport& to, ScopeReport& from) {
  to.exhaustive &= from.exhaustive;
  to.covered &= from.covered;
  to.exact &= from.exact;
  to.statement += "; " + from.statement;
}

// The first run counts; but what only a later one came to was not left out.
void add(std::vector<RuleReport>& to, const std::vector<RuleReport>& from) {
  for (std::size_t k = 0; k < std::min(to.size(), from.size()); ++k)
    if (to[k].fired == 0) to[k].fired = from[k].fired;
}

void take_trace(Report& whole, Report& part) {
  if (!part.culprit || whole.culprit) return;
  whole.culprit = whole.properties.size() + *part.culprit;
  whole.trace = std::move(part.trace);
  whole.found_length = part.found_length;
  whole.conclusion = std::move(part.conclusion);
}

}  // namespace

void combine(Report& whole, Report part, RunReport run) {
  const bool first = whole.runs.empty();
  run.verdict = part.verdict;
  run.statistics = part.statistics;
  run.statement = part.scope.statement;
  whole.runs.push_back(std::move(run));
  whole.verdict = first ? part.verdict : worse(whole.verdict, part.verdict);
  take_trace(whole, part);
  move_to_end(whole.properties, part.properties);
  for (const std::string& reduction : part.reductions)
    if (std::ranges::count(whole.reductions, reduction) == 0) whole.reductions.push_back(reduction);
  if (first) {
    whole.scope = std::move(part.scope);
    whole.statistics = part.statistics;
    whole.coverage = std::move(part.coverage);
    whole.covers = std::move(part.covers);
    whole.vacuous = std::move(part.vacuous);
  } else {
    add(whole.scope, part.scope);
    add(whole.statistics, part.statistics);
    add(whole.coverage, part.coverage);
  }
  move_to_end(whole.evaluators, part.evaluators);
  whole.engine.interpreted += part.engine.interpreted;
  whole.engine.native += part.engine.native;
  if (whole.signal == 0) whole.signal = part.signal;
  if (part.omission_probability) whole.omission_probability = part.omission_probability;
}

}  // namespace fathom
