// The steps of a program as partial order reduction sees them: actions, each an instance of an edge with everything
// that may happen in the step it begins. A step can be a chain of edges while control is kept; then the action touches
// what any edge of the chain may touch. Where the value of a cell decides which element an instance touches, as in
// `last[level[p]] := p`, there is an action for each value. What a property waits for is an action too, one that does
// nothing: a watch.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "analysis/condition.hpp"

namespace fathom {

struct Action {
  explicit Action(std::size_t cells)
      : guard_reads(cells), touches(cells), plain_reads(cells), plain_writes(cells), queue_cells(cells) {}

  // When it is possible. `routine` has the locals of the guard.
  Condition guard;
  const ir::Routine* routine = nullptr;
  BitSet guard_reads;               // also those of edges that come first
  bool has_unknown_locals = false;  // conjuncts can be evaluated only where they are tests
  bool waits_for_timeout = false;
  std::vector<std::pair<std::uint32_t, std::int64_t>> facts;  // cells and values, by cell

  // What it does. The plain parts leave out the queue that it only appends to or takes from.
  Touches touches;
  BitSet plain_reads, plain_writes;
  std::optional<ir::QueueUse::Kind> queue;
  BitSet queue_cells;
};

class Actions {
 public:
  // `watched`: per property, whether it has watches. `known`: of cells in the states that matter.
  Actions(const ir::Program& program, const Cells& cells, const CellFacts& known, const std::vector<bool>& watched);

  [[nodiscard]] const std::vector<Action>& all() const { return actions_; }
  // The actions below this number are steps, the others watches.
  [[nodiscard]] std::size_t steps() const { return steps_; }
  // The action that an instance of an edge begins in a state.
  [[nodiscard]] std::uint32_t number(std::uint32_t edge, std::uint32_t instance,
                                     std::span<const std::uint64_t> state) const {
    const Instance& at = instances_[first_[edge] + (by_instance_ ? instance : 0)];
    return at.cases.empty() ? at.first : at.first + case_of(at, state);
  }
  // Calls visit(number) for all actions that an instance of an edge can begin.
  template <class Visit>
  void each_of(std::uint32_t edge, std::uint32_t instance, Visit visit) const {
    const Instance& at = instances_[first_[edge] + (by_instance_ ? instance : 0)];
    for (std::uint32_t k = 0; k < at.count; ++k) visit(at.first + k);
  }
  // A reason why the steps of this program cannot be told apart soundly; "" if there is none.
  [[nodiscard]] const std::string& refusal() const { return refusal_; }

 private:
  struct Edge {
    const ir::Edge* ir = nullptr;
    std::uint32_t component = 0;
    std::uint32_t next = 0;  // who goes on after it
  };
  // What an edge does by itself, whatever its parameters.
  struct Part {
    explicit Part(std::size_t cells) : guard(cells), body(cells) {}
    Touches guard;
    Touches body;
  };
  struct Place {
    std::uint32_t component;
    std::uint32_t location;
    bool operator==(const Place&) const = default;
  };

  // A cell whose value is told apart, with the codes it may have.
  struct CaseCell {
    std::uint32_t cell;
    std::uint32_t first_code;
    std::uint32_t codes;
  };
  struct Instance {
    std::uint32_t first;  // its actions, one for each case
    std::uint32_t count;
    std::vector<CaseCell> cases;
  };

  void add_steps(const Edge& edge);
  [[nodiscard]] std::vector<CaseCell> cases_of(const Edge& edge, const LocalValues& parameters) const;
  [[nodiscard]] CellValues values_of_case(const std::vector<CaseCell>& cases, std::uint32_t number) const;
  [[nodiscard]] std::uint32_t case_of(const Instance& instance, std::span<const std::uint64_t> state) const;
  [[nodiscard]] Action step(const Edge& edge, const LocalValues& parameters, bool unknown_parameters,
                            const CellValues& values);
  void add_case(const CellValues& values, Action& action) const;
  void add_guard(const Edge& edge, const LocalValues& parameters, const TouchFinder& finder, Action& action);
  [[nodiscard]] bool can_be_outranked(const Edge& edge) const;
  void add_rivals(const Edge& edge, Action& action);
  void add_chain(const Edge& edge, Action& action);
  void add_queue(const Edge& edge, const LocalValues& parameters, const TouchFinder& finder, Action& action) const;
  [[nodiscard]] Touches body_of(const Edge& edge, const LocalValues& parameters, const TouchFinder& finder) const;
  [[nodiscard]] std::vector<Place> places_after(const Edge& edge, const Touches& body) const;
  void add_watches(const ir::Property& property);
  void finish(Action& action) const;
  void refuse(const std::string& reason) {
    if (refusal_.empty()) refusal_ = reason;
  }

  const ir::Program& program_;
  const Cells& cells_;
  TouchFinder finder_;
  std::vector<Edge> edges_;
  std::vector<Part> parts_;                               // per edge
  std::vector<std::vector<std::uint32_t>> of_component_;  // edges
  bool by_instance_ = true;
  std::size_t spare_actions_ = 0;     // how many more there may be to tell cases apart
  std::vector<std::uint32_t> first_;  // per edge: its first instance
  std::vector<Instance> instances_;
  std::vector<Action> actions_;
  std::size_t steps_ = 0;
  std::string refusal_;
};

}  // namespace fathom
