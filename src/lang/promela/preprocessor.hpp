// The C preprocessor as far as Promela models use it, from files to one list of tokens. Line marks (`# 12 "f"`) of text
// that was preprocessed before are read over: messages point at the text we were given.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "lang/promela/token.hpp"
#include "support/diagnostics.hpp"
#include "support/source.hpp"

namespace fathom::promela {

struct Options {
  std::vector<std::string> defines;    // "NAME" (which is 1) or "NAME=text"
  std::vector<std::string> undefines;  // applied after the definitions
  std::vector<std::string> include_paths;
  std::vector<std::string> formulas = {};      // ltl properties beside those of the model, which may use its macros
  std::vector<std::string> never_claims = {};  // the same, as whole claims
  std::vector<std::string> conditions = {};    // on states, each to be an atom of a claim of its own (--mu)
  std::function<std::string()> input = {};     // gives what can be received from STDIN; null where nothing can
  std::string conditions_from = "--mu";        // where they are written, for messages
};

// How the ltl blocks of `conditions` are named: such a block holds one expression and no operators of LTL.
inline constexpr const char* condition_prefix = "_mu_condition_";

// The list ends with end_of_file and has no `invalid` tokens: those that were used have been reported.
std::vector<Token> preprocess(Sources& sources, FileId file, const Options& options, Origins& origins,
                              Diagnostics& diagnostics);

}  // namespace fathom::promela
