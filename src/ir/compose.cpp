#include "ir/compose.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "ir/builder.hpp"
#include "ir/clone.hpp"

namespace fathom::ir {

namespace {

using Side = Synchronisation::Side;

// An edge and the component it belongs to.
struct Party {
  std::uint32_t component = 0;
  const Edge* edge = nullptr;

  [[nodiscard]] const Expr& port() const { return *edge->synchronisation->port; }
  [[nodiscard]] const std::vector<const Expr*>& values() const { return edge->synchronisation->values; }
  [[nodiscard]] const std::vector<const Local*>& received() const { return edge->synchronisation->received; }
};

bool are_constant(const Expr& a, const Expr& b) {
  return a.kind == Expr::Kind::constant && b.kind == Expr::Kind::constant;
}

bool can_meet(const Party& offering, const Party& accepting) {
  if (offering.component == accepting.component) return false;
  if (offering.values().size() != accepting.received().size()) return false;
  return !are_constant(offering.port(), accepting.port()) || offering.port().value == accepting.port().value;
}

class Composer {
 public:
  Composer(Program& program, Diagnostics& diagnostics) : program_(program), diagnostics_(diagnostics) {}

  void run();

 private:
  [[nodiscard]] bool find_parties();
  void replace_edges(std::uint32_t number);
  void retire_edges();

  [[nodiscard]] std::unique_ptr<Edge> join(const Party& offering, const Party& accepting);
  const Expr* guard(const Party& offering, const Party& accepting, Cloner& copy);
  Block body(const Party& offering, const Party& accepting, Cloner& copy);
  Block transfer(const Party& offering, const Party& accepting, Cloner& copy);
  const Expr* cut(const Expr* value, const Type& type);
  void check_size(const Edge& joint, const Edge& accepting, bool fits);

  const Expr* is_at_source(const Party& party);
  const Stmt* move_to_target(const Party& party);
  const Stmt* assign(const Party& party, const Place& place, const Expr* value);
  const Place* location(const Party& party);
  const Expr* location_value(const Party& party, std::uint32_t location);
  const Expr* conjunction(const Expr* a, const Expr* b);
  Expr* binary(Expr::Kind kind, const Expr* a, const Expr* b);

