#include "search/checkpoint.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>

#include "support/errors.hpp"

namespace fathom {

namespace {

void save_optional(std::optional<std::uint64_t> value, SealedWriter& out) {
  out.number(value ? 1 : 0);
  out.number(value.value_or(0));
}

std::optional<std::uint64_t> load_optional(SealedReader& in) {
  const bool is_there = in.number() != 0;
  const std::uint64_t value = in.number();
  return is_there ? std::optional(value) : std::nullopt;
}

void save_run(const Counterexample& run, SealedWriter& out) {
  save_violation(run.violation, out);
  out.number(run.shortest ? 1 : 0);
  out.number(run.failing_step ? 1 : 0);
  out.number(static_cast<std::uint64_t>(run.failing_step.value_or(InstanceId{})));
  out.number(run.states.size());
  for (const StateBuffer& state : run.states) out.list(state);
  out.number(run.steps.size());
  for (const InstanceId step : run.steps) out.number(static_cast<std::uint64_t>(step));
  save_optional(run.loop, out);
}

Counterexample load_run(SealedReader& in) {
  Counterexample run;
  run.violation = load_violation(in);
  run.shortest = in.number() != 0;
  const bool fails = in.number() != 0;
  const InstanceId step{in.number()};
  if (fails) run.failing_step = step;
  for (std::uint64_t k = in.number(); k > 0; --k) run.states.push_back(in.list());
  for (std::uint64_t k = in.number(); k > 0; --k) run.steps.push_back(InstanceId{in.number()});
  run.loop = load_optional(in);
  return run;
}

void save_identity(const RunIdentity& identity, SealedWriter& out) {
  out.number(identity.size());
  for (const auto& [name, value] : identity) {
    out.text(name);
    out.text(value);
  }
}

RunIdentity load_identity(SealedReader& in) {
  RunIdentity identity;
  for (std::uint64_t pairs = in.number(); pairs > 0; --pairs) {
    std::string name = in.text();
    identity.emplace_back(std::move(name), in.text());
  }
  return identity;
}

void save_result(const SearchResult& result, SealedWriter& out) {
  out.number(result.fired.size());
  out.number(result.violations.size());
  out.number(result.faults.size());
  save_counts(result, out);
  out.number(static_cast<std::uint64_t>(result.ending));
  save_optional(result.scope.depth, out);
  out.text(result.scope.gap);
  out.number(result.exact ? 1 : 0);
  out.number(std::bit_cast<std::uint64_t>(result.omission_probability));
  const SearchStatistics& statistics = result.statistics;
  out.list({statistics.states, statistics.depth, statistics.revisits, statistics.store_bytes, statistics.stack_bytes,
            statistics.threads, result.covers_model ? 1U : 0U, statistics.reduced});
}

SearchResult load_result(SealedReader& in) {
  Shape shape;
  shape.edges = in.number();
  shape.properties = in.number();
  shape.sites = in.number();
  SearchResult result = load_counts(shape, in);
  result.ending = static_cast<Ending>(in.number());
  result.scope.depth = load_optional(in);
  result.scope.gap = in.text();
  result.exact = in.number() != 0;
  result.omission_probability = std::bit_cast<double>(in.number());
  std::vector<std::uint64_t> numbers = in.list();
  numbers.resize(8);
  SearchStatistics& statistics = result.statistics;
  statistics.states = numbers[0];
  statistics.depth = numbers[1];
  statistics.revisits = numbers[2];
  statistics.store_bytes = numbers[3];
  statistics.stack_bytes = numbers[4];
  statistics.threads = static_cast<std::uint32_t>(numbers[5]);
  result.covers_model = numbers[6] != 0;
  statistics.reduced = numbers[7];
  return result;
}

void save_head(const CheckpointRequest& request, SealedWriter& out) {
  save_identity(request.identity, out);
  out.number(request.finished.size());
  for (const FinishedRun& run : request.finished) {
    save_identity(run.identity, out);
    save_result(run.search, out);
    out.list(run.hits);
    out.list(run.pending);
  }
}

CheckpointHead load_head(SealedReader& in) {
  CheckpointHead head{load_identity(in), {}};
  for (std::uint64_t runs = in.number(); runs > 0; --runs) {
    FinishedRun& run = head.finished.emplace_back();
    run.identity = load_identity(in);
    run.search = load_result(in);
    run.hits = in.list();
    run.pending = in.list();
  }
  return head;
}

}  // namespace

void save_violation(const Violation& violation, SealedWriter& out) {
  out.number(static_cast<std::uint64_t>(violation.kind));
  out.number(violation.property);
  out.number(static_cast<std::uint64_t>(violation.site));
}

Violation load_violation(SealedReader& in) {
  Violation violation;
  violation.kind = static_cast<Violation::Kind>(in.number());
  violation.property = static_cast<std::uint32_t>(in.number());
  violation.site = static_cast<ir::SiteId>(in.number());
  return violation;
}

void save_counts(const SearchResult& result, SealedWriter& out) {
  out.number(result.statistics.transitions);
  out.number(result.statistics.errors);
  out.number(result.deadlocks);
  out.number(result.claim_violations);
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
  result.claim_violations = in.number();
  const std::vector<std::uint64_t> fired = in.list();
  result.fired.assign(fired.begin(), fired.end());
  result.violations = in.list();
  result.faults = in.list();
  result.fired.resize(shape.edges);
  result.violations.resize(shape.properties);
  result.faults.resize(shape.sites);
  if (in.number() != 0) result.first = load_run(in);
  return result;
}

std::string part_of(const RunIdentity& identity) {
  const auto part = std::ranges::find(identity, part_name, &RunIdentity::value_type::first);
  return part == identity.end() ? "" : part->second;
}

void expect_same(const RunIdentity& identity, const RunIdentity& saved, const std::filesystem::path& path) {
  const auto refuse = [&](const std::string& difference) {
    throw EnvironmentError(fmt::format("the checkpoint {} is of another run: {}", path.string(), difference));
  };
  for (std::size_t k = 0; k < std::min(identity.size(), saved.size()); ++k) {
    const auto& [name, value] = identity[k];
    const auto& [its_name, its_value] = saved[k];
    if (its_name != name) refuse("it was made by another version of this program");
    if (its_value == value) continue;
    const bool can_be_told = name != "model" && name != "choice of properties" && !name.starts_with("list of ");
    refuse(can_be_told ? fmt::format("its {} is `{}`, and not `{}`", name, its_value, value)
                       : fmt::format("it has another {}", name));
  }
  if (saved.size() != identity.size()) refuse("it was made by another version of this program");
}

void check_identity(const RunIdentity& identity, const std::filesystem::path& path, SealedReader& in) {
  expect_same(identity, load_head(in).identity, path);
}

CheckpointHead head_of(const std::filesystem::path& path) {
  SealedReader in(path, checkpoint_kind);
  return load_head(in);
}

std::string identity_text(const std::filesystem::path& path, const std::string& name) {
  SealedReader in(path, checkpoint_kind);
  for (auto& [its_name, value] : load_identity(in))
    if (its_name == name) return value;
  return "";
}

void prepare_place_for_checkpoint(const std::filesystem::path& path) {
  std::error_code error;
  const bool is_taken = std::filesystem::file_size(path, error) > 0 && !error;
  if (is_taken && !is_sealed_file(path, checkpoint_kind))
    throw EnvironmentError(fmt::format("cannot write {}: what is there is no checkpoint", path.string()));
  SealedWriter(path, checkpoint_kind);
  remove_unfinished_files(path);
}

bool CheckpointWriter::is_due() const {
  return Clock::now() - saved_ >= std::chrono::duration<double>(std::max(request_.seconds, 4 * last_took_));
}

void CheckpointWriter::save(const std::function<void(SealedWriter&)>& write) {
  const Clock::time_point begin = Clock::now();
  try {
    SealedWriter out(*request_.write, checkpoint_kind);
    save_head(request_, out);
    write(out);
    out.commit();
    complaint_.clear();
  } catch (const EnvironmentError& error) {
    std::error_code ignored;
    const bool is_there = std::filesystem::exists(*request_.write, ignored);
    complaint_ =
        fmt::format("{}: {}", is_there ? "the checkpoint stays what it was" : "no checkpoint was left", error.what());
    request_.announce(complaint_);
  }
  saved_ = Clock::now();
  last_took_ = std::chrono::duration<double>(saved_ - begin).count();
}

void CheckpointWriter::complain(SearchResult& result) const {
  if (!complaint_.empty()) result.warnings.push_back(complaint_);
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
