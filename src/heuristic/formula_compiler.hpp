// From conditions to estimates of how far they are from being so (the heuristic H_f of Edelkamp et al., Survey on
// Directed Model Checking, 2008, section 3): a conjunction needs all its parts, which are added up or of which the
// largest counts, a disjunction its nearest one, and negations are pushed inwards. A comparison is as far away as its
// two numbers are from each other. A cell that is compared with a constant and has few values is as far away as the
// steps of the program make it (analysis/value_steps.hpp).
#pragma once

#include <map>
#include <optional>
#include <utility>
#include <vector>

#include "analysis/value_steps.hpp"
#include "heuristic/estimate_code.hpp"

namespace fathom {

// How the parts of a conjunction are put together. `divided`: the distances of different cells are added up, to be
// divided by how many of them a step can change.
enum class Combine : std::uint8_t { sum, max, divided };

struct FormulaStyle {
  Combine combine = Combine::sum;
  // Nothing may be over-estimated: comparisons that are not so count one, and what is not known counts nothing.
  bool lower_bound = false;
  // Only comparisons of these cells with constants count. Null: everything does.
  const BitSet* only = nullptr;
};

// A part of a conjunction; `cell` where it is the distance of one cell.
struct Term {
  EstimateCode::Ref distance = 0;
  std::optional<std::uint32_t> cell = {};
};
using Terms = std::vector<Term>;

class FormulaCompiler {
 public:
  using Ref = EstimateCode::Ref;

  // What the locals of a routine stand for: a number, or for a reference the address of bits in the state.
  using Locals = std::map<const ir::Local*, Ref>;
  struct Scope {
    const ir::Routine* routine = nullptr;
    Locals values = {};
    Locals addresses = {};
  };

  // Code beyond this many instructions is not made: then quantifiers are written out for their first values only.
  static constexpr std::size_t max_code = 20'000;

  FormulaCompiler(EstimateCode& code, const Cells& cells, ValueSteps& steps, FormulaStyle style)
      : code_(code), cells_(cells), steps_(steps), style_(style) {}

  // Adds what it takes for the expression to be `wanted`.
  void require(const ir::Expr& expr, bool wanted, Scope& scope, Terms& terms);
  // The distance of a cell from one of the wanted codes.
  [[nodiscard]] Term cell_term(std::uint32_t cell, const std::vector<bool>& wanted);
  [[nodiscard]] Ref all_of(const Terms& terms);
  // The same for everything that has to be so.
  [[nodiscard]] Ref distance(const ir::Expr& expr, bool wanted, Scope& scope);

  // The value of an expression; nothing where it cannot be known from the state.
  [[nodiscard]] std::optional<Ref> value(const ir::Expr& expr, Scope& scope);
  // The address of a place in the state.
  [[nodiscard]] std::optional<Ref> address(const ir::Place& place, Scope& scope);
  // Calls visit() for each value of a quantifier or loop, bound in the scope; false where they cannot be told.
  template <class Visit>
  bool for_each_value(const ir::Binding& binding, Scope& scope, Visit visit);

  [[nodiscard]] bool is_truncated() const { return truncated_; }
  EstimateCode& code() { return code_; }

 private:
  [[nodiscard]] bool require_parts(const ir::Expr& expr, bool wanted, Scope& scope, Terms& terms);
  [[nodiscard]] Ref any_of(const ir::Expr& expr, bool wanted, Scope& scope);
  [[nodiscard]] std::optional<Term> comparison(const ir::Expr& expr, bool wanted, Scope& scope);
  [[nodiscard]] std::optional<Term> cell_comparison(const ir::Expr& expr, bool wanted, Scope& scope);
  [[nodiscard]] std::optional<Term> truth(const ir::Expr& expr, bool wanted, Scope& scope);
  [[nodiscard]] Term leaf(const ir::Expr& expr, bool wanted, Scope& scope);
  [[nodiscard]] Term unknown() { return {code_.constant(style_.lower_bound || style_.only != nullptr ? 0 : 1)}; }
  [[nodiscard]] std::optional<std::uint32_t> cell_at(const ir::Place& place, Scope& scope);
  [[nodiscard]] bool goes_by_steps(std::uint32_t cell) const;
  [[nodiscard]] std::optional<Ref> read(const ir::Place& place, Scope& scope);
  [[nodiscard]] std::optional<Ref> interpreted(const ir::Expr& expr, Scope& scope);
  [[nodiscard]] std::optional<std::vector<std::int64_t>> values_of(const ir::Domain& domain, Scope& scope);

  EstimateCode& code_;
  const Cells& cells_;
  ValueSteps& steps_;
  const FormulaStyle style_;
  bool truncated_ = false;
};

template <class Visit>
bool FormulaCompiler::for_each_value(const ir::Binding& binding, Scope& scope, Visit visit) {
  const auto values = values_of(binding.domain, scope);
  if (!values) return false;
  for (const std::int64_t value : *values) {
    if (code_.size() > max_code) {
      truncated_ = true;
      break;
    }
    scope.values[binding.local] = code_.constant(value);
    visit();
  }
  scope.values.erase(binding.local);
  return true;
}

}  // namespace fathom
