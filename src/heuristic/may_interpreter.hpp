// Executes the ir on states of which only a part is known: what may happen in some state that agrees with the known
// part. Where the code asks for something that is not known, each answer is a path of its own, and what was answered
// is remembered for the rest of the path: after `x < 3` was taken to be so, x is less than 3. A path is run from its
// beginning each time (Choices says which way to go), so that there is one state at a time and nothing to be copied.
//
// Nothing that may happen in a real state is left out. What is not followed, such as multisets and aggregates of
// routines, may have any value; where there is too much to follow, gave_up() says so, and then everything may happen.
#pragma once

#include <deque>
#include <vector>

#include "analysis/cells.hpp"
#include "heuristic/value_set.hpp"

namespace fathom {

// The answers on the way: the first time the first one, and with advance() the next combination.
class Choices {
 public:
  // A number below `count`.
  std::uint32_t pick(std::uint32_t count);
  bool flip() { return pick(2) == 0; }
  // The next path; false when there is none.
  bool advance();
  void restart() { next_ = 0; }
  void forget() { made_.clear(), next_ = 0; }

 private:
  struct Made {
    std::uint32_t choice;
    std::uint32_t count;
  };
  std::vector<Made> made_;
  std::size_t next_ = 0;
};

class MayInterpreter {
 public:
  MayInterpreter(const ir::Program& program, const Cells& cells);

  // The cells of the state that is executed on. What a path writes is taken back by begin().
  [[nodiscard]] std::vector<CellSet>& cells() { return state_; }
  [[nodiscard]] Choices& choices() { return choices_; }

  // What was asked for: the same answers follow wherever the cells that were looked at have the same values.
  void watch();
  [[nodiscard]] const CellSet& look(std::uint32_t cell);
  [[nodiscard]] const std::vector<std::uint32_t>& looked_at() const { return looked_at_; }
  // Calls visit(cell) for what the path has written; it may come several times.
  template <class Visit>
  void each_written(Visit visit) const {
    for (const Change& change : undo_)
      if (!change.narrows) visit(change.cell);
  }

  // Begins a path: the state is as it was before the last one.
  void begin();
  // Fresh locals of a routine, before one of its parts is executed.
  void enter(const ir::Routine& routine);
  void set_register(const ir::Local& local, std::int64_t value) { top().registers[local.slot] = ValueSet::of(value); }

  [[nodiscard]] bool holds(const ir::Expr& expr);
  void run(const ir::Block& body);
  void write(std::uint32_t cell, const CellSet& values);
  // Narrows a cell; the path ends if nothing is left.
  void assume(std::uint32_t cell, const CellSet& values);
  // To try something out: what was done since is taken back. Whether it changed some cell for certain.
  [[nodiscard]] std::size_t mark() const { return undo_.size(); }
  void restore(std::size_t mark);
  [[nodiscard]] bool surely_changed(std::size_t since);

  // The path is over: it faults, or it cannot be, or an assumption was not met.
  [[nodiscard]] bool ended() const { return ended_; }
  void fault() { may_fault_ = ended_ = true; }
  [[nodiscard]] bool may_fault() const { return may_fault_; }
  [[nodiscard]] bool may_fail_assertion() const { return may_fail_assertion_; }
  [[nodiscard]] bool gave_up() const { return gave_up_; }
  void give_up() { gave_up_ = ended_ = true; }

 private:
  enum class Flow : std::uint8_t { next, returned };

  // Where a place lies: a scalar or aggregate at an offset of the state, somewhere in a stretch of it, or in something
  // that is not followed.
  struct Address {
    enum class Kind : std::uint8_t { exact, stretch, unfollowed };
    Kind kind = Kind::unfollowed;
    std::uint32_t offset = 0;
    std::uint32_t bits = 0;  // stretch
  };
  struct Activation {
    std::vector<ValueSet> registers;
    std::vector<Address> references;
  };

  struct Change {
    std::uint32_t cell;
    bool narrows;  // it became known, but did not change
    CellSet before;
  };

  Activation& top() { return activations_[depth_]; }

  [[nodiscard]] ValueSet eval(const ir::Expr& expr);
  [[nodiscard]] ValueSet eval_read(const ir::Expr& expr);
  [[nodiscard]] ValueSet eval_call(const ir::Call& call);
  [[nodiscard]] ValueSet eval_operation(const ir::Expr& expr);
  [[nodiscard]] ValueSet number(const ir::Expr& expr);
  [[nodiscard]] ValueSet checked(ValueSet values, bool may_fail);
  [[nodiscard]] bool holds_quantified(const ir::Expr& expr);
  [[nodiscard]] bool holds_comparison(const ir::Expr& expr);
  [[nodiscard]] bool holds_of_cell(ir::Expr::Kind relation, const ir::Expr& read, std::uint32_t cell,
                                   std::int64_t value);
  [[nodiscard]] bool is_same(const ir::Place& a, const ir::Place& b);
  [[nodiscard]] bool is_undefined(const ir::Place& place);
  void narrow(const ir::Expr& read, ir::Expr::Kind relation, const ValueSet& other);

  [[nodiscard]] Address resolve(const ir::Place& place);
  void follow(const ir::PathStep& step, Address& at);
  [[nodiscard]] std::optional<std::uint32_t> cell_at(const Address& at) const;
  [[nodiscard]] ValueSet read(const ir::Place& place);
  void assign(const ir::Place& place, const ir::Expr& value);
  void store(const ir::Place& place, const CellSet& values);
  void spread(const Address& at, std::uint32_t bits);
  void copy(const ir::Place& to, const ir::Place& from);
  void set_all(const ir::Place& place, bool smallest);

  Flow run_block(const ir::Block& body);
  Flow run(const ir::Stmt& stmt);
  Flow run_branch(const ir::Stmt& stmt);
  Flow run_while(const ir::Stmt& stmt);
  Flow run_for(const ir::Stmt& stmt);
  void run_check(const ir::Stmt& stmt);
  [[nodiscard]] bool call(const ir::Call& call);
  template <class Visit>
  void each_value(const ir::Binding& binding, Visit visit);

  static constexpr unsigned max_steps = 20'000;  // statements and loop rounds of one path
  static constexpr std::size_t max_calls = 32;
  static constexpr std::uint64_t max_elements = 16;  // an index that may have more values is not followed

  const ir::Program& program_;
  const Cells& numbers_;
  std::vector<CellSet> state_;
  std::vector<Change> undo_;
  std::vector<std::uint32_t> looked_at_;  // since watch(), each once
  std::vector<bool> was_looked_at_;
  Choices choices_;
  std::deque<Activation> activations_;
  std::size_t depth_ = 0;
  const ir::Function* function_ = nullptr;
  ValueSet result_;
  unsigned steps_ = 0;
  bool ended_ = false;
  bool may_fault_ = false;
  bool may_fail_assertion_ = false;
  bool gave_up_ = false;
};

}  // namespace fathom
