#include "report/assess.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <tuple>
#include <unordered_map>

#include "report/inside_steps.hpp"
#include "support/text.hpp"

namespace fathom {

namespace {

using Kind = ir::Property::Kind;

// What the search as a whole allows us to say of a property that was not seen to be violated.
enum class Coverage { whole, in_scope, partial };

Coverage coverage_of(const Findings& findings) {
  const SearchResult& result = findings.result;
  if (result.ending != Ending::exhausted && result.ending != Ending::bound) return Coverage::partial;
  if (!result.exact && !findings.allow_lossy) return Coverage::partial;
  const bool whole = result.exact && !findings.symmetry_assumed && result.ending == Ending::exhausted;
  return whole ? Coverage::whole : Coverage::in_scope;
}

const char* kind_name(Kind kind) {
  switch (kind) {
    case Kind::invariant:
      return "invariant";
    case Kind::assumption:
      return "assumption";
    case Kind::cover:
      return "cover";
    case Kind::liveness:
      return "liveness";
    case Kind::valid_end:
      return "valid end";
    case Kind::atom:
      return "atom";
  }
  return "";
}

std::string times(std::uint64_t count) {
  return count == 1 ? "once" : fmt::format("{} times", grouped(count));
}

class Assessor {
 public:
  Assessor(const Findings& findings, Report& report)
      : findings_(findings), report_(report), coverage_(coverage_of(findings)) {}

  void run() {
    add_properties();
    add_deadlock();
    if (findings_.claim) add_claim(findings_.program.claims[*findings_.claim]);
    add_faults();
    add_coverage();
    add_statistics();
    report_.verdict = overall();
    add_scope();
  }

 private:
  void add_properties() {
    const auto& properties = findings_.program.properties;
    for (std::uint32_t number = 0; number < properties.size(); ++number) {
      const ir::Property& property = *properties[number];
      const bool checked =
          property.kind != Kind::assumption && property.kind != Kind::valid_end && property.kind != Kind::atom;
      if (!checked || !findings_.selected[number]) continue;
      PropertyReport entry{property.name, kind_name(property.kind), {}, location(property.range), {}};
      if (property.kind == Kind::cover) {
        judge_cover(number, entry);
      } else {
        judge(number, property.kind, entry);
      }
      add(std::move(entry), shows(property.kind, number));
      if (property.kind == Kind::invariant && property.antecedent != nullptr && is_pending(number)) {
        report_.vacuous.push_back({property.name, location(property.range)});
      }
    }
  }

  void judge(std::uint32_t number, Kind kind, PropertyReport& entry) {
    if (const std::uint64_t count = findings_.result.violations[number]; count > 0) {
      entry.verdict = Verdict::violated;
      entry.message = fmt::format("violated {}", times(count));
    } else if (kind == Kind::liveness && coverage_ == Coverage::in_scope) {
      // The states beyond a bound, or those a lossy store left out, might be the ones that fulfil or break it.
      entry.verdict = Verdict::inconclusive;
      entry.message = "liveness is not decided by a search that does not cover every state";
    } else {
      judge_unviolated(entry);
    }
  }

  void judge_unviolated(PropertyReport& entry) {
    if (coverage_ != Coverage::partial) {
      entry.verdict = Verdict::holds;
      return;
    }
    entry.verdict = Verdict::inconclusive;
    entry.message = "the search ended before this was decided";
  }

  // One hit is a witness however the search ended; that there is none takes a complete search.
  void judge_cover(std::uint32_t number, PropertyReport& entry) {
    const std::uint64_t hits = findings_.hits[number];
    report_.covers.push_back({entry.name, hits, entry.location});
    entry.message = hits > 0 ? fmt::format("hit {}", times(hits)) : "never hit";
    if (hits > 0) {
      entry.verdict = Verdict::holds;
    } else {
      entry.verdict = coverage_ == Coverage::whole ? Verdict::violated : Verdict::inconclusive;
    }
  }

