#include "lang/promela/macro.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cctype>

#include "lang/promela/lexer.hpp"

namespace fathom::promela {

using enum TokenKind;

namespace {

// Beyond these a file is an attack on our memory and no model.
constexpr std::size_t most_tokens = 1'000'000;
constexpr int deepest_argument = 200;

bool same_body(const Macro& a, const Macro& b) {
  return a.takes_arguments == b.takes_arguments && a.parameters == b.parameters &&
         std::ranges::equal(a.body, b.body, {}, &Token::text, &Token::text);
}

// Keywords are names to the preprocessor.
std::ptrdiff_t parameter_index(const Macro& macro, const Token& token) {
  if (!macro.takes_arguments || !is_word(token)) return -1;
  const auto found = std::ranges::find(macro.parameters, token.text);
  return found == macro.parameters.end() ? -1 : found - macro.parameters.begin();
}

}  // namespace

void Macros::define(Macro macro) {
  const auto found = table_.find(macro.name);
  if (found != table_.end() && !same_body(found->second, macro)) {
    auto& warning =
        diagnostics_.warning("F401", macro.range, fmt::format("macro `{}` is defined anew, differently", macro.name));
    warning.notes.push_back({found->second.range, "the definition that is replaced"});
  }
  const std::string name = macro.name;
  table_.insert_or_assign(name, std::move(macro));
}

std::vector<Token> Macros::expand(const std::vector<Token>& tokens) {
  static const HideSet nothing = std::make_shared<const std::set<std::string>>();
  std::vector<Pending> input;
  input.reserve(tokens.size());
  for (const Token& token : tokens) input.push_back({token, nothing});
  std::vector<Token> output;
  for (Pending& pending : expand_pending(std::move(input))) output.push_back(std::move(pending.token));
  return output;
}

std::vector<Macros::Pending> Macros::expand_pending(std::vector<Pending> input) {
  std::vector<Pending> stack(std::make_move_iterator(input.rbegin()), std::make_move_iterator(input.rend()));
  std::vector<Pending> output;
  while (!stack.empty()) {
    if (expand_front(stack)) continue;
    output.push_back(std::move(stack.back()));
    stack.pop_back();
  }
  return output;
}

bool Macros::exhausted(const Token& token) {
  if (expansions_ <= most_tokens && depth_ <= deepest_argument) return false;
  if (!gave_up_) diagnostics_.error("F402", token.range, "the macros expand to too much text");
  gave_up_ = true;
  return true;
}

// The token on top of the stack is replaced if it is the use of a macro.
bool Macros::expand_front(std::vector<Pending>& stack) {
  if (!is_word(stack.back().token)) return false;
  const auto found = table_.find(stack.back().token.text);
  if (found == table_.end() || stack.back().hidden->contains(found->first) || exhausted(stack.back().token))
    return false;
  const Pending front = stack.back();
  const Macro& macro = found->second;
  std::vector<Argument> arguments;
  Pending closing = front;
  if (macro.takes_arguments) {
    if (stack.size() < 2 || stack[stack.size() - 2].token.kind != left_paren) return false;
    if (!collect_arguments(stack, macro, arguments, closing)) return false;
  } else {
    stack.pop_back();
  }
  // With arguments only what both the name and the `)` have in common stays hidden.
  std::set<std::string> hidden;
  std::ranges::set_intersection(*front.hidden, *closing.hidden, std::inserter(hidden, hidden.end()));
  hidden.insert(macro.name);
  const SourceRange use = cover(front.token.range, closing.token.range);
  auto body = substitute(macro, arguments, front.token, use, std::make_shared<const std::set<std::string>>(hidden));
  expansions_ += body.size() + 1;
  for (Pending& pending : body) pending.token.newline_before = pending.token.first_on_line = false;
  Token* const first = !body.empty() ? &body.front().token : stack.empty() ? nullptr : &stack.back().token;
  if (first != nullptr) {
    first->newline_before |= front.token.newline_before;
    first->space_before |= front.token.space_before;
  }
  stack.insert(stack.end(), std::make_move_iterator(body.rbegin()), std::make_move_iterator(body.rend()));
  return true;
}

// Takes `NAME ( a , b )` off the stack. If the `)` is missing or the number is wrong, nothing is taken.
bool Macros::collect_arguments(std::vector<Pending>& stack, const Macro& macro, std::vector<Argument>& arguments,
                               Pending& closing) {
  const Token name = stack.back().token;
  std::size_t at = stack.size() - 2;  // the `(`
  int depth = 1;
  arguments.emplace_back();
  while (depth > 0) {
    if (at == 0) {
      diagnostics_.error("F403", name.range, fmt::format("the arguments of macro `{}` are never closed", macro.name));
      return false;
    }
    const Pending& pending = stack[--at];
    const TokenKind kind = pending.token.kind;
    depth += kind == left_paren ? 1 : kind == right_paren ? -1 : 0;
    if (depth == 0) break;
    const bool is_more = macro.takes_more && arguments.size() == macro.parameters.size();
    if (kind == comma && depth == 1 && !is_more) {
      arguments.emplace_back();
    } else {
      arguments.back().push_back(pending);
    }
  }
  if (macro.parameters.empty() && arguments.size() == 1 && arguments.front().empty()) arguments.clear();
  if (macro.takes_more && arguments.size() + 1 == macro.parameters.size()) arguments.emplace_back();
  if (arguments.size() != macro.parameters.size()) {
    auto& error =
        diagnostics_.error("F404", cover(name.range, stack[at].token.range),
                           fmt::format("macro `{}` takes {} argument{}, not {}", macro.name, macro.parameters.size(),
                                       macro.parameters.size() == 1 ? "" : "s", arguments.size()));
    error.notes.push_back({macro.range, "defined here"});
    arguments.resize(macro.parameters.size());
  }
  closing = stack[at];
  stack.resize(at);
  return true;
}

std::vector<Macros::Pending> Macros::substitute(const Macro& macro, const std::vector<Argument>& arguments,
                                                const Token& name, SourceRange use, const HideSet& hidden) {
  const OriginId origin = origins_.add({Origin::Kind::macro, macro.name, use, macro.range, name.origin});
  std::vector<Pending> out;
  for (std::size_t i = 0; i < macro.body.size(); ++i) {
    Token token = macro.body[i];
    token.range = token.site = use;
    token.origin = origin;
    const bool pastes = token.kind == TokenKind::paste && i > 0 && i + 1 < macro.body.size();
    if (pastes) token = macro.body[++i], token.range = token.site = use, token.origin = origin;
    const bool raw = pastes || (i + 1 < macro.body.size() && macro.body[i + 1].kind == TokenKind::paste);
    std::vector<Pending> piece;
    if (token.kind == hash && macro.takes_arguments && i + 1 < macro.body.size() &&
        parameter_index(macro, macro.body[i + 1]) >= 0) {
      piece.push_back({quote(arguments[static_cast<std::size_t>(parameter_index(macro, macro.body[++i]))], token), {}});
    } else if (const auto parameter = parameter_index(macro, token); parameter >= 0) {
      append_parameter(piece, arguments[static_cast<std::size_t>(parameter)], token, raw);
    } else {
      piece.push_back({token, {}});
    }
    if (pastes) {
      paste(out, std::move(piece), token);
    } else {
      out.insert(out.end(), std::make_move_iterator(piece.begin()), std::make_move_iterator(piece.end()));
    }
  }
  for (Pending& pending : out) {
    if (!pending.hidden) {
      pending.hidden = hidden;
    } else {
      auto both = std::make_shared<std::set<std::string>>(*pending.hidden);
      both->insert(hidden->begin(), hidden->end());
      pending.hidden = std::move(both);
    }
  }
  return out;
}

// Arguments are expanded by themselves, except beside `##`.
void Macros::append_parameter(std::vector<Pending>& out, const Argument& argument, const Token& place, bool raw) {
  const std::size_t begin = out.size();
  if (raw) {
    out.insert(out.end(), argument.begin(), argument.end());
  } else {
    ++depth_;
    auto expanded = expand_pending(argument);
    out.insert(out.end(), std::make_move_iterator(expanded.begin()), std::make_move_iterator(expanded.end()));
    --depth_;
  }
  if (out.size() > begin) out[begin].token.space_before = place.space_before;
}

void Macros::paste(std::vector<Pending>& out, std::vector<Pending> right, const Token& place) {
  if (right.empty()) return;
  if (out.empty()) {
    out = std::move(right);
    return;
  }
  const std::string text = spelling(out.back().token) + spelling(right.front().token);
  const bool space = out.back().token.space_before;
  out.pop_back();
  for (Token& token : tokenize_pasted(text, place)) out.push_back({std::move(token), {}});
  if (!out.empty()) out.back().token.space_before |= space;
  out.insert(out.end(), std::make_move_iterator(right.begin() + 1), std::make_move_iterator(right.end()));
}

Token Macros::quote(const Argument& argument, const Token& place) {
  Token result = place;
  result.kind = TokenKind::string;
  result.text.clear();
  for (const Pending& pending : argument) {
    if (pending.token.space_before && !result.text.empty()) result.text += ' ';
    for (const char c : spelling(pending.token)) {
      if (pending.token.kind == TokenKind::string && (c == '"' || c == '\\')) result.text += '\\';
      result.text += c;
    }
  }
  return result;
}

std::string Macros::definitions_in(std::string_view code) const {
  std::set<std::string> seen;
  std::string out;
  add_definitions(code, seen, out);
  return out;
}

void Macros::add_definitions(std::string_view code, std::set<std::string>& seen, std::string& out) const {
  const auto is_letter = [](char c) { return c == '_' || std::isalnum(static_cast<unsigned char>(c)) != 0; };
  for (std::size_t begin = 0; begin < code.size();) {
    const std::size_t end = static_cast<std::size_t>(
        std::find_if_not(code.begin() + static_cast<std::ptrdiff_t>(begin), code.end(), is_letter) - code.begin());
    const std::string word(code.substr(begin, end - begin));
    begin = std::max(end, begin + 1);
    const auto found = table_.find(word);
    if (found == table_.end() || !seen.insert(word).second) continue;
    const Macro& macro = found->second;
    std::string body;
    for (const Token& token : macro.body) body += (token.space_before ? " " : "") + spelling(token);
    out += fmt::format("#define {}{} {}\n", word,
                       macro.takes_arguments ? fmt::format("({})", fmt::join(macro.parameters, ", ")) : "", body);
    add_definitions(body, seen, out);
  }
}

}  // namespace fathom::promela
