#include "ir/print.hpp"

#include <fmt/format.h>

namespace fathom::ir {

namespace {

std::string print_domain(const ParameterDomain& domain, const Type& type) {
  std::string text;
  for (const ParameterDomain::Segment& segment : domain.segments) {
    if (!text.empty()) text += ", ";
    text += fmt::format("{}..{}", show(type, segment.from), show(type, segment.to));
    if (segment.step != 1) text += fmt::format(" by {}", segment.step);
  }
  return text;
}

std::string print_parameters(const std::vector<Parameter>& parameters) {
  std::string text;
  for (const Parameter& parameter : parameters)
    text += fmt::format("  for each {}: {} in {}\n", parameter.local->name, type_name(*parameter.local->type),
                        print_domain(parameter.domain, *parameter.local->type));
  return text;
}

std::string print_storage(const Local& local) {
  switch (local.storage) {
    case Local::Storage::in_register:
      return fmt::format("register {}", local.slot);
    case Local::Storage::reference:
      return fmt::format("reference {}", local.slot);
    case Local::Storage::frame:
      return fmt::format("frame bit {}", local.slot);
  }
  return "";
}

std::string print_routine(const Routine& routine, const Program& program) {
  std::string text;
  for (const Local& local : routine.locals)
    text += fmt::format("  local {}: {} in {}\n", local.name, type_name(*local.type), print_storage(local));
  return text + print(routine.body, program, 2);
}

std::string print_synchronisation(const Edge& edge, const Program& program) {
  std::string text;
  if (edge.synchronisation) {
    const bool offers = edge.synchronisation->side == Synchronisation::Side::offers;
    text += fmt::format("  {} {}\n", offers ? "offers" : "accepts", print(*edge.synchronisation->port));
    for (const Expr* value : edge.synchronisation->values) text += fmt::format("    sends {}\n", print(*value));
    for (const Local* local : edge.synchronisation->received) text += fmt::format("    receives {}\n", local->name);
  }
  for (const std::uint32_t number : edge.participants)
    text += fmt::format("  step of component {} \"{}\"\n", number, program.components[number].name);
  return text;
}

std::string print_control(Control control) {
  switch (control) {
    case Control::release:
      return "";
    case Control::keep:
      return ", goes on";
    case Control::keep_first:
      return ", goes on with the first";
  }
  return "";
}

std::string print_edge(const Edge& edge, const char* kind, const Program& program) {
  std::string text = fmt::format("{} \"{}\"", kind, edge.name);
  if (edge.priority != 0) text += fmt::format(" priority {}", edge.priority);
  if (edge.rank != 0) text += fmt::format(" rank {}", edge.rank);
  if (edge.accepting_rank != 0) text += fmt::format(" accepting rank {}", edge.accepting_rank);
  if (edge.first_of != 0) text += fmt::format(" first of {}", edge.first_of);
  if (edge.source != 0 || edge.target != 0) text += fmt::format(" from {} to {}", edge.source, edge.target);
  text += print_control(edge.control);
  text += "\n" + print_parameters(edge.parameters) + print_synchronisation(edge, program);
  if (edge.guard != nullptr) text += fmt::format("  when {}\n", print(*edge.guard));
  return text + print_routine(edge.routine, program);
}

std::string print_function(const Function& function, const Program& program) {
  std::string text = fmt::format("function {}(", function.name);
  for (const Local* parameter : function.parameters)
    text += fmt::format("{}{}{}: {}", text.back() == '(' ? "" : "; ",
                        parameter->storage == Local::Storage::reference ? "var " : "", parameter->name,
                        type_name(*parameter->type));
  text += ")";
  if (function.result != nullptr) text += ": " + type_name(*function.result);
  return text + "\n" + print_routine(function.routine, program);
}

std::string print_property(const Property& property) {
  static constexpr const char* kinds[] = {"invariant", "assumption", "cover", "liveness", "valid end", "atom"};
  std::string text = fmt::format("{} \"{}\"\n", kinds[static_cast<std::size_t>(property.kind)], property.name);
  text += print_parameters(property.parameters);
  if (property.condition != nullptr) text += fmt::format("  states {}\n", print(*property.condition));
  if (property.antecedent != nullptr) text += fmt::format("  tested when {}\n", print(*property.antecedent));
  return text;
}

}  // namespace

std::string print(const Type& type) {
  switch (type.kind) {
    case Type::Kind::boolean:
      return "boolean";
    case Type::Kind::range:
      return fmt::format("{}..{}", show(type, type.lo), show(type, type.hi));
    case Type::Kind::enumeration:
      return fmt::format("enum {{{}}}", fmt::join(type.value_names, ", "));
    case Type::Kind::scalarset:
      return fmt::format("scalarset({})", type.cardinality());
    case Type::Kind::machine:
      return fmt::format("{} {} bits", type.is_signed ? "signed" : "unsigned", type.bits);
    case Type::Kind::array:
      return fmt::format("array [{}] of {}", type_name(*type.index), type_name(*type.element));
    case Type::Kind::multiset:
      return fmt::format("multiset [{}] of {}", type.capacity, type_name(*type.element));
    case Type::Kind::unite: {
      std::string text = "union {";
      for (const Type* member : type.members) text += (text.back() == '{' ? "" : ", ") + type_name(*member);
      return text + "}";
    }
    case Type::Kind::record: {
      std::string text = "record {";
      for (const Field& field : type.fields) text += fmt::format(" {}: {};", field.name, type_name(*field.type));
      return text + " }";
    }
  }
  return "";
}

std::string type_name(const Type& type) {
  return type.name.empty() ? print(type) : type.name;
}

std::string print(const Program& program) {
  std::string text = fmt::format("program {} ({}), {} bits\n\n", program.name, program.language, program.state_bits);
  for (const Type& type : program.types)
    if (!type.name.empty()) text += fmt::format("type {}: {}, {} bits\n", type.name, print(type), type.bits);
  text += "\n";
  for (const Variable& variable : program.variables)
    text += fmt::format("variable {}: {} at bit {}, {} bits\n", variable.name, type_name(*variable.type),
                        variable.offset, variable.type->bits);
  for (const auto& function : program.functions) text += "\n" + print_function(*function, program);
  for (const auto& start : program.starts) text += "\n" + print_edge(*start, "start", program);
  for (const Edge* edge : program.edges()) text += "\n" + print_edge(*edge, "edge", program);
  for (const auto& property : program.properties) text += "\n" + print_property(*property);
  return text;
}

}  // namespace fathom::ir