  void add_deadlock() {
    if (!findings_.deadlock_selected) return;
    PropertyReport entry{"", "deadlock", {}, "", {}};
    if (const std::uint64_t count = findings_.result.deadlocks; count > 0) {
      entry.verdict = Verdict::violated;
      entry.message = count == 1 ? "one deadlocked state" : fmt::format("{} deadlocked states", grouped(count));
    } else {
      judge_unviolated(entry);
    }
    add(std::move(entry), first_is(Violation::Kind::deadlock));
  }

  void add_claim(const ir::Claim& claim) {
    const bool named =
        claim.kind == ir::Claim::Kind::ltl || claim.kind == ir::Claim::Kind::never || claim.kind == ir::Claim::Kind::mu;
    PropertyReport entry{named ? claim.name : "", claim_kind(claim), {}, named ? location(claim.range) : "", {}};
    if (findings_.result.claim_violations > 0) {
      entry.verdict = Verdict::violated;
      entry.message = fmt::format("violated {}", times(findings_.result.claim_violations));
    } else {
      judge_unviolated(entry);
    }
    if (!findings_.result.remark.empty()) entry.message = findings_.result.remark;
    add(std::move(entry), first_is(Violation::Kind::cycle) || first_is(Violation::Kind::claim_end) ||
                              first_is(Violation::Kind::claim_assertion) || first_is(Violation::Kind::mu_formula));
  }

  [[nodiscard]] std::string claim_kind(const ir::Claim& claim) const {
    if (claim.kind == ir::Claim::Kind::ltl) return "ltl";
    if (claim.kind == ir::Claim::Kind::mu) return "mu";
    if (claim.kind == ir::Claim::Kind::non_progress) return "non-progress";
    if (first_is(Violation::Kind::claim_end)) return "claim end";
    return first_is(Violation::Kind::claim_assertion) ? "assertion" : "acceptance";
  }

  void add_faults() {
    for (std::size_t number = 1; number < findings_.result.faults.size(); ++number) {
      if (findings_.result.faults[number] > 0) add_fault(ir::SiteId(number));
    }
  }

  void add_fault(ir::SiteId id) {
    const ir::Site& site = findings_.program.site(id);
    const bool stated = site.kind == ir::FaultKind::assertion || site.kind == ir::FaultKind::error_statement;
    const std::uint64_t count = findings_.result.faults[static_cast<std::size_t>(id)];
    const char* const unstated = site.kind == ir::FaultKind::event ? "trace" : "run-time error";
    add({stated ? site.text : "", stated ? "assertion" : unstated, Verdict::violated, location(site.range),
         fmt::format("failed {}", times(count))},
        first_is(Violation::Kind::fault) && findings_.result.first->violation.site == id);
  }

  void add(PropertyReport entry, bool shown_by_trace) {
    if (shown_by_trace) report_.culprit = report_.properties.size();
    report_.properties.push_back(std::move(entry));
  }

  [[nodiscard]] bool first_is(Violation::Kind kind) const {
    return findings_.result.first && findings_.result.first->violation.kind == kind;
  }

  [[nodiscard]] bool shows(Kind kind, std::uint32_t number) const {
    const bool same_kind = (kind == Kind::invariant && first_is(Violation::Kind::invariant)) ||
                           (kind == Kind::liveness && first_is(Violation::Kind::liveness));
    return same_kind && findings_.result.first->violation.property == number;
  }

  [[nodiscard]] bool is_pending(std::uint32_t number) const {
    return number / 64 < findings_.pending.size() && ((findings_.pending[number / 64] >> (number % 64)) & 1) != 0;
  }

