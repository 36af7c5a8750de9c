#include <fmt/format.h>

#include "cli/manual.hpp"
#include "cli/options.hpp"
#include "cli/searches.hpp"
#include "cli/usage_error.hpp"

namespace fathom {

namespace {

constexpr const char* commands = "check simulate replay graph ir ltl help man completions";

std::vector<std::string> names_of(const OptionRow& row) {
  const std::string text = row.names;
  std::vector<std::string> names;
  for (std::size_t start = 0; start <= text.size();) {
    const std::size_t comma = std::min(text.find(',', start), text.size());
    names.push_back(text.substr(start, comma - start));
    start = comma + 1;
  }
  return names;
}

std::vector<std::string> values_of(const OptionRow& row) {
  if (std::string_view(row.names) != "--search") return alternatives(row);
  std::vector<std::string> names;
  for (const SearchEntry& search : searches()) names.emplace_back(search.name);
  return names;
}

std::string bash() {
  std::string cases;
  std::vector<std::string> options;
  for (const OptionRow& row : option_table()) {
    const std::vector<std::string> names = names_of(row);
    options.insert(options.end(), names.begin(), names.end());
    const std::vector<std::string> values = values_of(row);
    if (values.empty()) continue;
    cases += fmt::format("    {}) COMPREPLY=($(compgen -W '{}' -- \"$word\")); return ;;\n", fmt::join(names, "|"),
                         fmt::join(values, " "));
  }
  return fmt::format(
      "_fathom() {{\n"
      "  local word=${{COMP_WORDS[COMP_CWORD]}} previous=${{COMP_WORDS[COMP_CWORD-1]}}\n"
      "  case $previous in\n{}  esac\n"
      "  if [[ $word == -* ]]; then\n"
      "    COMPREPLY=($(compgen -W '{}' -- \"$word\"))\n"
      "  else\n"
      "    COMPREPLY=($(compgen -f -- \"$word\"))\n"
      "    if [[ $COMP_CWORD -eq 1 ]]; then COMPREPLY+=($(compgen -W '{} --version' -- \"$word\")); fi\n"
      "  fi\n}}\n"
      "complete -o filenames -F _fathom fathom\n",
      cases, fmt::join(options, " "), commands);
}

// Quotes and brackets have a meaning inside an argument of _arguments.
std::string zsh_help(std::string_view text) {
  std::string result;
  for (const char c : text) {
    if (c == '\'') result += "'\\''";
    if (c == '[' || c == ']' || c == ':' || c == '`') result += '\\';
    if (c != '\'') result += c;
  }
  return result;
}

std::string zsh() {
  std::string text = "#compdef fathom\n_arguments \\\n";
  for (const OptionRow& row : option_table()) {
    for (const std::string& name : names_of(row)) {
      text += fmt::format("  '{}{}[{}]", row.repeatable ? "*" : "", name, zsh_help(row.help));
      const std::vector<std::string> values = values_of(row);
      if (row.value != nullptr && values.empty())
        text += std::string_view(row.names) == "--json" ? ":file:_files" : ":value:";
      if (!values.empty()) text += fmt::format(":value:({})", fmt::join(values, " "));
      text += "' \\\n";
    }
  }
  return text + fmt::format(
                    "  '1:command or model:_alternative \"commands:command:({})\" \"files:model:_files\"' \\\n"
                    "  '*:model:_files'\n",
                    commands);
}

std::string fish_quoted(std::string_view text) {
  std::string result = "'";
  for (const char c : text) {
    if (c == '\'' || c == '\\') result += '\\';
    result += c;
  }
  return result + "'";
}

std::string fish() {
  std::string text = fmt::format("complete -c fathom -n __fish_use_subcommand -a '{}'\n", commands);
  for (const OptionRow& row : option_table()) {
    text += "complete -c fathom";
    for (const std::string& name : names_of(row)) {
      text += name.starts_with("--") ? " -l " + name.substr(2) : " -s " + name.substr(1);
    }
    const std::vector<std::string> values = values_of(row);
    if (row.value != nullptr) text += " -r";
    if (!values.empty()) text += fmt::format(" -f -a '{}'", fmt::join(values, " "));
    text += " -d " + fish_quoted(row.help) + "\n";
  }
  return text;
}

}  // namespace

std::string completions(const std::string& shell) {
  if (shell == "bash") return bash();
  if (shell == "zsh") return zsh();
  if (shell == "fish") return fish();
  throw UsageError(fmt::format("there are completions for bash, zsh and fish, not for `{}`", shell));
}

}  // namespace fathom
