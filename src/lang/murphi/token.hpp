// The words and signs of Murphi. Both peers' spellings are here: a sign may have several, its last one is the one we
// print in messages.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "support/source.hpp"

namespace fathom::murphi {

// clang-format off
enum class TokenKind : std::uint8_t {
  end_of_file, identifier, number, string,
  // Keywords; their case does not matter.
  kw_alias, kw_array, kw_assert, kw_assume, kw_begin, kw_by, kw_case, kw_choose, kw_clear, kw_const, kw_cover, kw_do,
  kw_else, kw_elsif, kw_end, kw_enum, kw_error, kw_exists, kw_externfun, kw_externproc, kw_for, kw_forall, kw_function,
  kw_if, kw_invariant, kw_ismember, kw_isundefined, kw_liveness, kw_multiset, kw_multisetadd, kw_multisetcount,
  kw_multisetremove, kw_multisetremovepred, kw_of, kw_procedure, kw_put, kw_real, kw_record, kw_return, kw_rule,
  kw_ruleset, kw_scalarset, kw_startstate, kw_switch, kw_then, kw_to, kw_type, kw_undefine, kw_undefined, kw_union,
  kw_var, kw_while,
  // Signs.
  leads_to, assign, implies, range_dots, shift_left, shift_right, logical_and, logical_or, equal, not_equal,
  less_equal, greater_equal, less, greater, ampersand, bar, caret, bang, tilde, plus, minus, star, slash, percent,
  question, colon, semicolon, comma, dot, left_paren, right_paren, left_bracket, right_bracket, left_brace,
  right_brace,
};
// clang-format on

struct Token {
  TokenKind kind = TokenKind::end_of_file;
  SourceRange range;
  std::uint64_t value = 0;  // number
  std::string text;         // identifier as written, string with its escapes resolved
};

struct Spelling {
  std::string_view text;
  TokenKind kind;
};

// Lower case, sorted by text; every `endX` is kw_end.
std::span<const Spelling> keywords();
// Longest first, so that the first that fits is the right one.
std::span<const Spelling> signs();
// Words that CMurphi reserves without giving them a meaning.
bool reserved_by_cmurphi(std::string_view lower_case_word);

// "`then`", "a name", "the end of the file": how messages speak of a kind of token.
std::string describe(TokenKind kind);

std::string lower_case(std::string_view text);

}  // namespace fathom::murphi
