#include "lang/murphi/lower.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "lang/murphi/lowering.hpp"
#include "lang/murphi/type_rules.hpp"

namespace fathom::murphi {

std::unique_ptr<ir::Program> lower(const File& syntax, const Sources& sources, FileId file, const Options& options,
                                   Diagnostics& diagnostics) {
  // Like Rumur, we calculate without signs in the whole model when one of its numbers asks for it.
  const ir::Type& numbers = syntax.beyond_signed ? ir::natural() : ir::integer();
  return Lowering(sources, file, options, numbers, diagnostics).run(syntax);
}

Lowering::Lowering(const Sources& sources, FileId file, const Options& options, const ir::Type& numbers,
                   Diagnostics& diagnostics)
    : sources_(sources),
      file_(file),
      options_(options),
      diagnostics_(diagnostics),
      program_(std::make_unique<ir::Program>()),
      build_(*program_, numbers) {
  program_->name = sources.path(file);
  program_->language = "murphi";
  program_->sources = &sources;
  program_->loop_limit = options.loop_limit;
  ir::Component& model = program_->components.emplace_back();
  model.name = "model";
  model.locations = {"main"};
  context_.routine = &outside_;
}

std::unique_ptr<ir::Program> Lowering::run(const File& syntax) {
  declare_predeclared();
  scopes_.open();
  for (const Item& item : syntax.items) lower_item(item);
  for (const OutsideCondition& atom : options_.atoms) lower_atom(atom);
  check_whole_model();
  return diagnostics_.failed() ? nullptr : std::move(program_);
}

void Lowering::lower_item(const Item& item) {
  switch (item.kind) {
    case Item::Kind::declaration:
      declare_global(item.declaration);
      break;
    case Item::Kind::routine:
      lower_function(*item.routine);
      break;
    case Item::Kind::rule: {
      std::vector<const RuleItem*> around;
      lower_rule(*item.rule, around);
    }
  }
}

void Lowering::check_whole_model() {
  const SourceRange end{file_, static_cast<std::uint32_t>(sources_.text(file_).size()),
                        static_cast<std::uint32_t>(sources_.text(file_).size())};
  if (starts_ == 0) {
    error("F180", end, "the model has no start state").help =
        "add a `startstate` that gives the variables their values";
  } else if (rules_ == 0) {
    warning("F181", end, "the model has no rules: only its start states are checked");
  }
}

Diagnostic& Lowering::error(const std::string& code, SourceRange range, std::string message) {
  if (!reported_.emplace(code, range.begin).second) return repeated_ = Diagnostic{};
  return diagnostics_.error(code, range, std::move(message));
}

void Lowering::warning(const std::string& code, SourceRange range, std::string message) {
  if (reported_.emplace(code, range.begin).second) diagnostics_.warning(code, range, std::move(message));
}

// The source text on one line, as messages and `put` show it.
std::string Lowering::quote(SourceRange range) const {
  std::string text;
  bool gap = false;
  for (const char c : sources_.text(range)) {
    if (c == ' ' || c == '\n' || c == '\t' || c == '\r') {
      gap = true;
      continue;
    }
    if (gap && !text.empty()) text += ' ';
    gap = false;
    text += c;
  }
  return text;
}

void Lowering::declare_predeclared() {
  Symbol type;
  type.kind = Symbol::Kind::type;
  type.type = build_.boolean();
  scopes_.declare("boolean", type);
  for (const bool truth : {false, true}) {
    Symbol literal;
    literal.kind = Symbol::Kind::value;
    literal.type = build_.boolean();
    literal.value = build_.constant(truth, build_.boolean(), SourceRange{file_, 0, 0});
    scopes_.declare(truth ? "true" : "false", literal);
  }
}

void Lowering::declare(const Name& name, const Symbol& symbol) {
  if (rumur() && !predeclared(name.text).empty())
    error("F105", name.range, fmt::format("`{}` is predeclared and cannot be declared again", name.text));
  Symbol placed = symbol;
  placed.range = name.range;
  const Symbol* const earlier = scopes_.declare(name.text, placed);
  if (earlier == nullptr || earlier->range == name.range) return;
  error("F104", name.range, fmt::format("`{}` is declared twice", name.text)).notes = {
      {earlier->range, "the first declaration is here"}};
}

void Lowering::declare_global(const Declaration& declaration) {
  switch (declaration.kind) {
    case Declaration::Kind::constant:
      declare_constant(declaration, true);
      break;
    case Declaration::Kind::type:
      declare_type(declaration);
      break;
    case Declaration::Kind::variable: {
      Symbol symbol;
      symbol.kind = Symbol::Kind::place;
      symbol.writable = true;
      symbol.type = type_of(*declaration.type);
      if (symbol.type != nullptr) {
        ir::Place place;
        place.variable = build_.variable(declaration.name.text, symbol.type, declaration.name.range);
        place.type = symbol.type;
        place.range = declaration.name.range;
        if (place.variable == nullptr)
          error("F117", declaration.name.range,
                fmt::format("with `{}` a state would be larger than {} bits", declaration.name.text,
                            ir::Builder::max_bits));
        symbol.place = build_.place(std::move(place));
      }
      declare(declaration.name, symbol);
    }
  }
}

void Lowering::declare_local(const Declaration& declaration) {
  if (declaration.kind == Declaration::Kind::constant) return declare_constant(declaration, false);
  if (declaration.kind == Declaration::Kind::type) return declare_type(declaration);
  Symbol symbol;
  symbol.kind = Symbol::Kind::place;
  symbol.writable = true;
  symbol.type = type_of(*declaration.type);
  if (symbol.type != nullptr) {
    const auto storage = symbol.type->is_scalar() ? ir::Local::Storage::in_register : ir::Local::Storage::frame;
    symbol.place = place_of(
        ir::Builder::local(*context_.routine, declaration.name.text, symbol.type, storage, declaration.name.range));
  }
  declare(declaration.name, symbol);
}

void Lowering::declare_constant(const Declaration& declaration, bool global) {
  Symbol symbol;
  symbol.kind = Symbol::Kind::value;
  symbol.value = constant_value(*declaration.value, "the value of a constant");
  if (symbol.value != nullptr && global) symbol.value = override_of(declaration.name, symbol.value);
  if (symbol.value != nullptr) symbol.type = symbol.value->type;
  declare(declaration.name, symbol);
}

// A value from outside replaces numbers and booleans; the type of the constant stays.
const ir::Expr* Lowering::override_of(const Name& name, const ir::Expr* value) {
  const auto same = [&](const auto& replacement) { return replacement.first == name.text; };
  const auto found = std::ranges::find_if(options_.constants.rbegin(), options_.constants.rend(), same);
  if (found == options_.constants.rend()) return value;
  const bool replaceable = is_number(*value->type) || value->type == build_.boolean();
  std::int64_t held = 0;
  const bool overflow = __builtin_add_overflow(found->second, value->type->zero, &held);
  if (!replaceable || overflow || !value->type->contains(held)) {
    error(
        "F118", name.range,
        fmt::format("`{}` cannot be replaced by {}: it is {}", name.text, found->second, describe_type(*value->type)));
    return nullptr;
  }
  return build_.constant(held, value->type, value->range);
}

void Lowering::declare_type(const Declaration& declaration) {
  Symbol symbol;
  symbol.kind = Symbol::Kind::type;
  const ir::Type* const type = type_of(*declaration.type);
  if (type != nullptr) symbol.type = build_.named(type, declaration.name.text);
  declare(declaration.name, symbol);
}

void Lowering::finish(ir::Routine& routine, SourceRange range) {
  if (!ir::Builder::lay_out(routine))
    error("F117", range, fmt::format("the local variables are larger than {} bits", ir::Builder::max_bits));
}

}  // namespace fathom::murphi
