// What a piece of code may read and write, cell by cell. Calls, aliases and arguments are followed, and indices are
// worked out where they are constant, given the values of parameters and of cells that are known not to change;
// otherwise every element counts. Nothing that the code can do is left out: reductions rest on it.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <set>
#include <vector>

#include "analysis/cells.hpp"
#include "ir/program.hpp"
#include "support/bit_set.hpp"

namespace fathom {

// What may be written to a cell.
struct Written {
  bool anything = false;  // some value or other, but not `undefined`
  bool more = false;      // something greater than what was there ...
  bool less = false;      // ... or something smaller
  std::vector<std::int64_t> values;

  void add(const Written& other);
  bool operator==(const Written&) const = default;
};

struct Touches {
  explicit Touches(std::size_t cells) : reads(cells), writes(cells), indices(cells) {}

  BitSet reads;
  BitSet writes;
  BitSet indices;                            // cells read to find an element
  std::map<std::uint32_t, Written> written;  // for each cell of `writes`
  bool unfollowed = false;                   // it could not be followed to the end, so it may touch everything
  bool timeout = false;                      // it asks whether the whole program is stuck

  void add(const Touches& other);
  void write(std::uint32_t cell, const Written& what);
};

using CellValues = std::map<std::uint32_t, std::int64_t>;

// What is known of cells in all states that matter.
struct CellFacts {
  CellValues values;  // those that hold the same value all along
  BitSet defined;     // those that are never undefined
};

using LocalValues = std::map<const ir::Local*, std::int64_t>;

class TouchFinder {
 public:
  TouchFinder(const ir::Program& program, const Cells& cells, CellFacts known);
  // The same where these cells are known to hold these values as well.
  [[nodiscard]] TouchFinder with(const CellValues& values) const;

  // The locals of a routine that have a value, such as the parameters of an instance.
  [[nodiscard]] Touches of(const ir::Expr& expr, const LocalValues& locals) const;
  [[nodiscard]] Touches of(const ir::Block& body, const LocalValues& locals) const;

  [[nodiscard]] std::optional<std::int64_t> constant(const ir::Expr& expr, const LocalValues& locals) const;
  // The one cell a scalar place stands for.
  [[nodiscard]] std::optional<std::uint32_t> cell(const ir::Place& place, const LocalValues& locals) const;
  // Where a place may lie in a state, as offsets; nothing where that could not be found out.
  [[nodiscard]] std::optional<std::vector<std::uint32_t>> offsets(const ir::Place& place,
                                                                  const LocalValues& locals) const;
  // Whether the value of a cell is known.
  [[nodiscard]] bool knows(std::uint32_t cell) const { return known_.values.contains(cell); }
  // Whether a scalar place surely holds a value.
  [[nodiscard]] bool is_defined(std::uint32_t cell) const { return known_.defined.test(cell); }
  // Whether evaluating the expression may end in a fault.
  [[nodiscard]] bool may_fault(const ir::Expr& expr, const LocalValues& locals) const;

  [[nodiscard]] const Cells& cells() const { return cells_; }

 private:
  friend class TouchWalk;

  struct Locals {
    std::set<const ir::Local*> given;     // by a statement or a caller; the others are bound by loops and rules
    std::set<const ir::Local*> unsteady;  // assigned in more than one place, or lent to a `var` parameter
  };

  const Cells& cells_;
  CellFacts known_;
  std::shared_ptr<const Locals> locals_;
};

}  // namespace fathom
