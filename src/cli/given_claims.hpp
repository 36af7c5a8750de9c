// Properties of runs that the command line adds to a Murphi model: formulas (--ltl), automata (--automaton) and what
// rules with progress ask for (--progress). Promela's front end has a syntax of its own for them.
#pragma once

#include <vector>

#include "cli/options.hpp"
#include "ir/program.hpp"
#include "support/diagnostics.hpp"

namespace fathom {

class GivenClaims {
 public:
  // Mistakes are reported with their place in the formula. Throws UsageError for a file that cannot be read.
  GivenClaims(const CheckOptions& options, Sources& sources, Diagnostics& diagnostics);

  // The conditions of all claims, for the front end to make properties of kind `atom` of, one behind the other.
  [[nodiscard]] const std::vector<SourceRange>& atoms() const { return atoms_; }

  // The properties of the program end with the atoms, and `behind` others.
  void add_to(ir::Program& program, std::size_t behind = 0);

 private:
  void read_formula(const std::string& text);
  void read_automaton(const std::string& path);
  ir::Claim& open_claim(ir::Claim::Kind kind, std::string name, SourceRange range);
  std::uint32_t add_atom(ir::Claim& claim, SourceRange range);

  Sources& sources_;
  Diagnostics& diagnostics_;
  std::vector<ir::Claim> claims_;  // their atoms are numbers in atoms_, until there is a program
  std::vector<SourceRange> atoms_;
};

// The text of an automaton's file as a never claim of Promela. Throws UsageError where it cannot be read.
std::string never_claim_of(const std::string& path);

}  // namespace fathom
