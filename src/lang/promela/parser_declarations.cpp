// Declarations: variables, channels, mtypes, typedefs and parameters.
#include <fmt/format.h>

#include <algorithm>

#include "lang/promela/expressions.hpp"
#include "lang/promela/grammar.hpp"

namespace fathom::promela {

using enum TokenKind;

namespace {

constexpr std::int32_t longest_array = 1 << 24;
constexpr std::size_t largest_mtype = 255;

}  // namespace

bool Grammar::at_type() const {
  return at_any({kw_bit, kw_bool, kw_byte, kw_short, kw_int, kw_unsigned, kw_mtype, kw_chan, kw_pid}) ||
         (at(identifier) && names_.typedefs.contains(peek().text));
}

bool Grammar::at_declaration() const {
  if (at_any({kw_hidden, kw_show, kw_local}) || at_type()) return true;
  // Two names in a row are a declaration with an unknown type.
  return at(identifier) && ahead(1).kind == identifier && !ahead(1).newline_before;
}

// `hidden byte a = 1, b[3]`
void Grammar::declaration(Variable::Scope scope, const Declare& declare) {
  Variable flags;
  flags.scope = scope;
  const Token visibility = peek();
  flags.hidden = at(kw_hidden);
  flags.show = at(kw_show);
  flags.local = at(kw_local);
  if (flags.hidden || flags.show || flags.local) advance();
  bool list = false;
  const Type declared = type(list);
  if (list) {
    if (scope != Variable::Scope::global)
      report("F411", visibility.range, "names of an mtype can only be declared outside of processes",
             visibility.origin);
    return;
  }
  if (flags.hidden && (declared.is(Type::Kind::bit) || declared.is(Type::Kind::boolean)))
    report("F447", visibility.range, "a bit variable cannot be hidden", visibility.origin).help = "use `byte`";
  if (flags.hidden && scope != Variable::Scope::global)
    report("F447", visibility.range, "only global variables can be hidden", visibility.origin);
  do {
    const Token called = peek();
    try {
      declare(declarator(declared, flags));
    } catch (const Recovery&) {
      names_.broken.insert(called.text);
      throw;
    }
  } while (accept(comma));
}

// Sets `list` when it was an `mtype = { ... }`, which declares names and no variables.
Type Grammar::type(bool& list) {
  const Token token = peek();
  if (token.kind == identifier) {
    const auto found = names_.typedefs.find(token.text);
    if (found == names_.typedefs.end()) {
      std::vector<std::string> known = {"bit", "bool", "byte", "short", "int", "unsigned", "mtype", "chan", "pid"};
      for (const auto& [name, unused] : names_.typedefs) known.push_back(name);
      std::ranges::sort(known);
      names_.broken.insert(ahead(1).text);
      fail("F421", fmt::format("unknown type `{}`", token.text), did_you_mean(token.text, known));
    }
    advance();
    Type user = basic_type(Type::Kind::user);
    user.user = found->second;
    return user;
  }
  if (!at_type()) fail_expecting("a type");
  advance();
  switch (token.kind) {
    case kw_bit:
      return basic_type(Type::Kind::bit);
    case kw_bool:
      return basic_type(Type::Kind::boolean);
    case kw_byte:
      return basic_type(Type::Kind::byte);
    case kw_short:
      return basic_type(Type::Kind::short_int);
    case kw_int:
      return basic_type(Type::Kind::int_);
    case kw_unsigned:
      return basic_type(Type::Kind::unsigned_int);
    case kw_chan:
      return basic_type(Type::Kind::chan);
    case kw_pid:
      return basic_type(Type::Kind::pid);
    default:
      break;
  }
  std::string set;
  if (at(colon) && ahead(1).kind == identifier) {
    advance();
    set = advance().text;
  }
  if (accept(assign) || at(left_brace)) {
    list = true;
    mtype_list(set);
    return {};
  }
  Type result = basic_type(Type::Kind::mtype);
  result.set = &mtype_set(set);
  return result;
}

MtypeSet& Grammar::mtype_set(const std::string& name) {
  for (const auto& set : model_.mtypes)
    if (set->name == name) return *set;
  model_.mtypes.push_back(std::make_unique<MtypeSet>());
  model_.mtypes.back()->name = name;
  return *model_.mtypes.back();
}

// `{ a, b, c }`; the commas may be left out. Spin numbers a list backwards and puts later lists of a set behind it.
void Grammar::mtype_list(const std::string& set_name) {
  MtypeSet& set = mtype_set(set_name);
  const SourceRange opening = here();
  expect(left_brace);
  std::vector<std::unique_ptr<MtypeConstant>> list;
  while (!at(right_brace)) {
    if (accept(comma)) continue;
    const Name called = name();
    const auto again = std::ranges::find_if(list, [&](const auto& other) { return other->name == called.text; });
    if (names_.mtype_constants.contains(called.text) || again != list.end()) {
      report("F430", called.range, fmt::format("mtype constant `{}` is declared twice", called.text), called.origin)
          .notes.push_back({again != list.end() ? (*again)->range : names_.mtype_constants.at(called.text)->range,
                            "the other declaration"});
      continue;
    }
    check_free_of_variables(called);
    list.push_back(std::make_unique<MtypeConstant>(MtypeConstant{called.text, called.range, &set, 0}));
  }
  close(right_brace, "{", opening);
  std::ranges::reverse(list);
  for (auto& constant : list) {
    constant->value = static_cast<std::int32_t>(set.constants.size() + 1);
    names_.mtype_constants.emplace(constant->name, constant.get());
    set.constants.push_back(std::move(constant));
  }
  if (set.constants.size() > largest_mtype) report("F446", opening, "an mtype can have at most 255 names", OriginId{});
}

std::unique_ptr<Variable> Grammar::declarator(const Type& type, const Variable& flags) {
  auto variable = std::make_unique<Variable>();
  const Name called = name("the name of a variable");
  variable->name = called.text;
  variable->range = called.range;
  variable->origin = called.origin;
  variable->type = type;
  variable->scope = flags.scope;
  variable->hidden = flags.hidden;
  variable->show = flags.show;
  variable->local = flags.local;
  width(*variable);
  if (at(left_bracket)) array_length(*variable);
  if (at(left_bracket))
    fail("F412", "an array has one dimension", "put the inner array into a typedef: typedef row { byte column[3] }");
  if (accept(assign)) initialiser(*variable);
  return variable;
}

void Grammar::width(Variable& variable) {
  const bool is_unsigned = variable.type.is(Type::Kind::unsigned_int);
  if (!at(colon)) {
    if (is_unsigned)
      report("F441", variable.range, fmt::format("unsigned `{}` needs its number of bits", variable.name),
             variable.origin)
          .help = fmt::format("write `unsigned {} : 4`", variable.name);
    return;
  }
  advance();
  const SourceRange at = here();
  const auto bits = constant("the number of bits");
  if (!is_unsigned) {
    report("F441", at,
           fmt::format("only an unsigned variable has a number of bits, and `{}` is of type {}", variable.name,
                       to_string(variable.type)),
           variable.origin);
  } else if (bits && (*bits < 1 || *bits > 31)) {
    report("F441", at, fmt::format("an unsigned variable has 1 to 31 bits, not {}", *bits), variable.origin);
  } else {
    variable.type.bits = static_cast<std::uint8_t>(bits.value_or(16));
  }
}

void Grammar::array_length(Variable& variable) {
  advance();
  const LineBreaks breaks(*this, false);
  const SourceRange at = here();
  const auto length = constant("the length of an array", 8);
  expect(right_bracket);
  variable.is_array = true;
  if (!length) return;
  if (*length < 1 || *length > longest_array) {
    report("F442", at, fmt::format("the length of `{}` is {}, it must be at least 1", variable.name, *length),
           variable.origin);
    return;
  }
  variable.length = static_cast<std::uint32_t>(*length);
}

// An expression whose value is known now. Like Spin we also take a variable that has a constant initialiser, or none,
// which is then the value, whatever happens to the variable later; 0 may stand for something else.
std::optional<std::int32_t> Grammar::constant(const std::string& what, std::int32_t instead_of_zero) {
  const std::size_t first = index();
  const Unresolved known = unresolved();
  const auto value = expression();
  forget_since(known);
  if (auto folded = fold(*value)) return folded;
  if (value->kind == Expr::Kind::variable) {
    const ExprPtr& begin = value->variable->value;
    if (const std::optional<std::int32_t> initial = begin ? fold(*begin) : 0) {
      const bool is_zero = *initial == 0 && instead_of_zero != 0;
      const std::string used = is_zero ? fmt::format("as it begins with 0, {} is used here", instead_of_zero)
                                       : fmt::format("its initial value {} is used here", *initial);
      warn("F443", value->range, fmt::format("`{}` is a variable; {}", value->variable->name, used), value->origin);
      return is_zero ? instead_of_zero : *initial;
    }
  }
  report("F443", range_from(first), fmt::format("{} must be a constant", what), value->origin);
  return std::nullopt;
}

void Grammar::initialiser(Variable& variable) {
  const SourceRange start = here();
  const OriginId origin = peek().origin;
  if (at(left_bracket)) {
    variable.channel = channel_init();
    if (!variable.type.is(Type::Kind::chan))
      report("F440", start,
             fmt::format("`{}` is of type {} and cannot be initialised with a channel", variable.name,
                         to_string(variable.type)),
             origin);
    return;
  }
  if (accept(left_brace)) {
    if (!variable.is_array)
      report("F440", start, fmt::format("`{}` is no array and takes one value", variable.name), origin);
    do {
      variable.values.push_back(expression());
    } while (accept(comma));
    close(right_brace, "{", start);
    if (variable.values.size() > variable.length && variable.is_array)
      warn("F444", start,
           fmt::format("`{}` has {} elements, the values behind them are not used", variable.name, variable.length),
           origin);
    return;
  }
  variable.value = expression();
  const bool is_none = variable.type.is(Type::Kind::chan) && fold(*variable.value) == 0;
  if (is_none) variable.value.reset();
  if (!variable.type.is(Type::Kind::user)) return;
  // Spin reads over it as well: the fields start with the values of their own declarations.
  warn("F444", start, fmt::format("`{}` is a structure; this initial value has no effect", variable.name), origin);
  variable.value.reset();
}

// `[2] of { byte, mtype }`
std::unique_ptr<ChannelInit> Grammar::channel_init() {
  auto result = std::make_unique<ChannelInit>();
  const std::size_t first = index();
  const SourceRange opening = here();
  expect(left_bracket);
  const SourceRange at = here();
  const auto capacity = constant("the capacity of a channel");
  if (capacity && (*capacity < 0 || *capacity > longest_array))
    report("F442", at, fmt::format("a channel cannot have {} slots", *capacity), OriginId{});
  else
    result->capacity = static_cast<std::uint32_t>(capacity.value_or(0));
  close(right_bracket, "[", opening);
  expect(kw_of);
  const SourceRange list = here();
  expect(left_brace);
  do {
    result->fields.push_back(message_type());
    const Variable* array = nullptr;
    for (const Type& scalar : scalars_of(result->fields.back(), &array)) result->slots.push_back(scalar);
    if (array != nullptr)
      report("F445", list, fmt::format("a message cannot contain `{}`, an array of structures", array->name),
             OriginId{})
          .notes.push_back({array->range, "declared here"});
  } while (accept(comma));
  close(right_brace, "{", list);
  result->range = range_from(first);
  return result;
}

Type Grammar::message_type() {
  if (at(kw_unsigned)) fail("F441", "unsigned cannot be used in a message", "use `byte`, `short` or `int`");
  bool list = false;
  const Type result = type(list);
  if (list) fail("F411", "a list of names cannot stand here");
  return result;
}

void Grammar::typedef_declaration() {
  advance();
  const Name called = name("the name of a type");
  if (const auto other = names_.typedefs.find(called.text); other != names_.typedefs.end()) {
    report("F430", called.range, fmt::format("typedef `{}` is defined twice", called.text), called.origin)
        .notes.push_back({other->second->range, "the other definition"});
  } else {
    check_free_of_variables(called);
  }
  auto result = std::make_unique<Typedef>();
  result->name = called.text;
  result->range = called.range;
  const SourceRange opening = here();
  expect(left_brace);
  const LineBreaks breaks(*this, true);
  const auto add = [&](std::unique_ptr<Variable> field) {
    const auto same = std::ranges::find(result->fields, field->name, [](const auto& other) { return other->name; });
    if (same != result->fields.end())
      report("F430", field->range, fmt::format("field `{}` is declared twice", field->name), field->origin)
          .notes.push_back({(*same)->range, "the other declaration"});
    field->index = static_cast<std::uint32_t>(result->fields.size());
    result->fields.push_back(std::move(field));
  };
  while (!at(right_brace) && !at_end_of_file()) {
    if (!at_declaration()) fail_expecting("a field");
    declaration(Variable::Scope::field, add);
    if (!at(right_brace) && !accept(semicolon)) fail_expecting("`;` or `}`");
    while (accept(semicolon)) {
    }
  }
  if (result->fields.empty()) report("F411", "a typedef has at least one field");
  close(right_brace, "{", opening);
  names_.typedefs.insert_or_assign(called.text, result.get());
  model_.typedefs.push_back(std::move(result));
}

void Grammar::global_declaration() {
  declaration(Variable::Scope::global, [&](std::unique_ptr<Variable> variable) {
    variable->index = static_cast<std::uint32_t>(model_.globals.size());
    declare_variable(*variable);
    model_.globals.push_back(std::move(variable));
  });
}

void Grammar::parameters(Process& process) {
  const SourceRange opening = here();
  expect(left_paren);
  const auto add = [&](std::unique_ptr<Variable> parameter) {
    if (parameter->value || parameter->channel || !parameter->values.empty())
      report("F411", parameter->range, fmt::format("parameter `{}` cannot have an initial value", parameter->name),
             parameter->origin);
    if (parameter->is_array)
      report("F445", parameter->range, fmt::format("parameter `{}` cannot be an array", parameter->name),
             parameter->origin)
          .help = "pass its elements, or make it global";
    parameter->process = &process;
    parameter->index = static_cast<std::uint32_t>(process.variables.size());
    declare_variable(*parameter);
    process.parameters.push_back(parameter.get());
    process.variables.push_back(std::move(parameter));
  };
  while (!at(right_paren)) {
    declaration(Variable::Scope::parameter, add);
    if (at(right_paren)) break;
    if (!accept(semicolon)) fail_expecting("`;` or `)`");
  }
  close(right_paren, "(", opening);
}

// A declaration between statements is itself one: it initialises its variables each time it is passed.
void Grammar::local_declaration(Sequence& out) {
  const std::size_t first = index();
  auto statement = std::make_unique<Stmt>();
  statement->kind = Stmt::Kind::declaration;
  statement->origin = peek().origin;
  const bool leading = leading_;
  declaration(Variable::Scope::local, [&](std::unique_ptr<Variable> variable) {
    variable->process = process_;
    variable->leading = leading;
    const auto blocks = names_.blocks();
    variable->block = blocks.back();
    variable->depth = static_cast<std::uint32_t>(blocks.size() - 1);
    variable->index = static_cast<std::uint32_t>(process_->variables.size());
    declare_variable(*variable);
    statement->variables.push_back(variable.get());
    process_->variables.push_back(std::move(variable));
  });
  statement->range = range_from(first);
  statement->source = text_from(first);
  if (!leading) out.push_back(std::move(statement));
}

void Grammar::declare_variable(Variable& variable) {
  check_free(variable.name, variable.range, variable.origin);
  Variable* const outer = names_.find_variable(variable.name);
  if (Variable* const other = names_.declare(variable)) {
    report("F430", variable.range, fmt::format("`{}` is declared twice", variable.name), variable.origin)
        .notes.push_back({other->range, "the other declaration"});
  } else if (outer != nullptr) {
    report("F431", variable.range, fmt::format("`{}` hides another variable of the same name", variable.name),
           variable.origin)
        .notes.push_back({outer->range, "the variable that is hidden"});
  }
}

// A name means one thing wherever it can be used.
void Grammar::check_free(const std::string& name, SourceRange range, OriginId origin) {
  std::string use = names_.other_use(name);
  constexpr std::string_view predefined[] = {"_", "_pid", "_nr_pr", "_last", "_priority"};
  if (use.empty() && std::ranges::find(predefined, name) != std::end(predefined)) use = "predefined variable";
  if (!use.empty()) report("F430", range, fmt::format("`{}` is already the name of a {}", name, use), origin);
}

void Grammar::check_free_of_variables(const Name& called) {
  check_free(called.text, called.range, called.origin);
  if (const Variable* const variable = names_.find_variable(called.text))
    report("F430", called.range, fmt::format("`{}` is already the name of a variable", called.text), called.origin)
        .notes.push_back({variable->range, "declared here"});
}

}  // namespace fathom::promela
