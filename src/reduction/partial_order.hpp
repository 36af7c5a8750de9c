// Partial order reduction of a program: chooses steps by stubborn sets. docs/reductions.md says why that is sound and
// what the search has to add.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "analysis/steady_cells.hpp"
#include "reduction/reduction.hpp"
#include "reduction/stubborn_sets.hpp"

namespace fathom {

class PartialOrder : public Reduction {
 public:
  // `selected`: the properties whose violation must not be lost, by their numbers in the program. Where atoms are among
  // them, the order in which they change is kept as well: a state that leaves out steps takes none that may change one.
  PartialOrder(const ir::Program& program, const std::vector<bool>& selected);

  // Why there can be no reduction; "" if there can.
  [[nodiscard]] std::string refusal() const;

  bool select(StateView state, const Batch& steps, std::uint32_t first, std::uint32_t end,
              std::vector<std::uint32_t>& chosen) override;
  // For which valuations there are tables: for others there may not be any more.
  void write(SealedWriter& out) const override;
  void read(SealedReader& in) override;
  [[nodiscard]] bool pays() override;
  void remove_ended(bool wanted) override;
  [[nodiscard]] bool removes_ended() const override { return removes_ended_; }
  [[nodiscard]] std::uint64_t processes(StateView state) const override;

 private:
  // The tables for one valuation of the steady cells; they are much the same all through a run.
  struct Tables {
    std::unique_ptr<Dependence> dependence;
    std::unique_ptr<StubbornSets> sets;
  };
  using Values = std::vector<std::int64_t>;  // of the steady cells
  static constexpr std::size_t max_tables = 24;

  [[nodiscard]] std::vector<bool> watched_properties() const;
  [[nodiscard]] bool has_atoms() const;
  [[nodiscard]] Tables make_tables(CellValues values, const std::vector<std::uint32_t>& changers) const;
  const Tables& add_tables(const Values& values);
  [[nodiscard]] const Tables& tables_for(StateView state);
  [[nodiscard]] BitSet visible_actions(const Actions& actions, const CellFacts& known) const;
  [[nodiscard]] bool find_steps(const Batch& steps, std::uint32_t first, std::uint32_t end);
  [[nodiscard]] bool find_actions(const Actions& actions);
  [[nodiscard]] std::vector<bool> removals() const;
  [[nodiscard]] bool removes(const ir::Component& component, const ir::Edge& edge) const;
  [[nodiscard]] bool select_removal(std::uint32_t first, std::vector<std::uint32_t>& chosen) const;
  void find_idle(StateView state, const Batch& steps, std::uint32_t first, std::uint32_t end);

  const ir::Program& program_;
  const bool has_macro_steps_;
  Cells cells_;
  BitSet defined_;
  std::vector<bool> selected_;
  std::vector<bool> watched_;
  bool has_atoms_;
  SteadyCells steady_;
  Tables general_;  // know of no cell
  std::map<Values, Tables> tables_;
  const Tables* last_tables_ = nullptr;  // those for last_values_
  Values last_values_;
  std::vector<bool> is_changer_;  // per edge
  std::vector<bool> is_removal_;  // per edge: it removes a process; empty where that may be noticed
  bool removes_ended_ = false;

  Values values_;
  std::vector<InstanceId> steps_;  // the first micro steps of the possible ones
  std::vector<std::uint32_t> actions_;
  bool creates_ = false;    // some possible step changes a steady cell
  std::vector<bool> idle_;  // steps that change nothing
  std::vector<bool> kept_;
  // Counts, by which it is decided whether the reduction pays.
  std::uint64_t asked_ = 0;     // states
  std::uint64_t offered_ = 0;   // their steps
  std::uint64_t left_out_ = 0;  // those of them that need not be taken
  std::uint64_t effort_ = 0;    // actions that were looked at
};

// A partial order reduction for a search that may come to its end before it needs one: the program is analysed when the
// first state is asked for. Where there can be no reduction, all steps are needed.
class PartialOrderOnDemand : public Reduction {
 public:
  PartialOrderOnDemand(const ir::Program& program, std::vector<bool> selected)
      : program_(program), selected_(std::move(selected)) {}

  bool select(StateView state, const Batch& steps, std::uint32_t first, std::uint32_t end,
              std::vector<std::uint32_t>& chosen) override {
    return is_sound() && reduction_->select(state, steps, first, end, chosen);
  }
  void write(SealedWriter& out) const override;
  void read(SealedReader& in) override;
  [[nodiscard]] bool pays() override { return is_sound() && reduction_->pays(); }
  [[nodiscard]] bool is_optional() const override { return true; }

 private:
  bool is_sound();

  const ir::Program& program_;
  std::vector<bool> selected_;
  std::unique_ptr<PartialOrder> reduction_;
  bool refused_ = false;
};

}  // namespace fathom
