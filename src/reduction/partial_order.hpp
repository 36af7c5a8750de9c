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
  [[nodiscard]] bool pays() override;

 private:
  // The tables for one valuation of the steady cells; they are much the same all through a run.
  struct Tables {
    std::unique_ptr<Dependence> dependence;
    std::unique_ptr<StubbornSets> sets;
  };
  static constexpr std::size_t max_tables = 24;

  [[nodiscard]] std::vector<bool> watched_properties(const std::vector<bool>& selected) const;
  [[nodiscard]] Tables make_tables(std::map<std::uint32_t, std::int64_t> values,
                                   const std::vector<std::uint32_t>& changers) const;
  [[nodiscard]] StubbornSets& sets_for(StateView state);
  void find_visible(const std::vector<bool>& selected);
  [[nodiscard]] bool find_actions(const Batch& steps, std::uint32_t first, std::uint32_t end);

  const ir::Program& program_;
  const bool has_macro_steps_;
  Cells cells_;
  BitSet defined_;
  std::vector<bool> watched_;
  SteadyCells steady_;
  Tables general_;  // know of no cell
  std::map<std::vector<std::int64_t>, Tables> tables_;
  std::vector<bool> is_changer_;  // per edge
  std::vector<bool> is_visible_;  // per action: it may change an atom

  std::vector<std::int64_t> values_;
  std::vector<std::uint32_t> actions_;
  bool creates_ = false;  // some possible step changes a steady cell
  std::vector<bool> kept_;
  std::uint64_t asked_ = 0;
  std::uint64_t reduced_ = 0;
};

}  // namespace fathom
