#include "lang/promela/embedded_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <optional>
#include <sstream>

namespace fathom::promela {

namespace {

bool is_c_keyword(const std::string& name) {
  static constexpr auto words = std::to_array<std::string_view>(
      {"auto",    "case",  "char",   "const",    "continue", "default", "double", "enum",   "extern",
       "float",   "long",  "return", "register", "signed",   "sizeof",  "static", "struct", "switch",
       "typedef", "union", "void",   "volatile", "while",    "int",     "short",  "inline", "restrict"});
  return std::ranges::find(words, name) != words.end();
}

bool is_nameable(const Variable& variable) {
  return !variable.hidden && !variable.type.is(Type::Kind::chan) && !is_c_keyword(variable.name);
}

// "unsigned x : 1", "short b[3]", "struct T t"
std::string member(const Variable& variable) {
  const std::string array = variable.is_array ? fmt::format("[{}]", variable.length) : "";
  switch (variable.type.kind) {
    case Type::Kind::bit:
    case Type::Kind::boolean:
      return variable.is_array ? fmt::format("uchar {}{}", variable.name, array)
                               : fmt::format("unsigned {} : 1", variable.name);
    case Type::Kind::unsigned_int:
      return variable.is_array ? fmt::format("unsigned {}{}", variable.name, array)
                               : fmt::format("unsigned {} : {}", variable.name, variable.type.bits);
    case Type::Kind::short_int:
      return fmt::format("short {}{}", variable.name, array);
    case Type::Kind::int_:
      return fmt::format("int {}{}", variable.name, array);
    case Type::Kind::user:
      return fmt::format("struct {} {}{}", variable.type.user->name, variable.name, array);
    default:
      return fmt::format("uchar {}{}", variable.name, array);
  }
}

std::string members(const std::vector<const Variable*>& variables) {
  std::string text;
  for (const Variable* variable : variables) text += fmt::format("  {};\n", member(*variable));
  return text;
}

std::string own_members(const std::vector<CState>& states, CState::Scope scope, const std::string& process,
                        const Sources& sources) {
  std::string text;
  for (const CState& state : states)
    if (state.scope == scope && state.process == process)
      text += located(sources, state.declaration() + ";", state.syntax->range);
  return text;
}

std::string units(const ParsedModel& model, EmbeddedC::Kind kind, const Sources& sources) {
  std::string text;
  for (const EmbeddedC& unit : model.embedded)
    if (unit.kind == kind) text += located(sources, unit.code.text, unit.code.range, unit.code.definitions);
  return text;
}

// `\#include` keeps a directive from Promela's preprocessor.
std::string without_escapes(std::string text) {
  for (std::size_t at = text.find("\\#"); at != std::string::npos; at = text.find("\\#", at)) text.erase(at, 1);
  return text;
}

// The `#undef` lines that end what the `#define` lines began.
std::string undefine(const std::string& definitions) {
  std::string text;
  std::istringstream lines(definitions);
  for (std::string line; std::getline(lines, line);) {
    const std::size_t begin = std::string_view("#define ").size();
    text += fmt::format("#undef {}\n", line.substr(begin, line.find_first_of("( ", begin) - begin));
  }
  return text;
}

std::string quoted(const std::string& path) {
  std::string text = "\"";
  for (const char c : path) text += (c == '"' || c == '\\' ? "\\" : "") + std::string(1, c);
  return text + "\"";
}

// What stands in front of the name, one word after the other with single spaces.
std::string words_of(const std::string& text) {
  std::istringstream in(text);
  std::string words;
  for (std::string word; in >> word;) words += (words.empty() ? "" : " ") + word;
  return words;
}

void read_type(CState& state, const std::string& words) {
  struct Plain {
    std::string_view words;
    std::uint32_t bits;
    bool is_signed;
  };
  static constexpr auto plain = std::to_array<Plain>({{"int", 32, true},
                                                      {"signed int", 32, true},
                                                      {"unsigned", 32, false},
                                                      {"unsigned int", 32, false},
                                                      {"short", 16, true},
                                                      {"short int", 16, true},
                                                      {"unsigned short", 16, false},
                                                      {"signed char", 8, true},
                                                      {"unsigned char", 8, false},
                                                      {"uchar", 8, false}});
  const auto found = std::ranges::find(plain, words, &Plain::words);
  if (found == plain.end()) return;
  state.bits = found->bits;
  state.is_signed = found->is_signed;
}

bool read_declaration(CState& state) {
  const auto is_letter = [](char c) { return c == '_' || std::isalnum(static_cast<unsigned char>(c)) != 0; };
  std::string text = state.declaration();
  const std::size_t bracket = text.find('[');
  std::string head = text.substr(0, bracket);
  while (!head.empty() && !is_letter(head.back())) head.pop_back();
  std::size_t begin = head.size();
  while (begin > 0 && is_letter(head[begin - 1])) --begin;
  state.name = head.substr(begin);
  if (bracket == std::string::npos) read_type(state, words_of(head.substr(0, begin)));
  return !state.name.empty();
}

}  // namespace

std::string c_process_type(const Process& process) {
  return fmt::format("struct fathom_process_{}", process.name);
}

std::string c_process_name(const Process& process) {
  return "P" + process.name;
}

std::vector<const Variable*> c_globals(const ParsedModel& model) {
  std::vector<const Variable*> found;
  for (const auto& global : model.globals)
    if (is_nameable(*global)) found.push_back(global.get());
  return found;
}

std::vector<const Variable*> c_locals(const Process& process) {
  std::vector<const Variable*> found;
  for (const auto& local : process.variables) {
    if (!is_nameable(*local)) continue;
    const bool outermost = std::ranges::none_of(process.variables, [&](const auto& other) {
      return other != local && other->name == local->name && other->depth <= local->depth;
    });
    if (outermost) found.push_back(local.get());
  }
  return found;
}

std::optional<CState> read_c_state(const EmbeddedC& syntax, std::string& problem) {
  CState state;
  state.syntax = &syntax;
  if (syntax.texts.size() > 2) state.first = syntax.texts[2];
  const std::string scope = words_of(syntax.texts[1]);
  if (scope == "Hidden") {
    state.scope = CState::Scope::hidden;
  } else if (scope.starts_with("Local ")) {
    state.scope = CState::Scope::local;
    state.process = scope.substr(6);
  } else if (scope != "Global") {
    problem = "the scope of a c_state is \"Global\", \"Hidden\" or \"Local\" and the name of a proctype";
    return std::nullopt;
  }
  if (read_declaration(state)) return state;
  problem = "this declares no variable";
  return std::nullopt;
}

// Where the text was written as it is, it also gets its column.
std::string located(const Sources& sources, const std::string& text, SourceRange range,
                    const std::string& definitions) {
  const Position at = sources.position(range.file, range.begin);
  const bool verbatim =
      sources.text(range).substr(std::min<std::size_t>(1, sources.text(range).size())).starts_with(text);
  return fmt::format("{}#line {} {}\n{}{}\n{}", definitions, at.line, quoted(sources.path(range.file)),
                     verbatim ? std::string(at.column, ' ') : "", without_escapes(text), undefine(definitions));
}

std::string c_declarations(const ParsedModel& model, const std::vector<CState>& states, const Sources& sources) {
  std::string text = units(model, EmbeddedC::Kind::declarations, sources);
  for (const auto& type : model.typedefs) {
    text += fmt::format("struct {} {{\n", type->name);
    for (const auto& field : type->fields) text += fmt::format("  {};\n", member(*field));
    text += "};\n";
  }
  text += fmt::format("typedef struct State {{\n  uchar _nr_pr;\n{}{}}} State;\nstatic State now;\n",
                      members(c_globals(model)), own_members(states, CState::Scope::global, "", sources));
  for (const auto& process : model.processes)
    if (process->kind == Process::Kind::proctype || process->kind == Process::Kind::init)
      text += fmt::format("{} {{\n  uchar _pid;\n{}{}}};\n", c_process_type(*process), members(c_locals(*process)),
                          own_members(states, CState::Scope::local, process->name, sources));
  text += own_members(states, CState::Scope::hidden, "", sources);
  return text + units(model, EmbeddedC::Kind::code, sources);
}

}  // namespace fathom::promela
