// Executes code on intervals: from bounds of the variables before it to bounds behind it. Where code does something
// that is not understood here, or takes too long, `understood` becomes false and the results mean nothing.
#pragma once

#include <functional>
#include <optional>
#include <set>
#include <vector>

#include "analysis/interval.hpp"
#include "analysis/value_cells.hpp"

namespace fathom {

// What is known at one point of the code.
struct Bounds {
  bool reachable = true;
  std::vector<Interval> cells;
  std::vector<Interval> registers;    // of the routine that is being executed
  std::set<std::uint32_t> unsettled;  // for the listener's use; joined like the rest

  void join(const Bounds& other);
};

class BoundsWalk {
 public:
  // Told of every value that may be written to a cell, and of components that are moved to a location by assignment.
  struct Listener {
    std::function<void(std::uint32_t cell, Interval value, Bounds& now)> stored;
    std::function<void(const ir::Variable& variable, std::optional<std::uint32_t> location, Bounds& now)> moved;
  };

  BoundsWalk(const ValueCells& cells, Listener listener) : cells_(cells), listener_(std::move(listener)) {}

  // Begins a routine with these bounds of the variables and any values of the parameters.
  void enter(const ir::Routine& routine, const std::vector<ir::Parameter>& parameters, std::vector<Interval> cells);
  // Goes on with the states in which the condition has the given value.
  void assume(const ir::Expr& condition, bool value);
  void execute(const ir::Block& block);

  [[nodiscard]] const Bounds& now() const { return now_; }
  [[nodiscard]] bool understood() const { return understood_; }

 private:
  static constexpr std::uint32_t max_depth = 16;  // of calls
  static constexpr std::uint32_t max_rounds = 64;
  static constexpr std::uint64_t max_work = 50'000'000;  // bounds copied: a fraction of a second

  Interval value(const ir::Expr& expr);
  Interval read(const ir::Expr& expr);
  Interval conditional(const ir::Expr& expr);
  Interval logical(const ir::Expr& expr);
  Interval arithmetic(const ir::Expr& expr);
  Interval quantified(const ir::Expr& expr);
  Interval call(const ir::Call& call);
  void begin_routine(const ir::Routine& routine);
  void evaluate_indices(const ir::Place& place);

  void assume_both(const ir::Expr& a, bool a_value, const ir::Expr& b, bool b_value);
  void assume_either(const ir::Expr& a, const ir::Expr& b, bool value);
  void assume_comparison(const ir::Expr& expr, bool value);
  void narrow(const ir::Expr& expr, Interval to);

  void execute(const ir::Stmt& stmt);
  void assign(const ir::Place& place, Interval value);
  void store(ValueCells::Part part, std::uint32_t cell, Interval value);
  void copy(const ir::Place& to, const ir::Place& from);
  void zero(const ir::Place& place);
  void branch(const ir::Stmt& stmt);
  void loop(const ir::Stmt& stmt);
  void bind(const ir::Binding& binding);
  void widen(const Bounds& before);
  void give_back(const ir::Stmt& stmt);
  void stop() { now_.reachable = false; }
  void give_up() { understood_ = false; }
  // Called where all bounds are copied. A program for which that happens too often is not worth the time.
  void note_work() {
    work_ += now_.cells.size();
    if (work_ > max_work) give_up();
  }

  const ValueCells& cells_;
  Listener listener_;
  Bounds now_;
  bool understood_ = true;
  std::uint64_t work_ = 0;
  std::uint32_t depth_ = 0;
  // Of the function that is being executed.
  std::optional<Bounds> returned_;
  Interval result_ = Interval::none();
};

// What is left of a value that is stored.
Interval fitted(const ir::Type& type, Interval value);

}  // namespace fathom
