#include "lang/murphi/token.hpp"

#include <algorithm>
#include <array>

namespace fathom::murphi {

namespace {

using enum TokenKind;

constexpr auto keyword_table = std::to_array<Spelling>({
    {"alias", kw_alias},
    {"array", kw_array},
    {"assert", kw_assert},
    {"assume", kw_assume},
    {"begin", kw_begin},
    {"by", kw_by},
    {"case", kw_case},
    {"choose", kw_choose},
    {"clear", kw_clear},
    {"const", kw_const},
    {"cover", kw_cover},
    {"do", kw_do},
    {"else", kw_else},
    {"elsif", kw_elsif},
    {"end", kw_end},
    {"endalias", kw_end},
    {"endchoose", kw_end},
    {"endexists", kw_end},
    {"endfor", kw_end},
    {"endforall", kw_end},
    {"endfunction", kw_end},
    {"endif", kw_end},
    {"endprocedure", kw_end},
    {"endrecord", kw_end},
    {"endrule", kw_end},
    {"endruleset", kw_end},
    {"endstartstate", kw_end},
    {"endswitch", kw_end},
    {"endwhile", kw_end},
    {"enum", kw_enum},
    {"error", kw_error},
    {"exists", kw_exists},
    {"externfun", kw_externfun},
    {"externproc", kw_externproc},
    {"for", kw_for},
    {"forall", kw_forall},
    {"function", kw_function},
    {"if", kw_if},
    {"invariant", kw_invariant},
    {"ismember", kw_ismember},
    {"isundefined", kw_isundefined},
    {"liveness", kw_liveness},
    {"multiset", kw_multiset},
    {"multisetadd", kw_multisetadd},
    {"multisetcount", kw_multisetcount},
    {"multisetremove", kw_multisetremove},
    {"multisetremovepred", kw_multisetremovepred},
    {"of", kw_of},
    {"procedure", kw_procedure},
    {"put", kw_put},
    {"real", kw_real},
    {"record", kw_record},
    {"return", kw_return},
    {"rule", kw_rule},
    {"ruleset", kw_ruleset},
    {"scalarset", kw_scalarset},
    {"startstate", kw_startstate},
    {"switch", kw_switch},
    {"then", kw_then},
    {"to", kw_to},
    {"type", kw_type},
    {"undefine", kw_undefine},
    {"undefined", kw_undefined},
    {"union", kw_union},
    {"var", kw_var},
    {"while", kw_while},
});
static_assert(std::ranges::is_sorted(keyword_table, {}, &Spelling::text));

// clang-format off
constexpr auto sign_table = std::to_array<Spelling>({
    {"==>", leads_to},
    {"≔", assign},         {":=", assign},
    {"→", implies},        {"⇒", implies},       {"->", implies},
    {"..", range_dots},
    {"<<", shift_left},    {">>", shift_right},
    {"&&", logical_and},   {"||", logical_or},
    {"==", equal},         {"=", equal},
    {"≠", not_equal},      {"!=", not_equal},
    {"≤", less_equal},     {"<=", less_equal},
    {"≥", greater_equal},  {">=", greater_equal},
    {"<", less},           {">", greater},
    {"∧", ampersand},      {"&", ampersand},
    {"∨", bar},            {"|", bar},
    {"^", caret},
    {"¬", bang},           {"!", bang},
    {"~", tilde},
    {"+", plus},
    {"−", minus},          {"-", minus},
    {"×", star},           {"*", star},
    {"÷", slash},          {"∕", slash},         {"/", slash},
    {"%", percent},
    {"∀", kw_forall},      {"∃", kw_exists},
    {"?", question},       {":", colon},         {";", semicolon},
    {",", comma},          {".", dot},
    {"(", left_paren},     {")", right_paren},
    {"[", left_bracket},   {"]", right_bracket},
    {"{", left_brace},     {"}", right_brace},
});
// clang-format on

std::string_view spelling_of(TokenKind kind) {
  const auto keyword = std::ranges::find(keyword_table, kind, &Spelling::kind);
  if (keyword != keyword_table.end()) return keyword->text;
  const auto sign = std::find_if(sign_table.rbegin(), sign_table.rend(), [&](const auto& s) { return s.kind == kind; });
  return sign->text;
}

}  // namespace

std::span<const Spelling> keywords() {
  return keyword_table;
}

std::span<const Spelling> signs() {
  return sign_table;
}

bool reserved_by_cmurphi(std::string_view lower_case_word) {
  constexpr auto words = std::to_array<std::string_view>({"in", "interleaved", "process", "program", "traceuntil"});
  return std::ranges::find(words, lower_case_word) != words.end();
}

std::string describe(TokenKind kind) {
  switch (kind) {
    case end_of_file:
      return "the end of the file";
    case identifier:
      return "a name";
    case number:
      return "a number";
    case string:
      return "a string";
    default:
      return "`" + std::string(spelling_of(kind)) + "`";
  }
}

std::string lower_case(std::string_view text) {
  std::string lower(text);
  for (char& c : lower)
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  return lower;
}

}  // namespace fathom::murphi
