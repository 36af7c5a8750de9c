// Interpreter: statements.
#include <fmt/format.h>

#include "model/interpreter.hpp"
#include "model/interpreter_domains.hpp"
#include "model/put.hpp"
#include "state/bits.h"

namespace fathom {

using ir::Local;
using ir::Place;
using ir::Stmt;
using ir::Type;
using StmtKind = ir::Stmt::Kind;

namespace {

// What clearing a scalar writes: the smallest value, and 0 for a machine integer, signed or not.
std::int64_t smallest(const Type& type) {
  return type.is_machine() ? 0 : type.value(1);
}

}  // namespace

Interpreter::Flow Interpreter::run(const ir::Block& block) {
  for (const Stmt* stmt : block)
    if (const Flow flow = run(*stmt); flow != Flow::next) return flow;
  return Flow::next;
}

Interpreter::Flow Interpreter::run(const Stmt& stmt) {
  switch (stmt.kind) {
    case StmtKind::assign: {
      const std::int64_t value = eval(*stmt.value);
      if (!failed()) write(*stmt.place, value, stmt.site);
      return after();
    }
    case StmtKind::copy:
      run_copy(*stmt.place, *stmt.source);
      return after();
    case StmtKind::undefine:
      if (stmt.place->type->is_scalar()) {
        write(*stmt.place, ir::undefined, stmt.site);
      } else if (Reference at; resolve(*stmt.place, at)) {
        fathom_zero(at.words, at.bit, stmt.place->type->bits);
      }
      return after();
    case StmtKind::clear:
      if (stmt.place->type->is_scalar()) {
        write(*stmt.place, smallest(*stmt.place->type), stmt.site);
      } else if (Reference at; resolve(*stmt.place, at)) {
        clear(*stmt.place->type, at);
      }
      return after();
    case StmtKind::branch:
      return run_branch(stmt);
    case StmtKind::loop_while:
      return run_while(stmt);
    case StmtKind::loop_for:
      return run_for(stmt);
    case StmtKind::call:
      return call(*stmt.call, nullptr, nullptr) ? Flow::next : Flow::stopped;
    case StmtKind::give_back:
      return run_return(stmt);
    case StmtKind::fail:
      fail(stmt.site, "");
      return Flow::stopped;
    case StmtKind::check:
      if (eval(*stmt.value) == 0) fail(stmt.site, "");
      return after();
    case StmtKind::check_and_go_on:
      if (eval(*stmt.value) == 0 && !failed() && noted_ == ir::SiteId::none) noted_ = stmt.site;
      return after();
    case StmtKind::assume:
      if (eval(*stmt.value) == 0 && !failed()) {
        blocked_ = true;
        return Flow::stopped;
      }
      return after();
    case StmtKind::cover:
      if (eval(*stmt.value) != 0 && !failed() && !quiet) ++hits[stmt.property];
      return after();
    case StmtKind::put_text:
    case StmtKind::put_value:
      run_put(stmt);
      return after();
    case StmtKind::bind: {
      Reference at;
      if (resolve(*stmt.place, at)) top().references[stmt.local->slot] = at;
      return after();
    }
    case StmtKind::multiset_add:
      run_multiset_add(stmt);
      return after();
    case StmtKind::multiset_remove:
      run_multiset_remove(stmt);
      return after();
    case StmtKind::multiset_remove_if:
      each_filled_slot(*stmt.place, *stmt.binding->local, [&](std::uint64_t bit) {
        const bool remove = eval(*stmt.value) != 0 && !failed();
        Reference at;
        if (remove && resolve(*stmt.place, at)) fathom_zero(at.words, bit, stmt.place->type->stride);
      });
      return after();
  }
  return Flow::next;
}

bool Interpreter::write(const Place& place, std::int64_t value, ir::SiteId site) {
  const Type& type = *place.type;
  if (value != ir::undefined && !type.contains(value)) {
    fail(site, fmt::format("{} is outside {}", show(type, value), describe(type)));
    return false;
  }
  if (place.local != nullptr && place.local->storage == Local::Storage::in_register) {
    set_register(*place.local, type.fit(value));
    return true;
  }
  Reference at;
  if (!resolve(place, at)) return false;
  fathom_set(at.words, at.bit, type.bits, type.encode(value));
  return true;
}

// Two places of one type are the same place or do not overlap, so the bits can be copied straight.
void Interpreter::run_copy(const Place& to, const Place& from) {
  Reference source, target;
  if (resolve(from, source) && resolve(to, target))
    fathom_copy(target.words, target.bit, source.words, source.bit, to.type->bits);
}

void Interpreter::clear(const Type& type, Reference at) {
  switch (type.kind) {
    case Type::Kind::record:
      for (const ir::Field& field : type.fields) clear(*field.type, {at.words, at.bit + field.offset});
      return;
    case Type::Kind::array:
      for (std::uint64_t k = 0; k < type.index->cardinality(); ++k)
        clear(*type.element, {at.words, at.bit + k * type.stride});
      return;
    case Type::Kind::multiset:
      fathom_zero(at.words, at.bit, type.bits);
      return;
    default:
      fathom_set(at.words, at.bit, type.bits, type.encode(smallest(type)));
  }
}

Interpreter::Flow Interpreter::run_branch(const Stmt& stmt) {
  for (const ir::Branch& branch : stmt.branches) {
    const bool chosen = branch.condition == nullptr || eval(*branch.condition) != 0;
    if (failed()) return Flow::stopped;
    if (chosen) return run(branch.body);
  }
  return Flow::next;
}

Interpreter::Flow Interpreter::run_while(const Stmt& stmt) {
  for (std::uint64_t round = 0;; ++round) {
    const bool again = eval(*stmt.value) != 0;
    if (failed()) return Flow::stopped;
    if (!again) return Flow::next;
    if (round == program.loop_limit) {
      fail(stmt.site, fmt::format("more than {} rounds", program.loop_limit));
      return Flow::stopped;
    }
    if (const Flow flow = run(stmt.body); flow != Flow::next) return flow;
  }
}

Interpreter::Flow Interpreter::run_for(const Stmt& stmt) {
  Range range;
  if (!range_of(stmt.binding->domain, range)) return Flow::stopped;
  Flow flow = Flow::next;
  each_value(range, [&](std::int64_t value) {
    set_register(*stmt.binding->local, value);
    flow = run(stmt.body);
    return flow == Flow::next;
  });
  return flow;
}

Interpreter::Flow Interpreter::run_return(const Stmt& stmt) {
  if (stmt.source != nullptr) {
    Reference from;
    if (!resolve(*stmt.source, from)) return Flow::stopped;
    fathom_copy(top().frame.data(), function_->result_local->slot, from.words, from.bit, function_->result->bits);
  } else if (stmt.value != nullptr) {
    const std::int64_t value = eval(*stmt.value);
    if (!failed() && value != ir::undefined && !function_->result->contains(value))
      fail(stmt.site, fmt::format("{} is outside {}", show(*function_->result, value), describe(*function_->result)));
    if (failed()) return Flow::stopped;
    result_ = function_->result->fit(value);
  }
  return Flow::returned;
}

void Interpreter::run_put(const Stmt& stmt) {
  const bool audible = sink != nullptr && !quiet;
  if (stmt.kind == StmtKind::put_text) {
    if (audible) put_text(*sink, stmt);
  } else if (stmt.value != nullptr) {
    const std::int64_t value = eval(*stmt.value);
    if (audible && !failed()) put_value(*sink, stmt, value);
  } else if (Reference at; resolve(*stmt.place, at) && audible) {
    put_place(*sink, stmt, at.words, at.bit);
  }
}

void Interpreter::run_multiset_add(const Stmt& stmt) {
  const Type& set = *stmt.place->type;
  std::int64_t value = ir::undefined;
  Reference element, at;
  if (stmt.value != nullptr) value = eval(*stmt.value);
  if (failed() || (stmt.source != nullptr && !resolve(*stmt.source, element)) || !resolve(*stmt.place, at)) return;
  for (std::uint32_t slot = 0; slot < set.capacity; ++slot) {
    const std::uint64_t bit = at.bit + std::uint64_t{slot} * set.stride;
    if (fathom_get(at.words, bit, 1) != 0) continue;
    if (stmt.source != nullptr) {
      fathom_copy(at.words, bit + 1, element.words, element.bit, set.element->bits);
    } else if (value != ir::undefined && !set.element->contains(value)) {
      return fail(stmt.site, fmt::format("{} is outside {}", show(*set.element, value), describe(*set.element)));
    } else {
      fathom_set(at.words, bit + 1, set.element->bits, set.element->encode(value));
    }
    fathom_set(at.words, bit, 1, 1);
    return;
  }
  fail(stmt.site, fmt::format("{} of {} slots are taken", set.capacity, set.capacity));
}

void Interpreter::run_multiset_remove(const Stmt& stmt) {
  const Type& set = *stmt.place->type;
  const std::int64_t slot = eval(*stmt.value);
  Reference at;
  if (failed() || !resolve(*stmt.place, at)) return;
  const std::uint64_t bit = at.bit + std::uint64_t(slot) * set.stride;
  if (slot < 0 || slot >= set.capacity || fathom_get(at.words, bit, 1) == 0)
    return fail(stmt.site, fmt::format("slot {} holds no element", slot));
  fathom_zero(at.words, bit, set.stride);
}

}  // namespace fathom
