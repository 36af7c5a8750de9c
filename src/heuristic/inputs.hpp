// What evaluators are given from outside the program, and what they have to say about a run.
#pragma once

#include <cstdint>
#include <deque>
#include <string>
#include <vector>

#include "model/model.hpp"

namespace fathom {

// How much of a run an evaluator took.
struct EvaluatorUse {
  std::string name;
  std::string about;  // what it was made of
  std::uint64_t calls = 0;
  double seconds = 0;  // from samples
};

class EvaluatorInputs {
 public:
  // An expression in a program whose states are those of the model.
  struct Asked {
    const ir::Program* program = nullptr;
    const ir::Expr* expr = nullptr;
    const ir::Routine* routine = nullptr;
  };

  virtual ~EvaluatorInputs() = default;
  // In the model's language; good as long as this object is. Throws when there is a mistake.
  virtual Asked expression(const std::string& text) = 0;
  // The last state of a saved trace. Throws when it cannot be read.
  virtual StateBuffer last_state(const std::string& path) = 0;

  std::vector<std::string> warnings;
  std::deque<EvaluatorUse> uses;  // their addresses stay as they are
};

}  // namespace fathom