  // One line of the source may be an edge of many processes and of many joint steps. An imported transition system has
  // a line for each edge, and there it is the label that counts.
  void add_coverage() {
    const std::vector<const ir::Edge*> edges = findings_.program.edges();
    const std::vector<bool> inside = taken_inside_steps(findings_.program, findings_.result.fired);
    std::map<std::tuple<FileId, std::uint32_t, std::uint32_t>, std::size_t> known;
    const bool imported = findings_.program.language == "aut";
    std::unordered_map<std::string, SourceRange> first_use;
    for (std::size_t k = 0; k < edges.size(); ++k) {
      const SourceRange range =
          imported ? first_use.try_emplace(edges[k]->name, edges[k]->range).first->second : edges[k]->range;
      const auto [found, is_new] = known.try_emplace({range.file, range.begin, range.end}, report_.coverage.size());
      if (is_new) report_.coverage.push_back({statement_of(*edges[k]), 0, location(range)});
      report_.coverage[found->second].fired += findings_.result.fired[k];
      report_.coverage[found->second].inside |= inside[k];
    }
  }

  [[nodiscard]] std::string statement_of(const ir::Edge& edge) const {
    return edge.participants.empty() ? edge.name : one_line(findings_.program.sources->text(edge.range));
  }

  void add_statistics() {
    const SearchStatistics& from = findings_.result.statistics;
    StatisticsReport& to = report_.statistics;
    to.states = from.states;
    to.transitions = from.transitions;
    to.depth = from.depth;
    to.revisits = from.revisits;
    to.reduced = from.reduced;
    to.dead_ends = from.dead_ends;
    to.errors = from.errors;
    to.store_bytes = from.store_bytes;
    to.stack_bytes = from.stack_bytes;
    to.frontier_bytes = from.frontier_bytes;
    to.disk_bytes = from.disk_bytes;
    to.threads = from.threads;
    to.breadth = from.breadth;
    to.state_bytes = (findings_.program.state_bits + 7) / 8;
    if (!findings_.result.exact) report_.omission_probability = findings_.result.omission_probability;
  }

  [[nodiscard]] bool any(Verdict verdict) const {
    return std::ranges::any_of(report_.properties, [&](const PropertyReport& p) { return p.verdict == verdict; });
  }

  [[nodiscard]] Verdict overall() const {
    if (any(Verdict::violated)) return Verdict::violated;
    if (coverage_ == Coverage::partial || any(Verdict::inconclusive)) return Verdict::inconclusive;
    return coverage_ == Coverage::whole ? Verdict::holds : Verdict::holds_in_scope;
  }

  void add_scope() {
    ScopeReport& scope = report_.scope;
    scope.exhaustive = findings_.result.ending == Ending::exhausted;
    scope.covered = scope.exhaustive || findings_.result.ending == Ending::bound;
    scope.exact = findings_.result.exact && !findings_.symmetry_assumed;
    scope.depth = findings_.result.scope.depth ? findings_.result.scope.depth : findings_.max_depth;
    scope.switches = findings_.result.scope.switches;
    scope.statement = statement();
    if (findings_.symmetry_assumed) scope.statement += ", assuming that the forced symmetry reduction is sound";
    if (!findings_.result.exact) {
      scope.statement += fmt::format(
          "; the store may have taken two states for one: the probability that any was left "
          "out is at most {:.2g}",
          findings_.result.omission_probability);
    }
  }

  [[nodiscard]] std::string statement() const {
    const std::string states = grouped(findings_.result.statistics.states);
    const char* classes = findings_.symmetry ? " (up to symmetry)" : "";
    const bool one = findings_.result.statistics.states == 1;
    switch (findings_.result.ending) {
      case Ending::exhausted:
        if (findings_.claim) return all_pairs(states);
        if (findings_.result.statistics.counting != Counting::once) return all_uncounted(states, classes);
        if (findings_.result.statistics.dead_ends > 0)
          return fmt::format(
              "{} state{}{} checked; from {} of them nothing can go wrong any more, as the evaluator has "
              "proven, and what lies behind was left out",
              states, one ? " was" : "s were", classes, grouped(findings_.result.statistics.dead_ends));
        if (findings_.partial_order)
          return fmt::format("{} state{}{} checked, standing for all reachable ones (partial order reduction)", states,
                             one ? "" : "s", classes);
        if (one) return fmt::format("the only reachable state{} was checked", classes);
        return fmt::format("all {} reachable states{} were checked", states, classes);
      case Ending::bound:
        return fmt::format("{} ({})", covered(), counted(states, classes));
      case Ending::incomplete:
        return fmt::format("{} states{} were checked; {}", states, classes, findings_.result.scope.gap);
      case Ending::error_limit:
        return fmt::format("the search ended at a violation after {} state{}", states, one ? "" : "s");
      case Ending::time_or_user:
        return cut_short(findings_.stop_reason);
      case Ending::memory_limit:
        return cut_short("the memory limit");
      case Ending::disk_full:
        return cut_short("a full disk");
    }
    return "";
  }

