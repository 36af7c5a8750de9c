#include "property/lasso_check.hpp"

#include <algorithm>
#include <set>

namespace fathom {

namespace {

using Truth = std::vector<bool>;  // of a formula, in each state of the run

class FormulaOnLasso {
 public:
  explicit FormulaOnLasso(const AtomLasso& run) : run_(run), size_(run.atoms.size()) {}

  Truth evaluate(const ir::Ltl& formula) {
    using Kind = ir::Ltl::Kind;
    switch (formula.kind) {
      case Kind::truth:
        return Truth(size_, true);
      case Kind::falsity:
        return Truth(size_, false);
      case Kind::atom:
        return by_state([&](std::size_t k) { return (run_.atoms[k] >> formula.atom & 1) != 0; });
      case Kind::eventually:
        return until(Truth(size_, true), evaluate(*formula.a), false);
      case Kind::always:
        return until(evaluate(*formula.a), Truth(size_, false), true);
      case Kind::negation:
      case Kind::next: {
        const Truth a = evaluate(*formula.a);
        if (formula.kind == Kind::negation) return by_state([&](std::size_t k) { return !a[k]; });
        return by_state([&](std::size_t k) { return a[next(k)]; });
      }
      default:
        return binary(formula.kind, evaluate(*formula.a), evaluate(*formula.b));
    }
  }

 private:
  Truth binary(ir::Ltl::Kind kind, const Truth& a, const Truth& b) {
    using Kind = ir::Ltl::Kind;
    switch (kind) {
      case Kind::conjunction:
        return by_state([&](std::size_t k) { return a[k] && b[k]; });
      case Kind::disjunction:
        return by_state([&](std::size_t k) { return a[k] || b[k]; });
      case Kind::implication:
        return by_state([&](std::size_t k) { return !a[k] || b[k]; });
      case Kind::equivalence:
        return by_state([&](std::size_t k) { return a[k] == b[k]; });
      case Kind::until:
        return until(a, b, false);
      case Kind::weak_until:
        return until(a, b, true);
      default:  // release: b until (and including) a, or b for ever
        return until(b, by_state([&](std::size_t k) { return a[k] && b[k]; }), true);
    }
  }

  // The least (or, if weak, the greatest) solution of x = b or (a and next x). Twice round the loop from behind settles
  // it.
  Truth until(const Truth& a, const Truth& b, bool weak) {
    Truth x(size_, weak);
    for (int round = 0; round < 2; ++round)
      for (std::size_t k = size_; k-- > 0;) x[k] = b[k] || (a[k] && x[next(k)]);
    return x;
  }

  template <class Value>
  Truth by_state(const Value& value) const {
    Truth result(size_);
    for (std::size_t k = 0; k < size_; ++k) result[k] = value(k);
    return result;
  }

  [[nodiscard]] std::size_t next(std::size_t k) const { return k + 1 < size_ ? k + 1 : run_.loop; }

