// The names of a model. Variables live in nested scopes, everything else is global; a name is known from its
// declaration on.
#pragma once

#include <string>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "lang/promela/ast.hpp"
#include "lang/promela/token.hpp"

namespace fathom::promela {

struct Inline {
  std::string name;
  SourceRange range;
  std::vector<std::string> parameters;
  std::vector<Token> body;  // with its braces
};

class Names {
 public:
  Names() { open(0); }
  void open(std::uint32_t block) { levels_.push_back({block, {}}); }
  void close() { levels_.pop_back(); }

  // Null, or the variable that has the name in the innermost scope.
  Variable* declare(Variable& variable);
  [[nodiscard]] Variable* find_variable(const std::string& name) const;
  // Numbers of the blocks that are open inside the process, outermost first; the body is the first.
  [[nodiscard]] std::vector<std::uint32_t> blocks() const;

  std::unordered_map<std::string, const MtypeConstant*> mtype_constants;
  std::unordered_map<std::string, const Typedef*> typedefs;
  std::unordered_map<std::string, const Process*> proctypes;
  std::unordered_map<std::string, Inline> inlines;

  // Names whose declaration had a mistake: their uses stay silent.
  std::unordered_set<std::string> broken;

  // What has this name besides a variable, as messages call it: "mtype constant", or "" for nothing.
  [[nodiscard]] std::string other_use(const std::string& name) const;
  // Candidates for "did you mean", sorted.
  [[nodiscard]] std::vector<std::string> values() const;
  [[nodiscard]] std::vector<std::string> callables() const;

 private:
  struct Level {
    std::uint32_t block;
    std::unordered_map<std::string, Variable*> variables;
  };
  std::vector<Level> levels_;
};

}  // namespace fathom::promela
