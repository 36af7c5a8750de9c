#include "ir/validate.hpp"

#include <set>

#include <fmt/format.h>

namespace fathom::ir {

namespace {

class Validator {
 public:
  explicit Validator(const Program& program) : program_(program) {}
  std::vector<std::string> run();

 private:
  void require(bool sound, const char* what) {
    if (!sound) findings_.push_back(fmt::format("{}: {}", where_, what));
  }
  void types();
  void variables();
  void routine(const Routine& routine);
  void edge(const Edge& edge);
  void synchronisation(const Edge& edge);
  void function(const Function& function);
  void property(const Property& property);
  void parameters(const std::vector<Parameter>& parameters);

  void expr(const Expr* expr);
  void operands(const Expr& expr);
  void scalar_place(const Place* place);
  void multiset_place(const Place* place);
  void place(const Place* place);
  void step(const PathStep& step, const Type* container);
  void binding(const Binding* binding, bool has_domain);
  void call(const Call* call);
  void argument(const Argument& argument, const Local& formal);
  void local(const Local* local);
  void block(const Block& block);
  void stmt(const Stmt& stmt);
  void loops_and_branches(const Stmt& stmt);
  void source_or_value(const Stmt& stmt, const Type& wanted);
  void site(SiteId site) { require(static_cast<std::size_t>(site) < program_.sites.size(), "a site is out of range"); }

