// Formulas of the μ-calculus from the command line (--mu, --mu-file): read, made ready for the model, and added to its
// program as claims. Their conditions are handed to the model's front end like those of other claims.
#pragma once

#include <string>
#include <vector>

#include "cli/options.hpp"
#include "ir/program.hpp"
#include "lang/murphi/lower.hpp"
#include "property/mu/resolve.hpp"
#include "support/diagnostics.hpp"

namespace fathom {

class GivenFormulas {
 public:
  // Mistakes are reported with their place in the formula. Throws UsageError for a file that cannot be read.
  GivenFormulas(const CheckOptions& options, Sources& sources, Diagnostics& diagnostics);

  [[nodiscard]] bool empty() const { return formulas_.empty(); }

  // Writes out the quantifiers, for which the types of the model have to be known.
  void resolve(const ir::Program& program, Diagnostics& diagnostics);

  // The conditions of all formulas, one behind the other: as Murphi's front end wants them, and as texts with the
  // values of quantified variables put in.
  [[nodiscard]] std::vector<murphi::OutsideCondition> conditions() const;
  [[nodiscard]] std::vector<std::string> condition_texts() const;

  // For models without variables.
  void refuse_conditions(Diagnostics& diagnostics) const;

  // The program has the conditions among its properties. It may be made again and again.
  void add_to(ir::Program& program) const;

  // A formula about steps that the model does not have would hold, or not, for no good reason.
  void check_steps(const ir::Program& program, Diagnostics& diagnostics) const;

 private:
  struct Given {
    FileId file;
    mu::FormulaPtr written;
    mu::Resolved ready;
  };

  [[nodiscard]] std::size_t condition_count() const;
  void read(const std::string& name, std::string text, Diagnostics& diagnostics);
  static void check_step(const Given& given, const mu::Action& action, const ir::Program& program,
                         Diagnostics& diagnostics);

  Sources& sources_;
  std::vector<Given> formulas_;
};

}  // namespace fathom
