// The automata between a formula and its Büchi automaton: Büchi automata whose acceptance is a set of marks on edges. A
// run is accepted if it takes edges with each mark again and again. With one mark, carried by all edges of a state or
// by none, it is an ordinary Büchi automaton.
#pragma once

#include <cstdint>
#include <vector>

#include "ir/claim.hpp"

namespace fathom::ltl {

using Marks = std::uint64_t;
inline constexpr std::uint32_t max_marks = 64;

struct Generalised {
  struct Edge {
    std::uint32_t target = 0;
    ir::Cube condition;
    Marks marks = 0;
    friend bool operator==(const Edge&, const Edge&) = default;
  };
  std::vector<std::vector<Edge>> edges;  // of each state
  std::uint32_t initial = 0;
  std::uint32_t mark_count = 0;

  [[nodiscard]] std::uint32_t size() const { return static_cast<std::uint32_t>(edges.size()); }
  [[nodiscard]] Marks all_marks() const { return mark_count == 64 ? ~Marks{0} : (Marks{1} << mark_count) - 1; }
};

// How acceptance is to be seen: any marks on any edges, or one mark on all edges of an accepting state, which has to
// stay so.
enum class Acceptance : bool { on_edges, on_states };

// The strongly connected components of an automaton, numbered such that edges lead to the same or a smaller number.
struct Components {
  std::vector<std::uint32_t> of;  // component of each state
  std::vector<bool> cyclic;       // whether a component has an edge inside
  std::vector<bool> accepting;    // whether a run can stay in it and be accepted

  [[nodiscard]] std::uint32_t size() const { return static_cast<std::uint32_t>(cyclic.size()); }
};
Components components_of(const Generalised& automaton);

// Keeps the states that the initial one reaches and from which a run can be accepted; the initial state stays. Marks
// where they do not matter are taken away, and a component in which every circle is accepted gets them everywhere.
Generalised trimmed(const Generalised& automaton, Acceptance acceptance);

// One cube list per target and marks, minimised.
void tidy_edges(Generalised& automaton);

}  // namespace fathom::ltl
