// Formulas of the modal μ-calculus over states and actions (Kozen, TCS 27, 1983), as they are written: with regular
// formulas in the modalities (Mateescu, Sighireanu, 2003), quantifiers over finite domains, the operators of CTL, and
// LTL formulas behind a path quantifier. Formulas are never changed once they are made, so parts can be shared.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "ir/claim.hpp"

namespace fathom::mu {

// Bytes of the text that was read.
struct Span {
  std::size_t begin = 0;
  std::size_t end = 0;
};

// A set of steps, by their names and parameter values.
struct Action;
using ActionPtr = std::shared_ptr<const Action>;
struct Action {
  enum class Kind : std::uint8_t { any, none, named, complement, either, both };
  Kind kind = Kind::any;
  std::string name;                    // named; `*` in a quoted name stands for any text
  bool quoted = false;                 // named
  bool has_arguments = false;          // named; without arguments any will do
  std::vector<std::string> arguments;  // "_": any value
  ActionPtr a, b;                      // complement: a
  Span span;
};

// A set of sequences of steps.
struct Regular;
using RegularPtr = std::shared_ptr<const Regular>;
struct Regular {
  enum class Kind : std::uint8_t { action, sequence, choice, star, plus };
  Kind kind = Kind::action;
  ActionPtr action;
  RegularPtr a, b;
};

// Where a quantified variable takes its values from: numbers, or a type of the model.
struct Domain {
  std::string type;  // "": first..last
  std::int64_t first = 0;
  std::int64_t last = -1;
};

// A variable of a quantifier with one of its values.
struct Binding {
  std::string variable;
  std::string type;  // of the model; "": a number
  std::int64_t value = 0;
  std::string shown;  // as the model writes it
};

// A condition on a state, in the model's language.
struct Condition {
  std::string text;
  Span span;
  std::vector<Binding> bindings = {};  // of the variables that occur in it; see resolve.hpp
};

struct Formula;
using FormulaPtr = std::shared_ptr<const Formula>;
struct Formula {
  enum class Kind : std::uint8_t {
    truth,
    falsity,
    atom,
    variable,
    negation,     // a
    conjunction,  // a, b, as the next three
    disjunction,
    implication,
    equivalence,
    diamond,  // after some sequence of `steps`, a
    box,      // after every sequence of `steps`, a
    least,    // mu name. a
    greatest,
    for_all,  // name of domain: a
    exists,
    path,  // an operator of CTL: for some or every path, a (until: a and b)
    runs   // for some or every run, the LTL formula
  };
  enum class Path : std::uint8_t { next, eventually, always, until };

  Kind kind = Kind::truth;
  std::string name;  // of a variable, or that which a fixpoint or a quantifier binds
  Span span;
  FormulaPtr a, b;
  RegularPtr steps;
  Domain domain;
  Path path = Path::next;
  bool every = false;                 // path, runs: for every one
  std::vector<Condition> conditions;  // atom: one; runs: those of the LTL formula, by its atoms
  std::vector<std::uint32_t> atoms;   // the numbers of the conditions, where the formula is resolved
  std::shared_ptr<const ir::Ltl> ltl;
};

// Equal but for their places in the text.
bool same(const Formula& a, const Formula& b);

// Whether everything the formula asks for is asked of some run, and never of all: it has no box and no other operator
// of that meaning once negations are pushed inwards, so that what makes it true in a part of a model makes it true in
// the whole (Loiseaux et al., 1995). `negated`: whether that can be said of its negation.
bool is_existential(const Formula& formula, bool negated = false);

}  // namespace fathom::mu
