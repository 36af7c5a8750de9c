// `fathom ir`: prints the model as the rest of Fathom sees it.
#pragma once

#include "cli/options.hpp"

namespace fathom {

int show_ir(const CheckOptions& options);

}  // namespace fathom
