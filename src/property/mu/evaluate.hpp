// The meaning of a formula, straight from its definition: the set of states in which it holds, by iterating fixpoints
// over sets. Slow, and independent of equations.hpp and solve.hpp: traces are checked by it before they are shown, and
// tests compare the two.
//
// A structure may be a part of a larger one. Then a state that is not `closed` may have steps that we do not see, and a
// formula has two sets: the states in which it certainly holds, and those in which it may.
#pragma once

#include <functional>
#include <map>
#include <string>
#include <vector>

#include "property/mu/formula.hpp"
#include "property/structure.hpp"

namespace fathom::mu {

// A bit for each atom that holds in a state.
using AtomsOf = std::function<std::uint64_t(Structure::State)>;

class Evaluator {
 public:
  using Set = std::vector<bool>;
  enum class Bound : bool { certain, possible };

  // `closed`: per state.
  Evaluator(Structure& structure, const AtomsOf& atoms, Set closed);

  Set states_of(const Formula& formula, Bound bound = Bound::certain);

 private:
  using Apply = std::function<Set(const Set&)>;

  Set of_path(const Formula& formula, Bound bound);
  Set of_runs(const Formula& formula, Bound bound);
  Set some_until(const Set& while_this, const Set& reached, Bound bound);
  Set some_always(const Set& kept, Bound bound);
  Set every_until(const Set& while_this, const Set& reached, Bound bound);
  Set before(const Regular& steps, const Set& then, bool every, Bound bound);
  Set before(const Action& set, const Set& then, bool every, Bound bound);
  Set fixpoint(Set start, const Apply& apply) const;
  [[nodiscard]] bool may_be_stuck(Structure::State state, Bound bound) const;

  Structure& structure_;
  std::vector<std::uint64_t> atoms_;
  Set closed_;
  std::vector<std::vector<Structure::Edge>> edges_;
  std::map<std::string, std::vector<Set>> variables_;  // the innermost binding last
};

}  // namespace fathom::mu
