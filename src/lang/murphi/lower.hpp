// The Murphi checker: resolves names, computes types, and turns the syntax tree into ir. It reports every mistake it
// can find; the program is returned only when there was none.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "ir/program.hpp"
#include "lang/murphi/ast.hpp"
#include "lang/murphi/dialect.hpp"
#include "support/diagnostics.hpp"

namespace fathom::murphi {

// A condition on states that stands outside the model, as part of its sources. It may use names that the model does not
// have: values of types of the model, by their position, or numbers.
struct OutsideCondition {
  struct Name {
    std::string name;
    std::string type;  // "": a number
    std::int64_t value = 0;
  };
  SourceRange range;
  std::vector<Name> names = {};
};

struct Options {
  Dialect dialect = Dialect::cmurphi;
  std::vector<std::pair<std::string, std::int64_t>> constants;  // replace the values of top-level constants
  std::uint64_t loop_limit = 1000;                              // rounds of a `while`
  // Each becomes a property of kind `atom`, in this order, behind the properties of the model.
  std::vector<OutsideCondition> atoms = {};
};

// Null when anything was wrong. `sources` must outlive the program.
std::unique_ptr<ir::Program> lower(const File& syntax, const Sources& sources, FileId file, const Options& options,
                                   Diagnostics& diagnostics);

}  // namespace fathom::murphi
