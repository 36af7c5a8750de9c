#include "property/mu/print.hpp"

#include <fmt/format.h>

#include "property/ltl/print.hpp"

namespace fathom::mu {

namespace {

using Kind = Formula::Kind;

std::string parenthesised(const std::string& text) {
  return "(" + text + ")";
}

// `\*` stays as it is: the name keeps the backslash before a star that stands for itself.
std::string quoted(const std::string& name) {
  std::string text = "\"";
  for (std::size_t k = 0; k < name.size(); ++k) {
    const bool escapes = name[k] == '"' || (name[k] == '\\' && (k + 1 == name.size() || name[k + 1] != '*'));
    if (escapes) text += '\\';
    text += name[k];
  }
  return text + "\"";
}

std::string named(const Action& action) {
  const std::string name = action.quoted ? quoted(action.name) : action.name;
  return action.has_arguments ? fmt::format("{}({})", name, fmt::join(action.arguments, ",")) : name;
}

// The operands of all operators between sets and sequences are put in parentheses unless they are simple.
bool is_simple(const Action& action) {
  return action.kind <= Action::Kind::complement;
}
std::string operand(const Action& action) {
  return is_simple(action) ? to_text(action) : parenthesised(to_text(action));
}
std::string operand(const Regular& steps) {
  const bool simple = steps.kind == Regular::Kind::action && is_simple(*steps.action);
  return simple ? to_text(steps) : parenthesised(to_text(steps));
}

std::string domain_text(const Domain& domain) {
  return domain.type.empty() ? fmt::format("{}..{}", domain.first, domain.last) : domain.type;
}

std::string runs_text(const Formula& formula) {
  std::vector<std::string> atoms;
  for (const Condition& condition : formula.conditions) atoms.push_back("{" + condition.text + "}");
  return fmt::format("{}({})", formula.every ? "A" : "E", ltl::to_text(*formula.ltl, atoms));
}

bool is_prefixed(Kind kind) {
  return kind == Kind::negation || kind == Kind::diamond || kind == Kind::box || kind == Kind::path;
}

bool is_simple(const Formula& formula) {
  return formula.kind <= Kind::variable || formula.kind == Kind::runs || is_prefixed(formula.kind);
}

std::string operand(const Formula& formula) {
  return is_simple(formula) ? to_text(formula) : parenthesised(to_text(formula));
}

std::string path_text(const Formula& formula) {
  const char quantifier = formula.every ? 'A' : 'E';
  switch (formula.path) {
    case Formula::Path::next:
      return fmt::format("{}X {}", quantifier, operand(*formula.a));
    case Formula::Path::eventually:
      return fmt::format("{}F {}", quantifier, operand(*formula.a));
    case Formula::Path::always:
      return fmt::format("{}G {}", quantifier, operand(*formula.a));
    case Formula::Path::until:
      break;
  }
  return fmt::format("{}[{} U {}]", quantifier, operand(*formula.a), operand(*formula.b));
}

std::string infix(const Formula& formula, const char* sign) {
  return fmt::format("{} {} {}", operand(*formula.a), sign, operand(*formula.b));
}

}  // namespace

std::string to_text(const Action& action) {
  switch (action.kind) {
    case Action::Kind::any:
      return "true";
    case Action::Kind::none:
      return "false";
    case Action::Kind::named:
      return named(action);
    case Action::Kind::complement:
      return "!" + operand(*action.a);
    case Action::Kind::either:
      return operand(*action.a) + " | " + operand(*action.b);
    case Action::Kind::both:
      return operand(*action.a) + " & " + operand(*action.b);
  }
  return "";
}

std::string to_text(const Regular& steps) {
  switch (steps.kind) {
    case Regular::Kind::action:
      return to_text(*steps.action);
    case Regular::Kind::sequence:
      return operand(*steps.a) + " . " + operand(*steps.b);
    case Regular::Kind::choice:
      return operand(*steps.a) + " | " + operand(*steps.b);
    case Regular::Kind::star:
      return operand(*steps.a) + "*";
    case Regular::Kind::plus:
      return operand(*steps.a) + "+";
  }
  return "";
}

std::string to_text(const Formula& formula) {
  switch (formula.kind) {
    case Kind::truth:
      return "true";
    case Kind::falsity:
      return "false";
    case Kind::atom:
      return "{" + formula.conditions.front().text + "}";
    case Kind::variable:
      return formula.name;
    case Kind::negation:
      return "!" + operand(*formula.a);
    case Kind::conjunction:
      return infix(formula, "&&");
    case Kind::disjunction:
      return infix(formula, "||");
    case Kind::implication:
      return infix(formula, "->");
    case Kind::equivalence:
      return infix(formula, "<->");
    case Kind::diamond:
      return fmt::format("<{}>{}", to_text(*formula.steps), operand(*formula.a));
    case Kind::box:
      return fmt::format("[{}]{}", to_text(*formula.steps), operand(*formula.a));
    case Kind::least:
    case Kind::greatest:
      return fmt::format("{} {}. {}", formula.kind == Kind::least ? "mu" : "nu", formula.name, to_text(*formula.a));
    case Kind::for_all:
    case Kind::exists:
      return fmt::format("{} {}: {}. {}", formula.kind == Kind::for_all ? "forall" : "exists", formula.name,
                         domain_text(formula.domain), to_text(*formula.a));
    case Kind::path:
      return path_text(formula);
    case Kind::runs:
      return runs_text(formula);
  }
  return "";
}

}  // namespace fathom::mu