  Program& program_;
  Diagnostics& diagnostics_;
  const Type* boolean_ = nullptr;
  std::vector<Party> accepting_;
  std::vector<std::unique_ptr<Edge>> replaced_;
};

void Composer::run() {
  if (!find_parties()) return;
  const auto is_boolean = [](const Type& type) { return type.kind == Type::Kind::boolean; };
  boolean_ = &*std::find_if(program_.types.begin(), program_.types.end(), is_boolean);
  for (std::uint32_t number = 0; number < program_.components.size(); ++number) replace_edges(number);
  retire_edges();
}

bool Composer::find_parties() {
  bool found = false;
  for (std::uint32_t number = 0; number < program_.components.size(); ++number)
    for (const auto& edge : program_.components[number].edges) {
      if (!edge->synchronisation) continue;
      found = true;
      if (edge->synchronisation->side == Side::accepts) accepting_.push_back({number, edge.get()});
    }
  return found;
}

void Composer::replace_edges(std::uint32_t number) {
  Component& component = program_.components[number];
  std::uint32_t offer = 0;
  for (std::unique_ptr<Edge>& edge : std::exchange(component.edges, {})) {
    if (!edge->synchronisation) {
      component.edges.push_back(std::move(edge));
      continue;
    }
    const Party offering{number, edge.get()};
    if (edge->synchronisation->side == Side::offers) {
      ++offer;
      for (const Party& accepting : accepting_) {
        if (!can_meet(offering, accepting)) continue;
        component.edges.push_back(join(offering, accepting));
        component.edges.back()->offer = offer;
      }
    }
    replaced_.push_back(std::move(edge));
  }
}

// The arenas still hold the code of the edges that are gone, so the locals it speaks of must stay.
void Composer::retire_edges() {
  for (const std::unique_ptr<Edge>& edge : replaced_) program_.drafts.push_back(std::move(edge->routine));
}

std::unique_ptr<Edge> Composer::join(const Party& offering, const Party& accepting) {
  auto joint = std::make_unique<Edge>();
  joint->name = fmt::format("{} / {}", offering.edge->name, accepting.edge->name);
  joint->range = offering.edge->range;
  joint->priority = std::min(offering.edge->priority, accepting.edge->priority);
  joint->source = offering.edge->source;
  joint->target = offering.edge->target;
  joint->first_of = offering.edge->first_of;
  joint->rank = offering.edge->rank;
  joint->accepting_rank = accepting.edge->rank;
  joint->control = accepting.edge->control;
  joint->blocked = accepting.edge->blocked;
  joint->endless = accepting.edge->endless;
  joint->participants = {offering.component, accepting.component};
  Cloner copy(program_, joint->routine);
  for (const Edge* side : {offering.edge, accepting.edge})
    for (const Parameter& parameter : side->parameters) joint->parameters.push_back(copy.parameter(parameter));
  for (std::size_t k = 0; k < offering.values().size(); ++k)
    copy.substitute(accepting.received()[k], cut(copy.expr(offering.values()[k]), *accepting.received()[k]->type));
  joint->guard = guard(offering, accepting, copy);
  copy.end_substitution();
  joint->routine.body = body(offering, accepting, copy);
  const bool fits = Builder::lay_out(joint->routine);
  check_size(*joint, *accepting.edge, fits);
  return joint;
}

// The locations come first: they are cheap to test and cannot fault. An accepting guard would be evaluated before the
// offered port if the port were only compared at the end, so a comparison with itself puts its faults in order.
const Expr* Composer::guard(const Party& offering, const Party& accepting, Cloner& copy) {
  const Expr* const offered = copy.expr(&offering.port());
  const Expr* const accepted = copy.expr(&accepting.port());
  const Expr* all = conjunction(is_at_source(accepting), copy.expr(offering.edge->guard));
  if (accepting.edge->guard != nullptr && offered->kind != Expr::Kind::constant)
    all = conjunction(all, binary(Expr::Kind::equal, offered, offered));
  all = conjunction(all, copy.expr(accepting.edge->guard));
  if (are_constant(*offered, *accepted)) return all;
  return conjunction(all, binary(Expr::Kind::equal, offered, accepted));
}

// The executor changes the location of the offering component, before the body.
Block Composer::body(const Party& offering, const Party& accepting, Cloner& copy) {
  Block all = transfer(offering, accepting, copy);
  if (program_.components[accepting.component].location != nullptr) all.push_back(move_to_target(accepting));
  const Block answer = copy.sequence(accepting.edge->routine.body, {});
  const Block both = copy.sequence(offering.edge->routine.body, answer);
  all.insert(all.end(), both.begin(), both.end());
  return all;
}

Block Composer::transfer(const Party& offering, const Party& accepting, Cloner& copy) {
  Block all;
  for (std::size_t k = 0; k < offering.values().size(); ++k) {
    Place& target = program_.places.emplace_back();
    target.local = copy.local(accepting.received()[k]);
    target.type = target.local->type;
    target.range = accepting.edge->range;
    all.push_back(assign(accepting, target, copy.expr(offering.values()[k])));
  }
  return all;
}

// What a register of the type would hold of the value. Expressions of machine integers have 32 bits.
const Expr* Composer::cut(const Expr* value, const Type& type) {
  if (!type.is_machine() || type.bits == 32) return value;
  if (value->type->is_machine() && value->type->bits == type.bits && value->type->is_signed == type.is_signed)
    return value;
  const auto number = [&](std::int64_t n) {
    Expr& constant = program_.exprs.emplace_back();
    constant.type = &machine_int();
    constant.range = value->range;
    constant.value = n;
    return &constant;
  };
  const auto operation = [&](Expr::Kind kind, const Expr* a, std::int64_t n) {
    Expr* const result = binary(kind, a, number(n));
    result->type = &machine_int();
    return result;
  };
  if (value->kind == Expr::Kind::constant) return number(type.fit(value->value));
  if (!type.is_signed) return operation(Expr::Kind::bit_and, value, (std::int64_t{1} << type.bits) - 1);
  const std::int64_t spare = 32 - std::int64_t{type.bits};
  return operation(Expr::Kind::shift_right, operation(Expr::Kind::shift_left, value, spare), spare);
}

void Composer::check_size(const Edge& joint, const Edge& accepting, bool fits) {
  const Note partner{accepting.range, "this is the other side"};
  if (joint.instances() > Edge::max_instances)
    diagnostics_
        .error("F310", joint.range, fmt::format("the joint step has more than {} instances", Edge::max_instances))
        .notes = {partner};
  if (!fits)
    diagnostics_
        .error("F311", joint.range,
               fmt::format("the local variables of the joint step are larger than {} bits", Builder::max_bits))
        .notes = {partner};
}

const Expr* Composer::is_at_source(const Party& party) {
  if (program_.components[party.component].location == nullptr) return nullptr;
  const Place* const current = location(party);
  Expr& read = program_.exprs.emplace_back();
  read.kind = Expr::Kind::read_or_undefined;
  read.type = current->type;
  read.range = party.edge->range;
  read.place = current;
  return binary(Expr::Kind::equal, &read, location_value(party, party.edge->source));
}

const Stmt* Composer::move_to_target(const Party& party) {
  return assign(party, *location(party), location_value(party, party.edge->target));
}

const Stmt* Composer::assign(const Party& party, const Place& place, const Expr* value) {
  program_.sites.push_back({FaultKind::out_of_range, party.edge->range, party.edge->name});
  Stmt& stmt = program_.stmts.emplace_back();
  stmt.kind = Stmt::Kind::assign;
  stmt.range = party.edge->range;
  stmt.site = SiteId{static_cast<std::uint32_t>(program_.sites.size() - 1)};
  stmt.place = &place;
  stmt.value = value;
  return &stmt;
}

const Place* Composer::location(const Party& party) {
  Place& place = program_.places.emplace_back();
  place.variable = program_.components[party.component].location;
  place.type = place.variable->type;
  place.range = party.edge->range;
  return &place;
}

// Executors write a location as its code, the number of the location plus one.
const Expr* Composer::location_value(const Party& party, std::uint32_t location) {
  Expr& value = program_.exprs.emplace_back();
  value.type = program_.components[party.component].location->type;
  value.range = party.edge->range;
  value.value = value.type->value(std::uint64_t{location} + 1);
  return &value;
}

const Expr* Composer::conjunction(const Expr* a, const Expr* b) {
  if (a == nullptr || b == nullptr) return a == nullptr ? b : a;
  return binary(Expr::Kind::logical_and, a, b);
}

Expr* Composer::binary(Expr::Kind kind, const Expr* a, const Expr* b) {
  Expr& expr = program_.exprs.emplace_back();
  expr.kind = kind;
  expr.type = boolean_;
  expr.range = a->range;
  expr.a = a;
  expr.b = b;
  return &expr;
}

}  // namespace

void compose(Program& program, Diagnostics& diagnostics) {
  Composer(program, diagnostics).run();
}

}  // namespace fathom::ir
