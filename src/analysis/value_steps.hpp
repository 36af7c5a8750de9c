// How the value of a single cell can change: which values one step of the program may turn into which, and from that
// the fewest steps after which it may hold a wanted one. For the location of a process this is the distance in its
// control-flow graph; an enumeration of a Murphi model serves as well.
//
// Nothing a step can do is left out, so that the distances are lower bounds: a step counts as one whatever happens
// inside it, and one of which the source or the result is not known is taken for all of them.
#pragma once

#include <cstdint>
#include <map>
#include <vector>

#include "analysis/actions.hpp"

namespace fathom {

class ValueSteps {
 public:
  static constexpr std::uint32_t never = UINT32_MAX;

  // Both must outlive this.
  ValueSteps(const Cells& cells, const Actions& actions) : cells_(cells), actions_(actions) {}

  // Whether the cell is a scalar with few enough codes to be followed.
  [[nodiscard]] bool follows(std::uint32_t cell) const;
  [[nodiscard]] std::size_t codes(std::uint32_t cell) const { return std::size_t{1} << cells_[cell].type->bits; }
  // Per code of the cell: the fewest steps to a code that is wanted, or `never`.
  [[nodiscard]] std::vector<std::uint32_t> distances(std::uint32_t cell, const std::vector<bool>& wanted);
  // The codes it can come to from these, themselves included.
  [[nodiscard]] std::vector<bool> reachable(std::uint32_t cell, std::vector<bool> from);

 private:
  static constexpr std::uint32_t max_bits = 8;

  using Graph = std::vector<BitSet>;  // per code: those it may come from in one step

  const Graph& graph(std::uint32_t cell);
  void add(const Action& action, std::uint32_t cell, Graph& graph) const;

  const Cells& cells_;
  const Actions& actions_;
  std::map<std::uint32_t, Graph> graphs_;
};

}  // namespace fathom
