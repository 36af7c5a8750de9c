// Properties of whole runs. A claim names atoms, which are conditions on states, and says which sequences of their
// values are violations: as an LTL formula that every run must satisfy, or as a Büchi automaton that accepts the runs
// that must not be (Promela's never claim). A formula of the μ-calculus speaks of all runs from a state together, and
// of their steps.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "support/source.hpp"

namespace fathom::mu {
struct Formula;
}

namespace fathom::ir {

// Atoms are numbered from 0 in each claim, and a state's atoms are one word with a bit for each.
inline constexpr std::uint32_t max_atoms = 64;

struct Ltl {
  enum class Kind : std::uint8_t {
    truth,
    falsity,
    atom,
    negation,
    next,
    always,
    eventually,  // a
    conjunction,
    disjunction,
    implication,
    equivalence,
    until,
    weak_until,
    release,  // a, b
  };
  Kind kind = Kind::truth;
  std::uint32_t atom = 0;
  std::unique_ptr<Ltl> a, b;
};
using LtlPtr = std::unique_ptr<Ltl>;

// A conjunction of atoms and negated atoms; without any it is true.
struct Cube {
  std::uint64_t positive = 0;
  std::uint64_t negative = 0;
  [[nodiscard]] bool admits(std::uint64_t atoms) const {
    return (atoms & positive) == positive && (atoms & negative) == 0;
  }
  [[nodiscard]] bool reads(std::uint64_t atoms) const { return ((positive | negative) & atoms) != 0; }
  [[nodiscard]] Cube without(std::uint64_t atoms) const { return {positive & ~atoms, negative & ~atoms}; }
  friend bool operator==(const Cube&, const Cube&) = default;
};

// A Büchi automaton over atoms: it reads the atoms of a state and moves, then the system moves. A run of the system is
// accepted if the automaton can read it for ever and passes accepting states again and again. Disjunctive conditions
// are several edges. A state without edges reads nothing more.
struct Automaton {
  struct Edge {
    std::uint32_t target = 0;
    Cube condition;
    // An assertion in a never claim: whoever takes the edge while this atom is false has found a violation.
    std::optional<std::uint32_t> asserted;
    SourceRange range;
  };
  struct State {
    std::string name;
    bool accepting = false;
    bool end = false;  // the end of a never claim: getting here is a violation, whatever comes after
    std::vector<Edge> edges;
    SourceRange range;
  };
  std::vector<State> states;
  std::uint32_t initial = 0;
};

struct Claim {
  enum class Kind : std::uint8_t { ltl, never, accept_labels, non_progress, mu };
  Kind kind = Kind::ltl;
  std::string name;
  SourceRange range;
  std::vector<std::uint32_t> atoms;         // numbers of properties of kind `atom`
  LtlPtr formula;                           // ltl
  std::optional<Automaton> automaton;       // never
  std::optional<std::uint32_t> acceptance;  // an atom: a state of the system in which it holds is accepting as well
  std::optional<std::uint32_t> progress;    // non_progress: an atom that holds where there is progress
  std::shared_ptr<const fathom::mu::Formula> mu_formula;  // mu; its atoms are those of the claim
};

}  // namespace fathom::ir
