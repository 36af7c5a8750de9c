// The words and signs of Promela, and what a token remembers of where it comes from.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "lang/promela/origin.hpp"
#include "support/source.hpp"

namespace fathom::promela {

// clang-format off
enum class TokenKind : std::uint8_t {
  end_of_file, identifier, number, string, character,
  invalid,     // text is the complaint; it is made only when the token is really used
  embedded_c,          // `{ ... }` behind c_code, c_expr or c_decl; text is what stands between the braces
  embedded_condition,  // `[ ... ]` in front of it
  kw_active, kw_assert, kw_atomic, kw_bit, kw_bool, kw_break, kw_byte, kw_c_code, kw_c_decl, kw_c_expr, kw_c_state,
  kw_c_track, kw_chan, kw_d_proctype, kw_d_step, kw_do, kw_else, kw_empty, kw_enabled, kw_eval, kw_false, kw_fi, kw_for,
  kw_full, kw_get_priority, kw_goto, kw_hidden, kw_if, kw_init, kw_inline, kw_int, kw_len, kw_local, kw_ltl,
  kw_mtype, kw_nempty, kw_never, kw_nfull, kw_notrace, kw_np, kw_od, kw_of, kw_pc_value, kw_pid, kw_printf, kw_printm,
  kw_priority, kw_proctype, kw_provided, kw_return, kw_run, kw_select, kw_set_priority, kw_short, kw_show, kw_skip,
  kw_timeout, kw_trace, kw_true, kw_typedef, kw_unless, kw_unsigned, kw_xr, kw_xs,
  // Signs.
  arrow, separator, range_dots, shift_left, shift_right, logical_and, logical_or, equal, not_equal, less_equal,
  greater_equal, increment, decrement, sorted_send, random_receive, paste, less, greater, assign, ampersand, bar, caret,
  send, tilde, plus, minus, star, slash, percent, receive, colon, semicolon, comma, dot, at_sign, hash, backslash,
  left_paren, right_paren, left_bracket, right_bracket, left_brace, right_brace,
};
// clang-format on

struct Token {
  TokenKind kind = TokenKind::end_of_file;
  // Where a message about the token points: for the body of a macro its use, for an inline's argument the argument.
  SourceRange range = {};
  // Its place in the text around it, from which the range of larger constructs is made. It differs from `range` only
  // for an inline's argument, where it is the parameter that the argument replaced.
  SourceRange site = {};
  std::string text = {};         // as written, a string without its quotes
  std::string definitions = {};  // of C code: the macros in it as `#define` lines
  OriginId origin{};
  bool newline_before = false;
  bool space_before = false;
  bool first_on_line = false;
};

struct Spelling {
  std::string_view text;
  TokenKind kind;
};

std::span<const Spelling> keywords();
// Longest first, so that the first that fits is the right one.
std::span<const Spelling> signs();
// The keyword that `word` is, or identifier.
TokenKind classify(std::string_view word);
// An identifier or a keyword.
inline bool is_word(const Token& token) {
  return token.kind == TokenKind::identifier || classify(token.text) == token.kind;
}

// "`od`", "a name", "the end of the file": how messages speak of a kind of token.
std::string describe(TokenKind kind);
// The token as it is written in a model.
std::string spelling(const Token& token);

}  // namespace fathom::promela
