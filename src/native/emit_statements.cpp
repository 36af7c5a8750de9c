// Emitter: statements and loops.
#include <fmt/format.h>

#include "native/emitter.hpp"

namespace fathom {

using ir::Expr;
using ir::Local;
using ir::Place;
using ir::Stmt;
using ir::Type;
using StmtKind = ir::Stmt::Kind;

namespace {

// Beyond these a loop stays a loop. Eight rounds cover the small scalarsets that protocol models are checked with; the
// text bound keeps nested loops from multiplying.
constexpr std::uint64_t max_unrolled_rounds = 8;
constexpr std::size_t max_unrolled_text = 6000;

bool same_codes(const Type& a, const Type& b) {
  if (a.is_machine() || b.is_machine()) return a.is_machine() && b.is_machine() && a.bits == b.bits;
  return &a == &b || (a.kind != Type::Kind::unite && b.kind != Type::Kind::unite && a.lo == b.lo && a.hi == b.hi);
}

}  // namespace

void Emitter::block(const ir::Block& block, std::string& out) {
  for (const Stmt* stmt : block) {
    out += "{ ";
    statement(*stmt, out);
    out += " }\n";
  }
}

void Emitter::statement(const Stmt& stmt, std::string& out) {
  switch (stmt.kind) {
    case StmtKind::assign:
      return assign(*stmt.place, *stmt.value, stmt.site, out);
    case StmtKind::copy:
      return copy(*stmt.place, *stmt.source, out);
    case StmtKind::undefine:
      return undefine(stmt, out);
    case StmtKind::clear:
      return clear(stmt, out);
    case StmtKind::branch:
      return branch(stmt, out);
    case StmtKind::loop_while:
      return loop_while(stmt, out);
    case StmtKind::loop_for:
      return loop_for(stmt, out);
    case StmtKind::call:
      return call_statement(*stmt.call, out);
    case StmtKind::give_back:
      return give_back(stmt, out);
    case StmtKind::fail:
      out += fail_text(stmt.site);
      return;
    case StmtKind::check:
      out += fmt::format("if (FATHOM_UNLIKELY(!({}))) {}", value(*stmt.value), fail_text(stmt.site));
      return;
    case StmtKind::check_and_go_on:
      out += fmt::format("if (FATHOM_UNLIKELY(!({})) && !host->noted) host->noted = {};", value(*stmt.value),
                         static_cast<std::uint32_t>(stmt.site));
      return;
    case StmtKind::assume:
      out += fmt::format("if (!({})) FATHOM_FAIL(FATHOM_BLOCKED);", value(*stmt.value));
      return;
    case StmtKind::cover:
      out += fmt::format("if ({}) ++host->hits[{}];", value(*stmt.value), stmt.property);
      return;
    case StmtKind::put_text:
    case StmtKind::put_value:
      return put(stmt, out);
    case StmtKind::bind: {
      const PlaceText at = place(*stmt.place);
      out += fmt::format("{0}uint64_t *const words_ = {1}; b{3} = {2}; w{3} = words_;", at.setup, at.words, at.bit,
                         stmt.local->slot);
      return;
    }
    case StmtKind::multiset_add:
      return multiset_add(stmt, out);
    case StmtKind::multiset_remove:
      return multiset_remove(stmt, out);
    case StmtKind::multiset_remove_if:
      return multiset_remove_if(stmt, out);
  }
}

// The code to store, where it is known without going through the value.
std::optional<std::string> Emitter::direct_code(const Expr& expr, const Type& target) {
  if (expr.kind == Expr::Kind::undefined_value) return "0";
  if (expr.kind == Expr::Kind::constant && target.contains(expr.value))
    return fmt::format("{}u", target.code(expr.value));
  const bool is_read = expr.kind == Expr::Kind::read || expr.kind == Expr::Kind::read_or_undefined;
  if (!is_read || is_register(*expr.place) || !same_codes(*expr.place->type, target)) return std::nullopt;
  if (expr.kind == Expr::Kind::read_or_undefined || expr.site == ir::SiteId::none || target.is_machine())
    return code_at(*expr.place);
  return fmt::format("FATHOM_DEFINED_CODE({}, {})", code_at(*expr.place), static_cast<std::uint32_t>(expr.site));
}

// The value is computed and checked before the place is: the first of several faults is the one reported.
void Emitter::assign(const Place& target, const Expr& expr, ir::SiteId site, std::string& out) {
  const Type& type = *target.type;
  const std::string value = temporary();
  if (is_register(target)) {
    out += fmt::format("const int64_t {0} = {1}; if (FATHOM_UNLIKELY({0} != FATHOM_UNDEFINED && !{2})) {3} r{4} = {5};",
                       value, this->value(expr), contains(type, value), fail_text(site), target.local->slot,
                       fit(type, value));
    return;
  }
  const std::string code = temporary();
  if (const auto direct = direct_code(expr, type)) {
    out += fmt::format("const uint64_t {} = {}; ", code, *direct);
  } else {
    out += fmt::format("const int64_t {0} = {1}; const uint64_t {2} = {3}; {4}", value, this->value(expr), code,
                       code_of(type, value), unless_stored(type, value, code, site));
  }
  const PlaceText at = place(target);
  out += fmt::format("{}fathom_set({}, {}, {}, {});", at.setup, at.words, at.bit, type.bits, code);
}

std::string Emitter::unless_stored(const Type& type, const std::string& value, const std::string& code,
                                   ir::SiteId site) {
  if (type.is_machine()) return "";
  return fmt::format("if (FATHOM_UNLIKELY(!{} && {} != FATHOM_UNDEFINED)) {} ", code, value, fail_text(site));
}

void Emitter::copy(const Place& target, const Place& source, std::string& out) {
  const PlaceText from = place(source);
  const PlaceText to = place(target);
  out += fmt::format("{}{}fathom_copy({}, {}, {}, {}, {});", from.setup, to.setup, to.words, to.bit, from.words,
                     from.bit, target.type->bits);
}

void Emitter::undefine(const Stmt& stmt, std::string& out) {
  if (is_register(*stmt.place)) {
    out += fmt::format("r{} = {};", stmt.place->local->slot, stmt.place->type->is_machine() ? "0" : "FATHOM_UNDEFINED");
    return;
  }
  const PlaceText at = place(*stmt.place);
  out += fmt::format("{}fathom_zero({}, {}, {});", at.setup, at.words, at.bit, stmt.place->type->bits);
}

void Emitter::clear(const Stmt& stmt, std::string& out) {
  const Type& type = *stmt.place->type;
  if (is_register(*stmt.place)) {
    out += fmt::format("r{} = INT64_C({});", stmt.place->local->slot, type.is_machine() ? 0 : type.value(1));
    return;
  }
  const PlaceText at = place(*stmt.place);
  const std::string words = temporary(), bit = temporary();
  out += fmt::format("{}uint64_t *const {} = {}; const uint64_t {} = {}; ", at.setup, words, at.words, bit, at.bit);
  clear_bits(type, words, bit, out);
}

void Emitter::clear_bits(const Type& type, const std::string& words, const std::string& bit, std::string& out) {
  switch (type.kind) {
    case Type::Kind::record:
      for (const ir::Field& field : type.fields)
        clear_bits(*field.type, words, fmt::format("{} + {}u", bit, field.offset), out);
      return;
    case Type::Kind::array: {
      const std::string index = temporary();
      out += fmt::format("for (uint64_t {0} = 0; {0} < {1}u; ++{0}) {{ ", index, type.index->cardinality());
      clear_bits(*type.element, words, fmt::format("{} + {} * {}u", bit, index, type.stride), out);
      out += "} ";
      return;
    }
    case Type::Kind::multiset:
      out += fmt::format("fathom_zero({}, {}, {}); ", words, bit, type.bits);
      return;
    default:
      out += fmt::format("fathom_set({}, {}, {}, {}); ", words, bit, type.bits, type.is_machine() ? 0 : 1);
  }
}

void Emitter::branch(const Stmt& stmt, std::string& out) {
  const char* otherwise = "";
  for (const ir::Branch& branch : stmt.branches) {
    out += otherwise;
    if (branch.condition != nullptr) out += fmt::format("if ({}) ", value(*branch.condition));
    out += "{\n";
    block(branch.body, out);
    out += "}";
    if (branch.condition == nullptr) return;
    otherwise = " else ";
  }
}

void Emitter::loop_while(const Stmt& stmt, std::string& out) {
  const std::string round = temporary();
  out += fmt::format("for (uint64_t {0} = 0; {1}; ++{0}) {{\nif (FATHOM_UNLIKELY({0} == {2}u)) {3}\n", round,
                     value(*stmt.value), program_.loop_limit, fail_text(stmt.site));
  block(stmt.body, out);
  out += "}";
}

void Emitter::loop_for(const Stmt& stmt, std::string& out) {
  std::string body;
  block(stmt.body, body);
  if (const auto values = unrolled_values(stmt.binding->domain, body.size())) {
    for (const std::int64_t v : *values)
      out += fmt::format("{{ r{} = INT64_C({});\n{}}}\n", stmt.binding->local->slot, v, body);
    return;
  }
  out += open_loop(*stmt.binding) + "\n" + body + "}";
}

std::optional<std::vector<std::int64_t>> Emitter::unrolled_values(const ir::Domain& domain, std::size_t body_size) {
  const auto constant = [](const Expr* expr) { return expr->kind == Expr::Kind::constant; };
  std::vector<std::int64_t> values;
  if (domain.type != nullptr) {
    if (domain.type->cardinality() > max_unrolled_rounds) return std::nullopt;
    for (std::uint64_t code = 1; code <= domain.type->cardinality(); ++code) values.push_back(domain.type->value(code));
  } else {
    if (!constant(domain.from) || !constant(domain.to) || (domain.step != nullptr && !constant(domain.step)))
      return std::nullopt;
    const std::int64_t step = domain.step == nullptr ? 1 : domain.step->value;
    const ir::ParameterDomain rounds{{{domain.from->value, domain.to->value, step}}};
    if (step == 0 || rounds.size() > max_unrolled_rounds) return std::nullopt;
    for (std::uint64_t k = 0; k < rounds.size(); ++k) values.push_back(rounds.at(k));
  }
  if (values.size() * body_size > max_unrolled_text) return std::nullopt;
  return values;
}

std::string Emitter::open_loop(const ir::Binding& binding) {
  const ir::Domain& domain = binding.domain;
  const std::string name = temporary();
  if (domain.type != nullptr) {
    return fmt::format("for (uint64_t {0} = 1; {0} <= {1}u; ++{0}) {{ r{2} = {3}; ", name, domain.type->cardinality(),
                       binding.local->slot, value_of(*domain.type, name));
  }
  const std::string from = value(*domain.from);
  const std::string to = value(*domain.to);
  const std::string step = domain.step == nullptr ? "1" : value(*domain.step);
  return fmt::format(
      "const int64_t {0}_from = {1}; const int64_t {0}_to = {2}; const int64_t {0}_step = {3}; "
      "if (FATHOM_UNLIKELY({0}_step == 0)) {4} "
      "uint64_t {0} = {0}_from; "
      "for (uint64_t {0}_left = fathom_rounds({0}_from, {0}_to, {0}_step); {0}_left; --{0}_left, {0} += {0}_step) "
      "{{ r{5} = {0}; ",
      name, from, to, step, fail_text(domain.site), binding.local->slot);
}

std::string Emitter::open_slots(const Place& place, const Local& index, std::string& words, std::string& bit) {
  const PlaceText at = this->place(place);
  const std::string slot = temporary();
  words = slot + "_words";
  bit = slot + "_bit";
  return fmt::format(
      "{0}uint64_t *const {1} = {2}; uint64_t {3} = {4}; "
      "for (uint64_t {5} = 0; {5} < {6}u; ++{5}, {3} += {7}u) {{ if (!fathom_get({1}, {3}, 1)) continue; r{8} = {5}; ",
      at.setup, words, at.words, bit, at.bit, slot, place.type->capacity, place.type->stride, index.slot);
}

void Emitter::call_statement(const ir::Call& call, std::string& out) {
  const Type* const result = call.callee->result;
  const std::string name = temporary();
  if (result == nullptr) {
    out += this->call(call, "");
  } else if (result->is_scalar()) {
    out += fmt::format("int64_t {}; {}", name, this->call(call, "&" + name));
  } else {
    out += fmt::format("uint64_t {0}[{1}] = {{0}}; {2}", name, std::max(1U, (result->bits + 63) / 64),
                       this->call(call, name + ", 0"));
  }
}

void Emitter::give_back(const Stmt& stmt, std::string& out) {
  if (stmt.source != nullptr) {
    const PlaceText from = place(*stmt.source);
    out += fmt::format("{}fathom_copy(result, result_bit, {}, {}, {}); ", from.setup, from.words, from.bit,
                       stmt.source->type->bits);
  } else if (stmt.value != nullptr) {
    const std::string name = temporary();
    out += fmt::format(
        "const int64_t {0} = {1}; if (FATHOM_UNLIKELY({0} != FATHOM_UNDEFINED && !{2})) {3} *result = {4}; ", name,
        value(*stmt.value), contains(*function_->result, name), fail_text(stmt.site), fit(*function_->result, name));
  }
  out += "goto done;";
}

void Emitter::put(const Stmt& stmt, std::string& out) {
  const std::uint32_t number = puts_.at(&stmt);
  if (stmt.kind == StmtKind::put_text) {
    out += fmt::format("if (host->put_text) host->put_text(host, {});", number);
  } else if (stmt.value != nullptr) {
    const std::string name = temporary();
    out += fmt::format("const int64_t {0} = {1}; if (host->put_value) host->put_value(host, {2}, {0});", name,
                       value(*stmt.value), number);
  } else {
    const PlaceText at = place(*stmt.place);
    out += fmt::format("{}if (host->put_place) host->put_place(host, {}, {}, {});", at.setup, number, at.words, at.bit);
  }
}

void Emitter::multiset_add(const Stmt& stmt, std::string& out) {
  const Type& set = *stmt.place->type;
  const Type& element = *set.element;
  const std::string name = temporary();
  PlaceText from;
  if (stmt.source != nullptr) {
    from = place(*stmt.source);
    out += from.setup;
  } else {
    out += fmt::format("const int64_t {}_value = {}; ", name, value(*stmt.value));
  }
  const PlaceText at = place(*stmt.place);
  out += fmt::format(
      "{0}uint64_t *const {1}_words = {2}; const uint64_t {1}_set = {3}; "
      "const unsigned {1} = fathom_free_slot({1}_words, {1}_set, {4}u, {5}u); if (FATHOM_UNLIKELY({1} == {4}u)) {6} "
      "const uint64_t {1}_bit = {1}_set + {1} * UINT64_C({5}); ",
      at.setup, name, at.words, at.bit, set.capacity, set.stride, fail_text(stmt.site));
  if (stmt.source != nullptr) {
    out +=
        fmt::format("fathom_copy({0}_words, {0}_bit + 1, {1}, {2}, {3}); ", name, from.words, from.bit, element.bits);
  } else {
    out += fmt::format("const uint64_t {0}_code = {1}; {2}fathom_set({0}_words, {0}_bit + 1, {3}, {0}_code); ", name,
                       code_of(element, name + "_value"),
                       unless_stored(element, name + "_value", name + "_code", stmt.site), element.bits);
  }
  out += fmt::format("fathom_set({0}_words, {0}_bit, 1, 1);", name);
}

void Emitter::multiset_remove(const Stmt& stmt, std::string& out) {
  const Type& set = *stmt.place->type;
  const std::string slot = temporary();
  out += fmt::format("const uint64_t {} = {}; ", slot, value(*stmt.value));
  const PlaceText at = place(*stmt.place);
  out += fmt::format(
      "{0}const uint64_t {1}_bit = {2} + {1} * {3}u; if (FATHOM_UNLIKELY({1} >= {4}u || !fathom_get({5}, {1}_bit, 1))) "
      "{6} "
      "fathom_zero({5}, {1}_bit, {3}u);",
      at.setup, slot, at.bit, set.stride, set.capacity, at.words, fail_text(stmt.site));
}

void Emitter::multiset_remove_if(const Stmt& stmt, std::string& out) {
  std::string words, bit;
  out += open_slots(*stmt.place, *stmt.binding->local, words, bit);
  out += fmt::format("if ({}) fathom_zero({}, {}, {}u); }}", value(*stmt.value), words, bit, stmt.place->type->stride);
}

}  // namespace fathom
