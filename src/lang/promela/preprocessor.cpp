#include "lang/promela/preprocessor.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <iterator>
#include <optional>

#include "lang/promela/conditional_expression.hpp"
#include "lang/promela/lexer.hpp"
#include "lang/promela/macro.hpp"
#include "support/file_text.hpp"
#include "support/text.hpp"

namespace fathom::promela {

using enum TokenKind;

namespace {

constexpr std::size_t deepest_include = 64;

// An `#if` that is open: whether its text is used, and whether a later branch may still be.
struct Conditional {
  SourceRange opening;
  bool outer = true;   // the text around it is used
  bool active = true;  // the present branch is used
  bool taken = true;   // some branch was
  bool had_else = false;
};

using TokenIterator = std::vector<Token>::const_iterator;

// A directive: its tokens without the `#`, up to the end of its line.
struct Directive {
  TokenIterator begin, end;
  SourceRange range;  // of `#` and the word
  [[nodiscard]] bool empty() const { return begin == end; }
};

std::string as_ltl_block(const std::string& formula) {
  return fmt::format("ltl {{ {} }}\n", formula);
}

std::string as_condition_block(std::size_t number, const std::string& condition) {
  return fmt::format("ltl {}{} {{ {} }}\n", condition_prefix, number, condition);
}

class Preprocessor {
 public:
  Preprocessor(Sources& sources, const Options& options, Origins& origins, Diagnostics& diagnostics)
      : sources_(sources), options_(options), diagnostics_(diagnostics), macros_(origins, diagnostics) {}

  std::vector<Token> run(FileId file) {
    apply_options();
    read(file, {});
    for (const std::string& formula : options_.formulas) read(sources_.add("--ltl", as_ltl_block(formula)), {});
    for (const std::string& claim : options_.never_claims) read(sources_.add("--automaton", claim), {});
    for (std::size_t k = 0; k < options_.conditions.size(); ++k)
      read(sources_.add(options_.conditions_from, as_condition_block(k, options_.conditions[k])), {});
    Token end;
    const auto size = static_cast<std::uint32_t>(sources_.text(file).size());
    end.range = end.site = {file, size, size};
    end.newline_before = true;
    output_.push_back(end);
    return std::move(output_);
  }

 private:
  void apply_options();
  void read(FileId file, SourceRange included_at);
  void flush(std::vector<Token>& text);
  void directive(const Directive& line);
  void conditional(const Directive& line, const std::string& word);
  void open_conditional(const Directive& line, const std::string& word);
  void next_branch(const Directive& line, const std::string& word);
  bool condition(const Directive& line);
  std::vector<Token> resolve_defined(const Directive& line);
  void define(const Directive& line);
  bool parameters(TokenIterator& at, const Directive& line, Macro& macro);
  void undefine(const Directive& line);
  void include(const Directive& line);
  [[nodiscard]] std::optional<std::filesystem::path> find_include(const std::string& name, FileId from, bool system);
  [[nodiscard]] std::string text_of(const Directive& line) const;
  [[nodiscard]] bool active() const { return conditionals_.empty() || conditionals_.back().active; }
  void error(SourceRange range, std::string message) { diagnostics_.error("F400", range, std::move(message)); }

