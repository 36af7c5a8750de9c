#include "cli/given_claims.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "cli/given_goal.hpp"
#include "cli/property_selection.hpp"
#include "cli/usage_error.hpp"
#include "property/ltl/hoa.hpp"
#include "property/ltl/parse.hpp"
#include "property/ltl/print.hpp"
#include "support/file_text.hpp"

namespace fathom {

namespace {

SourceRange part(FileId file, std::size_t begin, std::size_t end) {
  return {file, static_cast<std::uint32_t>(begin), static_cast<std::uint32_t>(end)};
}

ltl::HoaAutomaton read_automaton_file(const std::string& path) {
  const std::optional<std::string> text = file_text(path);
  if (!text) throw UsageError(fmt::format("cannot read the automaton in `{}`", path));
  try {
    return ltl::read_hoa(*text);
  } catch (const ltl::HoaError& error) {
    throw UsageError(fmt::format("--automaton: {}:{}", path, error.what()));
  }
}

std::string without_blanks(std::string_view text) {
  std::string result;
  std::ranges::copy_if(text, std::back_inserter(result), [](char c) { return c != ' ' && c != '\t' && c != '\n'; });
  return result;
}

}  // namespace

GivenClaims::GivenClaims(const CheckOptions& options, Sources& sources, Diagnostics& diagnostics)
    : sources_(sources), diagnostics_(diagnostics) {
  for (const std::string& formula : options.formulas) read_formula(formula);
  for (const std::string& path : options.automata) read_automaton(path);
  if (!options.progress.empty() && !wants_goal(options))
    open_claim(ir::Claim::Kind::non_progress, "progress", part(sources_.add(command_line_progress, ""), 0, 0));
}

ir::Claim& GivenClaims::open_claim(ir::Claim::Kind kind, std::string name, SourceRange range) {
  ir::Claim& claim = claims_.emplace_back();
  claim.kind = kind;
  claim.name = std::move(name);
  claim.range = range;
  return claim;
}

// Atoms that read alike are one: the automaton must not believe that one could hold without the other.
std::uint32_t GivenClaims::add_atom(ir::Claim& claim, SourceRange range) {
  const std::string text = without_blanks(sources_.text(range));
  for (std::uint32_t k = 0; k < claim.atoms.size(); ++k)
    if (without_blanks(sources_.text(atoms_[claim.atoms[k]])) == text) return k;
  if (claim.atoms.size() == ir::max_atoms) {
    diagnostics_.error("F505", range, fmt::format("a claim can have at most {} different conditions", ir::max_atoms));
    return 0;
  }
  claim.atoms.push_back(static_cast<std::uint32_t>(atoms_.size()));
  atoms_.push_back(range);
  return static_cast<std::uint32_t>(claim.atoms.size() - 1);
}

void GivenClaims::read_formula(const std::string& text) {
  const FileId file = sources_.add(command_line_formula, text);
  ir::Claim& claim =
      open_claim(ir::Claim::Kind::ltl, fmt::format("ltl_{}", claims_.size()), part(file, 0, text.size()));
  const auto atom = [&](std::string_view written, std::size_t offset) {
    return add_atom(claim, part(file, offset, offset + written.size()));
  };
  try {
    claim.formula = ltl::parse(text, atom);
  } catch (const ltl::ParseError& error) {
    const std::size_t at = std::min(error.offset, text.size());
    diagnostics_.error("F330", part(file, at, std::min(at + 1, text.size())), error.what()).help =
        "put an expression of the model that looks like an operator of LTL in braces: [] { a -> b }";
  }
}

// A name of an atom is a source of its own, so that a mistake in it can be shown.
void GivenClaims::read_automaton(const std::string& path) {
  ltl::HoaAutomaton read = read_automaton_file(path);
  ir::Claim& claim = open_claim(ir::Claim::Kind::never, path, {});
  claim.range = part(sources_.add(command_line_automaton, path), 0, path.size());
  for (std::size_t k = 0; k < read.atoms.size(); ++k) {
    const FileId file = sources_.add(fmt::format("{}, atom {}", path, k), read.atoms[k]);
    claim.atoms.push_back(static_cast<std::uint32_t>(atoms_.size()));
    atoms_.push_back(part(file, 0, read.atoms[k].size()));
  }
  claim.automaton = std::move(read.automaton);
}

void GivenClaims::add_to(ir::Program& program, std::size_t behind) {
  const auto first = static_cast<std::uint32_t>(program.properties.size() - behind - atoms_.size());
  for (ir::Claim& claim : claims_) {
    for (std::uint32_t& atom : claim.atoms) atom += first;
    program.claims.push_back(std::move(claim));
  }
  claims_.clear();
}

std::string never_claim_of(const std::string& path) {
  ltl::HoaAutomaton read = read_automaton_file(path);
  for (std::string& atom : read.atoms) {
    if (atom.find_first_of("{};") != std::string::npos)
      throw UsageError(fmt::format("--automaton: `{}` in {} is no expression", atom, path));
    atom = "(" + atom + ")";
  }
  return ltl::never_claim(read.automaton, read.atoms);
}

}  // namespace fathom
