// ModelWriter: functions, guards, bodies, conditions.
#include <fmt/format.h>

#include <algorithm>

#include "native/footprint.hpp"
#include "native/model_writer.hpp"

namespace fathom {

using ir::Edge;
using ir::Expr;
using ir::Parameter;
using ir::Property;
using ir::Type;

namespace {

void split_conjunction(const Expr& expr, std::vector<const Expr*>& out) {
  if (expr.kind == Expr::Kind::logical_and) {
    split_conjunction(*expr.a, out);
    split_conjunction(*expr.b, out);
  } else {
    out.push_back(&expr);
  }
}

// ", int64_t r0, int64_t r1": the first `count` parameters as C parameters, under the names the routine knows.
std::string register_parameters(const std::vector<Parameter>& parameters, std::size_t count) {
  std::string out;
  for (std::size_t k = 0; k < count; ++k) out += fmt::format(", int64_t r{}", parameters[k].local->slot);
  return out;
}

std::string function_head(const ir::Function& function, std::uint32_t number) {
  return fmt::format("static uint32_t function_{}(fathom_host *host, uint64_t *s, uint32_t depth{})", number,
                     Emitter::parameters(function));
}

bool has_multiset(const Type& type) {
  if (type.kind == Type::Kind::multiset) return true;
  if (type.kind == Type::Kind::array) return has_multiset(*type.element);
  return std::any_of(type.fields.begin(), type.fields.end(),
                     [](const ir::Field& field) { return has_multiset(*field.type); });
}

}  // namespace

// A conjunct is tested as soon as its parameters are fixed, but never before a conjunct to its left: that could find a
// fault which the left one would have prevented.
void ModelWriter::plan_guard(EdgePlan& plan) {
  const std::vector<Parameter>& parameters = plan.edge->parameters;
  plan.guards.resize(parameters.size() + 1);
  if (plan.edge->guard == nullptr) return;
  std::vector<const Expr*> conjuncts;
  split_conjunction(*plan.edge->guard, conjuncts);
  std::size_t level = 0;
  bool safe = true;
  for (const Expr* conjunct : conjuncts) {
    const ValueRange& range = emitter_.range(*conjunct);
    if (range.is_always_true()) continue;
    if (range.is_always_false()) {
      plan.impossible = level;
      plan.dead = safe;
      return;
    }
    safe = safe && range.safe;
    Footprint footprint;
    footprint.add(*conjunct);
    for (std::size_t k = level; k < parameters.size(); ++k)
      if (footprint.locals.contains(parameters[k].local)) level = k + 1;
    plan.guards[level].push_back(conjunct);
  }
}

// C code of the user's is called where the interpreter calls it, so that both see the same objects.
void ModelWriter::write_user_call(const ir::Function& function) {
  out_ += fmt::format(
      " {{\nint64_t value = 0;\nif (FATHOM_UNLIKELY(host->user_code(host, {}, s, &value))) return {};\n{}return "
      "0;\n}}\n",
      *function.user_code, static_cast<std::uint32_t>(function.no_return),
      function.result == nullptr ? "" : "*result = value;\n");
}

void ModelWriter::write_functions() {
  for (std::uint32_t k = 0; k < program_.functions.size(); ++k)
    out_ += function_head(*program_.functions[k], k) + ";\n";
  for (std::uint32_t k = 0; k < program_.functions.size(); ++k) {
    const ir::Function& function = *program_.functions[k];
    if (function.user_code) {
      out_ += function_head(function, k);
      write_user_call(function);
      continue;
    }
    emitter_.enter(function.routine, &function);
    out_ += function_head(function, k) + " {\n" + emitter_.declarations({});
    emitter_.block(function.routine.body, out_);
    if (function.result != nullptr) out_ += fail_text(function.no_return) + "\n";
    out_ += "done: return 0;\nfail: return fault;\n}\n";
  }
}

void ModelWriter::write_guard(const EdgePlan& plan, std::size_t level) {
  const Edge& edge = *plan.edge;
  emitter_.enter(edge.routine, nullptr);
  const std::vector<Parameter> given(edge.parameters.begin(),
                                     edge.parameters.begin() + static_cast<std::ptrdiff_t>(level));
  out_ += fmt::format("FATHOM_INLINE uint32_t guard_{}_{}(fathom_host *host, uint64_t *s{}) {{\n", plan.number, level,
                      register_parameters(edge.parameters, level));
  out_ += emitter_.declarations(given);
  if (level == 0 && plan.tests_location)
    out_ += fmt::format("if (fathom_get(s, {}, {}) != {}u) return 0;\n", plan.location->offset,
                        plan.location->type->bits, edge.source + 1);
  for (const Expr* conjunct : plan.guards[level])
    out_ += fmt::format("if (!({})) return 0;\n", emitter_.value(*conjunct));
  out_ += fmt::format("return {};\nfail: return FATHOM_FAULTED(fault);\n}}\n", level == plan.impossible ? 0 : 1);
}

void ModelWriter::write_body(const Edge& edge, const std::string& name, const std::string& prologue, bool inlined) {
  emitter_.enter(edge.routine, nullptr);
  out_ += fmt::format("{} uint32_t {}(fathom_host *host, uint64_t *s{}) {{\n", inlined ? "FATHOM_INLINE" : "static",
                      name, register_parameters(edge.parameters, edge.parameters.size()));
  out_ += emitter_.declarations(edge.parameters) + prologue;
  emitter_.block(edge.routine.body, out_);
  out_ += "done: return 0;\nfail: return fault;\n}\n";
}

// Taking a step appends it to the batch. A short state is worked on in a local array, which the compiler keeps in
// registers; a long one where it will stay.
std::string ModelWriter::take_head(const EdgePlan& plan) const {
  std::string formal;
  for (std::size_t k = 0; k < plan.edge->parameters.size(); ++k) formal += fmt::format(", int64_t p{}", k);
  const std::string spare =
      room_ > 1 ? "batch->words + batch->used" : fmt::format("fathom_spare(host, batch, 1, {})", words_);
  return fmt::format(
             "FATHOM_INLINE void take_{}(fathom_host *host, const uint64_t *state, fathom_batch *batch, "
             "uint64_t instance{}) {{\nuint64_t *const spare = {};\n",
             plan.number, formal, spare) +
         (copies_state() ? local_state()
                         : fmt::format("uint64_t *const s = spare;\nfathom_copy_words(s, state, {});\n", words_));
}

std::string ModelWriter::end_of_take() const {
  return (copies_state() ? fmt::format("fathom_copy_words(spare, s, {});\n", words_) : "") +
         fmt::format("fathom_push(batch, instance, fault, {});\n}}\n", words_);
}

void ModelWriter::write_take(const EdgePlan& plan) {
  out_ += take_head(plan);
  out_ += fmt::format(
      "{}uint32_t fault = body_{}(host, s{});\nif (fault == FATHOM_BLOCKED) return;\n"
      "if (!fault) fault = settle(host, s);\n{}",
      notes_ ? "host->noted = 0;\n" : "", plan.number, parameter_arguments(plan.edge->parameters.size()),
      notes_ ? "if (!fault) fault = fathom_noted(host);\n" : "");
  out_ += end_of_take();
}

void ModelWriter::write_condition(const Property& property, const Expr& condition, const std::string& name) {
  emitter_.enter(property.routine, nullptr);
  out_ += fmt::format("FATHOM_INLINE uint32_t {}(fathom_host *host, uint64_t *s{}) {{\n", name,
                      register_parameters(property.parameters, property.parameters.size()));
  out_ += emitter_.declarations(property.parameters);
  // An assumption that fails inside an invariant excludes the state from it; any other condition does not hold there.
  const bool excused = property.kind == Property::Kind::invariant && &condition == property.condition;
  out_ += fmt::format("return ({}) != 0;\nfail: return {}FATHOM_FAULTED(fault);\n}}\n", emitter_.value(condition),
                      excused ? "fault == FATHOM_BLOCKED ? 1 : " : "");
}

// A property over all values of its parameters, or over some: the first instance that decides ends the loops.
void ModelWriter::write_quantified(const Property& property, const Expr& condition, const std::string& name,
                                   bool universal) {
  write_condition(property, condition, name + "_instance");
  Footprint footprint;
  footprint.add(condition);
  out_ += fmt::format("FATHOM_INLINE uint32_t {}(fathom_host *host, uint64_t *s) {{\n", name);
  const InstanceNest nest{
      .parameters = property.parameters,
      .unrolled = worth_unrolling(instances_from(property.parameters, 0), footprint.nodes),
      .leaf =
          [&](std::uint64_t) {
            out_ += fmt::format("const uint32_t holds = {}_instance(host, s{});\nif (holds != {}) return holds;\n",
                                name, parameter_arguments(property.parameters.size()), universal ? 1 : 0);
          },
  };
  nest.write(out_);
  out_ += fmt::format("return {};\n}}\n", universal ? 1 : 0);
}

// What every step ends with: multisets in normal form, then the model's assumptions.
void ModelWriter::write_settle() {
  std::string normalise, assumptions;
  for (const ir::Variable& variable : program_.variables)
    write_normalisation(*variable.type, fmt::format("UINT64_C({})", variable.offset), normalise);
  for (std::size_t k = 0; k < program_.properties.size(); ++k) {
    if (program_.properties[k]->kind != Property::Kind::assumption) continue;
    write_quantified(*program_.properties[k], *program_.properties[k]->condition, fmt::format("assumption_{}", k),
                     true);
    assumptions +=
        fmt::format("holds = assumption_{}(host, s);\nif (holds != 1) return holds ? holds - 2 : FATHOM_DROPPED;\n", k);
  }
  out_ += fmt::format("static uint32_t settle(fathom_host *host, uint64_t *s) {{\nuint32_t holds;\n{}{}return 0;\n}}\n",
                      normalise, assumptions);
}

// Inner multisets are sorted before the multiset they are elements of.
void ModelWriter::write_normalisation(const Type& type, const std::string& bit, std::string& out) {
  if (!has_multiset(type)) return;
  if (type.kind == Type::Kind::record) {
    for (const ir::Field& field : type.fields)
      write_normalisation(*field.type, fmt::format("{} + {}u", bit, field.offset), out);
    return;
  }
  const bool multiset = type.kind == Type::Kind::multiset;
  const std::uint64_t count = multiset ? type.capacity : type.index->cardinality();
  if (has_multiset(*type.element)) {
    const std::string index = fmt::format("i{}", out.size());
    out += fmt::format("for (uint64_t {0} = 0; {0} < {1}u; ++{0}) {{\n", index, count);
    write_normalisation(*type.element, fmt::format("{} + {} * {}u{}", bit, index, type.stride, multiset ? " + 1" : ""),
                        out);
    out += "}\n";
  }
  if (multiset) out += fmt::format("fathom_sort_slots(s, {}, {}, {});\n", bit, type.capacity, type.stride);
}

}  // namespace fathom