  const Program& program_;
  std::vector<std::string> findings_;
  std::string where_ = "types";
  const Routine* routine_ = nullptr;
  const Function* function_ = nullptr;
  std::set<const Local*> locals_;
  std::set<const Expr*> seen_;  // shared nodes are checked once per routine
};

std::vector<std::string> Validator::run() {
  types();
  variables();
  for (const auto& each : program_.functions) function(*each);
  for (const auto& each : program_.starts) {
    edge(*each);
    require(!each->synchronisation, "a start synchronises");
  }
  for (const Edge* each : program_.edges()) edge(*each);
  for (const auto& each : program_.properties) property(*each);
  return std::move(findings_);
}

void Validator::types() {
  for (const Type& type : program_.types) {
    where_ = "type " + type.name;
    switch (type.kind) {
      case Type::Kind::array:
        require(type.index != nullptr && type.index->is_scalar() && !type.index->is_machine(),
                "the index is not a scalar with numbered values");
        require(type.stride == type.element->bits, "the stride is not the size of an element");
        require(type.bits == type.index->cardinality() * type.stride, "the size is not that of its elements");
        break;
      case Type::Kind::multiset:
        require(type.stride == type.element->bits + 1, "a slot is not an element and one bit");
        require(type.bits == std::uint64_t{type.capacity} * type.stride, "the size is not that of its slots");
        break;
      case Type::Kind::record: {
        std::uint32_t bits = 0;
        for (const Field& field : type.fields) {
          require(field.offset == bits, "a field does not follow its neighbour");
          bits += field.type->bits;
        }
        require(type.bits == bits, "the size is not that of its fields");
        break;
      }
      case Type::Kind::machine:
        require(type.bits >= 1 && type.bits <= 32, "a machine integer needs 1 to 32 bits");
        break;
      default:
        require(type.kind == Type::Kind::unite || (type.lo <= type.hi && type.lo != undefined), "the range is empty");
        require(type.bits >= 1 && type.bits <= 64, "a scalar needs 1 to 64 bits");
    }
  }
}

void Validator::variables() {
  std::uint32_t bits = 0;
  for (const Variable& variable : program_.variables) {
    where_ = "variable " + variable.name;
    require(variable.offset == bits, "it does not follow its neighbour");
    bits += variable.type->bits;
  }
  require(program_.state_bits == bits, "the state is not the sum of its variables");
}

void Validator::routine(const Routine& routine) {
  routine_ = &routine;
  locals_.clear();
  seen_.clear();
  for (const Local& each : routine.locals) {
    locals_.insert(&each);
    require(each.type != nullptr, "a local has no type");
    switch (each.storage) {
      case Local::Storage::in_register:
        require(each.slot < routine.registers, "a register is out of range");
        require(each.type->is_scalar(), "a register holds an aggregate");
        break;
      case Local::Storage::reference:
        require(each.slot < routine.references, "a reference is out of range");
        break;
      case Local::Storage::frame:
        require(std::uint64_t{each.slot} + each.type->bits <= routine.frame_bits, "a local leaves the frame");
    }
  }
  block(routine.body);
}

void Validator::edge(const Edge& edge) {
  where_ = edge.name;
  function_ = nullptr;
  routine(edge.routine);
  parameters(edge.parameters);
  if (edge.guard != nullptr) expr(edge.guard);
  synchronisation(edge);
  require(edge.control != Control::keep_first || edge.blocked != SiteId::none, "a deterministic step has no site");
}

void Validator::synchronisation(const Edge& edge) {
  for (const std::uint32_t number : edge.participants)
    require(number < program_.components.size(), "a participant is no component");
  if (!edge.synchronisation) return;
  const Expr* const port = edge.synchronisation->port;
  expr(port);
  if (port != nullptr && port->type != nullptr) require(port->type->is_scalar(), "a port is not scalar");
  const bool offers = edge.synchronisation->side == Synchronisation::Side::offers;
  require(offers || edge.synchronisation->values.empty(), "the accepting side sends values");
  require(!offers || edge.synchronisation->received.empty(), "the offering side receives values");
  for (const Expr* value : edge.synchronisation->values) expr(value);
  for (const Local* each : edge.synchronisation->received) {
    local(each);
    if (each != nullptr) require(each->storage == Local::Storage::in_register, "a value is received elsewhere");
  }
}

void Validator::function(const Function& function) {
  where_ = function.name;
  function_ = &function;
  routine(function.routine);
  for (const Local* parameter : function.parameters) local(parameter);
  const bool aggregate = function.result != nullptr && !function.result->is_scalar();
  require(aggregate == (function.result_local != nullptr), "an aggregate result needs a local");
  require((function.result != nullptr) == (function.no_return != SiteId::none), "a result needs a no_return site");
}

void Validator::property(const Property& property) {
  where_ = property.name;
  function_ = nullptr;
  routine(property.routine);
  parameters(property.parameters);
  require(property.condition != nullptr || property.kind == Property::Kind::cover, "it has no condition");
  require(property.kind != Property::Kind::liveness || property.parameters.empty(), "liveness has parameters");
  if (property.condition != nullptr) expr(property.condition);
  if (property.antecedent != nullptr) expr(property.antecedent);
}

void Validator::parameters(const std::vector<Parameter>& parameters) {
  for (const Parameter& parameter : parameters) {
    local(parameter.local);
    require(parameter.local->storage == Local::Storage::in_register, "a parameter is not a register");
  }
}

void Validator::local(const Local* local) {
  require(local != nullptr && locals_.contains(local), "a local belongs to another routine");
}

void Validator::expr(const Expr* expr) {
  if (expr == nullptr) return require(false, "an expression is missing");
  if (!seen_.insert(expr).second) return;
  require(expr->type != nullptr, "an expression has no type");
  site(expr->site);
  switch (expr->kind) {
    case Expr::Kind::constant:
    case Expr::Kind::undefined_value:
    case Expr::Kind::timeout:
      break;
    case Expr::Kind::read:
    case Expr::Kind::read_or_undefined:
    case Expr::Kind::is_undefined:
      scalar_place(expr->place);
      break;
    case Expr::Kind::same:
    case Expr::Kind::different:
      place(expr->place);
      place(expr->other);
      require(expr->place->type->bits == expr->other->type->bits, "aggregates of different size are compared");
      break;
    case Expr::Kind::for_all:
    case Expr::Kind::exists:
      binding(expr->binding, true);
      this->expr(expr->a);
      break;
    case Expr::Kind::call:
      call(expr->call);
      break;
    case Expr::Kind::slot_filled:
      multiset_place(expr->place);
      this->expr(expr->a);
      break;
    case Expr::Kind::multiset_count:
      multiset_place(expr->place);
      binding(expr->binding, false);
      this->expr(expr->a);
      break;
    default:
      operands(*expr);
  }
}

void Validator::operands(const Expr& each) {
  expr(each.a);
  const bool unary = each.kind == Expr::Kind::negate || each.kind == Expr::Kind::complement ||
                     each.kind == Expr::Kind::logical_not || each.kind == Expr::Kind::is_member;
  if (!unary) expr(each.b);
  const auto typed = [](const Expr* operand) { return operand != nullptr && operand->type != nullptr; };
  if (!unary && each.kind != Expr::Kind::conditional && typed(each.a) && typed(each.b))
    require(each.a->type->zero == each.b->type->zero, "the operands hold numbers in different ways");
  if (each.kind == Expr::Kind::conditional) expr(each.c);
  if (each.kind == Expr::Kind::is_member) require(each.tested != nullptr, "the tested type is missing");
}

void Validator::scalar_place(const Place* each) {
  place(each);
  if (each != nullptr) require(each->type->is_scalar(), "a scalar place is needed");
}

void Validator::multiset_place(const Place* each) {
  place(each);
  if (each != nullptr) require(each->type->kind == Type::Kind::multiset, "a multiset is needed");
}

void Validator::place(const Place* each) {
  if (each == nullptr) return require(false, "a place is missing");
  if (each->variable == nullptr) local(each->local);
  if (each->variable == nullptr && each->local == nullptr) return;
  if (each->call != nullptr) expr(each->call);
  const Type* type = each->variable != nullptr ? each->variable->type : each->local->type;
  require(!is_register(*each) || each->path.empty(), "a register has no parts");
  for (const PathStep& part : each->path) {
    step(part, type);
    switch (part.kind) {
      case PathStep::Kind::field:
        type = part.container->fields[part.field].type;
        break;
      default:
        type = part.container->element;
    }
  }
  require(type == each->type, "the type of a place is not that at the end of its path");
}

void Validator::step(const PathStep& part, const Type* container) {
  require(part.container == container, "a step starts from another type");
  site(part.site);
  switch (part.kind) {
    case PathStep::Kind::field:
      require(part.container->kind == Type::Kind::record && part.field < part.container->fields.size(),
              "no such field");
      break;
    case PathStep::Kind::index:
      require(part.container->kind == Type::Kind::array, "the container is not an array");
      expr(part.index);
      break;
    case PathStep::Kind::slot:
      require(part.container->kind == Type::Kind::multiset, "the container is not a multiset");
      expr(part.index);
  }
}

void Validator::binding(const Binding* each, bool has_domain) {
  if (each == nullptr) return require(false, "a binding is missing");
  local(each->local);
  require(each->local->storage == Local::Storage::in_register, "a counter is not a register");
  if (has_domain && each->domain.type != nullptr)
    require(!each->domain.type->is_machine(), "a loop over a machine type");
  if (!has_domain || each->domain.type != nullptr) return;
  expr(each->domain.from);
  expr(each->domain.to);
  if (each->domain.step != nullptr) expr(each->domain.step);
  site(each->domain.site);
}

void Validator::call(const Call* each) {
  if (each == nullptr) return require(false, "a call is missing");
  const std::vector<const Local*>& formals = each->callee->parameters;
  require(each->arguments.size() == formals.size(), "a call has too few or too many arguments");
  for (std::size_t k = 0; k < formals.size() && k < each->arguments.size(); ++k)
    argument(each->arguments[k], *formals[k]);
}

void Validator::argument(const Argument& each, const Local& formal) {
  site(each.site);
  const bool by_value = formal.storage != Local::Storage::reference && formal.type->is_scalar();
  if (by_value) return expr(each.value);
  place(each.place);
  if (each.place == nullptr) return;
  require(each.place->type->bits == formal.type->bits, "an argument has another size than its parameter");
  require(!is_register(*each.place), "a register is passed by reference");
}

void Validator::block(const Block& block) {
  for (const Stmt* each : block) stmt(*each);
}

void Validator::stmt(const Stmt& each) {
  site(each.site);
  switch (each.kind) {
    case Stmt::Kind::assign:
      scalar_place(each.place);
      expr(each.value);
      require(each.site != SiteId::none, "an assignment has no site");
      break;
    case Stmt::Kind::copy:
      place(each.place);
      place(each.source);
      require(each.place->type->bits == each.source->type->bits, "aggregates of different size are copied");
      break;
    case Stmt::Kind::undefine:
    case Stmt::Kind::clear:
      place(each.place);
      break;
    case Stmt::Kind::branch:
    case Stmt::Kind::loop_while:
    case Stmt::Kind::loop_for:
      loops_and_branches(each);
      break;
    case Stmt::Kind::call:
      call(each.call);
      break;
    case Stmt::Kind::give_back:
      if (function_ != nullptr && function_->result != nullptr) source_or_value(each, *function_->result);
      break;
    case Stmt::Kind::fail:
      require(each.site != SiteId::none, "a failure has no site");
      break;
    case Stmt::Kind::check:
    case Stmt::Kind::check_and_go_on:
    case Stmt::Kind::assume:
      expr(each.value);
      break;
    case Stmt::Kind::cover:
      expr(each.value);
      require(each.property < program_.properties.size(), "a cover counts for no property");
      break;
    case Stmt::Kind::put_text:
      break;
    case Stmt::Kind::put_value:
      if (each.value != nullptr) return expr(each.value);
      place(each.place);
      break;
    case Stmt::Kind::bind:
      local(each.local);
      place(each.place);
      require(each.local->storage == Local::Storage::reference, "something that is no reference is bound");
      break;
    case Stmt::Kind::multiset_add:
      multiset_place(each.place);
      source_or_value(each, *each.place->type->element);
      break;
    case Stmt::Kind::multiset_remove:
      multiset_place(each.place);
      expr(each.value);
      break;
    case Stmt::Kind::multiset_remove_if:
      multiset_place(each.place);
      binding(each.binding, false);
      expr(each.value);
  }
}

void Validator::loops_and_branches(const Stmt& each) {
  if (each.kind == Stmt::Kind::loop_while) expr(each.value);
  if (each.kind == Stmt::Kind::loop_for) binding(each.binding, true);
  for (const Branch& branch : each.branches) {
    if (branch.condition != nullptr) expr(branch.condition);
    block(branch.body);
  }
  block(each.body);
}

void Validator::source_or_value(const Stmt& each, const Type& wanted) {
  if (wanted.is_scalar()) return expr(each.value);
  place(each.source);
  if (each.source != nullptr) require(each.source->type->bits == wanted.bits, "an aggregate has another size");
}

}  // namespace

std::vector<std::string> validate(const Program& program) {
  return Validator(program).run();
}

}  // namespace fathom::ir
