#include "search/checkpoint.hpp"

#include <fmt/format.h>

#include "support/errors.hpp"

namespace fathom {

namespace {

void save_run(const Counterexample& run, SealedWriter& out) {
  out.number(static_cast<std::uint64_t>(run.violation.kind));
  out.number(run.violation.property);
  out.number(static_cast<std::uint64_t>(run.violation.site));
  out.number(run.shortest ? 1 : 0);
  out.number(run.failing_step ? 1 : 0);
  out.number(static_cast<std::uint64_t>(run.failing_step.value_or(InstanceId{})));
  out.number(run.states.size());
  for (const StateBuffer& state : run.states) out.list(state);
}

Counterexample load_run(SealedReader& in) {
  Counterexample run;
  run.violation.kind = static_cast<Violation::Kind>(in.number());
  run.violation.property = static_cast<std::uint32_t>(in.number());
  run.violation.site = static_cast<ir::SiteId>(in.number());
  run.shortest = in.number() != 0;
  const bool fails = in.number() != 0;
  const InstanceId step{in.number()};
  if (fails) run.failing_step = step;
  for (std::uint64_t k = in.number(); k > 0; --k) run.states.push_back(in.list());
  return run;
}

void save_counts(const SearchResult& result, SealedWriter& out) {
  out.number(result.statistics.transitions);
  out.number(result.statistics.errors);
  out.number(result.deadlocks);
  out.list(result.fired);
  out.list(result.violations);
  out.list(result.faults);
  out.number(result.first ? 1 : 0);
  if (result.first) save_run(*result.first, out);
}

SearchResult load_counts(const Shape& shape, SealedReader& in) {
  SearchResult result;
  result.statistics.transitions = in.number();
  result.statistics.errors = in.number();
  result.deadlocks = in.number();
  result.fired = in.list();
  result.violations = in.list();
  result.faults = in.list();
  result.fired.resize(shape.edges);
  result.violations.resize(shape.properties);
  result.faults.resize(shape.sites);
  if (in.number() != 0) result.first = load_run(in);
  return result;
}

}  // namespace

void save_identity(const RunIdentity& identity, SealedWriter& out) {
  out.number(identity.size());
  for (const auto& [name, value] : identity) {
    out.text(name);
    out.text(value);
  }
}

void check_identity(const RunIdentity& identity, const std::filesystem::path& path, SealedReader& in) {
  const auto refuse = [&](const std::string& difference) {
    throw EnvironmentError(fmt::format("the checkpoint {} is of another run: {}", path.string(), difference));
  };
  if (in.number() != identity.size()) refuse("it was made by another version of this program");
  for (const auto& [name, value] : identity) {
    const std::string its_name = in.text(), its_value = in.text();
    if (its_name != name) refuse("it was made by another version of this program");
    if (its_value == value) continue;
    const bool can_be_told = name != "model" && name != "choice of properties" && !name.starts_with("list of ");
    refuse(can_be_told ? fmt::format("its {} is `{}`, and not `{}`", name, its_value, value)
                       : fmt::format("it has another {}", name));
  }
}

std::string identity_text(const std::filesystem::path& path, const std::string& name) {
  SealedReader in(path, checkpoint_kind);
  for (std::uint64_t pairs = in.number(); pairs > 0; --pairs) {
    const std::string its_name = in.text();
    std::string value = in.text();
    if (its_name == name) return value;
  }
  return "";
}

void save_standing(const LevelStanding& standing, SealedWriter& out) {
  save_counts(standing.so_far, out);
  out.list(standing.levels);
  out.number(standing.level_begin);
  out.number(standing.level_end);
  out.number(standing.depth);
  std::vector<std::uint64_t> rest;
  for (const IdRange& range : *standing.rest) rest.insert(rest.end(), {range.first, range.end});
  out.list(rest);
}

LevelStanding load_standing(const Shape& shape, SealedReader& in) {
  LevelStanding standing;
  standing.so_far = load_counts(shape, in);
  standing.levels = in.list();
  standing.level_begin = in.number();
  standing.level_end = in.number();
  standing.depth = in.number();
  const std::vector<std::uint64_t> rest = in.list();
  standing.rest.emplace();
  for (std::size_t k = 0; k + 1 < rest.size(); k += 2) standing.rest->push_back({rest[k], rest[k + 1]});
  return standing;
}

}  // namespace fathom
