#include <fmt/format.h>

#include "lang/murphi/grammar.hpp"

namespace fathom::murphi {

using enum TokenKind;

File Grammar::file() {
  File result;
  for (skip_semicolons(); !at_end_of_file(); skip_semicolons()) {
    const std::size_t before = index();
    try {
      item(result);
    } catch (const Recovery&) {
      skip_item();
      if (index() == before) advance();
    }
  }
  return result;
}

ExprPtr Grammar::single_expression() {
  try {
    ExprPtr result = expression();
    if (!at_end_of_file()) fail_expecting("the end of the expression");
    return result;
  } catch (const Recovery&) {
    return nullptr;
  }
}

void Grammar::item(File& out) {
  Item result;
  if (at_section()) {
    std::vector<Declaration> declarations;
    section(declarations);
    for (Declaration& declaration : declarations) {
      Item& added = out.items.emplace_back();
      added.kind = Item::Kind::declaration;
      added.declaration = std::move(declaration);
    }
    return;
  }
  if (at_routine()) {
    result.kind = Item::Kind::routine;
    result.routine = std::make_unique<Routine>(routine());
  } else {
    result.kind = Item::Kind::rule;
    result.rule = rule_item();
  }
  out.items.push_back(std::move(result));
}

bool Grammar::at_item() const {
  if (at_name()) return false;
  return at_section() || at_routine() ||
         at_any({kw_rule, kw_startstate, kw_ruleset, kw_choose, kw_alias, kw_invariant, kw_assert, kw_assume, kw_cover,
                 kw_liveness});
}

// Skips to the next item or to the `end` of the block around us. What we skip may be a whole rule whose first word is
// misspelt, so inside its `begin` … `end` only what cannot be a statement counts as an item.
void Grammar::skip_item() {
  for (int nested = 0; !at_end_of_file(); advance()) {
    if (nested == 0 && (at_item() || at(kw_end))) return;
    if (at_any({kw_rule, kw_ruleset, kw_startstate, kw_invariant, kw_function, kw_procedure})) return;
    if (at_any({kw_begin, kw_if, kw_for, kw_while, kw_switch, kw_alias, kw_forall, kw_exists, kw_record})) ++nested;
    if (at(kw_end)) --nested;
    if (at(kw_end) && nested == 0) {
      advance();
      return;
    }
  }
}

std::unique_ptr<RuleItem> Grammar::rule_item() {
  const Nesting nesting(*this);
  auto result = std::make_unique<RuleItem>();
  const SourceRange first = here();
  rule_item_into(*result);
  result->range = range_from(first);
  return result;
}

void Grammar::rule_item_into(RuleItem& out) {
  switch (peek().kind) {
    case kw_rule:
      return simple_rule(out);
    case kw_startstate:
      return start_state(out);
    case kw_ruleset:
      return rule_block(out, RuleItem::Kind::ruleset, "ruleset");
    case kw_choose:
      return rule_block(out, RuleItem::Kind::choose, "choose");
    case kw_alias:
      return rule_block(out, RuleItem::Kind::alias, "alias");
    case kw_invariant:
    case kw_assert:
      return property(out, RuleItem::Kind::invariant);
    case kw_assume:
      return property(out, RuleItem::Kind::assumption);
    case kw_cover:
      return property(out, RuleItem::Kind::cover);
    case kw_liveness:
      return property(out, RuleItem::Kind::liveness);
    case kw_end:
      fail_on_stray_end();
    default:
      fail_expecting("a declaration, a rule or a property", misspelt_item());
  }
}

std::string Grammar::misspelt_item() const {
  return suggestion({kw_alias, kw_assert, kw_assume, kw_choose, kw_const, kw_cover, kw_end, kw_function, kw_invariant,
                     kw_liveness, kw_procedure, kw_rule, kw_ruleset, kw_startstate, kw_type, kw_var});
}

void Grammar::fail_on_stray_end() {
  const SourceRange range = here();
  const std::string word = found();
  advance();
  fail("F013", range, fmt::format("there is nothing that this {} could close", word));
}

// The name and the guard may be left out, and so may `begin`.
void Grammar::simple_rule(RuleItem& out) {
  out.kind = RuleItem::Kind::simple;
  Block block(*this, "rule", advance().range);
  out.has_priority = at_priority();
  if (out.has_priority) out.priority = primary();
  optional_name(out);
  if (!at_body()) header(leads_to, [&] { out.guard = expression(); });
  body(out);
  block.close();
}

// `rule 5 "name"`: a number that no operator follows, or a constant before the name.
bool Grammar::at_priority() const {
  if (peek(1).kind == TokenKind::string) return at(TokenKind::number) || at(identifier);
  const bool begins_anew = peek(1).kind == identifier || peek(1).kind == kw_begin || peek(1).kind == kw_var ||
                           peek(1).kind == left_paren || peek(1).kind == bang || peek(1).kind == kw_forall ||
                           peek(1).kind == kw_exists;
  return at(TokenKind::number) && begins_anew;
}

void Grammar::optional_name(RuleItem& out) {
  if (!at(TokenKind::string)) return;
  const Token& token = advance();
  out.name = {token.text, token.range};
}

// Does a rule go on with its body instead of a guard?
bool Grammar::at_body() const {
  return at_section() || at_end_of_statements() ||
         at_any({kw_begin, kw_if, kw_for, kw_while, kw_switch, kw_alias, kw_clear, kw_undefine, kw_put, kw_error,
                 kw_return, kw_assert, semicolon});
}

void Grammar::body(RuleItem& out) {
  out.declarations = sections();
  accept(kw_begin);
  out.body = statements();
}

void Grammar::start_state(RuleItem& out) {
  out.kind = RuleItem::Kind::start;
  Block block(*this, "startstate", advance().range);
  optional_name(out);
  body(out);
  block.close();
}

// `ruleset i: T do … end`, `choose i: bag do … end`, `alias a: b do … end`
void Grammar::rule_block(RuleItem& out, RuleItem::Kind kind, std::string_view word) {
  out.kind = kind;
  Block block(*this, word, advance().range);
  if (kind == RuleItem::Kind::alias) {
    out.aliases = alias_bindings();
  } else {
    out.quantifiers = quantifiers(kw_do);
  }
  out.items = rule_items();
  block.close();
}

std::vector<std::unique_ptr<RuleItem>> Grammar::rule_items() {
  std::vector<std::unique_ptr<RuleItem>> result;
  for (skip_semicolons(); !at_any({kw_end, end_of_file}); skip_semicolons()) {
    const std::size_t before = index();
    try {
      if (at_section() || at_routine()) {
        misplaced();
      } else {
        result.push_back(rule_item());
      }
    } catch (const Recovery&) {
      skip_item();
      if (index() == before) advance();
    }
  }
  return result;
}

// Reads it all the same, so that its `end` closes it and nothing else.
void Grammar::misplaced() {
  report("F023", here(), fmt::format("{} cannot stand inside `{}`", found(), open_.back().word)).help =
      "move it out to the top level of the model";
  if (at_section()) {
    sections();
  } else {
    routine();
  }
}

// The name may stand on either side of the condition.
void Grammar::property(RuleItem& out, RuleItem::Kind kind) {
  out.kind = kind;
  advance();
  const bool named = at(TokenKind::string);
  optional_name(out);
  out.guard = expression();
  if (!named) optional_name(out);
}

}  // namespace fathom::murphi
