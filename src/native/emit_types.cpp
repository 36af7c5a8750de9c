// Emitter: routines' locals, and scalars with their codes.
#include <fmt/format.h>

#include "native/emitter.hpp"

namespace fathom {

using ir::Local;
using ir::Type;

Emitter::Emitter(const ir::Program& program) : program_(program) {
  for (std::uint32_t k = 0; k < program.functions.size(); ++k) functions_[program.functions[k].get()] = k;
  for (std::uint32_t k = 0; k < program.stmts.size(); ++k) {
    const ir::Stmt& stmt = program.stmts[k];
    if (stmt.kind == ir::Stmt::Kind::put_text || stmt.kind == ir::Stmt::Kind::put_value) puts_[&stmt] = k;
  }
}

void Emitter::enter(const ir::Routine& routine, const ir::Function* function) {
  routine_ = &routine;
  function_ = function;
}

std::string Emitter::declarations(const std::vector<ir::Parameter>& given) {
  std::vector<bool> declared(routine_->registers, false);
  std::vector<bool> is_machine(routine_->registers, false);
  for (const Local& local : routine_->locals)
    if (local.storage == Local::Storage::in_register) is_machine[local.slot] = local.type->is_machine();
  std::vector<bool> bound(routine_->references, false);
  for (const ir::Parameter& parameter : given) declared[parameter.local->slot] = true;
  std::string out = "uint32_t fault = 0;\n";
  if (function_ == nullptr) out += "const uint32_t depth = 0;\n";
  if (routine_->frame_bits > 0) out += fmt::format("uint64_t f[{}] = {{0}};\n", (routine_->frame_bits + 63) / 64);
  if (function_ != nullptr) {
    for (const Local* local : function_->parameters) {
      if (local->storage == Local::Storage::in_register) declared[local->slot] = true;
      if (local->storage == Local::Storage::reference) bound[local->slot] = true;
      if (local->storage == Local::Storage::frame && local->type->is_scalar())
        out += fmt::format("fathom_set(f, {0}, {1}, {2});\n", local->slot, local->type->bits,
                           code_of(*local->type, fmt::format("v{}", local->slot)));
    }
  }
  for (std::uint32_t k = 0; k < routine_->registers; ++k)
    if (!declared[k]) out += fmt::format("int64_t r{} = {};\n", k, is_machine[k] ? "0" : "FATHOM_UNDEFINED");
  for (std::uint32_t k = 0; k < routine_->references; ++k)
    if (!bound[k]) out += fmt::format("uint64_t *w{0} = 0, b{0} = 0;\n", k);
  return out;
}

std::string Emitter::parameters(const ir::Function& function) {
  std::string out;
  for (const Local* local : function.parameters) {
    switch (local->storage) {
      case Local::Storage::in_register:
        out += fmt::format(", int64_t r{}", local->slot);
        break;
      case Local::Storage::reference:
        out += fmt::format(", uint64_t *w{0}, uint64_t b{0}", local->slot);
        break;
      case Local::Storage::frame:
        out += fmt::format(", {}{}", local->type->is_scalar() ? "int64_t v" : "uint64_t *p", local->slot);
        break;
    }
  }
  if (function.result != nullptr)
    out += function.result->is_scalar() ? ", int64_t *result" : ", uint64_t *result, uint64_t result_bit";
  return out;
}

std::string Emitter::code_of(const Type& type, const std::string& value) {
  if (type.is_machine()) return fmt::format("((uint64_t)({}) & fathom_mask({}))", value, type.bits);
  if (type.kind == Type::Kind::unite) return fmt::format("code_{}({})", union_helpers(type), value);
  return fmt::format("fathom_code({}, INT64_C({}), {}u)", value, type.lo, type.cardinality());
}

std::string Emitter::value_of(const Type& type, const std::string& code) {
  if (type.is_machine())
    return type.is_signed ? fmt::format("fathom_signed({}, {})", code, type.bits)
                          : fmt::format("((int64_t)({}))", code);
  if (type.kind == Type::Kind::unite) return fmt::format("value_{}({})", union_helpers(type), code);
  return fmt::format("{}({}, INT64_C({}))", type.bits == 64 ? "fathom_wide_value" : "fathom_value", code, type.lo);
}

std::string Emitter::contains(const Type& type, const std::string& value) {
  if (&type == &ir::integer() || type.is_machine()) return fmt::format("({} != FATHOM_UNDEFINED)", value);
  return fmt::format("({} != 0)", code_of(type, value));
}

std::string Emitter::fit(const Type& type, const std::string& value) {
  return type.is_machine() ? value_of(type, code_of(type, value)) : value;
}

// The codes of a union are those of its members, one after the other.
std::uint32_t Emitter::union_helpers(const Type& type) {
  const auto [entry, fresh] = unions_.try_emplace(&type, static_cast<std::uint32_t>(unions_.size()));
  const std::uint32_t number = entry->second;
  if (!fresh) return number;
  std::string encode, decode;
  std::uint64_t before = 0;
  for (const Type* member : type.members) {
    const std::uint64_t count = member->cardinality();
    encode += fmt::format("if ((code = {})) return code + {}u;\n", code_of(*member, "value"), before);
    decode += fmt::format("if (code <= {}u) return {};\n", before + count,
                          value_of(*member, fmt::format("code - {}u", before)));
    before += count;
  }
  helpers_ += fmt::format("FATHOM_INLINE uint64_t code_{}(int64_t value) {{\nuint64_t code;\n{}return 0;\n}}\n", number,
                          encode);
  helpers_ +=
      fmt::format("FATHOM_INLINE int64_t value_{}(uint64_t code) {{\n{}return FATHOM_UNDEFINED;\n}}\n", number, decode);
  return number;
}

}  // namespace fathom
