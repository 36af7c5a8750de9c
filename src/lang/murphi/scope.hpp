// Names and what they stand for, innermost scope first. Names are case-sensitive; only the predeclared `boolean`,
// `true` and `false` are found in any case, and only when nothing else has the name.
#pragma once

#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "ir/program.hpp"
#include "lang/murphi/ast.hpp"

namespace fathom::murphi {

// What a call may change, known once the function's body has been lowered.
struct FunctionInfo {
  ir::Function* function = nullptr;
  std::vector<bool> by_reference;
  std::vector<bool> writes_parameter;  // only `var` parameters can be
  bool writes_state = false;
};

struct Symbol {
  enum class Kind : std::uint8_t { type, value, place, function };
  Kind kind = Kind::value;
  SourceRange range = {};            // of the declaration; empty for predeclared names
  const ir::Type* type = nullptr;    // null when the declaration had a mistake: its uses stay silent
  const ir::Expr* value = nullptr;   // value
  const ir::Place* place = nullptr;  // place
  FunctionInfo* function = nullptr;  // function
  bool writable = false;             // place
  bool varies = false;               // value: a constant of this instance only, unfit for types
};

class Scopes {
 public:
  Scopes() { open(); }
  void open() { levels_.emplace_back(); }
  void close() { levels_.pop_back(); }

  // Null, or the symbol that already has the name in the innermost scope (which is then kept).
  const Symbol* declare(const std::string& name, const Symbol& symbol);
  [[nodiscard]] const Symbol* find(const std::string& name) const;
  // Visible names of one kind, or of values and places alike: candidates for "did you mean".
  [[nodiscard]] std::vector<std::string> names(Symbol::Kind kind) const;

 private:
  std::vector<std::unordered_map<std::string, Symbol>> levels_;
};

// Opens a scope for as long as it lives.
class ScopeGuard {
 public:
  explicit ScopeGuard(Scopes& scopes) : scopes_(scopes) { scopes_.open(); }
  ~ScopeGuard() { scopes_.close(); }
  ScopeGuard(const ScopeGuard&) = delete;
  ScopeGuard& operator=(const ScopeGuard&) = delete;

 private:
  Scopes& scopes_;
};

// "boolean", "true" or "false" if `name` is one of them in any case; "" otherwise.
std::string_view predeclared(std::string_view name);

}  // namespace fathom::murphi
