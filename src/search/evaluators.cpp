#include "search/evaluators.hpp"

#include <algorithm>
#include <functional>

#include "heuristic/abstraction.hpp"
#include "heuristic/blocked.hpp"
#include "heuristic/combination.hpp"
#include "heuristic/formula.hpp"
#include "heuristic/fsm_to_state.hpp"
#include "heuristic/hamming.hpp"
#include "heuristic/marked.hpp"
#include "heuristic/timed.hpp"
#include "heuristic/useless.hpp"
#include "heuristic/user_expression.hpp"
#include "heuristic/zero.hpp"
#include "search/step_costs.hpp"

namespace fathom {

namespace {

using Made = std::unique_ptr<Evaluator>;

Goals goals_of(const SearchRequest& request) {
  const SearchOptions& options = request.options;
  return {.program = request.program,
          .selected = options.selected,
          .assertions = options.assertions,
          .deadlock = options.deadlock != DeadlockMode::off,
          .stuttering = options.deadlock == DeadlockMode::stuttering && !options.valid_end,
          .valid_end = options.valid_end};
}

void warn(const SearchRequest& request, std::string message) {
  if (request.evaluators != nullptr) request.evaluators->warnings.push_back(std::move(message));
}

std::function<bool()> beside_native_code(const SearchRequest& request) {
  return [&model = request.model] { return model.use().native > 0; };
}

Combine combine_of(std::string_view word) {
  return word == "sum" ? Combine::sum : word == "max" ? Combine::max : Combine::divided;
}

std::vector<std::string> names_in(std::string_view list) {
  std::vector<std::string> names;
  for (std::size_t start = 0; start < list.size();) {
    const std::size_t end = std::min(list.find(',', start), list.size());
    std::string_view name = list.substr(start, end - start);
    while (name.starts_with(' ')) name.remove_prefix(1);
    while (name.ends_with(' ')) name.remove_suffix(1);
    if (!name.empty()) names.emplace_back(name);
    start = end + 1;
  }
  return names;
}

Made make_abstraction(const SearchRequest& request, const Arguments& arguments) {
  AbstractionChoice choice;
  if (arguments.has("vars")) choice.variables = names_in(arguments.word("vars"));
  if (arguments.has("processes")) choice.processes = names_in(arguments.word("processes"));
  choice.size = arguments.count("size");
  choice.seconds = arguments.number("time");
  if (request.options.seconds) choice.seconds = std::min(choice.seconds, *request.options.seconds / 2);
  if (Canonicaliser* const canonicaliser = request.options.canonicaliser; canonicaliser != nullptr)
    choice.canonicalise = [canonicaliser](std::uint64_t* state) { canonicaliser->canonicalise(state); };
  choice.executor = &request.model;
  choice.bytes = std::min(choice.bytes, request.options.memory_limit / 4);
  if (request.costs != nullptr) choice.costs = request.costs->of_edge;
  auto result = std::make_unique<Abstraction>(goals_of(request), std::make_unique<ModelFacts>(request.program), choice);
  if (!result->complaint().empty()) warn(request, "abstraction(): " + result->complaint());
  return result;
}

Made make_blocked(const SearchRequest& request, std::vector<ProcessEnds> ends) {
  const Guidance& guidance = *request.guidance;
  if (guidance.agents() < 2) warn(request, "blocked() has nothing to go by: the model has no agents");
  const auto owners = [&guidance](InstanceId step) {
    const Owners owners = guidance.owners(step);
    return std::pair(owners.first, owners.second);
  };
  if (ends.size() + 1 != guidance.agents()) ends.clear();
  return std::make_unique<Blocked>(guidance.agents(), owners, std::move(ends));
}

Made make_agents_that_move(const SearchRequest& request, const Arguments&) {
  return make_blocked(request, {});
}

Made make_most_blocked(const SearchRequest& request, const Arguments&) {
  return make_blocked(request, process_ends(request.program));
}

Made make_expr(const SearchRequest& request, const Arguments& arguments) {
  ModelFacts facts(request.program);
  const std::string text(arguments.word("expression"));
  return std::make_unique<UserExpression>(request.evaluators->expression(text), facts);
}

Made make_formula(const SearchRequest& request, const Arguments& arguments) {
  ModelFacts facts(request.program);
  auto result =
      std::make_unique<Formula>(goals_of(request), facts, combine_of(arguments.word("combine")), Formula::Leaves::all);
  result->compile_when(beside_native_code(request));
  if (result->aim().empty()) warn(request, "formula() has nothing to go by: no property that is checked says anything");
  return result;
}

constexpr const char* no_control =
    "fsm() has nothing to go by: the model has neither processes nor enumerations that what is checked depends on";

Made make_fsm(const SearchRequest& request, const Arguments& arguments) {
  ModelFacts facts(request.program);
  const Combine combine = combine_of(arguments.word("combine"));
  if (arguments.has("file")) {
    const StateBuffer target = request.evaluators->last_state(std::string(arguments.word("file")));
    auto result = std::make_unique<FsmToState>(request.program, target, combine, facts);
    if (result->has_nothing_to_go_by()) warn(request, no_control);
    return result;
  }
  auto result = std::make_unique<Formula>(goals_of(request), facts, combine, Formula::Leaves::control,
                                          request.options.canonicaliser != nullptr);
  result->compile_when(beside_native_code(request));
  if (result->aim().empty()) warn(request, no_control);
  return result;
}

Made make_hamming(const SearchRequest& request, const Arguments& arguments) {
  const ModelFacts facts(request.program);
  const StateBuffer target = request.evaluators->last_state(std::string(arguments.word("file")));
  const auto form = arguments.word("combine") == "sum" ? Hamming::Form::sum : Hamming::Form::divided;
  return std::make_unique<Hamming>(request.program, target, form, facts);
}

Made make_marked(const SearchRequest& request, const Arguments&) {
  return std::make_unique<Marked>([guidance = request.guidance](InstanceId step, StateView state) {
    return guidance != nullptr && guidance->marked(step, state);
  });
}

EvaluatorParts make_parts(const SearchRequest& request, const Arguments& arguments) {
  EvaluatorParts parts;
  for (const SearchExpression* part : arguments.all_nested()) parts.push_back(make_evaluator(request, *part));
  return parts;
}

Made make_max(const SearchRequest& request, const Arguments& arguments) {
  return std::make_unique<Largest>(make_parts(request, arguments));
}

Made make_sum(const SearchRequest& request, const Arguments& arguments) {
  return std::make_unique<Sum>(make_parts(request, arguments));
}

Made make_useless(const SearchRequest& request, const Arguments& arguments) {
  ModelFacts facts(request.program);
  return std::make_unique<Useless>(make_evaluator(request, arguments.nested("h")), goals_of(request), facts);
}

Made make_weighted(const SearchRequest& request, const Arguments& arguments) {
  return std::make_unique<Weighted>(make_evaluator(request, arguments.nested("h")), arguments.number("w"));
}

Made make_zero(const SearchRequest&, const Arguments&) {
  return std::make_unique<Zero>();
}

constexpr SearchParameter abstraction_parameters[] = {
    {"vars", "NAMES", "", "names of variables, in quotes and with commas between them, that make up the pattern"},
    {"processes", "NAMES", "", "names of processes, likewise, with all they have of their own"},
    {"size", "N", "1M", "states of all tables together"},
    {"time", "N", "2", "seconds to make them, at most half of --time"},
};

constexpr SearchParameter expr_parameters[] = {
    {"expression", "\"EXPR\"", "", "an expression in the model's language, in quotes", 0, true},
};

constexpr SearchParameter formula_parameters[] = {
    {"combine", "sum|max", "sum", "what counts of the parts of a conjunction: all together, or the largest"},
};

constexpr SearchParameter fsm_parameters[] = {
    {"combine", "max|divided|sum", "max",
     "what counts of several agents: the one that has farthest to go, all together divided by how many of them a step "
     "can move, or all together"},
    {"file", "FILE", "", "a saved trace: the distance to its last state instead of to any violation"},
};

constexpr SearchParameter hamming_parameters[] = {
    {"file", "FILE", "", "a saved trace, whose last state is the target", 0, true},
    {"combine", "sum|divided", "sum", "divided: by how many variables one step can change"},
};

constexpr SearchParameter list_parameters[] = {
    {"", "H...", "", "one or more evaluators", 0, true},
};

constexpr SearchParameter useless_parameters[] = {
    {"h", "H", "formula", "an evaluator"},
};

constexpr SearchParameter weighted_parameters[] = {
    {"h", "H", "", "an evaluator", 0, true},
    {"w", "N|P%", "2", "its weight: a number, or a percentage"},
};

constexpr EvaluatorEntry entries[] = {
    {.name = "abstraction",
     .help = "the steps to a violation when only some variables are looked at, from tables that are made before the "
             "search; which variables, is found automatically unless they are named, and in the end it is all of them "
             "where that is small enough",
     .promise = "consistent",
     .make = make_abstraction,
     .parameters = abstraction_parameters},
    {.name = "blocked", .help = "the number of agents that can move: towards deadlocks", .make = make_agents_that_move},
    {.name = "expr",
     .help = "what the user says: a number, or how far a condition is from being true",
     .make = make_expr,
     .parameters = expr_parameters},
    {.name = "formula",
     .help =
         "how far the conditions that violate an invariant or assertion are from being true; for deadlocks, how far "
         "the guards of all steps are from being false",
     .promise = "consistent if combine=max and nothing had to be left out",
     .make = make_formula,
     .parameters = formula_parameters},
    {.name = "fsm",
     .help = "how far processes (Murphi: enumerations) are from where something can be violated",
     .promise = "consistent unless combine=sum or a file is given",
     .make = make_fsm,
     .parameters = fsm_parameters},
    {.name = "hamming",
     .help = "the number of variables that differ from a state",
     .make = make_hamming,
     .parameters = hamming_parameters},
    {.name = "marked",
     .help = "100 less the number of marked steps that are enabled (see --mark and --flows)",
     .needs_marks = true,
     .make = make_marked},
    {.name = "max",
     .help = "the largest of several estimates",
     .promise = "what all of them are",
     .make = make_max,
     .parameters = list_parameters,
     .combines = true},
    {.name = "most-blocked",
     .help = "the number of agents less those that cannot move and may not end where they are: towards deadlocks",
     .make = make_most_blocked},
    {.name = "sum",
     .help = "several estimates added up",
     .make = make_sum,
     .parameters = list_parameters,
     .combines = true},
    {.name = "useless",
     .help = "an estimate, but states that were reached by a step which changes nothing that matters come last",
     .make = make_useless,
     .parameters = useless_parameters,
     .combines = true},
    {.name = "weighted",
     .help = "an estimate times a weight",
     .promise = "what h is, if w is at most 1",
     .make = make_weighted,
     .parameters = weighted_parameters,
     .combines = true},
    {.name = "zero",
     .help = "0 for every state: a search without direction, for comparison",
     .promise = "consistent",
     .make = make_zero},
};

}  // namespace

std::span<const EvaluatorEntry> evaluators() {
  return entries;
}

const EvaluatorEntry* find_evaluator(std::string_view name) {
  const auto found = std::ranges::find(entries, name, &EvaluatorEntry::name);
  return found == std::end(entries) ? nullptr : found;
}

std::unique_ptr<Evaluator> make_evaluator(const SearchRequest& request, const SearchExpression& expression) {
  const EvaluatorEntry& entry = *find_evaluator(expression.name);
  Made evaluator = entry.make(request, Arguments(expression));
  if (request.costs != nullptr && !entry.combines && !evaluator->in_costs())
    evaluator = std::make_unique<PerStep>(std::move(evaluator), request.costs->least);
  if (entry.combines || request.evaluators == nullptr) return evaluator;
  EvaluatorUse& use = request.evaluators->uses.emplace_back();
  use.name = expression.text();
  use.about = evaluator->about();
  return std::make_unique<Timed>(std::move(evaluator), use);
}

}  // namespace fathom
