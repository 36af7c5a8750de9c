// What evaluators ask of the command line: expressions in the model's language, and saved traces.
#pragma once

#include <deque>
#include <memory>

#include "cli/model_file.hpp"
#include "cli/options.hpp"
#include "heuristic/inputs.hpp"

namespace fathom {

class ModelEvaluatorInputs final : public EvaluatorInputs {
 public:
  // Both must outlive this.
  ModelEvaluatorInputs(const LoadedModel& model, const CheckOptions& options) : model_(model), options_(options) {}

  // Throw UsageError.
  Asked expression(const std::string& text) override;
  StateBuffer last_state(const std::string& path) override;

 private:
  // A program that was made for one expression.
  struct Loaded {
    Sources sources;
    std::unique_ptr<ir::Program> program;
    ir::Expr read;
  };

  [[nodiscard]] Asked ask_promela(const std::string& text);
  [[nodiscard]] Asked ask_murphi(const std::string& text);

  const LoadedModel& model_;
  const CheckOptions& options_;
  std::deque<Loaded> loaded_;
};

}  // namespace fathom
