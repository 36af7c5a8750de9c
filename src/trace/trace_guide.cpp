#include "trace/trace_guide.hpp"

#include <algorithm>
#include <cctype>
#include <map>

namespace fathom {

namespace {

bool is_word(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_';
}

// The text from `at` on that belongs together: a word, or a single sign.
std::string_view piece(std::string_view text, std::size_t at) {
  std::size_t end = at;
  while (end < text.size() && is_word(text[end])) ++end;
  return text.substr(at, std::max<std::size_t>(end - at, 1));
}

bool is_name(std::string_view word) {
  return is_word(word.front()) && std::isdigit(static_cast<unsigned char>(word.front())) == 0;
}

// A parameter may have another name now; its value is what counts.
bool same_values(const NamedValues& a, const NamedValues& b) {
  return std::ranges::equal(a, b, {}, &NamedValues::value_type::second, &NamedValues::value_type::second);
}

int count_equal(const std::vector<LeafChange>& a, const std::vector<LeafChange>& b) {
  int equal = 0;
  for (const LeafChange& change : a) equal += std::ranges::count(b, change) > 0 ? 1 : 0;
  return equal;
}

int count_equal(const NamedValues& a, const NamedValues& b) {
  int equal = 0;
  for (const auto& value : a) equal += std::ranges::count(b, value) > 0 ? 1 : 0;
  return equal;
}

// Variables may have other names now.
bool same_effects(const std::vector<LeafChange>& a, const std::vector<LeafChange>& b) {
  return std::ranges::equal(
      a, b, [](const LeafChange& x, const LeafChange& y) { return x.before == y.before && x.after == y.after; });
}

constexpr int same_rule = 3;
constexpr int renamed_text = 2;
constexpr int same_changes = 1;

}  // namespace

bool differ_in_names_only(const std::string& a, const std::string& b) {
  std::map<std::string_view, std::string_view> forth, back;
  std::size_t i = 0, j = 0;
  while (i < a.size() && j < b.size()) {
    const std::string_view x = piece(a, i), y = piece(b, j);
    i += x.size();
    j += y.size();
    if (!is_name(x) || !is_name(y)) {
      if (x != y) return false;
    } else if (forth.emplace(x, y).first->second != y || back.emplace(y, x).first->second != x) {
      return false;
    }
  }
  return i == a.size() && j == b.size();
}

TraceGuide::TraceGuide(const Trace& record, InterpretedModel& model, const Describer& describer)
    : record_(record), model_(model), describer_(describer), scratch_(model) {
  for (const ir::Edge* edge : model.program().edges()) rules_.insert(edge->name);
}

std::vector<InstanceId> TraceGuide::starts() {
  batch_.clear();
  model_.initial(batch_);
  std::vector<std::pair<Grade, InstanceId>> graded;
  for (std::uint32_t k = 0; k < batch_.size(); ++k) {
    const TraceStart found = describer_.start(batch_.instance(k), batch_.state(k));
    const bool same = found.name == record_.start.name && same_values(found.parameters, record_.start.parameters);
    graded.push_back({{same ? 1 : 0, count_equal(record_.start.state, found.state)}, batch_.instance(k)});
  }
  std::ranges::stable_sort(graded, std::greater{}, &std::pair<Grade, InstanceId>::first);
  std::vector<InstanceId> starts;
  for (const auto& [grade, start] : graded) starts.push_back(start);
  return starts;
}

std::vector<Fitting> TraceGuide::fitting(StateView state, std::size_t position) {
  batch_.clear();
  model_.successors(state, batch_);
  std::vector<std::pair<Grade, Fitting>> graded;
  for (std::uint32_t k = 0; k < batch_.size(); ++k) {
    if (batch_.outcome(k).is_dropped()) continue;
    Fitting fitting{batch_.instance(k), 0};
    if (const auto grade = compare_path(state, fitting.step, position, fitting.entries))
      graded.emplace_back(*grade, fitting);
  }
  std::ranges::stable_sort(graded, std::greater{}, &std::pair<Grade, Fitting>::first);
  std::vector<Fitting> result;
  for (const auto& [grade, fitting] : graded) result.push_back(fitting);
  return result;
}

// The record may end inside a step, when an assertion fails there.
std::optional<TraceGuide::Grade> TraceGuide::compare_path(StateView state, InstanceId step, std::size_t position,
                                                          std::size_t& entries) {
  scratch_.begin_at(state);
  scratch_.take(step, [](Outcome) { return false; });
  const std::vector<TraceStep> found = describer_.steps(scratch_.record());
  entries = std::min(found.size(), record_.steps.size() - position);
  Grade total{same_rule, 0};
  for (std::size_t k = 0; k < entries; ++k) {
    const auto grade = compare(record_.steps[position + k], found[k]);
    if (!grade) return std::nullopt;
    total = {std::min(total.first, grade->first), total.second + grade->second};
  }
  return total;
}

std::optional<TraceGuide::Grade> TraceGuide::compare(const TraceStep& recorded, const TraceStep& found) const {
  if (recorded.agents != found.agents || !same_values(recorded.parameters, found.parameters)) return std::nullopt;
  const int equal = count_equal(recorded.changes, found.changes);
  const int closeness = 2 * equal + (recorded.location == found.location ? 1 : 0);
  if (recorded.rule == found.rule) return Grade{same_rule, closeness};
  if (is_known(recorded.rule)) return std::nullopt;
  if (differ_in_names_only(recorded.rule, found.rule)) return Grade{renamed_text, closeness};
  const bool does_the_same = !found.changes.empty() && same_effects(recorded.changes, found.changes);
  return does_the_same ? std::optional(Grade{same_changes, closeness}) : std::nullopt;
}

}  // namespace fathom
