// A resolved formula as a system of boolean equations in positive form: a graph whose nodes are its parts, with
// negations pushed down to the atoms, variables replaced by edges back to what they stand for, and all shorthands
// translated. A node with a priority decides infinite ways through the graph: of those that are passed again and again
// the largest counts, and even means that the way is good, as for a greatest fixpoint, odd that it is not.
//
// Together with a structure it is a parity game: see solve.hpp.
#pragma once

#include <cstdint>
#include <vector>

#include "property/mu/formula.hpp"

namespace fathom::mu {

struct Equations {
  using Node = std::uint32_t;
  static constexpr Node falsity = 0;
  static constexpr Node truth = 1;

  enum class Op : std::uint8_t { falsity, truth, literal, conjunction, disjunction, diamond, box };
  struct Part {
    Op op = Op::falsity;
    bool negated = false;          // literal
    bool is_static = false;        // the atoms of the state decide it
    std::uint32_t priority = 0;    // 0 where there is no fixpoint, or an outermost greatest one
    std::uint32_t label = 0;       // literal: the atom; diamond and box: the set of steps
    std::vector<Node> parts = {};  // diamond and box: one
  };

  std::vector<Part> parts;
  std::vector<ActionPtr> actions;
  Node root = falsity;

  // Of a static node.
  [[nodiscard]] bool holds(Node node, std::uint64_t atoms) const;
};

// Throws ltl::LimitError for a formula that becomes too large.
Equations equations_of(const Formula& formula);

}  // namespace fathom::mu
