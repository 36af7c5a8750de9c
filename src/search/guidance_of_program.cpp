#include "search/guidance_of_program.hpp"

#include <algorithm>

#include "model/evaluate.hpp"

namespace fathom {

ProgramGuidance::ProgramGuidance(const ir::Program& program, const Agents& agents, const RuleMarks& marks)
    : agents_(agents.count()), agent_of_(1, 0), questions_(marks.questions) {
  for (std::uint32_t number = 0; number < program.components.size(); ++number)
    for (const auto& edge : program.components[number].edges)
      owners_.push_back(agents.are_components() ? components_of(*edge, number) : parameters_of_type(*edge, agents));
  marks_.resize(owners_.size());
  for (const RuleMarks::Mark& mark : marks.all) {
    if (mark.condition != RuleMarks::always)
      marks_[mark.edge].conditions.push_back(mark.condition);
    else if (mark.question != RuleMarks::always)
      marks_[mark.edge].questions.push_back(mark.question);
    else
      marks_[mark.edge].always = true;
  }
  if (marks.conditions != nullptr) conditions_ = std::make_unique<InterpretedModel>(*marks.conditions);
}

ProgramGuidance::ProgramGuidance(const ProgramGuidance& other)
    : agents_(other.agents_),
      agent_of_(other.agent_of_),
      owners_(other.owners_),
      marks_(other.marks_),
      questions_(other.questions_) {
  if (other.conditions_ != nullptr) conditions_ = std::make_unique<InterpretedModel>(other.conditions_->program());
}

std::unique_ptr<Guidance> ProgramGuidance::for_another_thread() const {
  return std::make_unique<ProgramGuidance>(*this);
}

ProgramGuidance::EdgeOwners ProgramGuidance::components_of(const ir::Edge& edge, std::uint32_t component) {
  const auto agent = [&](std::uint32_t number) {
    agent_of_.push_back(number + 1);
    return Owner{1, 1, static_cast<std::uint32_t>(agent_of_.size()) - 1};
  };
  if (edge.participants.empty()) return {agent(component), agent(component)};
  return {agent(edge.participants.front()), agent(edge.participants.back())};
}

ProgramGuidance::EdgeOwners ProgramGuidance::parameters_of_type(const ir::Edge& edge, const Agents& agents) {
  EdgeOwners owners;
  const std::vector<std::size_t> parameters = agents.owning_parameters(edge);
  if (!parameters.empty()) owners.first = owners.second = owner(edge, parameters.front(), agents);
  if (parameters.size() > 1) owners.second = owner(edge, parameters.back(), agents);
  return owners;
}

ProgramGuidance::Owner ProgramGuidance::owner(const ir::Edge& edge, std::size_t parameter, const Agents& agents) {
  Owner result;
  for (std::size_t k = parameter + 1; k < edge.parameters.size(); ++k)
    result.stride *= static_cast<std::uint32_t>(edge.parameters[k].domain.size());
  const ir::ParameterDomain& domain = edge.parameters[parameter].domain;
  result.size = std::max<std::uint32_t>(1, static_cast<std::uint32_t>(domain.size()));
  result.first = static_cast<std::uint32_t>(agent_of_.size());
  for (std::uint64_t k = 0; k < domain.size(); ++k) agent_of_.push_back(agents.number(domain.at(k)));
  return result;
}

Owners ProgramGuidance::owners(InstanceId step) const {
  const auto agent = [&](const Owner& owner) {
    return agent_of_[owner.first + parameters_of(step) / owner.stride % owner.size];
  };
  const EdgeOwners& owners = owners_[edge_of(step)];
  return {agent(owners.first), agent(owners.second)};
}

bool ProgramGuidance::marked(InstanceId step, StateView state) const {
  const EdgeMark& mark = marks_[edge_of(step)];
  if (mark.always) return true;
  for (const std::uint32_t condition : mark.conditions)
    if (holds(condition, step, state)) return true;
  return std::ranges::any_of(mark.questions, [&](std::uint32_t question) { return is_answered_by(question, state); });
}

bool ProgramGuidance::holds(std::uint32_t condition, InstanceId step, StateView state) const {
  Outcome outcome;
  const InstanceId instance = make_instance(condition, parameters_of(step));
  return conditions_->is_enabled(state, instance, outcome) && outcome.ok();
}

bool ProgramGuidance::is_answered_by(std::uint32_t question, StateView state) const {
  const ir::Program& program = *questions_[question];
  return evaluate(program, *program.properties.back(), state).value.value_or(0) != 0;
}

}  // namespace fathom
