// Lowering: designators, and how they are read and written.
#include <fmt/format.h>

#include "lang/murphi/lowering.hpp"
#include "lang/murphi/type_rules.hpp"

namespace fathom::murphi {

using ir::PathStep;
using ir::Place;

Operand Lowering::operand(const Expr& syntax) {
  Operand result;
  switch (syntax.kind) {
    case Expr::Kind::name:
      result = name_operand(syntax);
      break;
    case Expr::Kind::field:
      result = field_operand(syntax);
      break;
    case Expr::Kind::index:
      result = index_operand(syntax);
      break;
    case Expr::Kind::call:
      result = call_operand(syntax);
      break;
    case Expr::Kind::undefined_value:
      result.is_undefined = true;
      break;
    default:
      result.expr = compound(syntax);
      if (result.expr != nullptr) result.type = result.expr->type;
  }
  result.range = syntax.range;
  return result;
}

Operand Lowering::name_operand(const Expr& syntax) {
  const Symbol* const symbol = scopes_.find(syntax.text);
  if (symbol == nullptr) {
    Diagnostic& diagnostic = error("F100", syntax.range, fmt::format("there is no `{}` here", syntax.text));
    const std::string guess = closest(syntax.text, scopes_.names(Symbol::Kind::value));
    if (!guess.empty()) diagnostic.help = fmt::format("did you mean `{}`?", guess);
    return {};
  }
  if (symbol->kind == Symbol::Kind::type || symbol->kind == Symbol::Kind::function) {
    const bool is_type = symbol->kind == Symbol::Kind::type;
    Diagnostic& diagnostic = error(
        "F106", syntax.range, fmt::format("`{}` is {}, not a value", syntax.text, is_type ? "a type" : "a function"));
    if (!is_type) diagnostic.help = fmt::format("write `{}(...)` to call it", syntax.text);
    return {};
  }
  if (constant_context_ && symbol->varies) {
    error("F110", syntax.range, fmt::format("a type must be constant, and `{}` is not", syntax.text));
    return {};
  }
  Operand result;
  result.type = symbol->type;
  if (symbol->type == nullptr) return result;
  if (symbol->kind == Symbol::Kind::value) {
    result.expr = symbol->value;
  } else {
    Place place = *symbol->place;
    place.range = syntax.range;
    result.place = build_.place(std::move(place));
    result.writable = symbol->writable;
  }
  return result;
}

Operand Lowering::extend(const Operand& base, const PathStep& step, const ir::Type* type, SourceRange range) {
  Place place = *base.place;
  place.path.push_back(step);
  place.type = type;
  place.range = range;
  Operand result = base;
  result.type = type;
  result.place = build_.place(std::move(place));
  return result;
}

Operand Lowering::field_operand(const Expr& syntax) {
  const Operand base = operand(*syntax.a);
  if (!base.ok()) return {};
  if (base.is_undefined || base.type->kind != ir::Type::Kind::record) {
    error("F126", syntax.a->range, fmt::format("`{}` is not a record", quote(syntax.a->range)));
    return {};
  }
  const ir::Field* const field = base.type->field(syntax.text);
  if (field == nullptr) {
    Diagnostic& diagnostic =
        error("F102", syntax.name_range, fmt::format("{} has no field `{}`", describe_type(*base.type), syntax.text));
    std::vector<std::string> names;
    for (const ir::Field& candidate : base.type->fields) names.push_back(candidate.name);
    const std::string guess = closest(syntax.text, names);
    if (!guess.empty()) diagnostic.help = fmt::format("did you mean `{}`?", guess);
    return {};
  }
  PathStep step;
  step.kind = PathStep::Kind::field;
  step.field = static_cast<std::uint32_t>(field - base.type->fields.data());
  step.container = base.type;
  return extend(base, step, field->type, syntax.range);
}

Operand Lowering::index_operand(const Expr& syntax) {
  const Operand base = operand(*syntax.a);
  const ir::Expr* const index = value(*syntax.b);
  if (!base.ok() || index == nullptr) return {};
  if (!base.is_undefined && base.type->kind == ir::Type::Kind::multiset) return slot_operand(syntax, base, *index);
  if (base.is_undefined || base.type->kind != ir::Type::Kind::array) {
    error("F125", syntax.a->range, fmt::format("`{}` is not an array", quote(syntax.a->range)));
    return {};
  }
  const ir::Type& wanted = *base.type->index;
  if (!compatible(wanted, *index->type) || build_.is_slot_type(index->type)) {
    error(
        "F127", syntax.b->range,
        fmt::format("the array is indexed by {}, and this is {}", describe_type(wanted), describe_type(*index->type)));
    return {};
  }
  const bool constant = index->kind == ir::Expr::Kind::constant;
  const bool safe = constant ? wanted.contains(index->value) : within(*index->type, wanted);
  if (constant && !safe)
    warning("F182", syntax.b->range,
            fmt::format("the index {} is outside {}", show(*index->type, index->value), describe_type(wanted)));
  PathStep step;
  step.kind = PathStep::Kind::index;
  step.index = index;
  step.container = base.type;
  // An index that cannot be outside needs no site: analyses then know that nothing can go wrong here.
  if (!safe) step.site = build_.site(ir::FaultKind::bad_index, syntax.range, quote(syntax.range));
  return extend(base, step, base.type->element, syntax.range);
}

Operand Lowering::slot_operand(const Expr& syntax, const Operand& set, const ir::Expr& index) {
  if (index.type != build_.slots_of(set.type)) {
    error("F161", syntax.b->range, fmt::format("`{}` is not an index of this multiset", quote(syntax.b->range))).help =
        "elements are reached through `choose`, MultiSetCount and MultiSetRemovePred";
    return {};
  }
  PathStep step;
  step.kind = PathStep::Kind::slot;
  step.index = &index;
  step.container = set.type;
  step.site = build_.site(ir::FaultKind::bad_slot, syntax.range, quote(syntax.range));
  return extend(set, step, set.type->element, syntax.range);
}

Operand Lowering::designator(const Expr& syntax, const char* use) {
  Operand result = operand(syntax);
  if (!result.ok() || (result.place != nullptr && result.place->call == nullptr)) return result;
  error("F140", syntax.range, fmt::format("{} must be a variable, and `{}` is not", use, quote(syntax.range)));
  return {};
}

// A designator that is about to be written.
Operand Lowering::target(const Expr& syntax, const char* use) {
  Operand result = designator(syntax, use);
  if (!result.ok()) return result;
  if (!result.writable) {
    error("F141", syntax.range, fmt::format("`{}` cannot be changed", quote(syntax.range))).help =
        "only variables and `var` parameters can";
    return {};
  }
  note_write(*result.place);
  return result;
}

const ir::Expr* Lowering::read(const Operand& operand) {
  if (operand.expr != nullptr || operand.place == nullptr) return operand.expr;
  const Place& place = *operand.place;
  ir::Expr& expr = build_.expr(ir::Expr::Kind::read, operand.type, operand.range);
  expr.place = &place;
  // Counters always have a value, so reading them has no site.
  if (place.local == nullptr || !counters_.contains(place.local))
    expr.site = build_.site(ir::FaultKind::undefined_read, operand.range, quote(operand.range));
  return &expr;
}

const ir::Expr* Lowering::read_or_undefined(const Operand& operand) {
  if (operand.expr != nullptr || counters_.contains(operand.place->local)) return read(operand);
  ir::Expr& expr = build_.expr(ir::Expr::Kind::read_or_undefined, operand.type, operand.range);
  expr.place = operand.place;
  return &expr;
}

const Place* Lowering::place_of(const ir::Local& local) {
  Place place;
  place.local = &local;
  place.type = local.type;
  place.range = local.range;
  return build_.place(std::move(place));
}

Lowering::Root Lowering::root_of(const Place& place) const {
  if (place.variable != nullptr) return {true, std::nullopt};
  const auto found = context_.roots.find(place.local);
  return found == context_.roots.end() ? Root{} : found->second;
}

void Lowering::note_write(const Place& place) {
  if (context_.function == nullptr) return;
  const Root root = root_of(place);
  if (root.state) context_.function->writes_state = true;
  if (root.parameter) context_.function->writes_parameter[*root.parameter] = true;
}

}  // namespace fathom::murphi
