#include "cli/searches.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "search/evaluators.hpp"

namespace fathom {

namespace {

using Kind = SearchArgument::Kind;

template <class Entry>
std::vector<std::string> names(std::span<const Entry> entries) {
  std::vector<std::string> result;
  for (const Entry& entry : entries) result.emplace_back(entry.name);
  return result;
}

[[noreturn]] void complain_of_name(const char* kind, const SearchExpression& expression,
                                   const std::vector<std::string>& known, const std::string& text) {
  throw SearchExpressionError(fmt::format("there is no {} `{}`{} (there are: {})", kind, expression.name,
                                          did_you_mean(expression.name, known), fmt::join(known, ", ")),
                              text, expression.position);
}

std::vector<std::string> words_of(std::string_view alternatives) {
  std::vector<std::string> result;
  for (std::size_t start = 0; start <= alternatives.size();) {
    const std::size_t bar = std::min(alternatives.find('|', start), alternatives.size());
    result.emplace_back(alternatives.substr(start, bar - start));
    start = bar + 1;
  }
  return result;
}

bool is_list(const SearchParameter& parameter) {
  return parameter.value == "H...";
}

bool is_evaluator(const SearchParameter& parameter) {
  return parameter.value == "H" || is_list(parameter);
}

// Checks the arguments of one search and gives those without a key their names.
class Checker {
 public:
  Checker(const std::string& text, SearchExpression& expression, std::span<const SearchParameter> parameters)
      : text_(text), expression_(expression), parameters_(parameters) {}

  void run() {
    for (std::size_t k = 0; k < expression_.arguments.size(); ++k) {
      SearchArgument& argument = expression_.arguments[k];
      const SearchParameter& parameter = argument.key.empty() ? positional(argument, k) : named(argument);
      if (!is_list(parameter)) argument.key = parameter.name;
      if (!fits(argument, parameter)) complain_of_value(argument, parameter);
      if (argument.kind == Kind::count && argument.number < static_cast<double>(parameter.least))
        fail(fmt::format("`{}` must be at least {}", parameter.name, parameter.least), argument);
      if (is_evaluator(parameter)) check_evaluator(argument.search);
    }
    for (const SearchParameter& parameter : parameters_)
      if (parameter.required && expression_.argument(is_list(parameter) ? "" : parameter.name) == nullptr)
        throw SearchExpressionError(fmt::format("`{}` needs {}", expression_.name, parameter.help), text_,
                                    expression_.position);
  }

 private:
  [[noreturn]] void fail(const std::string& message, const SearchArgument& argument) const {
    throw SearchExpressionError(message, text_, argument.position);
  }

  const SearchParameter& positional(const SearchArgument& argument, std::size_t position) const {
    if (parameters_.empty()) fail(fmt::format("`{}` takes no arguments", expression_.name), argument);
    if (is_list(parameters_.back())) position = std::min(position, parameters_.size() - 1);
    if (position >= parameters_.size())
      fail(fmt::format("`{}` takes at most {} arguments", expression_.name, parameters_.size()), argument);
    return parameters_[position];
  }

  const SearchParameter& named(const SearchArgument& argument) const {
    const auto found = std::ranges::find(parameters_, argument.key, &SearchParameter::name);
    if (found != parameters_.end()) return *found;
    if (parameters_.empty()) fail(fmt::format("`{}` takes no arguments", expression_.name), argument);
    std::vector<std::string> known;
    for (const SearchParameter& parameter : parameters_) known.emplace_back(parameter.name);
    fail(fmt::format("`{}` has no parameter `{}`{} (there are: {})", expression_.name, argument.key,
                     did_you_mean(argument.key, known), fmt::join(known, ", ")),
         argument);
  }

  static bool fits(const SearchArgument& argument, const SearchParameter& parameter) {
    if (parameter.value == "N") return argument.kind == Kind::count;
    if (parameter.value == "N|P%") return argument.kind == Kind::count || argument.kind == Kind::percentage;
    if (is_evaluator(parameter)) return argument.kind == Kind::search;
    if (parameter.value == "\"EXPR\"") return argument.kind == Kind::text;
    if (parameter.value == "FILE" || parameter.value == "NAMES")
      return argument.kind == Kind::text || (argument.kind == Kind::search && argument.search.arguments.empty());
    const std::vector<std::string> words = words_of(parameter.value);
    return std::ranges::find(words, argument.written) != words.end() && argument.search.arguments.empty();
  }

  void check_evaluator(SearchExpression& expression) const {
    const EvaluatorEntry* const entry = find_evaluator(expression.name);
    if (entry == nullptr) complain_of_name("evaluator", expression, names(evaluators()), text_);
    Checker(text_, expression, entry->parameters).run();
  }

  [[noreturn]] void complain_of_value(const SearchArgument& argument, const SearchParameter& parameter) const {
    const bool numeric = parameter.value == "N" || parameter.value == "N|P%";
    const std::string wanted = parameter.value == "N"       ? "a number such as 40 or 2k"
                               : parameter.value == "N|P%"  ? "a number such as 40 or a share such as 50%"
                               : is_evaluator(parameter)    ? "an evaluator such as zero"
                               : parameter.value == "FILE"  ? "the name of a file"
                               : parameter.value == "NAMES" ? "names in quotes"
                               : parameter.value == "\"EXPR\""
                                   ? "an expression of the model in quotes"
                                   : fmt::format("{}", fmt::join(words_of(parameter.value), " or "));
    const std::string hint = numeric ? "" : did_you_mean(argument.written, words_of(parameter.value));
    fail(fmt::format("`{}` wants {}, not `{}`{}", parameter.name, wanted, argument.written, hint), argument);
  }

