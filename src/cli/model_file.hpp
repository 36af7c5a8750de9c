// Reading a model: the file, its language, and the front end.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <vector>

#include "cli/annotations.hpp"
#include "cli/given_formulas.hpp"
#include "cli/options.hpp"
#include "ir/program.hpp"
#include "lang/promela/load.hpp"
#include "native/user_code.hpp"
#include "support/diagnostics.hpp"

namespace fathom {

struct LoadedModel {
  Sources sources;
  Diagnostics diagnostics;
  std::string language;
  std::function<std::string()> input;       // gives what a Promela model can receive from STDIN; null where it cannot
  UserCodeSettings user_code;               // how C code in the model is compiled
  std::unique_ptr<promela::Model> promela;  // what is needed to make the program anew; null for Murphi
  std::vector<std::string> growths;         // the sites, each time that searches made the program grow
  bool grew = false;                        // since it was loaded
  std::vector<Annotation> annotations;      // in comments of the model
  std::optional<SourceRange> goal;          // that runs are looked for to reach
  bool has_costs = false;                   // its steps have, and the search looks at them
  std::unique_ptr<GivenFormulas> formulas;  // of the μ-calculus; null where there are none
  std::unique_ptr<ir::Program> program;     // null when the model was rejected

  LoadedModel() = default;
  LoadedModel(const LoadedModel&) = delete;  // the program points at the sources
  LoadedModel& operator=(const LoadedModel&) = delete;
};

// Throws UsageError when there is nothing to read or the language is not one of ours.
void load_model(const CheckOptions& options, LoadedModel& model);

// For runs that a person goes through statement by statement.
CheckOptions without_optimisation(CheckOptions options);

// After a run: if it created processes the program has no room for, makes a program that has. `faults` are those of the
// run, counted per site. False: the run is good as it is.
bool grow_program(LoadedModel& model, const std::vector<std::uint64_t>& faults);

// The growths as a checkpoint names them: a search that is resumed begins with the program that it had.
std::string growths_text(const LoadedModel& model);
inline constexpr const char* growths_name = "list of processes that were created";

// The program of the model as it is written, and what its statements print.
struct WrittenModel {
  std::unique_ptr<ir::Program> program;
  ir::Outputs outputs;
};

// For showing runs of a program that was optimised; nothing where it was not.
std::optional<WrittenModel> as_written(const LoadedModel& model);

// What the statements of the program print besides `put`; null where there is nothing of the kind.
const ir::Outputs* outputs_of(const LoadedModel& model);

}  // namespace fathom
