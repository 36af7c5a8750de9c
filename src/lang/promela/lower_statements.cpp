// Basic statements: when they can be executed and what they do.
#include "lang/promela/lowering.hpp"
#include "lang/promela/walk.hpp"

namespace fathom::promela {

using IrKind = ir::Expr::Kind;

// Null: always. `else` is not one of them: see lower_edges.cpp.
const ir::Expr* Lowering::guard_of(const Stmt& syntax) {
  switch (syntax.kind) {
    case Stmt::Kind::expression: {
      if (syntax.a->kind == Expr::Kind::run) return nullptr;
      const ir::Expr* const guard = condition(*syntax.a);
      return guard->kind == IrKind::constant && guard->value != 0 ? nullptr : guard;
    }
    case Stmt::Kind::send:
      return can_send(syntax);
    case Stmt::Kind::receive:
      return can_receive(syntax);
    default:
      return nullptr;
  }
}

// `run` fails where there are as many processes as there can be; told here, because here is the user's line.
void Lowering::check_process_count(const Stmt& syntax, ir::Block& out) {
  const Expr* run = nullptr;
  for_each_expression(syntax, [&](const Expr& each) {
    if (each.kind == Expr::Kind::run && run == nullptr) run = &each;
  });
  if (run == nullptr) return;
  ir::Stmt& stmt = build_.stmt(ir::Stmt::Kind::check, run->range);
  stmt.value = compare(IrKind::less, read(at(*process_count_), run->range), constant(max_processes, run->range));
  stmt.site = build_.site(ir::FaultKind::unplanned_process, run->range, run->process->name);
  out.push_back(&stmt);
}

void Lowering::body_of(const Stmt& syntax, ir::Block& out) {
  check_process_count(syntax, out);
  switch (syntax.kind) {
    case Stmt::Kind::expression:
      if (syntax.a->kind == Expr::Kind::run) evaluate(number(*syntax.a), out);
      return;
    case Stmt::Kind::assign:
      return assignment(syntax, out);
    case Stmt::Kind::increment:
    case Stmt::Kind::decrement:
      return count_statement(syntax, out);
    case Stmt::Kind::send:
      return send(syntax, out);
    case Stmt::Kind::receive:
      return receive(syntax, out);
    case Stmt::Kind::assertion:
      return assertion(syntax, out);
    case Stmt::Kind::embedded_c:
      return call_c_code(c_function(*syntax.code, false), out);
    case Stmt::Kind::set_priority:
      return set_priority(number(*syntax.a), number(*syntax.b), syntax, out);
    default:
      return;  // what is printed is no part of a search
  }
}

void Lowering::evaluate(const ir::Expr* value, ir::Block& out) {
  assign(at(register_of("dropped", &ir::machine_int())), value, out);
}

void Lowering::assignment(const Stmt& syntax, ir::Block& out) {
  if (is_dropped(*syntax.a)) {
    if (!is_harmless(*syntax.b)) evaluate(number(*syntax.b), out);
    return look_up(*syntax.a, out);
  }
  const ir::Expr* const value = number(*syntax.b);
  if (syntax.a->kind == Expr::Kind::wildcard) return evaluate(value, out);
  if (syntax.a->kind == Expr::Kind::own_priority)
    return set_priority(constant(slot_->pid, syntax.range), value, syntax, out);
  assign(place_of(*syntax.a), value, out);
}

void Lowering::count_statement(const Stmt& syntax, ir::Block& out) {
  if (syntax.a->kind == Expr::Kind::wildcard) return;
  if (is_dropped(*syntax.a)) return look_up(*syntax.a, out);
  const ir::Expr* const one = constant(1, syntax.range);
  const IrKind kind = syntax.kind == Stmt::Kind::increment ? IrKind::add : IrKind::subtract;
  if (syntax.a->kind == Expr::Kind::own_priority)
    return set_priority(constant(slot_->pid, syntax.range), arithmetic(kind, own_priority(syntax.range), one), syntax,
                        out);
  const ir::Place place = place_of(*syntax.a);
  assign(place, arithmetic(kind, read(place, syntax.range), one), out);
}

void Lowering::assertion(const Stmt& syntax, ir::Block& out) {
  ir::Stmt& stmt = build_.stmt(ir::Stmt::Kind::check_and_go_on, syntax.range);
  stmt.value = condition(*syntax.a);
  stmt.site = build_.site(ir::FaultKind::assertion, syntax.range, syntax.source);
  out.push_back(&stmt);
}

}  // namespace fathom::promela
