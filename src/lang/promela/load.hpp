// A Promela model from its text to ir: parse once, then lower for a plan of processes, again whenever a run shows that
// the plan has to grow.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "ir/numbered_statement.hpp"
#include "lang/promela/lower.hpp"
#include "lang/promela/preprocessor.hpp"

namespace fathom::promela {

// What a model states besides its assertions and end states.
struct Claims {
  std::vector<std::string> formulas;  // names of its ltl properties
  bool never = false;
  bool accept_labels = false;
};

class Model {
 public:
  // The model may have been rejected: see parsed().
  Model(Sources& sources, FileId file, const Options& options, const LowerOptions& lowering, Diagnostics& diagnostics);
  ~Model();

  [[nodiscard]] bool parsed() const { return tree_ != nullptr; }
  [[nodiscard]] const Claims& claims() const { return claims_; }
  // The numbers of its statements in Spin's trails.
  [[nodiscard]] ir::NumberedStatements spin_numbers() const;
  // What the statements of the last program print.
  [[nodiscard]] const ir::Outputs& outputs() const { return outputs_; }
  // A program for the present plan; null when the model is rejected.
  std::unique_ptr<ir::Program> program(Diagnostics& diagnostics);
  // A program for the present plan without optimisation, and what its statements print.
  [[nodiscard]] Lowered as_written(Diagnostics& diagnostics) const;
  [[nodiscard]] bool optimises() const { return lowering_.optimise; }
  // A program in whose states an expression can be evaluated: its last property is an atom whose condition is the
  // expression, of any scalar type. Its states are those of the last program. Null after a mistake, which is reported;
  // the text is at the end of the file that is added to `sources`, from `begin` on.
  std::unique_ptr<ir::Program> ask(const std::string& text, Sources& sources, std::uint32_t& begin,
                                   Diagnostics& diagnostics) const;
  // Takes the faults of a run of the last program, counted per site. True: the plan has grown, and the run is void.
  bool extend_plan(const std::vector<std::uint64_t>& faults);

 private:
  const Sources& sources_;
  FileId file_;
  Options options_;
  LowerOptions lowering_;
  std::unique_ptr<ParsedModel> tree_;
  Claims claims_;
  Plan plan_;
  std::vector<Unplanned> unplanned_;
  ir::Outputs outputs_;
};

}  // namespace fathom::promela
