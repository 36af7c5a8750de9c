#include "trace/spin_trail.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <map>
#include <sstream>

namespace fathom {

namespace {

struct Line {
  long depth = 0, process = 0, transition = 0;
};

std::optional<Line> parse(const std::string& text) {
  Line line;
  int read = 0;
  const int fields = std::sscanf(text.c_str(), "%ld:%ld:%ld%n", &line.depth, &line.process, &line.transition, &read);
  if (fields != 3 || text.find_first_not_of(" \t\r", static_cast<std::size_t>(read)) != std::string::npos)
    return std::nullopt;
  return line;
}

constexpr long claim_header = -2, cycle_begins = -1, merging = -4;

// "Server[1]" is a process of type Server.
std::string type_of(const std::string& component) {
  return component.substr(0, component.rfind('['));
}

bool contains(SourceRange outer, SourceRange inner) {
  return outer.file == inner.file && outer.begin <= inner.begin && inner.end <= outer.end;
}

}  // namespace

bool looks_like_a_trail(const std::string& text) {
  return parse(text.substr(0, text.find('\n'))).has_value();
}

// With a never claim, process 0 of the trail is the claim, and the others are one further.
SpinTrail read_trail(const std::string& text) {
  SpinTrail trail;
  std::istringstream lines(text);
  std::string line;
  for (std::size_t number = 1; std::getline(lines, line); ++number) {
    if (line.find_first_not_of(" \t\r") == std::string::npos) continue;
    const std::optional<Line> read = parse(line);
    if (!read) throw BadTrail(fmt::format("line {} is not `depth:process:transition`: `{}`", number, line));
    if (read->depth == claim_header) {
      trail.with_claim = true;
    } else if (read->depth == merging) {
      trail.merged = true;
    } else if (read->depth == cycle_begins) {
      trail.loop = trail.entries.size();
    } else if (read->depth < 0 || read->process < 0 || read->transition < 0) {
      throw BadTrail(fmt::format("line {} has a header that is not known: `{}`", number, line));
    } else if (!trail.with_claim || read->process > 0) {
      const long process = read->process - (trail.with_claim ? 1 : 0);
      trail.entries.push_back({std::to_string(process), static_cast<std::uint32_t>(read->transition), number});
    }
  }
  return trail;
}

SpinTrail with_second_round(SpinTrail trail) {
  const std::vector<SpinTrail::Entry> first(trail.entries.begin() + static_cast<std::ptrdiff_t>(*trail.loop),
                                            trail.entries.end());
  trail.loop = trail.entries.size();
  trail.entries.insert(trail.entries.end(), first.begin(), first.end());
  return trail;
}

TrailGuide::TrailGuide(const SpinTrail& trail, const ir::NumberedStatements& numbers, InterpretedModel& model,
                       const Describer& describer)
    : trail_(trail), model_(model), describer_(describer), scratch_(model) {
  number_edges(numbers);
}

// An edge has the number of the statement at its place with its text, or of the construct it was made for. What a
// joint step says of its accepting side is only the text.
void TrailGuide::number_edges(const ir::NumberedStatements& numbers) {
  const ir::Program& program = model_.program();
  std::map<std::string, std::vector<const ir::NumberedStatement*>> by_process;
  for (const ir::NumberedStatement& each : numbers) by_process[each.process].push_back(&each);
  for (const ir::NumberedStatement& each : numbers) {
    in_use_.insert(each.number);
    if (each.text.find("timeout") != std::string::npos) timeouts_.insert(each.number);
  }
  for (const ir::Component& component : program.components) {
    const std::vector<const ir::NumberedStatement*>& known = by_process[type_of(component.name)];
    for (const auto& edge : component.edges) {
      Numbers& found = numbers_.emplace_back();
      const std::string own = edge->participants.empty() ? edge->name : "";
      for (const ir::NumberedStatement* each : known) {
        const bool here = each->range == edge->range && !each->text.empty() &&
                          (own.empty() ? edge->name.starts_with(each->text + " / ") : own == each->text);
        if (here) found.own.insert(each->number);
      }
      if (found.own.empty())
        for (const ir::NumberedStatement* each : known)
          if (each->text.empty() && contains(each->range, edge->range)) found.own.insert(each->number);
      if (edge->participants.empty()) continue;
      for (const ir::NumberedStatement* each : by_process[type_of(program.components[edge->participants[1]].name)])
        if (each->text.empty() || edge->name.ends_with(" / " + each->text)) found.accepting.insert(each->number);
    }
  }
}

std::vector<InstanceId> TrailGuide::starts() {
  batch_.clear();
  model_.initial(batch_);
  std::vector<InstanceId> starts;
  for (std::uint32_t k = 0; k < batch_.size(); ++k) starts.push_back(batch_.instance(k));
  return starts;
}

std::vector<Fitting> TrailGuide::fitting(StateView state, std::size_t position) {
  batch_.clear();
  model_.successors(state, batch_);
  std::vector<Fitting> fitting, merged;
  for (std::uint32_t k = 0; k < batch_.size(); ++k) {
    if (batch_.outcome(k).is_dropped()) continue;
    const InstanceId step = batch_.instance(k);
    scratch_.begin_at(state);
    scratch_.take(step, [](Outcome) { return false; });
    if (const auto entries = entries_of(scratch_.record(), position))
      fitting.push_back({step, *entries});
    else if (describer_.title(scratch_.record().steps.front()).agents.size() == 1)
      merged.push_back({step, 0});
  }
  std::ranges::stable_sort(fitting, std::greater{}, &Fitting::entries);
  const bool waits_for_merged = trail_.merged && timeouts_.contains(trail_.entries[position].transition);
  return fitting.empty() && waits_for_merged ? merged : fitting;
}

bool TrailGuide::matches(const SpinTrail::Entry& entry, const std::string& process,
                         const std::set<std::uint32_t>& numbers) const {
  return entry.process == process && numbers.contains(entry.transition);
}

void TrailGuide::skip_jumps(std::size_t& at) const {
  const auto is_jump = [&](std::uint32_t number) {
    return !in_use_.empty() && number < *in_use_.rbegin() && !in_use_.contains(number);
  };
  while (at < trail_.entries.size() && is_jump(trail_.entries[at].transition)) ++at;
}

std::optional<std::size_t> TrailGuide::entries_of(const Replayed& record, std::size_t position) const {
  std::size_t at = position;
  const std::string& next = trail_.entries[position].process;
  for (const InstanceId edge : record.steps) {
    skip_jumps(at);
    if (at == trail_.entries.size()) break;  // the trail ends inside the step
    const Numbers& numbers = numbers_[edge_of(edge)];
    const std::vector<std::string> agents = describer_.title(edge).agents;
    if (matches(trail_.entries[at], agents.front(), numbers.own)) {
      ++at;
      if (agents.size() == 1) continue;
      if (at == trail_.entries.size()) break;
      if (!matches(trail_.entries[at], agents[1], numbers.accepting)) return std::nullopt;
      ++at;
    } else if (!trail_.merged || agents.size() != 1 || (at == position && agents.front() != next)) {
      return std::nullopt;
    }
  }
  skip_jumps(at);
  return at - position;
}

std::string statement_with(const ir::NumberedStatements& numbers, std::uint32_t number, const Sources& sources) {
  const auto found = std::ranges::find(numbers, number, &ir::NumberedStatement::number);
  if (found == numbers.end()) return fmt::format("transition {}, which no statement of this model has", number);
  const std::string text = found->text.empty() ? std::string(sources.text(found->range)) : found->text;
  return fmt::format("transition {}, `{}` of {} ({})", number, text.substr(0, 60), found->process,
                     sources.location(found->range));
}

}  // namespace fathom
