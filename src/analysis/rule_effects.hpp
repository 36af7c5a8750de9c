// What rules do and what conditions ask for, seen from afar: values of parts of the state, with indices left out. So
// `cache[n].state := Exclusive` and `cache[m].state = Exclusive` speak of the same part and the same value. Calls,
// aliases and constant arguments are followed. This serves heuristics: it may overlook something, and nothing that a
// verdict rests on may use it.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "analysis/accesses.hpp"
#include "ir/program.hpp"

namespace fathom {

// All elements of a variable, or of a field of it.
struct StatePart {
  const ir::Variable* variable = nullptr;
  std::vector<std::uint32_t> fields;

  bool operator==(const StatePart&) const = default;
  // Whether one is the other or lies inside it.
  [[nodiscard]] bool overlaps(const StatePart& other) const;
  // Whether some element has this value in a packed state.
  [[nodiscard]] bool has_value(std::span<const std::uint64_t> state, std::int64_t value) const;
};

// Something that has to be so for a condition to have the wanted value.
struct Requirement {
  enum class Kind : std::uint8_t { equals, differs, unknown };
  StatePart part;
  Kind kind = Kind::unknown;
  std::int64_t value = 0;

  bool operator==(const Requirement&) const = default;
};

// A part that a rule writes, and what it may write: nothing when that is not known.
struct Effect {
  StatePart part;
  std::vector<std::int64_t> values;
};

class RuleEffects {
 public:
  explicit RuleEffects(const ir::Program& program) : uses_(program) {}

  // What may have to be so, somewhere in the expression, for it to be `wanted` ...
  [[nodiscard]] std::vector<Requirement> requirements(const ir::Expr& expr, bool wanted) const;
  // ... and what surely has to.
  [[nodiscard]] std::vector<Requirement> sure_requirements(const ir::Expr& expr, bool wanted) const;
  // The same, and the values of which one surely has to be there, as in `x = 1 | x = 2`: both are told.
  [[nodiscard]] std::vector<Requirement> sure_alternatives(const ir::Expr& expr, bool wanted) const;
  [[nodiscard]] std::vector<Effect> effects(const ir::Edge& edge) const;

 private:
  LocalUses uses_;
};

}  // namespace fathom
