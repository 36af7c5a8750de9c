// Reading a model: the file, its language, and the front end.
#pragma once

#include <memory>

#include "cli/given_formulas.hpp"
#include "cli/options.hpp"
#include "ir/program.hpp"
#include "lang/promela/load.hpp"
#include "support/diagnostics.hpp"

namespace fathom {

struct LoadedModel {
  Sources sources;
  Diagnostics diagnostics;
  std::string language;
  std::unique_ptr<promela::Model> promela;  // what is needed to make the program anew; null for Murphi
  std::unique_ptr<GivenFormulas> formulas;  // of the μ-calculus; null where there are none
  std::unique_ptr<ir::Program> program;     // null when the model was rejected

  LoadedModel() = default;
  LoadedModel(const LoadedModel&) = delete;  // the program points at the sources
  LoadedModel& operator=(const LoadedModel&) = delete;
};

// Throws UsageError when there is nothing to read or the language is not one of ours.
void load_model(const CheckOptions& options, LoadedModel& model);

// After a run: if it created processes the program has no room for, makes a program that has. `faults` are those of the
// run, counted per site. False: the run is good as it is.
bool grow_program(LoadedModel& model, const std::vector<std::uint64_t>& faults);

// What the statements of the program print besides `put`; null where there is nothing of the kind.
const ir::Outputs* outputs_of(const LoadedModel& model);

}  // namespace fathom
