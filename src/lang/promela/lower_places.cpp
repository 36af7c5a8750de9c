// Places: where variables, elements and fields lie.
#include "lang/promela/expressions.hpp"
#include "lang/promela/lowering.hpp"

namespace fathom::promela {

ir::Place Lowering::at(const ir::Variable& variable) const {
  ir::Place place;
  place.variable = &variable;
  place.type = variable.type;
  place.range = variable.range;
  return place;
}

ir::Place Lowering::at(const ir::Local& local) const {
  ir::Place place;
  place.local = &local;
  place.type = local.type;
  place.range = local.range;
  return place;
}

ir::Place Lowering::field(ir::Place place, std::uint32_t number) {
  ir::PathStep step;
  step.kind = ir::PathStep::Kind::field;
  step.field = number;
  step.container = place.type;
  place.type = place.type->fields[number].type;
  place.path.push_back(step);
  return place;
}

ir::Place Lowering::element(ir::Place place, const ir::Expr* index, ir::SiteId site) {
  ir::PathStep step;
  step.kind = ir::PathStep::Kind::index;
  step.index = index;
  step.site = site;
  step.container = place.type;
  place.type = place.type->element;
  place.path.push_back(step);
  return place;
}

ir::Place Lowering::place_of(const Slot* slot, const Variable& variable) {
  if (variable.scope == Variable::Scope::global) return at(*globals_.at(&variable));
  return field(at(*slot->locals), slot->fields.at(&variable));
}

ir::Place Lowering::place_of(const Expr& designator) {
  ir::Place place;
  switch (designator.kind) {
    case Expr::Kind::element: {
      const ir::SiteId site = build_.site(ir::FaultKind::bad_index, designator.range, quote(designator.range));
      place = element(place_of(*designator.a), number(*designator.b), site);
      break;
    }
    case Expr::Kind::field:
      place = field(place_of(*designator.a), designator.variable->index);
      break;
    default:
      place = place_of(slot_, *designator.variable);
  }
  place.range = designator.range;
  return place;
}

ir::Place Lowering::place_of(const Scalar& scalar) {
  ir::Place place = place_of(slot_, *scalar.front());
  for (auto part = std::next(scalar.begin()); part != scalar.end(); ++part) place = field(place, (*part)->index);
  place.range = scalar.front()->range;
  return place;
}

// Its value is known before the run, or nobody asks for it.
bool Lowering::has_no_place(const Variable& variable) const {
  return is_fixed(variable) || (seen_.unread.all.contains(&variable) && !seen_.unread.indexed.contains(&variable));
}

// What is written there nobody reads.
bool Lowering::is_dropped(const Expr& target) const {
  return target.is_designator() && seen_.unread.all.contains(&root_of(target));
}

// What writing there could do besides: the index may be wrong.
void Lowering::look_up(const Expr& target, ir::Block& out) {
  if (!is_harmless(target)) evaluate(as_number(read(place_of(target), target.range)), out);
}

const ir::Expr* Lowering::read(const ir::Place& place, SourceRange range) {
  ir::Expr& expr = build_.expr(ir::Expr::Kind::read, place.type, range);
  expr.place = build_.place(place);
  return &expr;
}

void Lowering::assign(ir::Place to, const ir::Expr* value, ir::Block& out) {
  ir::Stmt& stmt = build_.stmt(ir::Stmt::Kind::assign, value->range);
  stmt.place = build_.place(std::move(to));
  stmt.value = value;
  stmt.site = write_site_;
  out.push_back(&stmt);
}

void Lowering::erase(const ir::Place& place, ir::Block& out) {
  ir::Stmt& stmt = build_.stmt(ir::Stmt::Kind::undefine, place.range);
  stmt.place = build_.place(place);
  stmt.site = write_site_;
  out.push_back(&stmt);
}

ir::Local& Lowering::register_of(const std::string& name, const ir::Type* type) {
  return ir::Builder::local(*routine_, name, type, ir::Local::Storage::in_register, {file_, 0, 0});
}

}  // namespace fathom::promela
