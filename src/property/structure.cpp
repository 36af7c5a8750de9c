#include "property/structure.hpp"

#include <fmt/format.h>

#include "ir/instance.hpp"
#include "model/macro_steps.hpp"

namespace fathom {

namespace {

// The labels of an imported transition system are mere texts; one that reads like "name(a, b)" has arguments.
void split_arguments(StepLabel& label) {
  const std::size_t open = label.name.find('(');
  if (open == std::string::npos || open == 0 || label.name.back() != ')') return;
  const std::string inside = label.name.substr(open + 1, label.name.size() - open - 2);
  if (inside.find_first_of("()") != std::string::npos) return;
  for (std::size_t start = 0; start <= inside.size();) {
    const std::size_t comma = std::min(inside.find(',', start), inside.size());
    const std::size_t first = std::min(inside.find_first_not_of(' ', start), comma);
    label.arguments.push_back(inside.substr(first, comma - first));
    start = comma + 1;
  }
  label.name.resize(open);
}

}  // namespace

std::string StepLabel::text() const {
  return arguments.empty() ? name : fmt::format("{}({})", name, fmt::join(arguments, ","));
}

// The ways through a step that is several edges share the label of its first edge.
std::uint32_t StepLabels::number(InstanceId step) {
  const InstanceId first = has_macro_steps_ ? MacroSteps::first_micro_step(step) : step;
  const auto [found, is_new] = numbers_.try_emplace(static_cast<std::uint64_t>(first), size());
  if (is_new) labels_.push_back(make(first));
  return found->second;
}

StepLabel StepLabels::make(InstanceId step) const {
  const ir::Edge& edge = *edges_[edge_of(step)];
  StepLabel label{step, edge.name, {}};
  const std::vector<std::int64_t> values = ir::parameter_values(edge.parameters, parameters_of(step));
  for (std::size_t k = 0; k < values.size(); ++k)
    label.arguments.push_back(ir::show(*edge.parameters[k].local->type, values[k]));
  if (program_.language == "aut") split_arguments(label);
  return label;
}

Structure::State FiniteStructure::add_state(StateView words) {
  words_per_state_ = words.size();
  words_.insert(words_.end(), words.begin(), words.end());
  rows_.push_back(edges_.size());
  return static_cast<State>(rows_.size() - 1);
}

std::uint32_t FiniteStructure::add_label(StepLabel label) {
  labels_.push_back(std::move(label));
  return labels() - 1;
}

std::span<const Structure::Edge> FiniteStructure::edges(State state) {
  const std::uint64_t end = state + 1 < rows_.size() ? rows_[state + 1] : edges_.size();
  return {edges_.data() + rows_[state], end - rows_[state]};
}

StateView FiniteStructure::words(State state) const {
  return {words_.data() + std::size_t{state} * words_per_state_, words_per_state_};
}

}  // namespace fathom
