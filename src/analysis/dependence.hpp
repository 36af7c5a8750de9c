// Which actions of a program get into each other's way, and which can make others possible.
//
//  - Two actions *conflict* if there may be a state in which both are possible and in which it matters which comes
//    first: one writes what the other writes, or reads otherwise than in a test that stays true. An append to a queue
//    and a take from it do not conflict: where both are possible, neither sees the other.
//  - The actions that *enable* a conjunct are all that can turn it from false to true, or into a fault.
//
// Where only some parts of an action matter for one of these relations, it holds these parts instead of the action.
#pragma once

#include <map>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "analysis/actions.hpp"

namespace fathom {

class Dependence {
 public:
  // As in Actions.
  Dependence(const ir::Program& program, const Cells& cells, const CellFacts& known, const std::vector<bool>& watched);

  [[nodiscard]] const Actions& actions() const { return actions_; }
  // What conflicts with a step that is possible in the state.
  [[nodiscard]] const BitSet& conflicts(std::uint32_t step, std::span<const std::uint64_t> state);
  // The actions that enable the conjunct with this position in the guard of an action.
  [[nodiscard]] const BitSet& enabling(std::uint32_t action, std::size_t conjunct) const {
    return sets_[enabling_[action][conjunct]];
  }
  // Those that may enable the action at all.
  [[nodiscard]] const BitSet& enabling(std::uint32_t action) const { return sets_[enabling_[action].back()]; }

 private:
  void find_users();
  void add_user(std::uint32_t number);
  [[nodiscard]] BitSet conflicts_of(const Action& action) const;
  void add_disabled(const Action& writer, std::size_t cell, BitSet& result) const;
  void add_disabling(const CellTest& test, BitSet& result) const;
  [[nodiscard]] BitSet writers_of(const BitSet& cells) const;
  [[nodiscard]] BitSet enabling_test(const CellTest& test) const;
  [[nodiscard]] BitSet enabling_conjunct(const Action& action, std::size_t position) const;
  void add_enabling(const Action& action);
  void prefer_parts(BitSet& set) const;
  std::uint32_t number_of(BitSet set);

  Actions actions_;
  std::size_t cell_count_;
  // Per cell, the actions that use it in a plain way, or as a part of a queue. Some only test what they read.
  std::vector<BitSet> writers_, appenders_, takers_, strict_readers_, testers_;
  std::vector<std::uint32_t> split_;  // steps that have parts
  // Per step, by the values of the cells that split it; made when first asked for, as long as they are not too many.
  std::vector<std::vector<std::unique_ptr<BitSet>>> conflicts_;
  std::size_t spare_rows_;
  std::vector<std::vector<std::uint32_t>> enabling_;  // per action: for each conjunct, and last for the whole guard
  std::vector<BitSet> sets_;
  std::map<BitSet, std::uint32_t> numbers_;
};

// Why partial order reduction cannot be used for the program whatever the properties; "" if it can.
std::string why_not_reducible(const ir::Program& program);

}  // namespace fathom
