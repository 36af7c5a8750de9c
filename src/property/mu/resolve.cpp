#include "property/mu/resolve.hpp"

#include <algorithm>

#include "property/mu/scanner.hpp"

namespace fathom::mu {

namespace {

using Kind = Formula::Kind;

constexpr std::size_t max_resolved_parts = 100'000;

// Whether a name stands as a word of its own, and not behind a dot, where it would be a field.
bool mentions(const std::string& text, const std::string& name) {
  for (std::size_t at = text.find(name); at != std::string::npos; at = text.find(name, at + 1)) {
    const bool begins = at == 0 || (!is_word_character(text[at - 1]) && text[at - 1] != '.');
    const std::size_t behind = at + name.size();
    if (begins && (behind == text.size() || !is_word_character(text[behind]))) return true;
  }
  return false;
}

std::string without_blanks(const std::string& text) {
  std::string result;
  std::ranges::copy_if(text, std::back_inserter(result), [](char c) { return c != ' ' && c != '\t' && c != '\n'; });
  return result;
}

class Resolver {
 public:
  explicit Resolver(const TypeValues& values) : values_(values) {}

  FormulaPtr resolve(const Formula& formula) {
    if (++parts_ > max_resolved_parts) Scanner::fail(formula.span.begin, "the quantifiers make the formula too large");
    if (formula.kind == Kind::for_all || formula.kind == Kind::exists) return expand(formula);
    Formula result = formula;
    if (formula.a != nullptr) result.a = resolve(*formula.a);
    if (formula.b != nullptr) result.b = resolve(*formula.b);
    if (formula.steps != nullptr) result.steps = resolve(*formula.steps);
    result.atoms.clear();
    for (Condition& condition : result.conditions) result.atoms.push_back(number(condition));
    return std::make_shared<const Formula>(std::move(result));
  }

  std::vector<Condition> take_conditions() { return std::move(conditions_); }

 private:
  FormulaPtr expand(const Formula& formula) {
    std::vector<FormulaPtr> parts;
    for (const Binding& binding : bindings_of(formula)) {
      bound_.push_back(binding);
      parts.push_back(resolve(*formula.a));
      bound_.pop_back();
    }
    return joined(formula, parts, 0, parts.size());
  }

  // Balanced, so that it does not get deep.
  static FormulaPtr joined(const Formula& formula, const std::vector<FormulaPtr>& parts, std::size_t begin,
                           std::size_t end) {
    if (end - begin == 1) return parts[begin];
    Formula result;
    result.span = formula.span;
    const bool all = formula.kind == Kind::for_all;
    result.kind = begin == end ? (all ? Kind::truth : Kind::falsity) : all ? Kind::conjunction : Kind::disjunction;
    if (begin != end) {
      const std::size_t middle = begin + (end - begin) / 2;
      result.a = joined(formula, parts, begin, middle);
      result.b = joined(formula, parts, middle, end);
    }
    return std::make_shared<const Formula>(std::move(result));
  }

  [[nodiscard]] std::vector<Binding> bindings_of(const Formula& formula) const {
    std::vector<Binding> result;
    if (!formula.domain.type.empty()) {
      for (const auto& [value, shown] : values_(formula.domain.type))
        result.push_back({formula.name, formula.domain.type, value, shown});
      if (result.empty())
        Scanner::fail(formula.span.begin,
                      "the model has no type `" + formula.domain.type + "` with finitely many values");
      return result;
    }
    const std::uint64_t size = std::uint64_t(formula.domain.last) - std::uint64_t(formula.domain.first);
    if (formula.domain.last > formula.domain.first && size >= max_resolved_parts)
      Scanner::fail(formula.span.begin, "this range is too large");
    for (std::int64_t value = formula.domain.first; value <= formula.domain.last; ++value)
      result.push_back({formula.name, "", value, std::to_string(value)});
    return result;
  }

  RegularPtr resolve(const Regular& steps) {
    Regular result = steps;
    if (steps.action != nullptr) result.action = resolve(*steps.action);
    if (steps.a != nullptr) result.a = resolve(*steps.a);
    if (steps.b != nullptr) result.b = resolve(*steps.b);
    return std::make_shared<const Regular>(std::move(result));
  }

  ActionPtr resolve(const Action& action) {
    Action result = action;
    for (std::string& argument : result.arguments)
      if (const Binding* const binding = find(argument)) argument = binding->shown;
    if (action.a != nullptr) result.a = resolve(*action.a);
    if (action.b != nullptr) result.b = resolve(*action.b);
    return std::make_shared<const Action>(std::move(result));
  }

  [[nodiscard]] const Binding* find(const std::string& name) const {
    const auto known =
        std::find_if(bound_.rbegin(), bound_.rend(), [&](const Binding& binding) { return binding.variable == name; });
    return known == bound_.rend() ? nullptr : &*known;
  }

  // Conditions that read alike and mean the same values are one.
  std::uint32_t number(Condition& condition) {
    condition.bindings.clear();
    for (const Binding& binding : bound_)
      if (find(binding.variable) == &binding && mentions(condition.text, binding.variable))
        condition.bindings.push_back(binding);
    const auto same = [&](const Condition& other) {
      return without_blanks(other.text) == without_blanks(condition.text) &&
             std::ranges::equal(other.bindings, condition.bindings, [](const Binding& a, const Binding& b) {
               return a.variable == b.variable && a.type == b.type && a.value == b.value;
             });
    };
    const auto known = std::ranges::find_if(conditions_, same);
    if (known != conditions_.end()) return static_cast<std::uint32_t>(known - conditions_.begin());
    conditions_.push_back(condition);
    return static_cast<std::uint32_t>(conditions_.size() - 1);
  }

  const TypeValues& values_;
  std::vector<Binding> bound_;
  std::vector<Condition> conditions_;
  std::size_t parts_ = 0;
};

}  // namespace

Resolved resolve(const Formula& formula, const TypeValues& values) {
  Resolver resolver(values);
  FormulaPtr resolved = resolver.resolve(formula);
  return {std::move(resolved), resolver.take_conditions()};
}

}  // namespace fathom::mu
