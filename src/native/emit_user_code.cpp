#include "native/emit_user_code.hpp"

#include <fmt/format.h>

#include "native/runtime_text.hpp"

namespace fathom {

using ir::Type;
using ir::UserBlock;
using ir::UserObject;

namespace {

// What the user's text may rely on, as it may in Spin. Its output is heard only where a step is shown to somebody.
constexpr std::string_view surroundings = R"(
#include <ctype.h>
#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
typedef unsigned char uchar;
static void (*fathom_print)(void *, const char *);
static void *fathom_listener;
static int fathom_printf(const char *format, ...) {
  char text[4096];
  va_list values;
  if (!fathom_print) return 0;
  va_start(values, format);
  const int length = vsnprintf(text, sizeof text, format, values);
  va_end(values);
  fathom_print(fathom_listener, text);
  return length;
}
#undef printf
#define printf fathom_printf
#define Printf fathom_printf
static int fathom_failed;
static inline void uerror(const char *why) { fathom_failed = 1; fathom_printf("%s\n", why); }
#define Uerror uerror
)";

// Objects move one scalar at a time; `fathom_s` is the state.
class Mover {
 public:
  Mover(bool into_state, std::string& out) : into_state_(into_state), out_(out) {}

  void move(const UserObject& object) {
    if (object.form == UserObject::Form::bytes) return move_bytes(object);
    if (into_state_ && object.form == UserObject::Form::constant) return;
    move(object.text, *object.type, fmt::format("{}u", object.offset));
  }

 private:
  void move(const std::string& lvalue, const Type& type, const std::string& bit) {
    if (type.kind == Type::Kind::record) {
      for (const ir::Field& field : type.fields)
        move(fmt::format("{}.{}", lvalue, field.name), *field.type, fmt::format("{} + {}u", bit, field.offset));
    } else if (type.kind == Type::Kind::array) {
      const std::string index = fmt::format("fathom_i{}", depth_++);
      out_ += fmt::format("for (uint64_t {0} = 0; {0} < {1}u; ++{0}) {{\n", index, type.index->cardinality());
      move(fmt::format("{}[{}]", lvalue, index), *type.element, fmt::format("{} + {} * {}u", bit, index, type.stride));
      out_ += "}\n";
      --depth_;
    } else if (into_state_) {
      out_ +=
          fmt::format("fathom_set(fathom_s, {0}, {1}, (uint64_t)({2}) & fathom_mask({1}));\n", bit, type.bits, lvalue);
    } else {
      out_ += fmt::format("{} = {}fathom_get(fathom_s, {}, {});\n", lvalue,
                          type.is_signed ? fmt::format("(int{}_t)", type.bits) : "", bit, type.bits);
    }
  }

  void move_bytes(const UserObject& object) {
    out_ += fmt::format("{{ unsigned char *const fathom_at = (unsigned char *)({});\nif (fathom_at) {{\n", object.text);
    move("fathom_at", *object.type, fmt::format("{}u", object.offset));
    out_ += "}";
    if (into_state_) out_ += fmt::format(" else fathom_zero(fathom_s, {}u, {}u);", object.offset, object.type->bits);
    out_ += "\n}\n";
  }

  bool into_state_;
  std::string& out_;
  unsigned depth_ = 0;
};

class UserCodeWriter {
 public:
  explicit UserCodeWriter(const ir::UserCode& code) : code_(code) {}

  std::string write() {
    out_ = fmt::format("{}{}{}\n", runtime_text, surroundings, code_.declarations);
    for (std::size_t k = 0; k < code_.blocks.size(); ++k) write_block(k);
    out_ += "#line 1 \"generated\"\n";
    write_mover("fathom_load", false, code_.globals);
    write_mover("fathom_store", true, code_.globals);
    write_mover("fathom_load_tracked", false, code_.tracked);
    write_mover("fathom_store_tracked", true, code_.tracked);
    write_first_values();
    for (std::size_t k = 0; k < code_.uses.size(); ++k) write_use(k);
    write_entry();
    return std::move(out_);
  }

 private:
  static std::string parameter(const UserBlock& block) {
    return block.process_name.empty() ? "void" : fmt::format("{} *const {}", block.process_type, block.process_name);
  }