  Sources& sources_;
  const Options& options_;
  Diagnostics& diagnostics_;
  Macros macros_;
  std::vector<Conditional> conditionals_;
  std::vector<Token> output_;
  std::size_t include_depth_ = 0;
};

void Preprocessor::apply_options() {
  std::string text;
  for (const std::string& define : options_.defines) {
    const std::size_t equals = define.find('=');
    text += equals == std::string::npos
                ? fmt::format("#define {} 1\n", define)
                : fmt::format("#define {} {}\n", define.substr(0, equals), define.substr(equals + 1));
  }
  for (const std::string& name : options_.undefines) text += fmt::format("#undef {}\n", name);
  if (!text.empty()) read(sources_.add("<command line>", text), {});
}

// Text is collected up to the next directive and expanded in one go, so that a macro's arguments may take several
// lines.
void Preprocessor::read(FileId file, SourceRange included_at) {
  if (include_depth_ == deepest_include) return error(included_at, "files include each other too deeply");
  ++include_depth_;
  const std::vector<Token> tokens = tokenize(sources_, file, diagnostics_);
  const std::size_t open_before = conditionals_.size();
  std::vector<Token> text;
  for (auto at = tokens.begin(); at->kind != end_of_file;) {
    if (at->kind != hash || !at->first_on_line) {
      if (active()) text.push_back(*at);
      ++at;
      continue;
    }
    flush(text);
    const auto end =
        std::find_if(at + 1, tokens.end(), [](const Token& t) { return t.first_on_line || t.kind == end_of_file; });
    directive({at + 1, end, at + 1 == end ? at->range : cover(at->range, (at + 1)->range)});
    at = end;
  }
  flush(text);
  while (conditionals_.size() > open_before) {
    error(conditionals_.back().opening, "this conditional is never closed by `#endif`");
    conditionals_.pop_back();
  }
  --include_depth_;
}

void Preprocessor::flush(std::vector<Token>& text) {
  for (Token& token : macros_.expand(text)) {
    if (token.kind == invalid) {
      diagnostics_.error("F001", token.range, token.text);
    } else {
      if (token.kind == embedded_c || token.kind == embedded_condition)
        token.definitions = macros_.definitions_in(token.text);
      output_.push_back(std::move(token));
    }
  }
  text.clear();
}

void Preprocessor::directive(const Directive& line) {
  if (line.empty() || line.begin->kind == number) return;  // `#` alone and line marks
  const std::string word = line.begin->text;
  const Directive rest{line.begin + 1, line.end, line.range};
  constexpr std::string_view conditionals[] = {"if", "ifdef", "ifndef", "elif", "else", "endif"};
  if (std::ranges::find(conditionals, word) != std::end(conditionals)) return conditional(rest, word);
  if (!active()) return;
  if (word == "define") return define(rest);
  if (word == "undef") return undefine(rest);
  if (word == "include") return include(rest);
  if (word == "error") return error(line.range, fmt::format("#error {}", text_of(rest)));
  if (word == "warning") {
    diagnostics_.warning("F400", line.range, fmt::format("#warning {}", text_of(rest)));
    return;
  }
  if (word == "pragma" || word == "line" || word == "ident") return;
  const std::string meant = closest(word, {"define", "undef", "include", "ifdef", "ifndef", "elif", "else", "endif"});
  auto& wrong = diagnostics_.error("F400", line.range, fmt::format("unknown directive `#{}`", word));
  if (!meant.empty()) wrong.help = fmt::format("did you mean `#{}`?", meant);
}

void Preprocessor::conditional(const Directive& line, const std::string& word) {
  if (word == "if" || word == "ifdef" || word == "ifndef") return open_conditional(line, word);
  if (conditionals_.empty()) return error(line.range, fmt::format("`#{}` without `#if`", word));
  if (word != "endif") return next_branch(line, word);
  conditionals_.pop_back();
}

void Preprocessor::open_conditional(const Directive& line, const std::string& word) {
  Conditional opened;
  opened.opening = line.range;
  opened.outer = active();
  if (opened.outer && word == "if") {
    opened.active = condition(line);
  } else if (opened.outer) {
    if (line.empty() || !is_word(*line.begin)) error(line.range, fmt::format("`#{}` needs a name", word));
    opened.active = !line.empty() && macros_.defined(line.begin->text) == (word == "ifdef");
  } else {
    opened.active = false;
  }
  opened.taken = opened.active;
  conditionals_.push_back(opened);
}

void Preprocessor::next_branch(const Directive& line, const std::string& word) {
  Conditional& open = conditionals_.back();
  if (open.had_else) {
    error(line.range, fmt::format("`#{}` behind `#else`", word));
    open.active = false;
    return;
  }
  open.had_else = word == "else";
  open.active = open.outer && !open.taken && (open.had_else || condition(line));
  open.taken |= open.active;
}

bool Preprocessor::condition(const Directive& line) {
  return evaluate_condition(macros_.expand(resolve_defined(line)), line.range, diagnostics_).value_or(false);
}

// `defined X` and `defined(X)` become numbers before anything is expanded.
std::vector<Token> Preprocessor::resolve_defined(const Directive& line) {
  std::vector<Token> result;
  for (auto at = line.begin; at != line.end; ++at) {
    result.push_back(*at);
    if (at->text != "defined" || at + 1 == line.end) continue;
    const bool bracketed = (at + 1)->kind == left_paren;
    const auto name = at + (bracketed ? 2 : 1);
    const auto last = bracketed ? name + 1 : name;
    if (line.end - at <= last - at || !is_word(*name)) continue;
    result.back().kind = number;
    result.back().text.assign(1, macros_.defined(name->text) ? '1' : '0');
    at = last;
  }
  return result;
}

void Preprocessor::define(const Directive& line) {
  if (line.empty() || !is_word(*line.begin)) return error(line.range, "`#define` needs a name");
  Macro macro;
  macro.name = line.begin->text;
  macro.range = line.begin->range;
  auto at = line.begin + 1;
  // Only a `(` that touches the name opens a parameter list.
  if (at != line.end && at->kind == left_paren && !at->space_before) {
    macro.takes_arguments = true;
    if (!parameters(++at, line, macro)) return error(line.range, "the parameter list of this macro is malformed");
  }
  macro.body.assign(at, line.end);
  macros_.define(std::move(macro));
}

bool Preprocessor::parameters(TokenIterator& at, const Directive& line, Macro& macro) {
  while (at != line.end && at->kind != right_paren) {
    if (macro.takes_more) return false;
    macro.takes_more = line.end - at >= 2 && at->text == ".." && (at + 1)->text == ".";
    if (macro.takes_more)
      ++at;
    else if (!is_word(*at))
      return false;
    macro.parameters.push_back(macro.takes_more ? "__VA_ARGS__" : at->text);
    if (++at == line.end) return false;
    if (at->kind == comma) {
      if (++at == line.end || at->kind == right_paren) return false;
    } else if (at->kind != right_paren) {
      return false;
    }
  }
  if (at == line.end) return false;
  ++at;
  return true;
}

void Preprocessor::undefine(const Directive& line) {
  if (line.empty() || !is_word(*line.begin)) return error(line.range, "`#undef` needs a name");
  macros_.undefine(line.begin->text);
}

std::string Preprocessor::text_of(const Directive& line) const {
  if (line.empty()) return {};
  return one_line(sources_.text(cover(line.begin->range, (line.end - 1)->range)));
}

void Preprocessor::include(const Directive& line) {
  const std::string text = text_of(line);
  const bool system = text.starts_with('<');
  const std::size_t close = text.find(system ? '>' : '"', 1);
  if (text.empty() || (!system && text.front() != '"') || close == std::string::npos)
    return error(line.range, "`#include` needs \"file\" or <file>");
  const std::string name = text.substr(1, close - 1);
  const SourceRange at = cover(line.begin->range, (line.end - 1)->range);
  const auto path = find_include(name, line.range.file, system);
  std::optional<std::string> content = path ? file_text(*path) : std::nullopt;
  if (!content) return error(at, fmt::format("cannot find `{}`", name));
  read(sources_.add(path->string(), *std::move(content)), at);
}

std::optional<std::filesystem::path> Preprocessor::find_include(const std::string& name, FileId from, bool system) {
  std::vector<std::filesystem::path> folders;
  if (!system) folders.push_back(std::filesystem::path(sources_.path(from)).parent_path());
  folders.insert(folders.end(), options_.include_paths.begin(), options_.include_paths.end());
  for (const auto& folder : folders) {
    const auto candidate = folder / name;
    std::error_code ignored;
    if (std::filesystem::is_regular_file(candidate, ignored)) return candidate;
  }
  return std::nullopt;
}

}  // namespace

std::vector<Token> preprocess(Sources& sources, FileId file, const Options& options, Origins& origins,
                              Diagnostics& diagnostics) {
  return Preprocessor(sources, options, origins, diagnostics).run(file);
}

}  // namespace fathom::promela
