#include "cli/show_ltl.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "cli/usage_error.hpp"
#include "property/ltl/hoa.hpp"
#include "property/ltl/parse.hpp"
#include "property/ltl/print.hpp"
#include "property/ltl/translate.hpp"

namespace fathom {

namespace {

struct Translated {
  std::vector<std::string> atoms;
  ir::LtlPtr formula;
  ir::Automaton automaton;
};

Translated translate(const std::string& text) {
  Translated result;
  const auto number = [&](std::string_view atom, std::size_t) {
    const auto known = std::ranges::find(result.atoms, atom);
    if (known == result.atoms.end() && result.atoms.size() == ir::max_atoms)
      throw UsageError(fmt::format("ltl: a formula can have at most {} atoms", ir::max_atoms));
    const auto position = static_cast<std::uint32_t>(known - result.atoms.begin());
    if (known == result.atoms.end()) result.atoms.emplace_back(atom);
    return position;
  };
  try {
    result.formula = ltl::parse(text, number);
    result.automaton = ltl::translate(*result.formula, static_cast<std::uint32_t>(result.atoms.size()));
  } catch (const ltl::ParseError& error) {
    throw UsageError(fmt::format("ltl: {}\n  {}\n  {:>{}}", error.what(), text, "^", error.offset + 1));
  } catch (const ltl::LimitError& error) {
    throw UsageError(fmt::format("ltl: {}", error.what()));
  }
  return result;
}

const char* name_of(ltl::Strength strength) {
  switch (strength) {
    case ltl::Strength::terminal:
      return "terminal";
    case ltl::Strength::weak:
      return "weak";
    case ltl::Strength::general:
      break;
  }
  return "general";
}

std::string summary(const Translated& of) {
  std::string text =
      fmt::format("{}\n{} state{}, {}\n", ltl::to_text(*of.formula, of.atoms), of.automaton.states.size(),
                  of.automaton.states.size() == 1 ? "" : "s", name_of(ltl::strength_of(of.automaton)));
  for (std::uint32_t k = 0; k < of.automaton.states.size(); ++k) {
    const ir::Automaton::State& state = of.automaton.states[k];
    text += fmt::format("\n{}{}{}\n", state.name, k == of.automaton.initial ? ", initial" : "",
                        state.accepting ? ", accepting" : "");
    for (const ir::Automaton::Edge& edge : state.edges)
      text +=
          fmt::format("  {} -> {}\n", ltl::to_text(edge.condition, of.atoms), of.automaton.states[edge.target].name);
  }
  return text;
}

std::string escaped(const std::string& text) {
  std::string result;
  for (const char c : text) {
    if (c == '"' || c == '\\') result += '\\';
    result += c;
  }
  return result;
}

std::string dot(const Translated& of) {
  std::string text = "digraph automaton {\n  start [shape=point];\n";
  text += fmt::format("  start -> {};\n", of.automaton.initial);
  for (std::uint32_t k = 0; k < of.automaton.states.size(); ++k) {
    const ir::Automaton::State& state = of.automaton.states[k];
    text += fmt::format("  {} [label=\"{}\", shape={}];\n", k, escaped(state.name),
                        state.accepting ? "doublecircle" : "circle");
    for (const ir::Automaton::Edge& edge : state.edges)
      text +=
          fmt::format("  {} -> {} [label=\"{}\"];\n", k, edge.target, escaped(ltl::to_text(edge.condition, of.atoms)));
  }
  return text + "}\n";
}

}  // namespace

std::string show_ltl(const std::vector<std::string>& arguments) {
  std::string form;
  std::vector<std::string> formulas;
  for (const std::string& argument : arguments) {
    const bool is_form = argument == "--hoa" || argument == "--never" || argument == "--dot";
    if (is_form && !form.empty() && form != argument)
      throw UsageError(fmt::format("ltl: {} or {}, not both", form, argument));
    if (is_form) {
      form = argument;
    } else if (argument.starts_with("--")) {
      throw UsageError(fmt::format("ltl: there is no option `{}`{}", argument,
                                   did_you_mean(argument, {"--hoa", "--never", "--dot"})));
    } else {
      formulas.push_back(argument);
    }
  }
  if (formulas.size() != 1)
    throw UsageError("ltl: one formula is wanted, as one argument: fathom ltl '[] (p -> <> q)' [--hoa|--never|--dot]");
  const Translated translated = translate(formulas.front());
  if (form == "--hoa") return ltl::write_hoa(translated.automaton, translated.atoms, formulas.front());
  if (form == "--never") return ltl::never_claim(translated.automaton, translated.atoms);
  return form == "--dot" ? dot(translated) : summary(translated);
}

}  // namespace fathom
