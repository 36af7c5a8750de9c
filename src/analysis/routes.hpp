// How a cell gets from one value to another. A guard that waits for a certain value of a cell, such as the place where
// a process stands, waits for one of the actions that lead there from the present value; those on the way are left out.
//
// Only cells are tracked to which every action writes one of a few known values.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "analysis/actions.hpp"

namespace fathom {

class Routes {
 public:
  Routes(const Cells& cells, const std::vector<Action>& actions);

  // An action that is possible only where this tracked cell holds this value. Of the values of a tracked cell those
  // that matter have numbers from 1 on; 0 stands for all others.
  struct Demand {
    std::uint32_t tracked;
    std::uint32_t value;
  };
  [[nodiscard]] std::span<const Demand> demands(std::uint32_t action) const {
    return {demands_.data() + first_[action], demands_.data() + first_[action + 1]};
  }
  // The values of all tracked cells in a state.
  void read(std::span<const std::uint64_t> state, std::vector<std::uint32_t>& values) const;
  // The actions with which the cell can leave the value `from` on a way to the demanded one.
  [[nodiscard]] const BitSet& ways(std::uint32_t from, const Demand& demand);

 private:
  static constexpr std::uint32_t any = UINT32_MAX;

  struct Mover {
    std::uint32_t action;
    std::uint32_t from;  // or any
    std::vector<std::uint32_t> to;
  };
  struct Tracked {
    std::uint32_t offset = 0;
    std::uint32_t bits = 0;
    std::vector<std::uint32_t> values;  // by code: the number of the value
    std::uint32_t count = 1;
    std::vector<Mover> movers;
    std::vector<BitSet> reachable;                           // per value, those it may become
    std::vector<std::vector<std::unique_ptr<BitSet>>> ways;  // from each value to each, made when first asked for

    std::uint32_t number_of(std::uint64_t code);
  };

  void find_tracked(const Cells& cells, const std::vector<Action>& actions);
  [[nodiscard]] static bool find_movers(const Cell& cell, std::uint32_t number, const std::vector<Action>& actions,
                                        Tracked& tracked);
  [[nodiscard]] static std::uint32_t targets_of(const Action& action, std::uint32_t cell);
  static void add_mover(const Cell& cell, std::uint32_t number, std::uint32_t action, const Action& what,
                        Tracked& tracked);
  static void find_reachable(Tracked& tracked);
  void find_demands(const Cells& cells, const std::vector<Action>& actions);
  [[nodiscard]] BitSet find_ways(const Tracked& tracked, std::uint32_t from, std::uint32_t to) const;

  std::size_t action_count_;
  std::vector<Tracked> tracked_;
  std::vector<std::uint32_t> of_cell_;  // the number of a tracked cell, or any
  std::vector<Demand> demands_;         // of all actions, one after the other
  std::vector<std::size_t> first_;
};

}  // namespace fathom
