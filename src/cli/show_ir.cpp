#include "cli/show_ir.hpp"

#include <cstdio>

#include "cli/model_file.hpp"
#include "cli/output.hpp"
#include "ir/print.hpp"
#include "report/exit_code.hpp"

namespace fathom {

int show_ir(const CheckOptions& options) {
  Output output(options);
  LoadedModel model;
  load_model(options, model);
  output.show(model.diagnostics, model.sources);
  if (model.program == nullptr) return exit_code::rejected;
  std::fputs(ir::print(*model.program).c_str(), stdout);
  return exit_code::holds;
}

}  // namespace fathom
