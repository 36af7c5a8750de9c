// ModelWriter: the entry points of the binary interface.
#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "ir/instance.hpp"
#include "native/model_writer.hpp"

namespace fathom {

using ir::Property;

std::string ModelWriter::local_state() const {
  if (!copies_state()) return "uint64_t *const s = (uint64_t *)state;\n";
  return fmt::format("uint64_t s[{0}];\nfathom_copy_words(s, state, {0});\n", words_);
}

void ModelWriter::write_initial() {
  std::string locations;
  for (const ir::Component& component : program_.components)
    if (component.location != nullptr && component.present_at_start)
      locations +=
          fmt::format("fathom_set(s, {}, {}, 1);\n", component.location->offset, component.location->type->bits);
  for (std::size_t k = 0; k < program_.starts.size(); ++k)
    write_body(*program_.starts[k], fmt::format("start_{}", k), locations, false);

  out_ += "static void initial(fathom_host *host, fathom_batch *batch) {\n";
  for (std::uint64_t k = 0; k < program_.starts.size(); ++k) {
    const std::vector<ir::Parameter>& parameters = program_.starts[k]->parameters;
    const auto leaf = [&](std::uint64_t) {
      out_ += fmt::format(
          "uint64_t *const s = fathom_spare(host, batch, 1, {0});\nfathom_zero(s, 0, UINT64_C(64) * {0});\n"
          "uint32_t fault = start_{1}(host, s{2});\nif (!fault) fault = settle(host, s);\n"
          "if (fault != FATHOM_BLOCKED && fault != FATHOM_DROPPED) fathom_push(batch, UINT64_C({3}) + ({4}), fault, "
          "{0});\n",
          words_, k, parameter_arguments(parameters.size()), k << 32, instance_number(parameters, parameters.size()));
    };
    out_ += "{\n";
    InstanceNest{.parameters = parameters, .leaf = leaf}.write(out_);
    out_ += "}\n";
  }
  out_ += "}\n";
}

// The loops of one edge with its guards. A guard that faults before all parameters are fixed gives every instance
// below it the fault; they are consecutive, because inner parameters vary fastest.
void ModelWriter::write_guard_nest(const EdgePlan& plan, bool unrolled,
                                   const std::function<std::string(std::uint64_t)>& action) {
  const std::vector<ir::Parameter>& parameters = plan.edge->parameters;
  const std::uint64_t base = std::uint64_t{plan.number} << 32;
  const InstanceNest nest{
      .parameters = parameters,
      .unrolled = unrolled,
      .open =
          [&](std::size_t level) {
            if (plan.guarded(level))
              out_ += fmt::format("const uint32_t g{0} = guard_{1}_{0}(host, s{2});\nif (g{0} == 1) {{\n", level,
                                  plan.number, parameter_arguments(level));
          },
      .close =
          [&](std::size_t level) {
            if (plan.guarded(level))
              out_ += fmt::format(
                  "}} else if (FATHOM_UNLIKELY(g{0})) fathom_push_faults(host, batch, state, words, UINT64_C({1}) + "
                  "({2}), {3}u, g{0} - 2);\n",
                  level, base, instance_number(parameters, level), instances_from(parameters, level));
          },
      .leaf = [&](std::uint64_t instance) { out_ += action(instance); },
  };
  out_ += "{\n";
  nest.write(out_);
  out_ += "}\n";
}

// Steps are taken in functions of their own, so that the long function of guards stays small and keeps the state in
// registers. A written-out instance gets a function in which its parameters are constants.
void ModelWriter::write_fire(const EdgePlan& plan) {
  const std::vector<ir::Parameter>& parameters = plan.edge->parameters;
  const char* const head =
      "FATHOM_OUTLINE void fire_{}(fathom_host *host, const uint64_t *state, fathom_batch *batch{}) {{\n";
  if (!plan.unrolled) {
    std::string formal = ", uint64_t instance";
    for (std::size_t k = 0; k < parameters.size(); ++k) formal += fmt::format(", int64_t p{}", k);
    out_ += fmt::format(fmt::runtime(head), plan.number, formal) +
            take_text(plan, "instance", parameter_arguments(parameters.size())) + "}\n";
    return;
  }
  const std::uint64_t base = std::uint64_t{plan.number} << 32;
  for (std::uint64_t k = 0; k < instances_from(parameters, 0); ++k) {
    std::string values;
    for (const std::int64_t value : ir::parameter_values(parameters, k)) values += fmt::format(", INT64_C({})", value);
    out_ += fmt::format(fmt::runtime(head), fmt::format("{}_{}", plan.number, k), "") +
            take_text(plan, fmt::format("UINT64_C({})", base + k), values) + "}\n";
  }
}

// How many steps a state can have at most, as long as each of its edges leads to one; plus one.
std::uint64_t ModelWriter::most_steps() const {
  std::map<std::uint32_t, std::map<std::uint32_t, std::uint64_t>> by_place;
  for (const EdgePlan& plan : edges_)
    by_place[plan.component][dispatched_ ? plan.edge->source : 0] += plan.edge->instances();
  std::uint64_t most = 1;
  for (const auto& [component, places] : by_place) {
    std::uint64_t of_component = 0;
    for (const auto& [place, count] : places) of_component = std::max(of_component, count);
    most += of_component;
  }
  return most;
}

// Where a state cannot have very many steps there is room for all of them before the first is taken.
std::string ModelWriter::make_room() const {
  return room_ > 1 ? fmt::format("(void)fathom_spare(host, batch, {}, {});\n", room_, words_) : "";
}

std::string ModelWriter::take_text(const EdgePlan& plan, const std::string& instance, const std::string& values) const {
  if (has_macro_steps_) return fire_body(plan, instance, values);
  return fmt::format("take_{}(host, state, batch, {}{});\n", plan.number, instance, values);
}

std::string ModelWriter::fire_call(const EdgePlan& plan, std::uint64_t instance) const {
  if (plan.impossible.has_value()) return ";\n";
  if (plan.unrolled) return fmt::format("fire_{}_{}(host, state, batch);\n", plan.number, instance);
  const std::vector<ir::Parameter>& parameters = plan.edge->parameters;
  return fmt::format("fire_{}(host, state, batch, UINT64_C({}) + ({}){});\n", plan.number,
                     std::uint64_t{plan.number} << 32, instance_number(parameters, parameters.size()),
                     parameter_arguments(parameters.size()));
}

// The guards are cut into functions of bounded size, because compilers take more than linear time over a long one, and
// at priorities, where a class with an enabled step ends the list.
void ModelWriter::write_successors() {
  for (const EdgePlan& plan : edges_)
    if (!plan.impossible.has_value()) write_fire(plan);
  if (dispatched_) return write_dispatched_steps("successors", true);
  write_steps("successors", true);
}

// Where a step can be several edges, whether it is there shows only when they are taken: nobody asks for this then.
void ModelWriter::write_enabled() {
  if (has_macro_steps_) return;
  if (dispatched_) return write_dispatched_steps("enabled", false);
  write_steps("enabled", false);
}

void ModelWriter::write_edge_steps(const EdgePlan& plan, bool fires) {
  write_guard_nest(plan, fires && plan.unrolled,
                   [&](std::uint64_t instance) { return fires ? fire_call(plan, instance) : enabled_step(plan); });
}

void ModelWriter::write_steps(const std::string& name, bool fires) {
  const char* const parameters = "(fathom_host *host, const uint64_t *state, fathom_batch *batch)";
  std::string calls;
  std::size_t pieces = 0;
  for (std::size_t begin = 0; begin < edges_.size();) {
    const std::size_t end = end_of_piece(begin);
    out_ += fmt::format("FATHOM_OUTLINE void {}_{}{} {{\nconst uint32_t words = {};\n{}", name, pieces, parameters,
                        fires ? words_ : 0, local_state());
    for (std::size_t k = begin; k < end; ++k) write_edge_steps(edges_[k], fires);
    out_ += "}\n";
    calls += fmt::format("{}_{}(host, state, batch);\n", name, pieces++);
    if (end < edges_.size() && edges_[end].edge->priority != edges_[begin].edge->priority)
      calls += "if (batch->count != first) return;\n";
    begin = end;
  }
  out_ += fmt::format("static void {}{} {{\n{}const uint32_t first = batch->count;\n{}}}\n", name, parameters,
                      fires ? make_room() : "", calls);
}

std::size_t ModelWriter::end_of_piece(std::size_t begin) const {
  constexpr std::uint64_t max_nodes = 3000;
  std::uint64_t nodes = 0;
  std::size_t end = begin;
  while (end < edges_.size() && edges_[end].edge->priority == edges_[begin].edge->priority) {
    nodes += edges_[end].guard_nodes * (edges_[end].unrolled ? edges_[end].edge->instances() : 1);
    if (end > begin && nodes > max_nodes) break;
    ++end;
  }
  return end;
}

std::string ModelWriter::enabled_step(const EdgePlan& plan) const {
  const std::vector<ir::Parameter>& parameters = plan.edge->parameters;
  return fmt::format("fathom_spare(host, batch, 1, 0);\nfathom_push(batch, UINT64_C({}) + ({}), 0, 0);\n",
                     std::uint64_t{plan.number} << 32, instance_number(parameters, parameters.size()));
}

// Takes the edge of a given instance. Where loops are written out, each instance has its own function.
void ModelWriter::write_take_entry() {
  out_ +=
      "static void take(fathom_host *host, const uint64_t *state, uint64_t instance, fathom_batch *batch) {\n"
      "uint64_t rest = (uint32_t)instance;\n";
  out_ += make_room() + "switch (instance >> 32) {\n";
  for (const EdgePlan& plan : edges_) {
    const std::vector<ir::Parameter>& parameters = plan.edge->parameters;
    const std::uint64_t instances = plan.edge->instances();
    if (instances == 0 || plan.impossible.has_value()) continue;
    out_ += fmt::format("case {}: {{\n", plan.number);
    if (plan.unrolled) {
      out_ += "switch (rest) {\n";
      for (std::uint64_t k = 0; k < instances; ++k) out_ += fmt::format("case {}: {}return;\n", k, fire_call(plan, k));
      out_ += "}\nreturn;\n}\n";
      continue;
    }
    for (std::size_t k = 0; k < parameters.size(); ++k) {
      const std::uint64_t inner = instances_from(parameters, k + 1);
      out_ += fmt::format("const uint64_t k{0} = rest / {1}u; rest %= {1}u;\n{2}", k, inner,
                          parameter_declaration(parameters[k], k));
    }
    out_ += fire_call(plan, 0) + "return;\n}\n";
  }
  out_ += "}\n}\n";
}

// Properties are looked at in their order, and the first fault ends the check, as in the interpreter.
void ModelWriter::write_check() {
  std::string body;
  for (std::size_t k = 0; k < program_.properties.size(); ++k) {
    const Property& property = *program_.properties[k];
    const std::uint64_t bit = std::uint64_t{1} << (k % 64);
    if (property.kind == Property::Kind::invariant) {
      write_quantified(property, *property.condition, fmt::format("invariant_{}", k), true);
      body += fmt::format(
          "holds = invariant_{0}(host, s);\nif (FATHOM_UNLIKELY(holds != 1)) {{\nif (holds) return holds;\n"
          "violated[{1}] |= UINT64_C({2});\nresult = 1;\n}}\n",
          k, k / 64, bit);
      if (property.antecedent == nullptr) continue;
      write_quantified(property, *property.antecedent, fmt::format("antecedent_{}", k), false);
      body += fmt::format(
          "if (FATHOM_UNLIKELY(host->pending[{1}] & UINT64_C({2})) && antecedent_{0}(host, s) == 1) "
          "host->pending[{1}] &= ~UINT64_C({2});\n",
          k, k / 64, bit);
    } else if (property.kind == Property::Kind::cover && property.condition != nullptr) {
      write_quantified(property, *property.condition, fmt::format("cover_{}", k), false);
      body += fmt::format("holds = cover_{0}(host, s);\nif (holds > 1) return holds;\nhost->hits[{0}] += holds;\n", k);
    }
  }
  out_ += fmt::format(
      "static uint32_t check(fathom_host *host, const uint64_t *state, uint64_t *violated) {{\n{}uint32_t holds, "
      "result = 0;\n{}"
      "return result;\n}}\n",
      local_state(), body);
}

void ModelWriter::write_live() {
  std::string body;
  for (std::size_t k = 0; k < program_.properties.size(); ++k) {
    const Property& property = *program_.properties[k];
    if (property.kind != Property::Kind::liveness && property.kind != Property::Kind::valid_end) continue;
    write_quantified(property, *property.condition, fmt::format("liveness_{}", k), true);
    body += fmt::format(
        "holds = liveness_{}(host, s);\nif (holds > 1) return holds;\nif (holds) holding[{}] |= UINT64_C({});\n", k,
        k / 64, std::uint64_t{1} << (k % 64));
  }
  out_ += fmt::format(
      "static uint32_t live(fathom_host *host, const uint64_t *state, uint64_t *holding) {{\n{}uint32_t "
      "holds;\n{}return 0;\n}}\n",
      local_state(), body);
}

void ModelWriter::write_atoms() {
  for (std::size_t k = 0; k < program_.properties.size(); ++k) {
    const Property& property = *program_.properties[k];
    if (property.kind == Property::Kind::atom)
      write_quantified(property, *property.condition, fmt::format("atom_{}", k), true);
  }
  std::string cases;
  for (std::size_t claim = 0; claim < program_.claims.size(); ++claim) {
    cases += fmt::format("case {}:\n", claim);
    const std::vector<std::uint32_t>& atoms = program_.claims[claim].atoms;
    for (std::size_t k = 0; k < atoms.size(); ++k)
      cases += fmt::format(
          "value = atom_{}(host, s);\nif (value > 1) {{\nfaulty |= UINT64_C(1) << {};\nif (!fault) fault = value;\n}} "
          "else {{\nholding |= (uint64_t)value << {};\n}}\n",
          atoms[k], k, k);
    cases += "break;\n";
  }
  out_ += fmt::format(
      "static uint32_t atoms(fathom_host *host, const uint64_t *state, uint32_t claim, uint64_t *values) {{\n{}"
      "uint32_t value, fault = 0;\nuint64_t holding = 0, faulty = 0;\nswitch (claim) {{\n{}}}\nvalues[0] = holding;\n"
      "values[1] = faulty;\nreturn fault;\n}}\n",
      local_state(), cases);
}

void ModelWriter::write_table() {
  out_ += fmt::format(
      "__attribute__((visibility(\"default\"))) const fathom_model fathom_exported_model __asm__(FATHOM_MODEL_SYMBOL) "
      "= "
      "{{FATHOM_ABI, {}, initial, successors, {}, take, check, live, atoms}};\n",
      words_, has_macro_steps_ ? "successors_of, 0" : "0, enabled");
}

}  // namespace fathom
