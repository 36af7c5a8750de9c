// A state cut into cells: its scalars, and each multiset as a whole. What code reads and writes is told in cells.
// Variables that are no part of a state have none.
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "ir/program.hpp"

namespace fathom {

struct Cell {
  const ir::Type* type = nullptr;
  std::uint32_t offset = 0;

  // What a scalar cell holds in a packed state.
  [[nodiscard]] std::int64_t value(std::span<const std::uint64_t> state) const;
};

class Cells {
 public:
  explicit Cells(const ir::Program& program);

  [[nodiscard]] std::size_t size() const { return cells_.size(); }
  [[nodiscard]] const Cell& operator[](std::size_t number) const { return cells_[number]; }

  // Calls visit(number) for the cells that share a bit with the given ones.
  template <class Visit>
  void each_in(std::uint32_t offset, std::uint32_t bits, Visit visit) const {
    auto cell = std::ranges::upper_bound(cells_, offset, {}, &Cell::offset);
    if (cell != cells_.begin() && (cell - 1)->offset + (cell - 1)->type->bits > offset) --cell;
    for (; cell != cells_.end() && cell->offset < offset + bits; ++cell)
      visit(static_cast<std::uint32_t>(cell - cells_.begin()));
  }
  // The cell of a scalar that is no part of a multiset.
  [[nodiscard]] std::optional<std::uint32_t> at(std::uint32_t offset) const {
    if (offset >= numbers_.size() || numbers_[offset] == none) return std::nullopt;
    return numbers_[offset];
  }

 private:
  static constexpr std::uint32_t none = UINT32_MAX;

  void add(const ir::Type& type, std::uint32_t offset);

  std::vector<Cell> cells_;             // by offset
  std::vector<std::uint32_t> numbers_;  // by offset: of scalars
};

}  // namespace fathom
