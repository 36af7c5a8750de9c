// A Murphi model from its text to ir: parse and lower.
#pragma once

#include "lang/murphi/lower.hpp"

namespace fathom::murphi {

struct Loaded {
  std::unique_ptr<ir::Program> program;        // null when the model is rejected or a constant is unknown
  std::vector<std::string> unknown_constants;  // replaced on request but not declared: the request is wrong
};

// `sources` must outlive the program.
Loaded load(const Sources& sources, FileId file, const Options& options, Diagnostics& diagnostics);

}  // namespace fathom::murphi
