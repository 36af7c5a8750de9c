// Lowering: functions and procedures, and what they change.
#include <algorithm>

#include <fmt/format.h>

#include "lang/murphi/lowering.hpp"

namespace fathom::murphi {

void Lowering::lower_function(const Routine& syntax) {
  Symbol symbol;
  symbol.kind = Symbol::Kind::function;
  FunctionInfo& info = functions_.emplace_back();
  symbol.function = &info;
  if (syntax.external) {
    error("F148", syntax.range, fmt::format("`{}`: external functions are not supported yet", syntax.name.text));
    return declare(syntax.name, symbol);
  }
  // The result type is looked up outside: a parameter may hide the name of its type.
  const ir::Type* const result = syntax.result == nullptr ? nullptr : type_of(*syntax.result);
  auto function = std::make_unique<ir::Function>();
  function->name = syntax.name.text;
  function->range = syntax.name.range;
  function->result = result;
  function->recursion = build_.site(ir::FaultKind::recursion_limit, syntax.name.range, syntax.name.text);
  context_ = {};
  context_.routine = &function->routine;
  context_.owner = syntax.result == nullptr ? "procedure" : "function";
  declare(syntax.name, symbol);
  {
    const ScopeGuard scope(scopes_);
    info.function = function.get();
    const bool usable = declare_parameters(syntax, info) && (syntax.result == nullptr || result != nullptr);
    context_.function = &info;
    if (result != nullptr) {
      function->no_return = build_.site(ir::FaultKind::no_return, syntax.name.range, syntax.name.text);
      if (!result->is_scalar())
        function->result_local =
            &ir::Builder::local(function->routine, "result", result, ir::Local::Storage::frame, syntax.result->range);
    }
    for (const Declaration& declaration : syntax.declarations) declare_local(declaration);
    if (usable) {
      statements(syntax.body, function->routine.body);
    } else {
      info.function = nullptr;  // calls of it stay silent
    }
  }
  settle_effects(info);
  finish(function->routine, syntax.name.range);
  program_->functions.push_back(std::move(function));
  context_ = {};
  context_.routine = &outside_;
}

// All types are looked up before the first name is declared, so that `Home: Node; h: Home` means the type Home.
bool Lowering::declare_parameters(const Routine& syntax, FunctionInfo& info) {
  std::vector<const ir::Type*> types;
  for (const FormalParameter& parameter : syntax.parameters) types.push_back(type_of(*parameter.type));
  for (std::size_t k = 0; k < types.size(); ++k) {
    const FormalParameter& parameter = syntax.parameters[k];
    Symbol symbol;
    symbol.kind = Symbol::Kind::place;
    symbol.type = types[k];
    symbol.writable = parameter.by_reference;
    if (types[k] != nullptr) {
      const auto by_value = types[k]->is_scalar() ? ir::Local::Storage::in_register : ir::Local::Storage::frame;
      const auto storage = parameter.by_reference ? ir::Local::Storage::reference : by_value;
      const ir::Local& local =
          ir::Builder::local(info.function->routine, parameter.name.text, types[k], storage, parameter.name.range);
      info.function->parameters.push_back(&local);
      symbol.place = place_of(local);
      if (parameter.by_reference) context_.roots[&local] = {false, k};
    }
    info.by_reference.push_back(parameter.by_reference);
    info.writes_parameter.push_back(false);
    declare(parameter.name, symbol);
  }
  return std::ranges::find(types, nullptr) == types.end();
}

// A recursive call passes its parameters on, so what it writes is known only when the whole body has been seen.
void Lowering::settle_effects(FunctionInfo& info) {
  for (bool changed = true; changed;) {
    changed = false;
    for (const std::vector<Root>& roots : context_.self_calls) {
      for (std::size_t k = 0; k < roots.size(); ++k) {
        if (!info.writes_parameter[k]) continue;
        if (roots[k].state && !info.writes_state) changed = info.writes_state = true;
        if (const auto p = roots[k].parameter; p && !info.writes_parameter[*p])
          changed = info.writes_parameter[*p] = true;
      }
    }
  }
}

}  // namespace fathom::murphi
