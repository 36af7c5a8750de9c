// A guard `a & b & c` in parts. Where one of them is false whatever the inner parameters of the rule are, the instances
// that differ in these alone need not be tried.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "ir/program.hpp"
#include "model/interpreter.hpp"

namespace fathom {

class GuardParts {
 public:
  explicit GuardParts(const ir::Edge& edge);

  // Evaluates the guard for the instance that is loaded. If it is false, the number of outermost parameters that decide
  // this: it is false as long as they have the same values. Nothing if it holds or fails.
  [[nodiscard]] std::optional<std::size_t> false_within(Interpreter& run) const;

 private:
  // Parts of the guard itself, or of the expression that a function returns which is called there.
  struct Part {
    const ir::Expr* condition;
    std::size_t parameters;  // how many of the outermost ones decide that it is false
  };
  struct Group {
    const ir::Call* call;  // null: the guard itself
    std::vector<Part> parts;
  };
  class Builder;

  static std::optional<std::size_t> first_false(const std::vector<Part>& parts, Interpreter& run);

  std::vector<Group> groups_;
};

}  // namespace fathom
