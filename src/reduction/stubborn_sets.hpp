// Strong stubborn sets of actions (Valmari, Stubborn sets for reduced state space generation, 1989), closed guard by
// guard as Laarman, Pater, van de Pol and Hansen describe (Guard-based partial-order reduction, 2016):
//
//  - for an action in the set that is possible, all actions that conflict with it are in the set;
//  - for one that is not, all actions that can make some false conjunct of its guard true are.
//
// Then nothing outside the set can hinder, help or notice its possible actions, so taking these first loses no deadlock
// and no violation, as long as the others get their turn some time.
#pragma once

#include <span>
#include <vector>

#include "analysis/dependence.hpp"
#include "model/interpreter.hpp"

namespace fathom {

class StubbornSets {
 public:
  StubbornSets(const ir::Program& program, const Cells& cells, const Dependence& dependence, BitSet always);

  // `steps` are the actions of the possible steps, one each. True: a smaller set was found, and those of the steps with
  // a true entry in `kept` belong to it.
  bool find(StateView state, std::span<const std::uint32_t> steps, std::vector<bool>& kept);

 private:
  // True: the set around this action has fewer possible steps than `limit`.
  bool close_around(std::uint32_t seed, std::uint32_t limit);
  bool take_in(std::uint32_t action, std::uint32_t limit);
  void add(const BitSet& actions);
  void add_enabling(std::uint32_t action);
  // Actions that the given one, which is not possible, has to wait for; null: it has not to wait.
  [[nodiscard]] const BitSet* awaited(std::uint32_t action);
  // How many possible steps a set would add.
  [[nodiscard]] std::uint32_t cost_of(const BitSet& actions) const;

  enum class Truth : std::uint8_t { yes, no, unknown, fault };
  [[nodiscard]] Truth truth_of(const Action& action, const Conjunct& conjunct);
  [[nodiscard]] Truth evaluate(const Action& action, const Conjunct& conjunct);

  const Dependence& dependence_;
  const std::vector<Action>& actions_;
  const Cells& cells_;
  Interpreter interpreter_;
  BitSet always_;  // what every set has to contain

  // Sets without a possible step are the best choice however the rest looks: they are looked up once per state.
  struct Remembered {
    std::uint64_t visit = 0;
    const BitSet* set = nullptr;
  };

  StateView state_;
  std::uint64_t visit_ = 0;
  std::vector<Remembered> remembered_;
  BitSet possible_;
  std::vector<std::uint32_t> weights_;  // per action: how many possible steps it has
  BitSet set_;
  std::vector<std::uint32_t> waiting_;
  std::uint32_t size_ = 0;
};

}  // namespace fathom
