// Macros and their expansion. Tokens that come from a macro's body point at its use and carry the macro as their
// origin; arguments keep their own place.
#pragma once

#include <memory>
#include <set>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "lang/promela/token.hpp"
#include "support/diagnostics.hpp"

namespace fathom::promela {

struct Macro {
  std::string name;
  SourceRange range;  // of the name in the definition
  bool takes_arguments = false;
  std::vector<std::string> parameters;
  bool takes_more = false;  // the last parameter, __VA_ARGS__, stands for all further arguments and their commas
  std::vector<Token> body;
};

class Macros {
 public:
  Macros(Origins& origins, Diagnostics& diagnostics) : origins_(origins), diagnostics_(diagnostics) {}

  // A definition that differs from the one in force replaces it, with a warning.
  void define(Macro macro);
  void undefine(const std::string& name) { table_.erase(name); }
  [[nodiscard]] bool defined(const std::string& name) const { return table_.contains(name); }

  // C code is not ours to expand: the definitions of the macros it uses, as lines of C.
  [[nodiscard]] std::string definitions_in(std::string_view code) const;

  // Everything expanded, `invalid` tokens included.
  std::vector<Token> expand(const std::vector<Token>& tokens);

 private:
  // A macro's name is not expanded again inside its own expansion: the hide sets of Dave Prosser's algorithm, which is
  // the one the C standard describes.
  using HideSet = std::shared_ptr<const std::set<std::string>>;
  struct Pending {
    Token token;
    HideSet hidden;
  };
  using Argument = std::vector<Pending>;

  void add_definitions(std::string_view code, std::set<std::string>& seen, std::string& out) const;
  [[nodiscard]] std::vector<Pending> expand_pending(std::vector<Pending> input);
  bool expand_front(std::vector<Pending>& stack);
  bool collect_arguments(std::vector<Pending>& stack, const Macro& macro, std::vector<Argument>& arguments,
                         Pending& closing);
  std::vector<Pending> substitute(const Macro& macro, const std::vector<Argument>& arguments, const Token& name,
                                  SourceRange use, const HideSet& hidden);
  void append_parameter(std::vector<Pending>& out, const Argument& argument, const Token& place, bool raw);
  void paste(std::vector<Pending>& out, std::vector<Pending> right, const Token& place);
  static Token quote(const Argument& argument, const Token& place);
  [[nodiscard]] bool exhausted(const Token& token);

  Origins& origins_;
  Diagnostics& diagnostics_;
  std::unordered_map<std::string, Macro> table_;
  std::size_t expansions_ = 0;
  int depth_ = 0;
  bool gave_up_ = false;
};

}  // namespace fathom::promela
