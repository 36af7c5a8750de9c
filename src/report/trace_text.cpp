#include "report/trace_text.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace fathom {

namespace {

// Each line of what was printed behind a bar.
std::string quoted_lines(const std::string& output) {
  std::string text;
  for (std::size_t start = 0; start < output.size();) {
    const std::size_t end = std::min(output.find('\n', start), output.size());
    text += fmt::format("{:5}| {}\n", "", output.substr(start, end - start));
    start = end + 1;
  }
  return text;
}

}  // namespace

std::string rule_title(const std::string& name, const NamedValues& parameters) {
  std::string text = name;
  for (std::size_t k = 0; k < parameters.size(); ++k) {
    text += fmt::format("{}{}: {}", k == 0 ? " (" : ", ", parameters[k].first, parameters[k].second);
  }
  return parameters.empty() ? text : text + ")";
}

std::string TraceText::start(const TraceStart& start) const {
  return heading("start", rule_title(start.name, start.parameters), start.location) + values(start.state) +
         quoted_lines(start.output);
}

std::string TraceText::step(std::size_t number, const TraceStep& step) const {
  std::string text = heading(std::to_string(number), title(step), step.location);
  for (const LeafChange& each : step.changes) text += change(each);
  if (step.changes.empty()) text += fmt::format("{:7}{}\n", "", style_.faint("nothing changes"));
  text += quoted_lines(step.output);
  return detail_ == TraceDetail::full ? text + values(step.state) : text;
}

std::string TraceText::title(const TraceStep& step) const {
  const std::string title = rule_title(step.rule, step.parameters);
  return language_ == "promela" ? fmt::format("[{}] {}", fmt::join(step.agents, " "), title) : title;
}

std::string TraceText::heading(const std::string& mark, const std::string& title, const std::string& location) const {
  return fmt::format("{:>5}  {}  {}\n", mark, style_.strong(title), style_.faint(location));
}

std::string TraceText::change(const LeafChange& change) {
  if (!change.before) return fmt::format("{:5}+ {}: {}\n", "", change.variable, *change.after);
  if (!change.after) return fmt::format("{:5}- {}: {}\n", "", change.variable, *change.before);
  return fmt::format("{:7}{}: {} → {}\n", "", change.variable, *change.before, *change.after);
}

// Leaves without a value say nothing at length: they are counted.
std::string TraceText::values(const NamedValues& state) const {
  std::string text;
  std::size_t undefined = 0;
  for (const auto& [variable, value] : state) {
    if (value == "Undefined") {
      ++undefined;
    } else {
      text += fmt::format("{:7}{}: {}\n", "", variable, value);
    }
  }
  if (undefined > 0) text += fmt::format("{:7}{}\n", "", style_.faint(fmt::format("({} more undefined)", undefined)));
  return text;
}

}  // namespace fathom