  const AtomLasso& run_;
  std::size_t size_;
};

// The places of the automaton after reading the first states of a run.
std::set<std::uint32_t> places_after(const ir::Automaton& automaton, const std::vector<std::uint64_t>& atoms,
                                     std::size_t count) {
  std::set<std::uint32_t> places{automaton.initial};
  for (std::size_t k = 0; k < count; ++k) {
    std::set<std::uint32_t> next;
    for (const std::uint32_t place : places)
      for (const ir::Automaton::Edge& edge : automaton.states[place].edges)
        if (edge.condition.admits(atoms[k])) next.insert(edge.target);
    places = std::move(next);
  }
  return places;
}

// Whether the automaton can go from one place to another round the loop, and whether past an accepting place.
struct Rounds {
  std::vector<std::vector<bool>> plain, accepting;
};

Rounds one_round(const ir::Claim& claim, const AtomLasso& run) {
  const ir::Automaton& automaton = *claim.automaton;
  const std::size_t size = automaton.states.size();
  Rounds rounds{std::vector(size, std::vector<bool>(size)), std::vector(size, std::vector<bool>(size))};
  for (std::size_t begin = 0; begin < size; ++begin) {
    std::set<std::pair<std::uint32_t, bool>> now{{static_cast<std::uint32_t>(begin), false}};
    for (std::size_t k = run.loop; k < run.atoms.size(); ++k) {
      const bool labelled = claim.acceptance && (run.atoms[k] >> *claim.acceptance & 1) != 0;
      std::set<std::pair<std::uint32_t, bool>> next;
      for (const auto& [place, seen] : now)
        for (const ir::Automaton::Edge& edge : automaton.states[place].edges)
          if (edge.condition.admits(run.atoms[k]))
            next.emplace(edge.target, seen || labelled || automaton.states[place].accepting);
      now = std::move(next);
    }
    for (const auto& [place, seen] : now) (seen ? rounds.accepting : rounds.plain)[begin][place] = true;
  }
  return rounds;
}

// Transitive closure: from place to place in any number of rounds, at least one of them accepting.
bool accepts_for_ever(const ir::Automaton& automaton, Rounds rounds, const std::set<std::uint32_t>& entries) {
  const std::size_t size = automaton.states.size();
  for (std::size_t via = 0; via < size; ++via)
    for (std::size_t from = 0; from < size; ++from)
      for (std::size_t to = 0; to < size; ++to) {
        const bool into = rounds.plain[from][via] || rounds.accepting[from][via];
        const bool out = rounds.plain[via][to] || rounds.accepting[via][to];
        if (into && rounds.accepting[via][to]) rounds.accepting[from][to] = true;
        if (rounds.accepting[from][via] && out) rounds.accepting[from][to] = true;
        if (into && out) rounds.plain[from][to] = true;
      }
  const auto reached = [&](std::uint32_t place) {
    return std::ranges::any_of(entries, [&](std::uint32_t entry) {
      return entry == place || rounds.plain[entry][place] || rounds.accepting[entry][place];
    });
  };
  for (std::uint32_t place = 0; place < size; ++place)
    if (rounds.accepting[place][place] && reached(place)) return true;
  return false;
}

bool somewhere_in_loop(const AtomLasso& run, std::uint32_t atom) {
  return std::any_of(run.atoms.begin() + static_cast<std::ptrdiff_t>(run.loop), run.atoms.end(),
                     [atom](std::uint64_t atoms) { return (atoms >> atom & 1) != 0; });
}

}  // namespace

bool holds(const ir::Ltl& formula, const AtomLasso& run) {
  return FormulaOnLasso(run).evaluate(formula).front();
}

bool violates(const ir::Claim& claim, const AtomLasso& run) {
  switch (claim.kind) {
    case ir::Claim::Kind::ltl:
      return !holds(*claim.formula, run);
    case ir::Claim::Kind::never:
      return accepts_for_ever(*claim.automaton, one_round(claim, run),
                              places_after(*claim.automaton, run.atoms, run.loop));
    case ir::Claim::Kind::accept_labels:
      return somewhere_in_loop(run, *claim.acceptance);
    case ir::Claim::Kind::non_progress:
      return !claim.progress || !somewhere_in_loop(run, *claim.progress);
    case ir::Claim::Kind::mu:
      break;  // see mu/evaluate.hpp: it takes the steps as well
  }
  return false;
}

bool reaches_end(const ir::Claim& claim, const std::vector<std::uint64_t>& atoms) {
  const auto places = places_after(*claim.automaton, atoms, atoms.size());
  return std::ranges::any_of(places, [&](std::uint32_t place) { return claim.automaton->states[place].end; });
}

bool accepts_whatever_follows(const ir::Automaton& automaton, const std::vector<std::uint64_t>& atoms) {
  const auto accepts_all = [&](std::uint32_t place) {
    const ir::Automaton::State& state = automaton.states[place];
    return state.accepting && std::ranges::any_of(state.edges, [&](const ir::Automaton::Edge& edge) {
             return edge.target == place && edge.condition == ir::Cube{};
           });
  };
  return std::ranges::any_of(places_after(automaton, atoms, atoms.size()), accepts_all);
}

bool fails_assertion(const ir::Claim& claim, const std::vector<std::uint64_t>& atoms) {
  const std::uint64_t last = atoms.back();
  for (const std::uint32_t place : places_after(*claim.automaton, atoms, atoms.size() - 1))
    for (const ir::Automaton::Edge& edge : claim.automaton->states[place].edges)
      if (edge.condition.admits(last) && edge.asserted && (last >> *edge.asserted & 1) == 0) return true;
  return false;
}

}  // namespace fathom
