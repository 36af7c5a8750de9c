#include "cli/given_formulas.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <optional>
#include <set>
#include <stdexcept>

#include "cli/usage_error.hpp"
#include "property/mu/action.hpp"
#include "support/file_text.hpp"
#include "support/text.hpp"

namespace fathom {

namespace {

constexpr const char* command_line_mu = "--mu";

SourceRange part(FileId file, mu::Span span) {
  return {file, static_cast<std::uint32_t>(span.begin), static_cast<std::uint32_t>(span.end)};
}

void report(const mu::ParseError& error, FileId file, std::size_t size, Diagnostics& diagnostics) {
  const std::size_t at = std::min(error.offset, size);
  diagnostics.error("F340", part(file, {at, std::min(at + 1, size)}), error.what());
}

// Comments become blanks, so that places stay what they are.
std::string without_comments(std::string text) {
  for (std::size_t at = text.find("//"); at != std::string::npos; at = text.find("//", at))
    for (; at < text.size() && text[at] != '\n'; ++at) text[at] = ' ';
  return text;
}

std::string read_formula(const std::string& path) {
  std::optional<std::string> text = file_text(path);
  if (!text) throw UsageError(fmt::format("cannot read the formula in `{}`", path));
  return without_comments(*std::move(text));
}

// By their positions, and as the model writes them.
std::vector<std::pair<std::int64_t, std::string>> values_of(const ir::Program& program, const std::string& name) {
  std::vector<std::pair<std::int64_t, std::string>> values;
  const auto type = std::ranges::find_if(
      program.types, [&](const ir::Type& known) { return known.name == name && known.is_scalar(); });
  if (type == program.types.end()) return values;
  if (type->is_machine()) {
    for (std::size_t k = 0; k < type->value_names.size(); ++k)
      values.emplace_back(static_cast<std::int64_t>(k), type->value_names[k]);
    return values;
  }
  constexpr std::uint64_t most = 100'000;
  for (std::uint64_t code = 1; code <= std::min(type->cardinality(), most); ++code)
    values.emplace_back(static_cast<std::int64_t>(code) - 1, ir::show(*type, type->value(code)));
  return values;
}

std::string with_value(const std::string& text, const mu::Binding& binding) {
  std::string result;
  for (std::size_t at = 0; at < text.size();) {
    std::size_t behind = at;
    while (behind < text.size() && is_name_character(text[behind])) ++behind;
    const std::string word = text.substr(at, behind - at);
    const bool field = at > 0 && text[at - 1] == '.';
    result += word == binding.variable && !field ? binding.shown : word;
    if (behind < text.size()) result += text[behind++];
    at = behind;
  }
  return result;
}

// A label of each edge, with any values of its parameters.
template <class Visit>
void each_step(const ir::Program& program, Visit visit) {
  StepLabels labels(program);
  const std::vector<const ir::Edge*> edges = program.edges();
  for (std::uint32_t k = 0; k < edges.size(); ++k) visit(labels[labels.number(make_instance(k, 0))], *edges[k]);
}

std::vector<std::string> step_names(const ir::Program& program) {
  std::set<std::string> names;
  each_step(program, [&](const StepLabel& step, const ir::Edge&) { names.insert(step.name); });
  return {names.begin(), names.end()};
}

// Of the steps with this name, those with as many parameters as the formula has arguments before all others; nothing
// where there is no such step. A text in quotes may be that of a step with its parameters, whose values we do not know.
std::optional<std::size_t> parameters_of_steps(const mu::Action& action, const ir::Program& program) {
  std::optional<std::size_t> found;
  each_step(program, [&](const StepLabel& step, const ir::Edge&) {
    const bool whole = action.quoted && !action.has_arguments && !step.arguments.empty();
    if (!whole && !mu::names(action, step.name) && !(action.quoted && mu::names(action, step.text()))) return;
    if (!found || step.arguments.size() == action.arguments.size()) found = step.arguments.size();
  });
  return found;
}

bool has_value(const ir::ParameterDomain& domain, std::int64_t value) {
  return std::ranges::any_of(domain.segments, [&](const ir::ParameterDomain::Segment& segment) {
    const auto [low, high] = std::minmax(segment.from, segment.to);
    return segment.size() > 0 && value >= low && value <= high && (value - segment.from) % segment.step == 0;
  });
}

// The first argument that is a number and that no step of this name has there.
std::optional<std::size_t> impossible_argument(const mu::Action& action, const ir::Program& program) {
  for (std::size_t k = 0; k < action.arguments.size(); ++k) {
    std::int64_t value = 0;
    const std::string& text = action.arguments[k];
    if (std::from_chars(text.data(), text.data() + text.size(), value).ptr != text.data() + text.size()) continue;
    bool possible = false;
    each_step(program, [&](const StepLabel& step, const ir::Edge& edge) {
      if (!mu::names(action, step.name) || edge.parameters.size() != action.arguments.size()) return;
      const ir::Parameter& parameter = edge.parameters[k];
      possible |= parameter.local->type->kind != ir::Type::Kind::range || has_value(parameter.domain, value);
    });
    if (!possible) return k;
  }
  return std::nullopt;
}

}  // namespace

GivenFormulas::GivenFormulas(const CheckOptions& options, Sources& sources, Diagnostics& diagnostics)
    : sources_(sources) {
  for (const std::string& text : options.mu_formulas) read(command_line_mu, text, diagnostics);
  for (const std::string& path : options.mu_files) read(path, read_formula(path), diagnostics);
}

void GivenFormulas::read(const std::string& name, std::string text, Diagnostics& diagnostics) {
  const FileId file = sources_.add(name, text);
  try {
    formulas_.push_back({file, mu::parse(text), {}});
  } catch (const mu::ParseError& error) {
    report(error, file, text.size(), diagnostics);
  }
}

void GivenFormulas::resolve(const ir::Program& program, Diagnostics& diagnostics) {
  const auto values = [&](const std::string& type) { return values_of(program, type); };
  for (Given& given : formulas_) {
    try {
      given.ready = mu::resolve(*given.written, values);
    } catch (const mu::ParseError& error) {
      report(error, given.file, sources_.text(given.file).size(), diagnostics);
      continue;
    }
    if (given.ready.conditions.size() > ir::max_atoms)
      diagnostics.error("F505", part(given.file, given.written->span),
                        fmt::format("a formula can have at most {} different conditions, and this one has {}",
                                    ir::max_atoms, given.ready.conditions.size()));
  }
}

std::vector<murphi::OutsideCondition> GivenFormulas::conditions() const {
  std::vector<murphi::OutsideCondition> result;
  for (const Given& given : formulas_)
    for (const mu::Condition& condition : given.ready.conditions) {
      murphi::OutsideCondition& added = result.emplace_back();
      added.range = part(given.file, condition.span);
      for (const mu::Binding& binding : condition.bindings)
        added.names.push_back({binding.variable, binding.type, binding.value});
    }
  return result;
}

std::vector<std::string> GivenFormulas::condition_texts() const {
  std::vector<std::string> result;
  for (const Given& given : formulas_)
    for (const mu::Condition& condition : given.ready.conditions) {
      std::string text = condition.text;
      for (const mu::Binding& binding : condition.bindings) text = with_value(text, binding);
      // A brace would end the block and let more of a model follow.
      if (text.find_first_of("{}") != std::string::npos)
        throw UsageError(fmt::format("--mu: a condition of a Promela model has no braces: `{}`", text));
      result.push_back(std::move(text));
    }
  return result;
}

void GivenFormulas::refuse_conditions(Diagnostics& diagnostics) const {
  for (const Given& given : formulas_)
    for (const mu::Condition& condition : given.ready.conditions)
      diagnostics.error("F343", part(given.file, condition.span),
                        "a transition system has labels and no variables: there is nothing this could speak of");
}

std::size_t GivenFormulas::condition_count() const {
  std::size_t count = 0;
  for (const Given& given : formulas_) count += given.ready.conditions.size();
  return count;
}

void GivenFormulas::add_to(ir::Program& program) const {
  const auto is_ours = [&](SourceRange range) {
    return sources_.path(range.file) == command_line_mu ||
           std::ranges::any_of(formulas_, [&](const Given& given) { return given.file == range.file; });
  };
  // Promela brings each condition as a claim of its own.
  std::vector<std::uint32_t> atoms;
  for (const ir::Claim& claim : program.claims)
    if (is_ours(claim.range)) atoms.push_back(claim.atoms.front());
  std::erase_if(program.claims, [&](const ir::Claim& claim) { return is_ours(claim.range); });
  for (std::uint32_t k = 0; k < program.properties.size() && program.language == "murphi"; ++k)
    if (program.properties[k]->kind == ir::Property::Kind::atom && is_ours(program.properties[k]->range))
      atoms.push_back(k);
  if (atoms.size() != condition_count()) throw std::logic_error("a condition of a formula was lost");
  auto next = atoms.begin();
  for (std::size_t k = 0; k < formulas_.size(); ++k) {
    ir::Claim& claim = program.claims.emplace_back();
    claim.kind = ir::Claim::Kind::mu;
    claim.name = fmt::format("mu_{}", k);
    claim.range = part(formulas_[k].file, formulas_[k].written->span);
    claim.mu_formula = formulas_[k].ready.formula;
    const auto count = static_cast<std::ptrdiff_t>(formulas_[k].ready.conditions.size());
    claim.atoms.assign(next, next + count);
    next += count;
  }
}

void GivenFormulas::check_steps(const ir::Program& program, Diagnostics& diagnostics) const {
  for (const Given& given : formulas_)
    for (const mu::Action* action : mu::named_actions(*given.written)) check_step(given, *action, program, diagnostics);
}

void GivenFormulas::check_step(const Given& given, const mu::Action& action, const ir::Program& program,
                               Diagnostics& diagnostics) {
  const SourceRange place = part(given.file, action.span);
  const std::optional<std::size_t> parameters = parameters_of_steps(action, program);
  if (parameters && !action.has_arguments) return;
  if (parameters == action.arguments.size()) {
    if (const std::optional<std::size_t> k = impossible_argument(action, program))
      diagnostics.warning("F344", place, fmt::format("no step `{}` has `{}` there", action.name, action.arguments[*k]));
    return;
  }
  if (parameters) {
    diagnostics.error("F342", place,
                      fmt::format("`{}` has {} parameter{}", action.name, *parameters, *parameters == 1 ? "" : "s"));
    return;
  }
  // Processes that are created later may bring their own statements.
  const bool may_come = program.language == "promela";
  const char* const what = may_come ? "statement" : program.language == "murphi" ? "rule" : "transition";
  const std::string message =
      fmt::format("the model has no {} `{}`{}", what, action.name, did_you_mean(action.name, step_names(program)));
  if (may_come) {
    diagnostics.warning("F341", place, message);
  } else {
    diagnostics.error("F341", place, message);
  }
}

}  // namespace fathom
