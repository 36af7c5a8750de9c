#include "trace/trace.hpp"

#include "ir/instance.hpp"

namespace fathom {

namespace {

NamedValues shown_parameters(const ir::Edge& edge, InstanceId instance) {
  const std::vector<std::int64_t> values = ir::parameter_values(edge.parameters, parameters_of(instance));
  NamedValues shown;
  for (std::size_t k = 0; k < values.size(); ++k) {
    const ir::Local& local = *edge.parameters[k].local;
    shown.emplace_back(local.name, ir::show(*local.type, values[k]));
  }
  return shown;
}

// By convention the outermost parameter of a rule is the process that owns it, if it is a number or a scalarset value.
std::vector<std::string> outermost_owner(const ir::Edge& edge, const NamedValues& parameters) {
  if (parameters.empty()) return {};
  const ir::Type::Kind kind = edge.parameters.front().local->type->kind;
  const bool owner = kind == ir::Type::Kind::scalarset || kind == ir::Type::Kind::range;
  return owner ? std::vector<std::string>{parameters.front().second} : std::vector<std::string>{};
}

// The named components that take part in a step.
std::vector<const ir::Component*> participants_of(const ir::Program& program, const ir::Edge& edge,
                                                  std::uint32_t owner) {
  std::vector<const ir::Component*> named;
  const auto add = [&](std::uint32_t number) {
    if (!program.components[number].agent.empty()) named.push_back(&program.components[number]);
  };
  if (edge.participants.empty()) add(owner);
  for (const std::uint32_t number : edge.participants) add(number);
  return named;
}

// The component of each edge.
std::vector<std::uint32_t> owners_of(const ir::Program& program) {
  std::vector<std::uint32_t> owners;
  for (std::uint32_t number = 0; number < program.components.size(); ++number)
    owners.insert(owners.end(), program.components[number].edges.size(), number);
  return owners;
}

}  // namespace

Describer::Describer(const ir::Program& program, const Agents* agents, bool full_states)
    : program_(program),
      agents_(agents),
      full_states_(full_states),
      leaves_(program),
      edges_(program.edges()),
      owners_(owners_of(program)) {}

TraceStart Describer::start(InstanceId start, StateView state, std::string output) const {
  const ir::Edge& edge = *program_.starts[edge_of(start)];
  return {edge.name, shown_parameters(edge, start), program_.sources->location(edge.range), leaves_.values(state),
          std::move(output)};
}

TraceStep Describer::title(InstanceId id) const {
  const std::uint32_t number = edge_of(id);
  const ir::Edge& edge = *edges_[number];
  TraceStep step;
  step.rule = edge.name;
  step.parameters = shown_parameters(edge, id);
  name_agents(edge, owners_[number], step);
  step.location = program_.sources->location(edge.range);
  return step;
}

TraceStep Describer::step(InstanceId edge, StateView before, StateView after, std::string output) const {
  TraceStep step = title(edge);
  step.changes = leaves_.diff(before, after);
  if (full_states_) step.state = leaves_.values(after);
  step.output = std::move(output);
  return step;
}

std::vector<TraceStep> Describer::steps(const Replayed& record, std::size_t first) const {
  std::vector<TraceStep> steps;
  for (std::size_t k = first; k < record.steps.size(); ++k)
    steps.push_back(step(record.steps[k], record.states[k], record.states[k + 1], record.outputs[k + 1]));
  return steps;
}

std::vector<std::string> Describer::actors() const {
  std::vector<std::string> names;
  for (const ir::Component& component : program_.components)
    if (!component.agent.empty()) names.push_back(component.name);
  return names;
}

void Describer::name_agents(const ir::Edge& edge, std::uint32_t owner, TraceStep& step) const {
  for (const ir::Component* component : participants_of(program_, edge, owner)) {
    step.agents.push_back(component->agent);
    step.actors.push_back(component->name);
  }
  if (!step.agents.empty()) return;
  if (agents_ == nullptr) {
    step.agents = outermost_owner(edge, step.parameters);
    return;
  }
  for (const std::size_t parameter : agents_->owning_parameters(edge))
    step.agents.push_back(step.parameters[parameter].second);
}

Trace describe(const Describer& describer, const ConcreteRun& run, const Replayed& replayed) {
  Trace trace;
  trace.guarantee = run.shortest ? "shortest" : run.within > 0 ? "bounded" : "any";
  trace.loop = replayed.loop;
  if (replayed.loop)
    for (const LeafChange& change : describer.leaves().diff(replayed.states[*replayed.loop], replayed.states.back()))
      trace.left_changed.push_back(change.variable);
  trace.start = describer.start(run.start, replayed.states.front(), replayed.outputs.front());
  trace.steps = describer.steps(replayed);
  trace.actors = describer.actors();
  return trace;
}

Trace describe(const ir::Program& program, const ConcreteRun& run, const Replayed& replayed, bool full_states) {
  return describe(Describer(program, nullptr, full_states), run, replayed);
}

}  // namespace fathom
