// The scalars of a program's variables, where all elements of an array count as one: what value bounds are kept for.
#pragma once

#include <cstdint>
#include <map>
#include <vector>

#include "ir/program.hpp"

namespace fathom {

class ValueCells {
 public:
  // Scalars [first, end) of the numbering. Exact: there is one object behind each, and not an array of them.
  struct Part {
    std::uint32_t first = 0;
    std::uint32_t end = 0;
    bool exact = true;
  };

  explicit ValueCells(const ir::Program& program);

  [[nodiscard]] std::size_t size() const { return types_.size(); }
  [[nodiscard]] const ir::Type& type(std::uint32_t cell) const { return *types_[cell]; }
  [[nodiscard]] Part of(const ir::Variable& variable) const { return variables_.at(&variable); }
  [[nodiscard]] Part at(const ir::Place& place) const;  // of a place in a variable

 private:
  void add(const ir::Type& type, bool exact);

  std::vector<const ir::Type*> types_;
  std::vector<bool> exact_;
  std::map<const ir::Variable*, Part> variables_;
};

}  // namespace fathom
