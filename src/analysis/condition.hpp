// A condition as a list of conjuncts that are evaluated in order until one is false. Small quantifiers are written out.
// A conjunct that compares one cell with a constant says so: then it can be tested at once, and it is known which
// values make it true.
#pragma once

#include <optional>
#include <utility>
#include <vector>

#include "analysis/touches.hpp"

namespace fathom {

struct CellTest {
  enum class Relation : std::uint8_t { equal, different, less, at_most, greater, at_least };
  std::uint32_t cell = 0;
  Relation relation = Relation::equal;
  std::int64_t value = 0;
  bool faults_if_undefined = false;

  [[nodiscard]] bool accepts(std::int64_t present) const;
  // Whether a write of this kind can turn the test from false to something else.
  [[nodiscard]] bool can_be_made_true_by(const Written& what) const;
  // Whether it can turn the test from true to false. (A test that may fault is another matter.)
  [[nodiscard]] bool can_be_made_false_by(const Written& what) const;
  auto operator<=>(const CellTest&) const = default;
};

struct Conjunct {
  const ir::Expr* expr = nullptr;  // null: only the test
  bool wanted = true;
  // Whose locals the expression uses; null: those of the code that the condition stands in.
  const ir::Routine* routine = nullptr;
  unsigned depth = 0;  // of the calls that were looked into
  LocalValues locals;  // those the expression needs: parameters, and the variables of quantifiers written out
  std::optional<CellTest> test;
  // Of a disjunction: the tests it is made of. It stays true as long as none of them turns false.
  std::vector<CellTest> parts;
  BitSet reads;
  BitSet other_reads;  // what is not only asked for in tests that cannot fault
  bool may_fault = false;
  bool timeout = false;  // exactly the question whether the program is stuck
  // It looks at the first message of a queue that an earlier conjunct says is not empty: while that is so, no append
  // changes it.
  bool at_front_of_queue = false;
};

using Condition = std::vector<Conjunct>;

// Where to look for the parts of a condition: functions that return an expression at once can be looked into.
enum class Calls : std::uint8_t { closed, open };

// What has to be so for `expr` to be `wanted`.
Condition conjuncts_of(const ir::Expr& expr, bool wanted, const LocalValues& locals, const TouchFinder& finder,
                       Calls calls = Calls::closed);

// The alternatives of which one has to be so.
std::vector<Condition> alternatives_of(const ir::Expr& expr, bool wanted, const LocalValues& locals,
                                       const TouchFinder& finder, Calls calls = Calls::closed);
// The same for a conjunct.
std::vector<Condition> alternatives_of(const Conjunct& conjunct, const TouchFinder& finder, Calls calls);

// Cells of which the value is certain wherever evaluating the condition does not yield false. A value that is undefined
// there is an exception, which ends the list.
std::vector<std::pair<std::uint32_t, std::int64_t>> facts_of(const Condition& condition);

}  // namespace fathom
