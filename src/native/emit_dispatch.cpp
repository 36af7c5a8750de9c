// ModelWriter: steps of a program whose components have locations. A function for each location tries the edges that
// leave it, so that the cost of a state does not grow with the number of edges elsewhere.
#include <fmt/format.h>

#include <map>
#include <set>

#include "native/model_writer.hpp"

namespace fathom {

namespace {

constexpr const char* step_parameters = "(fathom_host *host, const uint64_t *state, fathom_batch *batch)";

}  // namespace

std::vector<std::int64_t> ModelWriter::priorities() const {
  std::set<std::int64_t> all;
  for (const EdgePlan& plan : edges_) all.insert(plan.edge->priority);
  return {all.begin(), all.end()};
}

// Smaller priorities come first, and one with an enabled step ends the list; inside a priority the components have
// their order, and so have the edges of a component.
void ModelWriter::write_dispatched_steps(const std::string& name, bool fires) {
  std::string all;
  std::vector<std::string> alone(program_.components.size());
  const char* const leave_early = "if (batch->count != first) return;\n";
  for (const std::int64_t priority : priorities()) {
    if (!all.empty()) all += leave_early;
    for (std::uint32_t component = 0; component < program_.components.size(); ++component) {
      const std::string call = write_component_steps(name, fires, component, priority);
      if (!alone[component].empty() && !call.empty()) alone[component] += leave_early;
      all += call;
      alone[component] += call;
    }
  }
  const char* const first = "const uint32_t first = batch->count;\n";
  if (!fires || !has_macro_steps_) {
    out_ += fmt::format("static void {}{} {{\n{}{}{}}}\n", name, step_parameters, fires ? make_room() : "", first, all);
    return;
  }
  out_ += fmt::format("static void {}_once{} {{\n{}{}{}}}\n", name, step_parameters, make_room(), first, all);
  write_whole_steps(name);
  out_ += fmt::format(
      "static void {}_of(fathom_host *host, const uint64_t *state, uint32_t component, fathom_batch *batch) {{\n{}{}"
      "switch (component) {{\n",
      name, make_room(), first);
  for (std::size_t k = 0; k < alone.size(); ++k)
    if (!alone[k].empty()) out_ += fmt::format("case {}:\n{}break;\n", k, alone[k]);
  out_ += "}\n}\n";
}

// Where nothing is possible, what waits for that is.
void ModelWriter::write_whole_steps(const std::string& name) {
  out_ += fmt::format("static void {}{} {{\n", name, step_parameters);
  if (!walks_) out_ += "if (!host->single) { host->gave_up = 1; return; }\n";
  out_ += fmt::format("const uint32_t first = batch->count;\n{}_once(host, state, batch);\n", name);
  if (walks_ && uses_timeout_)
    out_ += fmt::format(
        "if (batch->count == first && !host->single) {{\nhost->timeout = 1;\n{}_once(host, state, batch);\n"
        "host->timeout = 0;\n}}\n",
        name);
  out_ += "}\n";
}

// Writes the function for the edges of one component and one priority, and returns the call of it.
std::string ModelWriter::write_component_steps(const std::string& name, bool fires, std::uint32_t component,
                                               std::int64_t priority) {
  const ir::Variable* const location = program_.components[component].location;
  std::map<std::uint32_t, std::vector<const EdgePlan*>> leaving;
  for (const EdgePlan& plan : edges_)
    if (plan.component == component && plan.edge->priority == priority)
      leaving[location == nullptr ? 0 : plan.edge->source].push_back(&plan);
  if (leaving.empty()) return "";
  std::string entries;
  for (const auto& [source, plans] : leaving) {
    const std::string at = fmt::format("{}_from_{}", name, plans.front()->number);
    write_location_steps(at, fires, plans);
    if (location == nullptr) return at + "(host, state, batch);\n";
    entries += fmt::format("[{}] = {}, ", source + 1, at);
  }
  // Codes of locations that nothing leaves, and of a component that is not there, find an empty entry.
  const std::string table = fmt::format("{}_by_{}", name, leaving.begin()->second.front()->number);
  out_ += fmt::format("static void (*const {}[{}]){} = {{{}}};\n", table, std::uint64_t{1} << location->type->bits,
                      step_parameters, entries);
  return fmt::format(
      "{{ void (*const steps){} = {}[fathom_get(state, {}, {})];\nif (steps) steps(host, state, batch); }}\n",
      step_parameters, table, location->offset, location->type->bits);
}

void ModelWriter::write_location_steps(const std::string& name, bool fires,
                                       const std::vector<const EdgePlan*>& leaving) {
  out_ += fmt::format("FATHOM_OUTLINE void {}{} {{\nconst uint32_t words = {};\n{}", name, step_parameters,
                      fires ? words_ : 0, local_state());
  const Departure all{leaving};
  if (fires && walks_ && all.has_ranks() && all.is_a_set()) {
    write_ranked_steps(all);
  } else {
    if (fires && walks_ && all.has_ranks()) out_ += "if (!host->single) host->gave_up = 1;\n";
    for (const EdgePlan* plan : leaving) write_edge_steps(*plan, fires);
  }
  out_ += "}\n";
}

}  // namespace fathom
