// Reading a model: the file, its language, and the front end.
#pragma once

#include <memory>

#include "cli/options.hpp"
#include "ir/program.hpp"
#include "support/diagnostics.hpp"

namespace fathom {

struct LoadedModel {
  Sources sources;
  Diagnostics diagnostics;
  std::unique_ptr<ir::Program> program;  // null when the model was rejected

  LoadedModel() = default;
  LoadedModel(const LoadedModel&) = delete;  // the program points at the sources
  LoadedModel& operator=(const LoadedModel&) = delete;
};

// Throws UsageError when there is nothing to read or the language is not one of ours.
void load_model(const CheckOptions& options, LoadedModel& model);

}  // namespace fathom
