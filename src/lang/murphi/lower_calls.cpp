// Lowering: calls of functions and procedures.
#include <algorithm>

#include <fmt/format.h>

#include "lang/murphi/lowering.hpp"
#include "lang/murphi/type_rules.hpp"

namespace fathom::murphi {

Operand Lowering::call_operand(const Expr& syntax) {
  const FunctionInfo* callee = nullptr;
  const ir::Call* const lowered = call(syntax, callee);
  if (lowered == nullptr) return {};
  const ir::Type* const result = callee->function->result;
  if (result == nullptr) {
    error("F144", syntax.range, fmt::format("the procedure `{}` gives no value", syntax.text));
    return {};
  }
  ir::Expr& expr = build_.expr(ir::Expr::Kind::call, result, syntax.range);
  expr.call = lowered;
  Operand operand;
  operand.type = result;
  if (result->is_scalar()) {
    operand.expr = &expr;
    return operand;
  }
  ir::Place place;
  place.local = &ir::Builder::local(*context_.routine, syntax.text, result, ir::Local::Storage::frame, syntax.range);
  place.call = &expr;
  place.type = result;
  place.range = syntax.range;
  operand.place = build_.place(std::move(place));
  return operand;
}

const FunctionInfo* Lowering::callee_of(const Expr& syntax) {
  const SourceRange range = syntax.kind == Expr::Kind::call ? syntax.name_range : syntax.range;
  const Symbol* const symbol = scopes_.find(syntax.text);
  if (symbol == nullptr) {
    Diagnostic& diagnostic = error("F103", range, fmt::format("there is no function `{}` yet", syntax.text));
    const std::string guess = closest(syntax.text, scopes_.names(Symbol::Kind::function));
    diagnostic.help =
        guess.empty() ? "functions must be declared before they are called" : fmt::format("did you mean `{}`?", guess);
    return nullptr;
  }
  if (symbol->kind == Symbol::Kind::function) return symbol->function;
  error("F106", range, fmt::format("`{}` is not a function", syntax.text)).notes = {
      {symbol->range, fmt::format("`{}` is declared here", syntax.text)}};
  return nullptr;
}

const ir::Call* Lowering::call(const Expr& syntax, const FunctionInfo*& callee) {
  callee = callee_of(syntax);
  if (callee == nullptr || callee->function == nullptr) return nullptr;
  const std::size_t wanted = callee->function->parameters.size();
  if (syntax.arguments.size() != wanted) {
    error("F142", syntax.range,
          fmt::format("`{}` takes {} argument{}, and {} {} given", syntax.text, wanted, wanted == 1 ? "" : "s",
                      syntax.arguments.size(), syntax.arguments.size() == 1 ? "was" : "were"))
        .notes = {{callee->function->range, "it is declared here"}};
    return nullptr;
  }
  ir::Call lowered;
  lowered.callee = callee->function;
  lowered.arguments.resize(wanted);
  bool ok = true;
  for (std::size_t k = 0; k < wanted; ++k) ok = argument(*syntax.arguments[k], *callee, k, lowered.arguments[k]) && ok;
  if (!ok || !check_effects(syntax, *callee, lowered)) return nullptr;
  return build_.call(std::move(lowered));
}

bool Lowering::argument(const Expr& syntax, const FunctionInfo& callee, std::size_t k, ir::Argument& out) {
  const ir::Local& formal = *callee.function->parameters[k];
  return callee.by_reference[k] ? reference_argument(syntax, formal, out) : value_argument(syntax, formal, out);
}

bool Lowering::reference_argument(const Expr& syntax, const ir::Local& formal, ir::Argument& out) {
  const Operand actual = designator(syntax, "the argument for a `var` parameter");
  if (!actual.ok()) return false;
  if (!actual.writable) {
    error("F143", syntax.range,
          fmt::format("`{}` cannot be changed, so it cannot be passed to the `var` parameter `{}`", quote(syntax.range),
                      formal.name))
        .notes = {{formal.range, "the parameter is declared here"}};
    return false;
  }
  if (!same_structure(*actual.type, *formal.type)) {
    error("F145", syntax.range,
          fmt::format("the `var` parameter `{}` must be given {}, and this is {}", formal.name,
                      describe_type(*formal.type), describe_type(*actual.type)))
        .notes = {{formal.range, "the parameter is declared here"}};
    return false;
  }
  keep_in_memory(*actual.place);
  out.place = actual.place;
  return true;
}

// A reference needs bits to point at, so a local that is passed on by reference leaves its register.
void Lowering::keep_in_memory(const ir::Place& place) {
  for (ir::Local& local : context_.routine->locals)
    if (&local == place.local && local.storage == ir::Local::Storage::in_register)
      local.storage = ir::Local::Storage::frame;
}

bool Lowering::value_argument(const Expr& syntax, const ir::Local& formal, ir::Argument& out) {
  const Operand actual = operand(syntax);
  if (!actual.ok()) return false;
  if (actual.is_undefined && formal.type->is_scalar()) {
    out.value = &build_.expr(ir::Expr::Kind::undefined_value, formal.type, syntax.range);
    return true;
  }
  if (actual.is_undefined || !compatible(*actual.type, *formal.type)) {
    error("F145", syntax.range,
          fmt::format("the parameter `{}` must be given {}, and this is {}", formal.name, describe_type(*formal.type),
                      actual.is_undefined ? "`undefined`" : describe_type(*actual.type)))
        .notes = {{formal.range, "the parameter is declared here"}};
    return false;
  }
  if (!formal.type->is_scalar()) {
    out.place = actual.place;
    return true;
  }
  out.value = same_structure(*actual.type, *formal.type) ? read_or_undefined(actual) : read(actual);
  out.site = build_.site(ir::FaultKind::out_of_range, syntax.range, quote(syntax.range));
  return true;
}

// What the callee changes, the caller changes; and where nothing may change, such a call is refused.
bool Lowering::check_effects(const Expr& syntax, const FunctionInfo& callee, const ir::Call& call) {
  bool changes = callee.writes_state;
  std::vector<Root> roots;
  for (std::size_t k = 0; k < call.arguments.size(); ++k) {
    const bool reference = callee.by_reference[k];
    roots.push_back(reference ? root_of(*call.arguments[k].place) : Root{});
    if (!reference || !callee.writes_parameter[k]) continue;
    changes = true;
    note_write(*call.arguments[k].place);
  }
  if (context_.function != nullptr && callee.writes_state) context_.function->writes_state = true;
  if (context_.function == &callee) context_.self_calls.push_back(std::move(roots));
  if (!changes || pure_ == nullptr) return true;
  error("F146", syntax.range, fmt::format("`{}` changes variables, which {} must not", syntax.text, pure_)).notes = {
      {callee.function->range, "the function is declared here"}};
  return false;
}

}  // namespace fathom::murphi
