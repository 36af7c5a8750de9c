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
std::vector<std::string> agents_of(const ir::Edge& edge, const NamedValues& parameters) {
  if (parameters.empty()) return {};
  const ir::Type::Kind kind = edge.parameters.front().local->type->kind;
  const bool owner = kind == ir::Type::Kind::scalarset || kind == ir::Type::Kind::range;
  return owner ? std::vector<std::string>{parameters.front().second} : std::vector<std::string>{};
}

// The named components that take part in a step.
std::vector<std::string> participants_of(const ir::Program& program, const ir::Edge& edge, std::uint32_t owner) {
  std::vector<std::string> agents;
  const auto add = [&](std::uint32_t number) {
    if (const std::string& agent = program.components[number].agent; !agent.empty()) agents.push_back(agent);
  };
  if (edge.participants.empty()) add(owner);
  for (const std::uint32_t number : edge.participants) add(number);
  return agents;
}

// The component of each edge.
std::vector<std::uint32_t> owners_of(const ir::Program& program) {
  std::vector<std::uint32_t> owners;
  for (std::uint32_t number = 0; number < program.components.size(); ++number)
    owners.insert(owners.end(), program.components[number].edges.size(), number);
  return owners;
}

}  // namespace

Trace describe(const ir::Program& program, const ConcreteRun& run, const Replayed& replayed, bool full_states) {
  const Leaves leaves(program);
  const std::vector<const ir::Edge*> edges = program.edges();
  const ir::Edge& start = *program.starts[edge_of(run.start)];
  Trace trace;
  trace.guarantee = run.shortest ? "shortest" : "any";
  trace.loop = replayed.loop;
  trace.start = {start.name, shown_parameters(start, run.start), program.sources->location(start.range),
                 leaves.values(replayed.states.front())};
  const std::vector<std::uint32_t> owners = owners_of(program);
  for (std::size_t k = 0; k < replayed.steps.size(); ++k) {
    const std::uint32_t number = edge_of(replayed.steps[k]);
    const ir::Edge& edge = *edges[number];
    TraceStep step;
    step.rule = edge.name;
    step.parameters = shown_parameters(edge, replayed.steps[k]);
    step.agents = participants_of(program, edge, owners[number]);
    if (step.agents.empty()) step.agents = agents_of(edge, step.parameters);
    step.location = program.sources->location(edge.range);
    step.changes = leaves.diff(replayed.states[k], replayed.states[k + 1]);
    if (full_states) step.state = leaves.values(replayed.states[k + 1]);
    trace.steps.push_back(std::move(step));
  }
  return trace;
}

}  // namespace fathom
