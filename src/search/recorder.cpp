#include "search/recorder.hpp"

#include <bit>
#include <span>

namespace fathom {

Recorder::Recorder(const SearchOptions& options) : options_(options) {
  result.fired.assign(options.shape.edges, 0);
  result.violations.assign(options.shape.properties, 0);
  result.faults.assign(options.shape.sites, 0);
}

bool Recorder::count(const Violation& violation) {
  switch (violation.kind) {
    case Violation::Kind::fault:
      ++result.faults[static_cast<std::size_t>(violation.site)];
      break;
    case Violation::Kind::deadlock:
      ++result.deadlocks;
      break;
    case Violation::Kind::cycle:
    case Violation::Kind::claim_end:
    case Violation::Kind::claim_assertion:
    case Violation::Kind::mu_formula:
      ++result.claim_violations;
      break;
    default:
      ++result.violations[violation.property];
  }
  return ++result.statistics.errors == 1;
}

void Recorder::collect() {
  if (findings_.result == StateCheck::Result::fault) {
    found_.push_back({Violation::Kind::fault, 0, findings_.site});
    return;
  }
  for (std::uint32_t word = 0; word < findings_.violated.size(); ++word)
    for (std::uint64_t bits = findings_.violated[word]; bits != 0; bits &= bits - 1) {
      const std::uint32_t property = word * 64 + static_cast<std::uint32_t>(std::countr_zero(bits));
      if (options_.selected[property]) found_.push_back({Violation::Kind::invariant, property, ir::SiteId::none});
    }
}

namespace {
void add(std::span<const std::uint64_t> part, std::span<std::uint64_t> sum) {
  for (std::size_t k = 0; k < part.size(); ++k) sum[k] += part[k];
}
}  // namespace

void add_counts(const SearchResult& part, SearchResult& sum) {
  sum.statistics.transitions += part.statistics.transitions;
  sum.statistics.errors += part.statistics.errors;
  sum.deadlocks += part.deadlocks;
  add(part.fired, sum.fired);
  add(part.violations, sum.violations);
  add(part.faults, sum.faults);
}

}  // namespace fathom
