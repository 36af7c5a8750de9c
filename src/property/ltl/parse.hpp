// Reads an LTL formula from text, for formulas on the command line. Operators, from the loosest to the tightest:
//
//   <->  equivalent              right to left
//   ->   implies                 right to left
//   || or \/                     left to right
//   && or /\                     left to right
//   U until stronguntil, W weakuntil, V R release     right to left
//   !, [] G always, <> F eventually, X next       before their operand
//
// `true` and `false` are constants, and parentheses group. Everything else is an atom, an expression of the model's own
// language, which we do not read but hand on as text:
//
//   { … }     an atom of any form: all up to the matching brace. Where an expression has `&&`, `->`, `[]` or other
//   signs
//             that could be read as operators of LTL, this is the way to write it.
//   …         without braces, an atom goes on to the next operator of LTL outside parentheses and brackets: `x = 3`,
//             `Chan[i].Cmd != Empty`, `a < b & c`. An opening bracket belongs to the atom unless it is `[]`.
//   ( … )     at the beginning of an operand, parentheses group a formula if there is an operator of LTL between them,
//             and if not they are the beginning of an atom, as in `(a + b) * 2 = c`. Parentheses around a whole atom
//             are not part of its text.
//   ! …       before a group, braces or another operator, `!` negates the formula. At the beginning of an atom without
//             braces it belongs to the atom, because in `!x & y` it is for the model's language to say what is negated;
//             only where nothing but a name with indices or a parenthesis follows, `!x` is the negation of the atom
//             `x`.
//
// An operator before an atom applies to the whole of it: `[] x & y` is `[] {x & y}`.
//
// The single letters U, W, V, R, X, F and G are operators only where they stand as a word of their own and where an
// operator can stand: X, F and G before an operand, the others after one. Single `&` and `|` are left to the atoms, for
// Murphi; in Murphi `->` inside an atom needs braces, as do `forall` and `exists` expressions that contain it.
#pragma once

#include <cstdint>
#include <functional>
#include <stdexcept>
#include <string>
#include <string_view>

#include "ir/claim.hpp"

namespace fathom::ltl {

struct ParseError : std::runtime_error {
  ParseError(std::size_t at, const std::string& message) : std::runtime_error(message), offset(at) {}
  std::size_t offset;  // in bytes from the beginning of the text
};

// Gives the number of the atom with this text, which begins at `offset`; equal texts should get equal numbers.
using AtomNumber = std::function<std::uint32_t(std::string_view text, std::size_t offset)>;

// Throws ParseError for what is no formula, also for one nested deeper than Formulas::max_depth allows; what `atom`
// throws goes through.
ir::LtlPtr parse(std::string_view text, const AtomNumber& atom);

}  // namespace fathom::ltl
