// Strong stubborn sets of actions (Valmari, Stubborn sets for reduced state space generation, 1989), closed guard by
// guard as Laarman, Pater, van de Pol and Hansen describe (Guard-based partial-order reduction, 2016):
//
//  - for an action in the set that is possible, all actions that conflict with it are in the set;
//  - for a part of an action that is possible, the action is;
//  - for one that is not, all actions that can make some false conjunct of its guard true are.
//
// Then nothing outside the set can hinder, help or notice its possible actions, so taking these first loses no deadlock
// and no violation, as long as the others get their turn some time.
//
// This is done in every state, so it is kept short. A set is given up as soon as it has as many possible steps as the
// best one, or an action around which a set was made before: it would contain that set. Possible actions are looked at
// first, and those that are far from possible last: by then what they wait for is mostly there already.
#pragma once

#include <span>
#include <vector>

#include "analysis/dependence.hpp"
#include "analysis/routes.hpp"
#include "model/interpreter.hpp"

namespace fathom {

class StubbornSets {
 public:
  // `always`: what every set has to contain. `visible`: actions that a set with fewer steps must not have a possible
  // one of.
  StubbornSets(const ir::Program& program, const Cells& cells, Dependence& dependence, BitSet always, BitSet visible);

  // `steps` are the actions of the possible steps, one each, and `idle` says which of them change nothing and need not
  // be counted. True: a smaller set was found, and those of the steps with a true entry in `kept` belong to it.
  bool find(StateView state, std::span<const std::uint32_t> steps, const std::vector<bool>& idle,
            std::vector<bool>& kept);

  // How many actions were looked at so far.
  [[nodiscard]] std::uint64_t effort() const { return effort_; }

 private:
  void begin(StateView state, std::span<const std::uint32_t> steps, const std::vector<bool>& idle);
  // True: the set around this action has fewer possible steps than `limit_`. The others: false if it cannot be so.
  bool close_around(std::uint32_t seed);
  bool take_in_next();
  bool add(const BitSet& actions);
  bool add(std::uint32_t action);
  void add_impossible(std::uint32_t action);
  bool add_awaited(std::uint32_t action);

  // What an action that is not possible could wait for: any one of these sets will do.
  struct Choices {
    std::uint64_t visit = 0;
    std::uint32_t first = 0;
    std::uint32_t count = 0;
  };
  const Choices& choices_of(std::uint32_t action);
  // These return true when they found one that has no possible step, so that there is no need to look for others.
  bool find_choices(std::uint32_t action);
  bool find_false_conjuncts(std::uint32_t action, bool& certain);
  bool offer(const BitSet& set);
  [[nodiscard]] bool is_far(std::uint32_t action) const;
  // How many possible steps a set would add.
  [[nodiscard]] std::uint32_t cost_of(const BitSet& actions) const;
  [[nodiscard]] std::uint32_t cost_of(std::uint32_t whole) const { return set_.test(whole) ? 0 : weights_[whole]; }

  enum class Truth : std::uint8_t { yes, no, unknown, fault };
  [[nodiscard]] Truth truth_of(const Action& action, const Conjunct& conjunct);
  [[nodiscard]] Truth evaluate(const Action& action, const Conjunct& conjunct);

  Dependence& dependence_;
  const std::vector<Action>& actions_;
  const Cells& cells_;
  Routes routes_;
  Interpreter interpreter_;
  BitSet always_;
  BitSet visible_;

  // Of the state at hand.
  StateView state_;
  std::uint64_t visit_ = 0;
  std::vector<std::uint32_t> places_;  // values of tracked cells
  BitSet possible_;
  std::vector<std::uint32_t> weights_;  // per action: how many possible steps it has that change something
  BitSet refused_;                      // possible actions that a better set cannot have
  std::vector<Choices> choices_;        // per action
  std::vector<const BitSet*> choice_sets_;

  // Of the set at hand.
  BitSet set_;
  std::uint32_t size_ = 0;
  std::uint32_t limit_ = 0;
  std::vector<std::uint32_t> waiting_, waiting_near_, waiting_far_;  // possible, nearly so, and not nearly

  std::uint64_t effort_ = 0;
};

}  // namespace fathom
