#include "property/mu/evaluate.hpp"

#include <algorithm>

#include "property/mu/action.hpp"
#include "property/mu/runs.hpp"

namespace fathom::mu {

namespace {

using Kind = Formula::Kind;
using Set = Evaluator::Set;
using Bound = Evaluator::Bound;

Bound other(Bound bound) {
  return bound == Bound::certain ? Bound::possible : Bound::certain;
}

template <class Combine>
Set pointwise(Set a, const Set& b, Combine combine) {
  for (std::size_t k = 0; k < a.size(); ++k) a[k] = combine(a[k], b[k]);
  return a;
}

Set either(Set a, const Set& b) {
  return pointwise(std::move(a), b, [](bool x, bool y) { return x || y; });
}
Set both(Set a, const Set& b) {
  return pointwise(std::move(a), b, [](bool x, bool y) { return x && y; });
}
Set complement(Set a) {
  a.flip();
  return a;
}

}  // namespace

Evaluator::Evaluator(Structure& structure, const AtomsOf& atoms, Set closed)
    : structure_(structure), closed_(std::move(closed)) {
  for (Structure::State state = 0; state < structure.states(); ++state) {
    const auto edges = structure.edges(state);
    edges_.emplace_back(edges.begin(), edges.end());
    atoms_.push_back(atoms(state));
  }
}

Set Evaluator::states_of(const Formula& formula, Bound bound) {
  const auto part = [&](const FormulaPtr& inner) { return states_of(*inner, bound); };
  const auto negated = [&](const FormulaPtr& inner) { return complement(states_of(*inner, other(bound))); };
  switch (formula.kind) {
    case Kind::truth:
      return Set(edges_.size(), true);
    case Kind::falsity:
      return Set(edges_.size(), false);
    case Kind::atom: {
      Set result(edges_.size());
      for (std::size_t k = 0; k < result.size(); ++k) result[k] = (atoms_[k] >> formula.atoms.front() & 1) != 0;
      return result;
    }
    case Kind::variable:
      return variables_.at(formula.name).back();
    case Kind::negation:
      return negated(formula.a);
    case Kind::conjunction:
      return both(part(formula.a), part(formula.b));
    case Kind::disjunction:
      return either(part(formula.a), part(formula.b));
    case Kind::implication:
      return either(negated(formula.a), part(formula.b));
    case Kind::equivalence:
      return both(either(negated(formula.a), part(formula.b)), either(negated(formula.b), part(formula.a)));
    case Kind::diamond:
      return before(*formula.steps, part(formula.a), false, bound);
    case Kind::box:
      return before(*formula.steps, part(formula.a), true, bound);
    case Kind::least:
    case Kind::greatest: {
      std::vector<Set>& bindings = variables_[formula.name];
      bindings.emplace_back();
      Set result = fixpoint(Set(edges_.size(), formula.kind == Kind::greatest), [&](const Set& now) {
        variables_[formula.name].back() = now;
        return states_of(*formula.a, bound);
      });
      variables_[formula.name].pop_back();
      return result;
    }
    case Kind::path:
      return of_path(formula, bound);
    case Kind::runs:
      return of_runs(formula, bound);
    case Kind::for_all:
    case Kind::exists:
      break;  // a resolved formula has none
  }
  return {};
}

Set Evaluator::fixpoint(Set now, const Apply& apply) const {
  for (;;) {
    Set next = apply(now);
    if (next == now) return now;
    now = std::move(next);
  }
}

bool Evaluator::may_be_stuck(Structure::State state, Bound bound) const {
  return edges_[state].empty() && (closed_[state] || bound == Bound::possible);
}

Set Evaluator::before(const Action& set, const Set& then, bool every, Bound bound) {
  std::vector<bool> has(structure_.labels());
  for (std::uint32_t label = 0; label < has.size(); ++label) has[label] = has_step(set, structure_.label(label));
  Set result(edges_.size());
  for (std::size_t state = 0; state < result.size(); ++state) {
    // What we do not see may be what is asked for, or what must not be.
    const bool unseen = !closed_[state] && (every == (bound == Bound::certain));
    const bool seen = std::ranges::any_of(
        edges_[state], [&](const Structure::Edge& edge) { return has[edge.label] && then[edge.target] != every; });
    result[state] = (seen || unseen) != every;
  }
  return result;
}

Set Evaluator::before(const Regular& steps, const Set& then, bool every, Bound bound) {
  const auto join = [&](Set a, const Set& b) { return every ? both(std::move(a), b) : either(std::move(a), b); };
  const auto star = [&] {
    return fixpoint(Set(then.size(), every),
                    [&](const Set& now) { return join(then, before(*steps.a, now, every, bound)); });
  };
  switch (steps.kind) {
    case Regular::Kind::action:
      return before(*steps.action, then, every, bound);
    case Regular::Kind::sequence:
      return before(*steps.a, before(*steps.b, then, every, bound), every, bound);
    case Regular::Kind::choice:
      return join(before(*steps.a, then, every, bound), before(*steps.b, then, every, bound));
    case Regular::Kind::star:
      return star();
    case Regular::Kind::plus:
      return before(*steps.a, star(), every, bound);
  }
  return {};
}

// The operators of CTL by labelling (Clarke, Emerson, Sistla, TOPLAS 8, 1986), over runs that end only where no step
// is possible.
Set Evaluator::of_path(const Formula& formula, Bound bound) {
  const Set all(edges_.size(), true);
  const auto not_a = [&](Bound of) { return complement(states_of(*formula.a, other(of))); };
  switch (formula.path) {
    case Formula::Path::next:
      return before(Action{}, states_of(*formula.a, bound), formula.every, bound);
    case Formula::Path::eventually:
      if (formula.every) return complement(some_always(not_a(other(bound)), other(bound)));
      return some_until(all, states_of(*formula.a, bound), bound);
    case Formula::Path::always:
      if (formula.every) return complement(some_until(all, not_a(other(bound)), other(bound)));
      return some_always(states_of(*formula.a, bound), bound);
    case Formula::Path::until:
      break;
  }
  if (formula.every) return every_until(states_of(*formula.a, bound), states_of(*formula.b, bound), bound);
  return some_until(states_of(*formula.a, bound), states_of(*formula.b, bound), bound);
}

Set Evaluator::some_until(const Set& while_this, const Set& reached, Bound bound) {
  return fixpoint(
      reached, [&](const Set& now) { return either(reached, both(while_this, before(Action{}, now, false, bound))); });
}

Set Evaluator::some_always(const Set& kept, Bound bound) {
  return fixpoint(kept, [&](const Set& now) {
    Set next = before(Action{}, now, false, bound);
    for (Structure::State state = 0; state < next.size(); ++state)
      if (may_be_stuck(state, bound)) next[state] = true;
    return both(std::move(next), kept);
  });
}

Set Evaluator::every_until(const Set& while_this, const Set& reached, Bound bound) {
  const Set unreached = complement(reached);
  const Set left = both(unreached, complement(while_this));
  const Bound dual = other(bound);
  return complement(either(some_until(unreached, left, dual), some_always(unreached, dual)));
}

// Of the pairs of a state and a state of the automaton, the largest set from which an accepting one is reached from
// which the set is reached again.
Set Evaluator::of_runs(const Formula& formula, Bound bound) {
  const ir::Automaton automaton = automaton_of_runs(formula);
  const Bound of_some = formula.every ? other(bound) : bound;
  const std::size_t places = automaton.states.size();
  const auto atoms_at = [&](std::size_t state) {
    std::uint64_t result = 0;
    for (std::size_t k = 0; k < formula.atoms.size(); ++k) result |= (atoms_[state] >> formula.atoms[k] & 1) << k;
    return result;
  };
  const auto moves_into = [&](const Set& pairs, std::size_t state, const ir::Automaton::Edge& edge) {
    if (!closed_[state] && of_some == Bound::possible) return true;
    if (may_be_stuck(static_cast<Structure::State>(state), of_some) && pairs[state * places + edge.target]) return true;
    return std::ranges::any_of(edges_[state],
                               [&](const Structure::Edge& step) { return pairs[step.target * places + edge.target]; });
  };
  const auto before_pairs = [&](const Set& pairs, bool accepting_only) {
    Set result(pairs.size());
    for (std::size_t state = 0; state < edges_.size(); ++state)
      for (std::size_t place = 0; place < places; ++place) {
        if (accepting_only && !automaton.states[place].accepting) continue;
        for (const ir::Automaton::Edge& edge : automaton.states[place].edges)
          if (edge.condition.admits(atoms_at(state)) && moves_into(pairs, state, edge))
            result[state * places + place] = true;
      }
    return result;
  };
  const Set lasting = fixpoint(Set(edges_.size() * places, true), [&](const Set& again) {
    const Set accepting = before_pairs(again, true);
    return fixpoint(accepting, [&](const Set& now) { return either(accepting, before_pairs(now, false)); });
  });
  Set result(edges_.size());
  for (std::size_t state = 0; state < result.size(); ++state)
    result[state] = lasting[state * places + automaton.initial] != formula.every;
  return result;
}

}  // namespace fathom::mu