  // With what a search that forgets states does not know about their number.
  [[nodiscard]] std::string counted(const std::string& states, const char* classes) const {
    switch (findings_.result.statistics.counting) {
      case Counting::once:
        break;
      case Counting::with_again:
        return fmt::format("{} states{} were counted, some perhaps more than once", states, classes);
      case Counting::held:
        return fmt::format("at most {} states{} were held at a time", states, classes);
    }
    return fmt::format("{} states{}", states, classes);
  }

  // Of a search that does not know how many different states it has seen.
  [[nodiscard]] std::string all_uncounted(const std::string& states, const char* classes) const {
    const bool left_out = findings_.result.statistics.dead_ends > 0;
    return fmt::format(
        "all reachable states{} were checked{}; {}", classes,
        left_out
            ? ", except what lies behind some from which nothing can go wrong any more, as the evaluator has proven"
            : "",
        counted(states, ""));
  }

  [[nodiscard]] std::string all_pairs(const std::string& states) const {
    if (findings_.program.claims[*findings_.claim].kind == ir::Claim::Kind::mu)
      return fmt::format("the formula was decided on {} state{}", states, states == "1" ? "" : "s");
    const std::string counted = findings_.automaton_states == 0 ? "states" : pairs();
    if (findings_.partial_order)
      return fmt::format("{} {} were checked, standing for all reachable ones (partial order reduction)", states,
                         counted);
    return fmt::format("all {} reachable {} were checked", states, counted);
  }

  [[nodiscard]] std::string pairs() const {
    const bool never = findings_.program.claims[*findings_.claim].kind == ir::Claim::Kind::never;
    return fmt::format("pairs of a state and a state of the automaton {}",
                       never ? "of the never claim" : "of the runs that would violate it");
  }

  [[nodiscard]] std::string cut_short(const std::string& by) const {
    const std::uint64_t states = findings_.result.statistics.states;
    const std::string known = covered();
    return fmt::format("{} ended the search after {} state{}{}", by, grouped(states), states == 1 ? "" : "s",
                       known.empty() ? "" : "; " + known);
  }

  // What the search is known to have covered before it ended, as a sentence; empty if nothing in particular.
  [[nodiscard]] std::string covered() const {
    const Scope& scope = findings_.result.scope;
    if (scope.depth && findings_.claim)
      return fmt::format("every run that stays within {} steps of a start state was checked", grouped(*scope.depth));
    if (scope.switches && scope.depth)
      return fmt::format("all runs of at most {} steps with at most {} switches between agents were checked",
                         grouped(*scope.depth), grouped(*scope.switches));
    if (scope.depth)
      return fmt::format("every state within {} steps of a start state was checked", grouped(*scope.depth));
    if (scope.switches)
      return fmt::format("all runs with at most {} switches between agents were checked", grouped(*scope.switches));
    return "";
  }

  [[nodiscard]] std::string location(SourceRange range) const { return findings_.program.sources->location(range); }

  const Findings& findings_;
  Report& report_;
  Coverage coverage_;
};

}  // namespace

void assess(const Findings& findings, Report& report) {
  Assessor(findings, report).run();
}

std::string grouped(std::uint64_t number) {
  std::string digits = std::to_string(number);
  for (auto position = static_cast<std::ptrdiff_t>(digits.size()) - 3; position > 0; position -= 3) {
    digits.insert(static_cast<std::size_t>(position), ",");
  }
  return digits;
}

}  // namespace fathom
