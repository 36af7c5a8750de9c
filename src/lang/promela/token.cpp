#include "lang/promela/token.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace fathom::promela {

using enum TokenKind;

namespace {

constexpr auto keyword_list = std::to_array<Spelling>({
    {"D_proctype", kw_d_proctype},
    {"active", kw_active},
    {"assert", kw_assert},
    {"atomic", kw_atomic},
    {"bit", kw_bit},
    {"bool", kw_bool},
    {"break", kw_break},
    {"byte", kw_byte},
    {"c_code", kw_c_code},
    {"c_decl", kw_c_decl},
    {"c_expr", kw_c_expr},
    {"c_state", kw_c_state},
    {"c_track", kw_c_track},
    {"chan", kw_chan},
    {"d_step", kw_d_step},
    {"do", kw_do},
    {"else", kw_else},
    {"empty", kw_empty},
    {"enabled", kw_enabled},
    {"eval", kw_eval},
    {"false", kw_false},
    {"fi", kw_fi},
    {"for", kw_for},
    {"full", kw_full},
    {"get_priority", kw_get_priority},
    {"goto", kw_goto},
    {"hidden", kw_hidden},
    {"if", kw_if},
    {"init", kw_init},
    {"inline", kw_inline},
    {"int", kw_int},
    {"len", kw_len},
    {"local", kw_local},
    {"ltl", kw_ltl},
    {"mtype", kw_mtype},
    {"nempty", kw_nempty},
    {"never", kw_never},
    {"nfull", kw_nfull},
    {"notrace", kw_notrace},
    {"np_", kw_np},
    {"od", kw_od},
    {"of", kw_of},
    {"pc_value", kw_pc_value},
    {"pid", kw_pid},
    {"printf", kw_printf},
    {"printm", kw_printm},
    {"priority", kw_priority},
    {"proctype", kw_proctype},
    {"provided", kw_provided},
    {"return", kw_return},
    {"run", kw_run},
    {"select", kw_select},
    {"set_priority", kw_set_priority},
    {"short", kw_short},
    {"show", kw_show},
    {"skip", kw_skip},
    {"timeout", kw_timeout},
    {"trace", kw_trace},
    {"true", kw_true},
    {"typedef", kw_typedef},
    {"unless", kw_unless},
    {"unsigned", kw_unsigned},
    {"xr", kw_xr},
    {"xs", kw_xs},
});

constexpr auto sign_list = std::to_array<Spelling>({
    {"->", arrow},       {"::", separator},     {"..", range_dots},
    {"<<", shift_left},  {">>", shift_right},   {"&&", logical_and},
    {"||", logical_or},  {"==", equal},         {"!=", not_equal},
    {"<=", less_equal},  {">=", greater_equal}, {"++", increment},
    {"--", decrement},   {"!!", sorted_send},   {"??", random_receive},
    {"##", paste},       {"<", less},           {">", greater},
    {"=", assign},       {"&", ampersand},      {"|", bar},
    {"^", caret},        {"!", send},           {"~", tilde},
    {"+", plus},         {"-", minus},          {"*", star},
    {"/", slash},        {"%", percent},        {"?", receive},
    {":", colon},        {";", semicolon},      {",", comma},
    {".", dot},          {"@", at_sign},        {"#", hash},
    {"\\", backslash},   {"(", left_paren},     {")", right_paren},
    {"[", left_bracket}, {"]", right_bracket},  {"{", left_brace},
    {"}", right_brace},
});

const Spelling* find(std::span<const Spelling> list, TokenKind kind) {
  const auto found = std::ranges::find(list, kind, &Spelling::kind);
  return found == list.end() ? nullptr : &*found;
}

}  // namespace

std::span<const Spelling> keywords() {
  return keyword_list;
}

std::span<const Spelling> signs() {
  return sign_list;
}

TokenKind classify(std::string_view word) {
  static_assert(std::ranges::is_sorted(keyword_list, {}, &Spelling::text));
  const auto* const found = std::ranges::lower_bound(keyword_list, word, {}, &Spelling::text);
  return found != keyword_list.end() && found->text == word ? found->kind : identifier;
}

std::string describe(TokenKind kind) {
  if (kind == end_of_file) return "the end of the file";
  if (kind == identifier) return "a name";
  if (kind == number || kind == character) return "a number";
  if (kind == string) return "a string";
  if (kind == embedded_c) return "C code in braces";
  if (kind == embedded_condition) return "a condition in C";
  const Spelling* found = find(keyword_list, kind);
  if (found == nullptr) found = find(sign_list, kind);
  return found == nullptr ? "this" : fmt::format("`{}`", found->text);
}

std::string spelling(const Token& token) {
  if (token.kind == string) return fmt::format("\"{}\"", token.text);
  if (token.kind == embedded_c) return fmt::format("{{{}}}", token.text);
  if (token.kind == embedded_condition) return fmt::format("[{}]", token.text);
  return token.text;
}

}  // namespace fathom::promela