  void write_block(std::size_t number) {
    const UserBlock& block = code_.blocks[number];
    if (!block.condition.empty())
      out_ += fmt::format("static int fathom_condition_{}({}) {{ return (0 != (\n{}\n)); }}\n", number,
                          parameter(block), block.condition);
    if (block.kind == UserBlock::Kind::value) {
      out_ +=
          fmt::format("static int fathom_block_{}({}) {{ return (\n{}\n); }}\n", number, parameter(block), block.body);
    } else {
      out_ += fmt::format("static void fathom_block_{}({}) {{\n{}\n}}\n", number, parameter(block), block.body);
    }
  }

  void write_mover(const char* name, bool into_state, const std::vector<UserObject>& objects) {
    out_ += fmt::format("static void {}({}uint64_t *fathom_s) {{\n", name, into_state ? "" : "const ");
    Mover mover(into_state, out_);
    for (const UserObject& object : objects) mover.move(object);
    out_ += "}\n";
  }

  // Objects outside the state have lived on when a second run begins, so their first values are kept.
  void write_first_values() {
    std::uint64_t bits = 0;
    for (const UserObject& object : code_.tracked)
      bits = std::max<std::uint64_t>(bits, object.offset + std::uint64_t{object.type->bits});
    out_ += fmt::format(
        "static void fathom_first_values(void) {{\nstatic uint64_t fathom_first[{}];\nstatic int fathom_known;\n"
        "if (fathom_known) fathom_load_tracked(fathom_first); else fathom_store_tracked(fathom_first);\n"
        "fathom_known = 1;\n}}\n",
        bits / 64 + 1);
  }

  void write_use(std::size_t number) {
    const ir::UserUse& use = code_.uses[number];
    const UserBlock& block = code_.blocks[use.block];
    const bool has_process = !block.process_name.empty();
    out_ += fmt::format("static uint32_t fathom_use_{}(uint64_t *fathom_s, int64_t *fathom_value) {{\n", number);
    if (has_process)
      out_ += fmt::format("{} fathom_process;\nmemset(&fathom_process, 0, sizeof fathom_process);\n{}",
                          block.process_type, use.setup);
    out_ += "fathom_failed = 0;\nfathom_load(fathom_s);\n";
    out_ += block.kind == UserBlock::Kind::start ? "fathom_first_values();\n" : "fathom_load_tracked(fathom_s);\n";
    for (const UserObject& object : use.process) Mover(false, out_).move(object);
    const char* const argument = has_process ? "&fathom_process" : "";
    if (!block.condition.empty()) out_ += fmt::format("if (!fathom_condition_{}({})) return 1;\n", use.block, argument);
    if (block.kind == UserBlock::Kind::value) {
      out_ += fmt::format("*fathom_value = fathom_block_{}({});\n", use.block, argument);
    } else {
      out_ += fmt::format("fathom_block_{}({});\nfathom_store(fathom_s);\nfathom_store_tracked(fathom_s);\n", use.block,
                          argument);
      for (const UserObject& object : use.process) Mover(true, out_).move(object);
    }
    out_ += "return fathom_failed;\n}\n";
  }

  // The user's objects exist once, so only one thread at a time may be in here.
  void write_entry() {
    out_ += fmt::format(
        "__attribute__((visibility(\"default\"))) uint32_t {}(uint32_t fathom_use, uint64_t *fathom_s, int64_t "
        "*fathom_value, void (*fathom_print_to)(void *, const char *), void *fathom_listens) {{\n"
        "static volatile char fathom_busy;\nuint32_t fathom_result = 0;\n"
        "while (__atomic_test_and_set(&fathom_busy, __ATOMIC_ACQUIRE)) {{}}\n"
        "fathom_print = fathom_print_to;\nfathom_listener = fathom_listens;\nswitch (fathom_use) {{\n",
        user_code_symbol);
    for (std::size_t k = 0; k < code_.uses.size(); ++k)
      out_ += fmt::format("case {0}: fathom_result = fathom_use_{0}(fathom_s, fathom_value); break;\n", k);
    out_ += "}\n__atomic_clear(&fathom_busy, __ATOMIC_RELEASE);\nreturn fathom_result;\n}\n";
  }

  const ir::UserCode& code_;
  std::string out_;
};

}  // namespace

std::string emit_user_code(const ir::UserCode& code) {
  return UserCodeWriter(code).write();
}

std::string emit_user_sizes(const ir::UserCode& code, const std::vector<std::string>& sizes) {
  std::string out = fmt::format("{}{}{}\n__attribute__((visibility(\"default\"))) const uint64_t {}[] = {{\n",
                                runtime_text, surroundings, code.declarations, user_sizes_symbol);
  for (const std::string& size : sizes) out += fmt::format("(\n{}\n),\n", size);
  return out + "0};\n";
}

}  // namespace fathom
