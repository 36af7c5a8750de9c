// Lowering: statements.
#include <fmt/format.h>

#include "lang/murphi/lowering.hpp"
#include "lang/murphi/type_rules.hpp"

namespace fathom::murphi {

using StmtKind = ir::Stmt::Kind;

void Lowering::statements(const std::vector<StmtPtr>& list, ir::Block& out) {
  for (const StmtPtr& syntax : list) statement(*syntax, out);
}

void Lowering::statement(const Stmt& syntax, ir::Block& out) {
  switch (syntax.kind) {
    case Stmt::Kind::assign:
      return assign(syntax, out);
    case Stmt::Kind::branch:
      return branch(syntax, out);
    case Stmt::Kind::choice:
      return choice(syntax, out);
    case Stmt::Kind::loop_for:
      return loop_for(syntax, out);
    case Stmt::Kind::loop_while:
      return loop_while(syntax, out);
    case Stmt::Kind::alias: {
      const ScopeGuard scope(scopes_);
      aliases(syntax.aliases, AliasMode::bind, out);
      return statements(syntax.body, out);
    }
    case Stmt::Kind::call:
      return call_statement(syntax, out);
    case Stmt::Kind::clear:
    case Stmt::Kind::undefine:
      return clear_or_undefine(syntax, out);
    case Stmt::Kind::error: {
      ir::Stmt& stmt = build_.stmt(StmtKind::fail, syntax.range);
      stmt.site = build_.site(ir::FaultKind::error_statement, syntax.range, syntax.text);
      out.push_back(&stmt);
      return;
    }
    case Stmt::Kind::check:
    case Stmt::Kind::assume:
      return check_statement(syntax, out);
    case Stmt::Kind::cover:
      return cover_statement(syntax, out);
    case Stmt::Kind::liveness:
      error("F170", syntax.range, "`liveness` is a property of the whole model, not a statement");
      return;
    case Stmt::Kind::put:
      return put(syntax, out);
    case Stmt::Kind::give_back:
      return give_back(syntax, out);
    case Stmt::Kind::multiset_add:
      return multiset_add(syntax, out);
    case Stmt::Kind::multiset_remove:
      return multiset_remove(syntax, out);
    case Stmt::Kind::multiset_remove_if:
      return multiset_remove_if(syntax, out);
  }
}

void Lowering::assign(const Stmt& syntax, ir::Block& out) {
  const Operand to = target(*syntax.a, "the left side of an assignment");
  if (to.ok() && !to.type->is_scalar())
    return choose(*syntax.b, out, [&](const Expr& source, ir::Block& block) { assign_aggregate(to, source, block); });
  const Operand from = operand(*syntax.b);
  if (!to.ok() || !from.ok()) return;
  ir::Stmt& stmt = build_.stmt(from.is_undefined ? StmtKind::undefine : StmtKind::assign, syntax.range);
  stmt.place = to.place;
  out.push_back(&stmt);
  if (from.is_undefined) return;
  if (!compatible(*to.type, *from.type)) {
    error("F123", syntax.range,
          fmt::format("{} cannot be assigned to {}", describe_type(*from.type), describe_type(*to.type)));
    return;
  }
  stmt.value = rumur() ? read(from) : read_or_undefined(from);
  stmt.site = build_.site(ir::FaultKind::out_of_range, syntax.range, quote(syntax.range));
  if (stmt.value->kind == ir::Expr::Kind::constant && !to.type->contains(stmt.value->value))
    warning("F183", syntax.range,
            fmt::format("the value {} is outside {}", show(*from.type, stmt.value->value), describe_type(*to.type)));
}

// A choice between aggregates has no value of its own in the ir: it becomes a branch that uses one or the other.
void Lowering::choose(const Expr& source, ir::Block& out, const UseAggregate& use) {
  if (source.kind != Expr::Kind::conditional) return use(source, out);
  ir::Stmt& stmt = build_.stmt(StmtKind::branch, source.range);
  stmt.branches.resize(2);
  stmt.branches[0].condition = condition(*source.a, "the condition of `?`");
  choose(*source.b, stmt.branches[0].body, use);
  choose(*source.c, stmt.branches[1].body, use);
  out.push_back(&stmt);
}

void Lowering::assign_aggregate(const Operand& to, const Expr& source, ir::Block& out) {
  const Operand from = operand(source);
  if (!from.ok()) return;
  ir::Stmt& stmt = build_.stmt(from.is_undefined ? StmtKind::undefine : StmtKind::copy, to.range.to(source.range));
  stmt.place = to.place;
  stmt.source = from.place;
  out.push_back(&stmt);
  if (from.is_undefined || same_structure(*to.type, *from.type)) return;
  error("F123", stmt.range,
        fmt::format("{} cannot be assigned to {}", describe_type(*from.type), describe_type(*to.type)));
}

void Lowering::branch(const Stmt& syntax, ir::Block& out) {
  ir::Stmt& stmt = build_.stmt(StmtKind::branch, syntax.range);
  for (const Clause& clause : syntax.clauses) {
    ir::Branch& lowered = stmt.branches.emplace_back();
    if (!clause.tests.empty()) lowered.condition = condition(*clause.tests.front(), "the condition of `if`");
    statements(clause.body, lowered.body);
  }
  out.push_back(&stmt);
}

void Lowering::choice(const Stmt& syntax, ir::Block& out) {
  const ir::Expr* const subject = case_subject(*syntax.a, out);
  ir::Stmt& stmt = build_.stmt(StmtKind::branch, syntax.range);
  for (const Clause& clause : syntax.clauses) {
    ir::Branch& lowered = stmt.branches.emplace_back();
    for (const ExprPtr& test : clause.tests) {
      const ir::Expr* const matches = subject == nullptr ? nullptr : case_test(*test, *subject);
      const bool first = lowered.condition == nullptr || matches == nullptr;
      lowered.condition =
          first ? matches
                : binary(ir::Expr::Kind::logical_or, build_.boolean(), lowered.condition, matches, clause.range);
    }
    statements(clause.body, lowered.body);
  }
  out.push_back(&stmt);
}

// The subject is evaluated once, into a temporary; each case compares with it, by the rules of `=`.
const ir::Expr* Lowering::case_subject(const Expr& syntax, ir::Block& out) {
  const Operand subject = scalar(syntax);
  if (!subject.ok()) return nullptr;
  const ir::Expr* const value = compared(subject);
  if (value->kind == ir::Expr::Kind::constant) return value;
  Operand kept;
  kept.type = value->type;
  kept.place = temporary(*value, "switch", *value->type, out);
  kept.range = syntax.range;
  return compared(kept);
}

const ir::Expr* Lowering::case_test(const Expr& syntax, const ir::Expr& subject) {
  const Operand tested = scalar(syntax);
  if (!tested.ok()) return nullptr;
  const ir::Expr* const wanted = compared(tested);
  if (compatible(*wanted->type, *subject.type))
    return binary(ir::Expr::Kind::equal, build_.boolean(), &subject, wanted, syntax.range);
  error("F122", syntax.range,
        fmt::format("the `switch` is over {}, and this is {}", describe_type(*subject.type),
                    describe_type(*wanted->type)));
  return nullptr;
}

void Lowering::loop_for(const Stmt& syntax, ir::Block& out) {
  const std::size_t count = syntax.quantifiers.size();
  for (std::size_t k = 0; k < count; ++k) scopes_.open();
  ir::Block* body = &out;
  for (const Quantifier& quantifier : syntax.quantifiers) {
    const ir::Type* type = nullptr;
    const std::optional<ir::Domain> range = domain(quantifier, type);
    const ir::Local& local = counter(quantifier.name, type);
    ir::Stmt& stmt = build_.stmt(StmtKind::loop_for, syntax.range);
    stmt.binding = build_.binding(&local, range.value_or(ir::Domain{}));
    body->push_back(&stmt);
    body = &stmt.body;
  }
  statements(syntax.body, *body);
  for (std::size_t k = 0; k < count; ++k) scopes_.close();
}

void Lowering::loop_while(const Stmt& syntax, ir::Block& out) {
  ir::Stmt& stmt = build_.stmt(StmtKind::loop_while, syntax.range);
  stmt.value = condition(*syntax.a, "the condition of `while`");
  stmt.site = build_.site(ir::FaultKind::loop_limit, syntax.a->range, quote(syntax.a->range));
  statements(syntax.body, stmt.body);
  out.push_back(&stmt);
}

void Lowering::call_statement(const Stmt& syntax, ir::Block& out) {
  const FunctionInfo* callee = nullptr;
  ir::Stmt& stmt = build_.stmt(StmtKind::call, syntax.range);
  stmt.call = call(*syntax.a, callee);
  out.push_back(&stmt);
}

void Lowering::clear_or_undefine(const Stmt& syntax, ir::Block& out) {
  const bool clears = syntax.kind == Stmt::Kind::clear;
  const Operand to = target(*syntax.a, clears ? "the argument of `clear`" : "the argument of `undefine`");
  ir::Stmt& stmt = build_.stmt(clears ? StmtKind::clear : StmtKind::undefine, syntax.range);
  stmt.place = to.place;
  out.push_back(&stmt);
}

std::string Lowering::message_of(const Stmt& syntax) const {
  return syntax.has_text ? syntax.text : quote(syntax.a->range);
}

void Lowering::check_statement(const Stmt& syntax, ir::Block& out) {
  const bool assumes = syntax.kind == Stmt::Kind::assume;
  ir::Stmt& stmt = build_.stmt(assumes ? StmtKind::assume : StmtKind::check, syntax.range);
  stmt.value = condition(*syntax.a, assumes ? "an assumption" : "an assertion");
  if (!assumes) stmt.site = build_.site(ir::FaultKind::assertion, syntax.range, message_of(syntax));
  out.push_back(&stmt);
}

void Lowering::cover_statement(const Stmt& syntax, ir::Block& out) {
  const std::size_t number = ++property_numbers_[ir::Property::Kind::cover];
  add_property(ir::Property::Kind::cover, syntax.has_text ? syntax.text : fmt::format("Cover {}", number),
               syntax.range);
  ir::Stmt& stmt = build_.stmt(StmtKind::cover, syntax.range);
  stmt.value = condition(*syntax.a, "a cover");
  stmt.property = static_cast<std::uint32_t>(program_->properties.size() - 1);
  out.push_back(&stmt);
}

// Printing an undefined variable is no fault.
void Lowering::put(const Stmt& syntax, ir::Block& out) {
  if (syntax.a == nullptr) {
    ir::Stmt& stmt = build_.stmt(StmtKind::put_text, syntax.range);
    stmt.text = syntax.text;
    out.push_back(&stmt);
    return;
  }
  const Operand shown = operand(*syntax.a);
  if (!shown.ok()) return;
  if (shown.is_undefined) {
    error("F129", syntax.range, "`undefined` cannot be printed");
    return;
  }
  ir::Stmt& stmt = build_.stmt(StmtKind::put_value, syntax.range);
  stmt.text = quote(syntax.a->range);
  if (shown.type->is_scalar()) {
    stmt.value = read_or_undefined(shown);
  } else {
    stmt.place = shown.place;
  }
  out.push_back(&stmt);
}

void Lowering::give_back(const Stmt& syntax, ir::Block& out) {
  const ir::Type* const wanted = context_.function == nullptr ? nullptr : context_.function->function->result;
  if (syntax.a == nullptr && wanted == nullptr) {
    out.push_back(&build_.stmt(StmtKind::give_back, syntax.range));
    return;
  }
  if (syntax.a == nullptr) {
    error("F147", syntax.range, "the function must return a value");
    return;
  }
  if (wanted == nullptr) {
    error("F147", syntax.range, fmt::format("a {} returns no value", context_.owner));
    return;
  }
  if (wanted->is_scalar()) return give_back(*wanted, *syntax.a, syntax.range, out);
  choose(*syntax.a, out,
         [&](const Expr& source, ir::Block& block) { give_back(*wanted, source, syntax.range, block); });
}

void Lowering::give_back(const ir::Type& wanted, const Expr& source, SourceRange range, ir::Block& out) {
  const Operand result = operand(source);
  if (!result.ok()) return;
  if (result.is_undefined || !compatible(wanted, *result.type)) {
    error("F147", source.range,
          fmt::format("the function returns {}, and this is {}", describe_type(wanted),
                      result.is_undefined ? "`undefined`" : describe_type(*result.type)));
    return;
  }
  ir::Stmt& stmt = build_.stmt(StmtKind::give_back, range);
  if (wanted.is_scalar()) {
    stmt.value = read(result);
  } else {
    stmt.source = result.place;
  }
  stmt.site = build_.site(ir::FaultKind::out_of_range, range, quote(range));
  out.push_back(&stmt);
}

}  // namespace fathom::murphi