  const std::string& text_;
  SearchExpression& expression_;
  std::span<const SearchParameter> parameters_;
};

void add_defaults(SearchExpression& expression, std::span<const SearchParameter> parameters) {
  for (const SearchParameter& parameter : parameters) {
    if (parameter.fallback.empty() || expression.argument(parameter.name) != nullptr) continue;
    const SearchExpression written = parse_search(fmt::format("x({}={})", parameter.name, parameter.fallback));
    expression.arguments.push_back(written.arguments.front());
    expression.arguments.back().search.position = expression.position;
  }
  for (SearchArgument& argument : expression.arguments) {
    const auto parameter = std::ranges::find(parameters, argument.key, &SearchParameter::name);
    const bool nested = argument.key.empty() || (parameter != parameters.end() && is_evaluator(*parameter));
    if (nested) add_defaults(argument.search, find_evaluator(argument.search.name)->parameters);
  }
}

std::string form_of(std::string_view name, std::span<const SearchParameter> parameters) {
  std::string result(name);
  if (parameters.empty()) return result;
  result += "(";
  for (const SearchParameter& parameter : parameters)
    result += fmt::format("{}{}{}{}", result.back() == '(' ? "" : ", ", is_list(parameter) ? "" : parameter.name,
                          is_list(parameter) ? "" : "=", parameter.value);
  return result + ")";
}

std::string describe_parameters(std::span<const SearchParameter> parameters) {
  std::string text;
  for (const SearchParameter& parameter : parameters) {
    const std::string fallback = parameter.fallback.empty() ? "" : fmt::format(" (default {})", parameter.fallback);
    text += fmt::format("      {:<17} {}{}\n", parameter.name, parameter.help, fallback);
  }
  return text;
}

std::string describe_guarantee(const SearchEntry& entry) {
  const Guarantee& guarantee = entry.guarantee;
  std::vector<std::string> parts{guarantee.complete ? "complete" : "not complete: finding nothing decides nothing"};
  if (guarantee.traces == Guarantee::Traces::shortest) parts.emplace_back("shortest traces");
  if (guarantee.traces == Guarantee::Traces::shortest_if_admissible)
    parts.emplace_back("shortest traces if h is admissible");
  if (guarantee.traces == Guarantee::Traces::bounded) parts.emplace_back("traces of bounded length if h is admissible");
  if (guarantee.bounded_memory) parts.emplace_back("bounded memory");
  const bool directed = !entry.parameters.empty();
  const std::string on_disk = fmt::format("      goes on in a folder when the memory is full (--store 'disk(DIR)'){}\n",
                                          directed ? ", if h is consistent" : "");
  return fmt::format("      guarantees: {}\n{}{}", fmt::join(parts, "; "),
                     entry.parallel ? "      works with several threads\n" : "", entry.spills ? on_disk : "");
}

std::string describe_evaluators() {
  std::string text =
      "\nEvaluators, for the parameter h of a best-first search (the smaller, the nearer to a violation):\n";
  for (const EvaluatorEntry& entry : evaluators()) {
    text += fmt::format("\n  {}{}\n      {}\n", form_of(entry.name, entry.parameters),
                        entry.promise.empty() ? "" : fmt::format(" ({})", entry.promise), entry.help);
    text += describe_parameters(entry.parameters);
  }
  return text;
}

}  // namespace

SearchExpression resolve_search(const std::string& text) {
  SearchExpression expression = parse_search(text);
  const auto entry = std::ranges::find(searches(), expression.name, &SearchEntry::name);
  if (entry == searches().end()) complain_of_name("search", expression, names(searches()), text);
  Checker(text, expression, entry->parameters).run();
  return expression;
}

const SearchEntry& entry_of(const SearchExpression& expression) {
  return *std::ranges::find(searches(), expression.name, &SearchEntry::name);
}

SearchExpression with_defaults(SearchExpression expression) {
  add_defaults(expression, entry_of(expression).parameters);
  return expression;
}

const SearchExpression* first_that_needs_marks(const SearchExpression& expression) {
  for (const SearchArgument& argument : expression.arguments) {
    if (argument.kind != Kind::search) continue;
    const EvaluatorEntry* const entry = find_evaluator(argument.search.name);
    if (entry != nullptr && entry->needs_marks) return &argument.search;
    if (const SearchExpression* const inner = first_that_needs_marks(argument.search)) return inner;
  }
  return nullptr;
}

void require_marks(const SearchExpression& expression, const std::string& text) {
  if (const SearchExpression* const needy = first_that_needs_marks(expression))
    throw SearchExpressionError(fmt::format("`{}` needs marked rules: give some with --mark or --flows", needy->name),
                                text, needy->position);
}

std::string form_of(const SearchEntry& entry) {
  return form_of(entry.name, entry.parameters);
}

std::string describe_searches() {
  std::string text = "Searches for --search:\n";
  for (const SearchEntry& entry : searches()) {
    text += fmt::format("\n  {}\n      {}\n", form_of(entry), entry.help) + describe_guarantee(entry) +
            describe_parameters(entry.parameters);
  }
  text += describe_evaluators();
  text +=
      "\nA search is written name(values, key=value). Numbers may end in k, M or G; there are percentages (50%),\n"
      "yes and no, durations (10s, 5m, 2h), and texts in quotes.\n";
  return text;
}

}  // namespace fathom
