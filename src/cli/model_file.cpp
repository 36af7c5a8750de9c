#include "cli/model_file.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <sstream>
#include <stdexcept>

#include "analysis/narrowing.hpp"
#include "cli/first_faults.hpp"
#include "cli/given_claims.hpp"
#include "cli/given_goal.hpp"
#include "cli/quantities.hpp"
#include "cli/step_costs.hpp"
#include "cli/usage_error.hpp"
#include "ir/compose.hpp"
#include "lang/aut/load.hpp"
#include "lang/murphi/load.hpp"
#include "search/checkpoint.hpp"
#include "support/file_text.hpp"

namespace fathom {

namespace {

namespace fs = std::filesystem;

constexpr std::uintmax_t largest_model = std::uintmax_t{1} << 30;  // offsets into a source have 32 bits

// A mistyped command looks like the name of a model that is not there.
std::string maybe_a_command(const std::string& path) {
  return did_you_mean(path, {"check", "simulate", "replay", "graph", "ir", "ltl", "help", "man", "completions"});
}

std::string read(const std::string& path) {
  std::error_code error;
  const fs::file_status status = fs::status(path, error);
  if (!fs::exists(status)) throw UsageError(fmt::format("there is no file `{}`{}", path, maybe_a_command(path)));
  if (fs::is_directory(status)) throw UsageError(fmt::format("`{}` is a directory, not a model", path));
  if (fs::is_regular_file(status) && fs::file_size(path, error) > largest_model)
    throw UsageError(fmt::format("`{}` is too large for a model", path));
  std::optional<std::string> text = file_text(path);
  if (!text) throw UsageError(fmt::format("cannot read `{}`: {}", path, std::strerror(errno)));
  if (text->empty()) throw UsageError(fmt::format("`{}` is empty", path));
  return *std::move(text);
}

// Formulas of the μ-calculus name single statements, so these must be the steps.
bool speaks_of_steps(const CheckOptions& options) {
  return !options.mu_formulas.empty() || !options.mu_files.empty();
}

// A model that says something about its runs we do not understand can still be checked for the rest.
bool wants_claims(const CheckOptions& options) {
  return options.properties.empty() || !options.formulas.empty() || !options.automata.empty() ||
         speaks_of_steps(options) || wants_goal(options) ||
         std::ranges::any_of(options.properties, [](const std::string& name) {
           return name == "acceptance" || name == "non-progress" || name.starts_with("ltl");
         });
}

// Promela brings the condition as a claim of its own, Murphi as its last property.
void add_goal(ir::Program& program) {
  if (program.language == "murphi")
    return make_goal(program, static_cast<std::uint32_t>(program.properties.size() - 1));
  const auto is_goal = [](const ir::Claim& claim) { return claim.name.starts_with(promela::condition_prefix); };
  const auto claim = std::ranges::find_if(program.claims, is_goal);
  if (claim == program.claims.end()) throw std::logic_error("the goal was lost");
  make_goal(program, claim->atoms.front());
  program.claims.erase(claim);
}

// What is wrong with a cost is told before anything is searched.
void check_costs(const CheckOptions& options, LoadedModel& model) {
  if (model.program == nullptr || !model.has_costs) return;
  (void)read_costs(*model.program, model.annotations, options, model.diagnostics);
  (void)only_annotation(model.annotations, Annotation::Kind::progress, model.diagnostics);
  if (model.diagnostics.failed()) model.program.reset();
}

// The part of loading that both languages share.
void compose(LoadedModel& model) {
  if (model.program == nullptr) return;
  ir::compose(*model.program, model.diagnostics);
  if (!model.diagnostics.failed() && model.program->user_code != nullptr)
    load_user_code(*model.program->user_code, model.user_code, model.diagnostics);
  if (model.diagnostics.failed()) {
    model.program.reset();
    return;
  }
  if (model.formulas != nullptr) model.formulas->add_to(*model.program);
  if (model.goal) add_goal(*model.program);
}

// Formulas of the μ-calculus speak of types and steps of the model, so it is loaded without them first. What is wrong
// with it is told when it is loaded again.
template <class Load>
void prepare_formulas(const CheckOptions& options, LoadedModel& model, const Load& load) {
  auto formulas = std::make_unique<GivenFormulas>(options, model.sources, model.diagnostics);
  if (formulas->empty()) return;
  Diagnostics passing;
  const std::unique_ptr<ir::Program> program = load(passing);
  if (program == nullptr) return;
  formulas->resolve(*program, model.diagnostics);
  if (!model.diagnostics.failed()) model.formulas = std::move(formulas);
}

void check_steps(LoadedModel& model) {
  if (model.program == nullptr || model.formulas == nullptr) return;
  model.formulas->check_steps(*model.program, model.diagnostics);
  if (model.diagnostics.failed()) model.program.reset();
}

// What C code writes nobody can tell.
void narrow(LoadedModel& model) {
  if (model.program != nullptr && model.program->user_code == nullptr) narrow_variables(*model.program);
}

// The program with room for more processes, if faults say that some are missing.
bool extend_program(LoadedModel& model, const std::vector<std::uint64_t>& faults) {
  if (model.promela == nullptr || !model.promela->extend_plan(faults)) return false;
  model.program = model.promela->program(model.diagnostics);
  compose(model);
  return model.program != nullptr;
}

std::string sites_text(const std::vector<std::uint64_t>& faults) {
  std::vector<std::size_t> sites;
  for (std::size_t site = 0; site < faults.size(); ++site)
    if (faults[site] > 0) sites.push_back(site);
  return fmt::format("{}", fmt::join(sites, ","));
}

std::vector<std::uint64_t> faults_at(const std::string& sites) {
  std::vector<std::uint64_t> faults;
  std::istringstream in(sites);
  for (std::string site; std::getline(in, site, ',');) {
    const std::uint64_t number = parse_count(site).value_or(0);
    if (number >= faults.size()) faults.resize(number + 1);
    faults[number] = 1;
  }
  return faults;
}

// A checkpoint is of the program that the search had in the end. That it is one of this model is looked at later.
void grow_as_saved(const std::string& checkpoint, LoadedModel& model) {
  std::istringstream in(identity_text(checkpoint, growths_name));
  for (std::string sites; model.program != nullptr && std::getline(in, sites, ';');)
    if (extend_program(model, faults_at(sites))) model.growths.push_back(sites);
}

void load_murphi(const CheckOptions& options, FileId file, LoadedModel& model) {
  GivenClaims claims(options, model.sources, model.diagnostics);
  murphi::Options settings{options.dialect, options.constants, options.loop_limit, {}};
  prepare_formulas(options, model,
                   [&](Diagnostics& passing) { return murphi::load(model.sources, file, settings, passing).program; });
  for (const SourceRange atom : claims.atoms()) settings.atoms.push_back({atom, {}});
  const std::size_t of_claims = settings.atoms.size();
  if (model.goal) settings.atoms.push_back({*model.goal, {}});
  if (model.formulas != nullptr) std::ranges::move(model.formulas->conditions(), std::back_inserter(settings.atoms));
  murphi::Loaded loaded = murphi::load(model.sources, file, settings, model.diagnostics);
  if (!loaded.unknown_constants.empty()) {
    throw UsageError(fmt::format("-D: the model has no const `{}`", fmt::join(loaded.unknown_constants, "`, `")));
  }
  model.program = std::move(loaded.program);
  if (model.program != nullptr) claims.add_to(*model.program, settings.atoms.size() - of_claims);
  compose(model);
  check_steps(model);
}

// A brace would end the formula and let more of a model follow.
void refuse_braces(const char* option, const std::string& formula) {
  if (formula.find_first_of("{}") != std::string::npos)
    throw UsageError(fmt::format("{}: a formula for a Promela model has no braces: `{}`", option, formula));
}

void load_promela(const CheckOptions& options, FileId file, LoadedModel& model) {
  for (const std::string& formula : options.formulas) refuse_braces("--ltl", formula);
  std::vector<std::string> never_claims;
  for (const std::string& path : options.automata) never_claims.push_back(never_claim_of(path));
  promela::Options text{options.definitions, options.undefinitions,   options.include_paths,
                        options.formulas,    std::move(never_claims), {}};
  text.input = model.input;
  model.user_code = {&model.sources, file, options.include_paths};
  const auto sizes = [&model](const ir::UserCode& code, const std::vector<std::string>& asked, Diagnostics& found) {
    return user_sizes(code, asked, model.user_code, found);
  };
  const promela::LowerOptions lowering{options.allow_native_code, wants_claims(options),
                                       options.optimise && !speaks_of_steps(options) && !model.has_costs, sizes};
  prepare_formulas(options, model, [&](Diagnostics& passing) {
    return promela::Model(model.sources, file, text, lowering, passing).program(passing);
  });
  if (model.formulas != nullptr) text.conditions = model.formulas->condition_texts();
  if (model.goal) {
    refuse_braces("--goal", std::string(model.sources.text(*model.goal)));
    text.conditions = {std::string(model.sources.text(*model.goal))};
    text.conditions_from = options.goal ? "--goal" : model.sources.location(*model.goal);
  }
  model.promela = std::make_unique<promela::Model>(model.sources, file, text, lowering, model.diagnostics);
  model.program = model.promela->program(model.diagnostics);
  compose(model);
  // Most processes are created early, so a look at the first states saves the searches that would stumble over them.
  while (model.program != nullptr && extend_program(model, first_faults(*model.program))) {
  }
  if (options.resume) grow_as_saved(*options.resume, model);
  narrow(model);
  check_steps(model);
}

void load_aut(const CheckOptions& options, FileId file, LoadedModel& model) {
  if (wants_goal(options)) throw UsageError("a transition system has no variables that a goal could speak of");
  if (!options.formulas.empty() || !options.automata.empty())
    throw UsageError("a transition system has labels and no variables: --ltl and --automaton have nothing to speak of");
  prepare_formulas(options, model, [&](Diagnostics& passing) { return aut::load(model.sources, file, passing); });
  if (model.formulas != nullptr) model.formulas->refuse_conditions(model.diagnostics);
  model.program = aut::load(model.sources, file, model.diagnostics);
  if (model.diagnostics.failed()) model.program.reset();
  if (model.program != nullptr && model.formulas != nullptr) model.formulas->add_to(*model.program);
  check_steps(model);
}

}  // namespace

void load_model(const CheckOptions& options, LoadedModel& model) {
  if (options.model.empty()) throw UsageError("which model? Usage: fathom [check] [options] MODEL");
  std::string text = read(options.model);
  const std::optional<std::string> language = language_of(options);
  if (!language)
    throw UsageError(fmt::format("the name of `{}` does not tell its language; say --language murphi, promela or aut",
                                 options.model));
  model.language = *language;
  const FileId file = model.sources.add(options.model, std::move(text));
  if (model.language != "aut") model.annotations = read_annotations(model.sources, file, model.diagnostics);
  model.goal = find_goal(options, model.annotations, model.sources, model.diagnostics);
  model.has_costs = costs_matter(model.annotations, options);
  if (model.language == "murphi") {
    load_murphi(options, file, model);
  } else if (model.language == "aut") {
    load_aut(options, file, model);
  } else {
    load_promela(options, file, model);
  }
  check_costs(options, model);
}

CheckOptions without_optimisation(CheckOptions options) {
  options.optimise = false;
  return options;
}

const ir::Outputs* outputs_of(const LoadedModel& model) {
  return model.promela == nullptr ? nullptr : &model.promela->outputs();
}

std::optional<WrittenModel> as_written(const LoadedModel& model) {
  if (model.promela == nullptr || !model.promela->optimises()) return std::nullopt;
  Diagnostics told_before;
  promela::Lowered lowered = model.promela->as_written(told_before);
  ir::compose(*lowered.program, told_before);
  return WrittenModel{std::move(lowered.program), std::move(lowered.outputs)};
}

bool grow_program(LoadedModel& model, const std::vector<std::uint64_t>& faults) {
  if (!extend_program(model, faults)) return false;
  model.growths.push_back(sites_text(faults));
  model.grew = true;
  narrow(model);
  return true;
}

std::string growths_text(const LoadedModel& model) {
  return fmt::format("{}", fmt::join(model.growths, ";"));
}

}  // namespace fathom
