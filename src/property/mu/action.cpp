#include "property/mu/action.hpp"

#include <algorithm>

namespace fathom::mu {

namespace {

bool fits(std::string_view pattern, std::string_view text) {
  if (pattern.empty()) return text.empty();
  if (pattern.front() == '*') {
    for (std::size_t k = 0; k <= text.size(); ++k)
      if (fits(pattern.substr(1), text.substr(k))) return true;
    return false;
  }
  if (pattern.starts_with("\\*")) pattern.remove_prefix(1);
  return !text.empty() && pattern.front() == text.front() && fits(pattern.substr(1), text.substr(1));
}

bool fits_arguments(const Action& action, const StepLabel& step) {
  if (!action.has_arguments) return true;
  return std::ranges::equal(action.arguments, step.arguments, [](const std::string& wanted, const std::string& value) {
    return wanted == "_" || wanted == value;
  });
}

void collect(const Action& action, std::vector<const Action*>& found) {
  if (action.kind == Action::Kind::named) found.push_back(&action);
  if (action.a != nullptr) collect(*action.a, found);
  if (action.b != nullptr) collect(*action.b, found);
}

void collect(const Regular& steps, std::vector<const Action*>& found) {
  if (steps.action != nullptr) collect(*steps.action, found);
  if (steps.a != nullptr) collect(*steps.a, found);
  if (steps.b != nullptr) collect(*steps.b, found);
}

void collect(const Formula& formula, std::vector<const Action*>& found) {
  if (formula.steps != nullptr) collect(*formula.steps, found);
  if (formula.a != nullptr) collect(*formula.a, found);
  if (formula.b != nullptr) collect(*formula.b, found);
}

}  // namespace

bool names(const Action& named, std::string_view step) {
  return named.quoted ? fits(named.name, step) : named.name == step;
}

bool has_step(const Action& set, const StepLabel& step) {
  switch (set.kind) {
    case Action::Kind::any:
      return true;
    case Action::Kind::none:
      return false;
    case Action::Kind::named:
      // A text in quotes may also be that of the whole label, as it is exported.
      return (names(set, step.name) && fits_arguments(set, step)) ||
             (set.quoted && !set.has_arguments && names(set, step.text()));
    case Action::Kind::complement:
      return !has_step(*set.a, step);
    case Action::Kind::either:
      return has_step(*set.a, step) || has_step(*set.b, step);
    case Action::Kind::both:
      return has_step(*set.a, step) && has_step(*set.b, step);
  }
  return false;
}

std::vector<const Action*> named_actions(const Formula& formula) {
  std::vector<const Action*> found;
  collect(formula, found);
  return found;
}

}  // namespace fathom::mu
