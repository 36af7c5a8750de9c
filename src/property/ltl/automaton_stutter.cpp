// Whether an automaton can tell how often a letter is repeated. Its stuttering closure may read a repetition without
// moving, and may make several moves while it reads a letter once; it accepts every word that comes from an accepted
// one by repeating letters or by leaving out repetitions. If the automaton simulates its closure, it accepts no less.
// The simulation is a delayed one (Etessami, Wilke, Schuller, 2001): what the closure accepts may be accepted some
// moves later.
#include <algorithm>
#include <bit>
#include <utility>
#include <vector>

#include "property/ltl/stutter.hpp"

namespace fathom::ltl {

namespace {

constexpr int max_automaton_atoms = 6;
constexpr std::size_t max_effort = 4'000'000;  // positions times letters

class ClosureSimulation {
 public:
  ClosureSimulation(const ir::Automaton& automaton, std::vector<std::uint64_t> letters, std::uint64_t acceptance)
      : automaton_(automaton),
        size_(automaton.states.size()),
        letters_(std::move(letters)),
        acceptance_(acceptance),
        positions_(size_ * (letters_.size() + 1) * size_ * 2) {}

  [[nodiscard]] bool is_small_enough() const { return positions_ * letters_.size() <= max_effort; }

  // A greatest set of positions from each of which the automaton can follow for ever and pay what it owes some time:
  // inside, the least set from which it does so before it owes again.
  bool holds() {
    for (std::size_t letter = 0; letter < letters_.size(); ++letter) find_moves(letter);
    std::vector<bool> safe(positions_, true), paying;
    for (;;) {
      paying.assign(positions_, false);
      while (add_paying(safe, paying)) continue;
      if (paying == safe) break;
      safe = paying;
    }
    return safe[position(automaton_.initial, letters_.size(), automaton_.initial, false)];
  }

 private:
  struct Move {
    std::size_t target;
    bool marked;  // it passes an accepting state
    friend bool operator==(const Move&, const Move&) = default;
  };
  using Moves = std::vector<std::vector<Move>>;  // per state

  // The closure is in `state` and read `last`; the automaton is in `other`, and may owe an accepting state.
  [[nodiscard]] std::size_t position(std::size_t state, std::size_t last, std::size_t other, bool owes) const {
    return ((state * (letters_.size() + 1) + last) * size_ + other) * 2 + (owes ? 1 : 0);
  }

  bool add_paying(const std::vector<bool>& safe, std::vector<bool>& paying) const {
    bool added = false;
    for (std::size_t state = 0; state < size_; ++state)
      for (std::size_t last = 0; last <= letters_.size(); ++last)
        for (std::size_t other = 0; other < size_; ++other)
          for (const bool owes : {false, true}) {
            const std::size_t at = position(state, last, other, owes);
            if (paying[at] || !safe[at] || !follows(state, last, other, owes, safe, paying)) continue;
            paying[at] = added = true;
          }
    return added;
  }

  // The end of a claim accepts whatever follows.
  [[nodiscard]] std::vector<Move> single_moves(std::size_t number, std::size_t letter) const {
    const ir::Automaton::State& state = automaton_.states[number];
    if (state.end) return {{number, true}};
    std::vector<Move> moves;
    const bool marked = state.accepting || (letters_[letter] & acceptance_) != 0;
    for (const ir::Automaton::Edge& edge : state.edges)
      if (edge.condition.admits(letters_[letter])) moves.push_back({edge.target, marked});
    return moves;
  }

  void find_moves(std::size_t letter) {
    Moves single(size_), several(size_);
    for (std::size_t state = 0; state < size_; ++state) single[state] = single_moves(state, letter);
    for (std::size_t state = 0; state < size_; ++state) {
      several[state] = single[state];
      for (std::size_t k = 0; k < several[state].size(); ++k)
        for (const Move& next : single[several[state][k].target]) {
          const Move both{next.target, several[state][k].marked || next.marked};
          if (std::ranges::find(several[state], both) == several[state].end()) several[state].push_back(both);
        }
    }
    single_.push_back(std::move(single));
    several_.push_back(std::move(several));
  }

  [[nodiscard]] bool follows(std::size_t state, std::size_t last, std::size_t other, bool owes,
                             const std::vector<bool>& safe, const std::vector<bool>& paying) const {
    const auto can_follow = [&](const Move& move, std::size_t letter) {
      return std::ranges::any_of(single_[letter][other], [&](const Move& answer) {
        const bool still_owes = (owes || move.marked) && !answer.marked;
        return (still_owes ? paying : safe)[position(move.target, letter, answer.target, still_owes)];
      });
    };
    for (std::size_t letter = 0; letter < letters_.size(); ++letter) {
      if (letter == last && !can_follow({state, false}, letter)) return false;
      for (const Move& move : several_[letter][state])
        if (!can_follow(move, letter)) return false;
    }
    return true;
  }

  const ir::Automaton& automaton_;
  std::size_t size_;
  std::vector<std::uint64_t> letters_;
  std::uint64_t acceptance_;
  std::size_t positions_;
  std::vector<Moves> single_, several_;  // per letter: of the automaton, and of its closure
};

}  // namespace

bool is_stutter_invariant(const ir::Automaton& automaton, std::optional<std::uint32_t> acceptance) {
  const std::uint64_t accepting = acceptance ? std::uint64_t{1} << *acceptance : 0;
  std::uint64_t atoms = accepting;
  for (const auto& state : automaton.states)
    for (const auto& edge : state.edges) {
      if (edge.asserted) return false;
      atoms |= edge.condition.positive | edge.condition.negative;
    }
  if (std::popcount(atoms) > max_automaton_atoms) return false;
  ClosureSimulation simulation(automaton, subsets_of(atoms), accepting);
  return simulation.is_small_enough() && simulation.holds();
}

}  // namespace fathom::ltl
