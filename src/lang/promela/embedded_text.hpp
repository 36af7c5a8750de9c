// C text for what a Promela model declares, in the shape that C code in models relies on because Spin gives it: globals
// are members of a struct `now`, and a process of type T finds its own variables behind the pointer `PT`.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "lang/promela/ast.hpp"

namespace fathom::promela {

// "struct fathom_process_T" and "PT".
std::string c_process_type(const Process& process);
std::string c_process_name(const Process& process);

// The variables that C code can name: no channels, and of several with one name the one of the outermost block.
std::vector<const Variable*> c_globals(const ParsedModel& model);
std::vector<const Variable*> c_locals(const Process& process);

// A variable that c_state declares.
struct CState {
  enum class Scope : std::uint8_t { global, local, hidden };
  const EmbeddedC* syntax = nullptr;
  Scope scope = Scope::global;
  std::string process;  // local: of this type
  std::string name;
  std::string first;       // its first value, "" for none
  std::uint32_t bits = 0;  // of a plain integer; 0: it is something else
  bool is_signed = false;

  [[nodiscard]] const std::string& declaration() const { return syntax->texts[0]; }
};
// `problem` says what is wrong where nothing comes back.
std::optional<CState> read_c_state(const EmbeddedC& syntax, std::string& problem);

// Text of the user's, with the macros it uses, such that a C compiler's messages point at the user's lines. `range`
// is that of the text together with one character before it.
std::string located(const Sources& sources, const std::string& text, SourceRange range,
                    const std::string& definitions = "");

// Everything that blocks of C code rest on.
std::string c_declarations(const ParsedModel& model, const std::vector<CState>& states, const Sources& sources);

}  // namespace fathom::promela
