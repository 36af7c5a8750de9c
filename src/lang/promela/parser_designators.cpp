// Variables with their indices and fields.
#include <fmt/format.h>

#include <algorithm>

#include "lang/promela/expressions.hpp"
#include "lang/promela/grammar.hpp"

namespace fathom::promela {

using enum TokenKind;

// `a`, `a[i]`, `a.b[j].c`
ExprPtr Grammar::designator(Allow allow) {
  const std::size_t first = index();
  auto result = indexed(root(), first);
  while (at(dot)) {
    check_complete(*result, Allow::structure);
    advance();
    const Variable& field = field_of(*result);
    advance();
    result = indexed(make_field(std::move(result), field, range_from(first)), first);
  }
  bound_height(*result);
  check_complete(*result, allow);
  return result;
}

ExprPtr Grammar::root() {
  const Token token = peek();
  if (token.kind != identifier) fail_expecting("a variable");
  const Variable* const variable = names_.find_variable(token.text);
  if (variable == nullptr || names_.mtype_constants.contains(token.text)) fail_on_unknown_name(token);
  advance();
  return make_variable(*variable, token.range, token.origin);
}

ExprPtr Grammar::indexed(ExprPtr base, std::size_t first) {
  if (!at(left_bracket)) return base;
  const Variable& variable = *base->variable;
  if (!variable.is_array) return only_element(std::move(base));
  const LineBreaks breaks(*this, false);
  const SourceRange opening = here();
  advance();
  auto position = expression();
  refuse_probe(*position);
  const auto known = promela::fold(*position);
  if (known && (*known < 0 || *known >= static_cast<std::int64_t>(variable.length)))
    warn("F444", position->range,
         fmt::format("`{}` has {} elements, there is no element {}", variable.name, variable.length, *known),
         position->origin);
  close(right_bracket, "[", opening);
  if (at(left_bracket))
    fail("F412", "an array has one dimension", "put the inner array into a typedef: typedef row { byte column[3] }");
  return make_element(std::move(base), std::move(position), range_from(first));
}

// `x[0]` where x is no array: Spin takes it for x.
ExprPtr Grammar::only_element(ExprPtr base) {
  const std::string message = fmt::format("`{}` is no array and has no elements", base->variable->name);
  const bool first = ahead(1).kind == number && ahead(1).text == "0" && ahead(2).kind == right_bracket;
  if (!first) fail("F448", message);
  warn("F448", here(), message, base->origin);
  for (int k = 0; k < 3; ++k) advance();
  return base;
}

void Grammar::check_complete(const Expr& designator, Allow allow) {
  const Variable& declared = declaration_of(designator);
  if (is_whole_array(designator) && allow != Allow::whole_array) {
    report("F449", designator.range, fmt::format("array `{}` needs an index here", declared.name), designator.origin)
        .notes.push_back({declared.range, "declared here"});
    throw Recovery{};
  }
  if (designator.type.is(Type::Kind::user) && allow == Allow::scalar)
    report("F450", designator.range, fmt::format("`{}` is a structure; a field of it is needed here", declared.name),
           designator.origin)
        .notes.push_back({designator.type.user->range, "its type"});
}

const Variable& Grammar::field_of(const Expr& record) {
  const Token token = peek();
  if (token.kind != identifier) fail_expecting("the name of a field");
  if (!record.type.is(Type::Kind::user))
    fail("F423",
         fmt::format("`{}` is of type {} and has no fields", declaration_of(record).name, to_string(record.type)));
  std::vector<std::string> known;
  for (const auto& field : record.type.user->fields) {
    if (field->name == token.text) return *field;
    known.push_back(field->name);
  }
  auto& error = report("F423", fmt::format("typedef `{}` has no field `{}`", record.type.user->name, token.text));
  error.help = did_you_mean(token.text, known);
  error.notes.push_back({record.type.user->range, "the typedef"});
  throw Recovery{};
}

void Grammar::fail_on_unknown_name(const Token& token) {
  if (names_.broken.contains(token.text)) throw Recovery{};
  const std::string use = names_.other_use(token.text);
  if (!use.empty()) {
    auto& error = report("F422", fmt::format("`{}` is {} {} and no variable", token.text,
                                             use == "inline"           ? "an"
                                             : use == "mtype constant" ? "an"
                                                                       : "a",
                                             use));
    if (use == "inline") error.help = fmt::format("use it as a statement: {}(...)", token.text);
    throw Recovery{};
  }
  if (ahead(1).kind == left_paren) {
    fail("F420", fmt::format("unknown inline `{}`", token.text), did_you_mean(token.text, names_.callables()));
  }
  auto help = did_you_mean(token.text, names_.values());
  if (token.text == "STDIN") help = "declare it: chan STDIN";
  fail("F420", fmt::format("unknown variable `{}`", token.text), std::move(help));
}

}  // namespace fathom::promela
