#include "property/fairness.hpp"

#include <algorithm>
#include <string>

#include "support/errors.hpp"

namespace fathom {

namespace {

// Processes are told apart by their number, as in Spin: a number that is free is nobody, who cannot move.
std::size_t mark_of(const ir::Component& process) {
  return 1 + std::stoul(process.agent);
}

}  // namespace

Fairness::Fairness(const ir::Program& program) : program_(program), model_(program) {
  model_.quiet(true);
  all_.set(0);
  const bool processes = std::ranges::none_of(program.components, [](const auto& c) { return c.agent.empty(); });
  if (processes) {
    find_processes();
  } else {
    find_rules();
  }
}

void Fairness::find_processes() {
  const bool meets = std::ranges::any_of(program_.components, [](const ir::Component& component) {
    return std::ranges::any_of(component.edges, [](const auto& edge) { return !edge->participants.empty(); });
  });
  for (const ir::Component& component : program_.components) {
    all_.set(mark_of(component));
    for (const auto& edge : component.edges) {
      EdgeFacts& facts = edges_.emplace_back();
      facts.goes_on = meets && edge->control != ir::Control::release;
      if (edge->participants.empty()) facts.marks.set(mark_of(component));
      for (const std::uint32_t number : edge->participants) facts.marks.set(mark_of(program_.components[number]));
    }
  }
}

void Fairness::find_rules() {
  const std::vector<const ir::Edge*> edges = program_.edges();
  std::uint64_t instances = 0;
  for (const ir::Edge* edge : edges) instances += edge->instances();
  const bool by_instance = instances < max_marks;
  if (!by_instance && edges.size() >= max_marks) throw EnvironmentError("--fair: there are too many rules");
  std::size_t next = 1;
  for (const ir::Edge* edge : edges) {
    EdgeFacts& facts = edges_.emplace_back();
    facts.by_instance = by_instance;
    facts.first_mark = next;
    const std::size_t count = by_instance ? edge->instances() : 1;
    for (std::size_t k = 0; k < count; ++k) all_.set(next++);
    if (!by_instance) facts.marks.set(facts.first_mark);
  }
}

Marks Fairness::able(InstanceId step) const {
  const EdgeFacts& facts = edges_[edge_of(step)];
  return facts.by_instance ? Marks().set(facts.first_mark + parameters_of(step)) : facts.marks;
}

Marks Fairness::moving(StateView state, InstanceId step) {
  Marks marks = able(step);
  if (!edges_[edge_of(step)].goes_on) return marks;
  for (const MicroPath::Step& part : model_.micro_steps(state, step).steps) marks |= able(part.instance);
  return marks;
}

}  // namespace fathom
