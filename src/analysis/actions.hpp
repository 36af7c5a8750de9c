// The steps of a program as partial order reduction sees them: actions, each an instance of an edge with everything
// that may happen in the step it begins. A step can be a chain of edges while control is kept; then the action touches
// what any edge of the chain may touch.
//
// What an action does may depend on the value of a cell, as in `last[level[p]] := p`. Such a cell *splits* the action:
// for each value there is a *part*, the action where the cell holds that value. A part is no step of its own, but what
// concerns only one part of an action need not wait for the others. A disjunction in a guard has *alternatives*, which
// become possible one by one. What a property waits for is an action too, one that does nothing: a watch.
#pragma once

#include <map>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "analysis/cells.hpp"
#include "analysis/condition.hpp"
#include "analysis/touches.hpp"
#include "ir/program.hpp"
#include "support/bit_set.hpp"

namespace fathom {

// A cell whose values are told apart, with the codes it may have. The numbers of the parts follow each other.
struct Split {
  std::uint32_t cell = 0;
  std::uint32_t first_code = 0;
  std::uint32_t codes = 0;
  std::uint32_t first_part = 0;
};

struct Action {
  explicit Action(std::size_t cells)
      : guard_reads(cells),
        touches(cells),
        plain_reads(cells),
        plain_writes(cells),
        strict_reads(cells),
        queue_cells(cells),
        appends(cells),
        takes(cells) {}

  // When it is possible. `routine` has the locals of the guard.
  Condition guard;
  const ir::Routine* routine = nullptr;
  BitSet guard_reads;               // also those of edges that come first
  bool has_unknown_locals = false;  // conjuncts can be evaluated only where they are tests
  bool waits_for_timeout = false;
  std::vector<std::pair<std::uint32_t, std::int64_t>> facts;  // cells and values, by cell
  // Conjuncts that are disjunctions: the numbers of their alternatives.
  std::map<std::size_t, std::vector<std::uint32_t>> alternatives;

  // What it does. The plain parts leave out the queues that it only appends to or takes from.
  Touches touches;
  BitSet plain_reads, plain_writes;
  BitSet strict_reads;                      // what is not only asked for in `tests`
  std::vector<CellTest> tests;              // of the guard
  std::optional<ir::QueueUse::Kind> queue;  // of its first edge
  BitSet queue_cells;
  BitSet appends, takes;  // cells of the queues of all of its edges

  std::uint32_t whole = 0;    // what it is a part of, or itself
  std::vector<Split> splits;  // of a step

  CellValues given;  // what makes it a part

  [[nodiscard]] bool is_part() const { return !given.empty(); }
  void touch_everything(std::size_t cells);
  // Tells apart what is only tested.
  void sort_out_tests();
};

class Actions {
 public:
  // `watched`: per property, whether it has watches. `known`: of cells in the states that matter.
  Actions(const ir::Program& program, const Cells& cells, const CellFacts& known, const std::vector<bool>& watched);

  // Steps, then watches, then parts and alternatives.
  [[nodiscard]] const std::vector<Action>& all() const { return actions_; }
  [[nodiscard]] std::size_t steps() const { return steps_; }
  [[nodiscard]] bool is_watch(std::size_t number) const { return number >= steps_ && number < watches_end_; }
  // The action that an instance of an edge begins.
  [[nodiscard]] std::uint32_t number(std::uint32_t edge, std::uint32_t instance) const {
    return first_[edge] + (by_instance_ ? instance : 0);
  }
  // Calls visit(number) for the step itself or for parts of it: one of them tells what it does, whatever the state.
  template <class Visit>
  void each_case(std::uint32_t step, Visit visit) const {
    if (actions_[step].splits.empty()) return visit(step);
    const Split& split = actions_[step].splits.front();
    for (std::uint32_t k = 0; k < split.codes; ++k) visit(split.first_part + k);
  }
  // The part of a step that a state makes possible, if the step is.
  [[nodiscard]] std::uint32_t part_in(const Split& split, std::span<const std::uint64_t> state) const {
    return split.first_part + code_in(split, state) - split.first_code;
  }
  // The step where all cells that split it hold what they hold in the state, and a number for these values.
  [[nodiscard]] Action exactly(std::uint32_t step, std::span<const std::uint64_t> state);
  [[nodiscard]] std::uint64_t values_in(const Action& step, std::span<const std::uint64_t> state) const;
  // A reason why the steps of this program cannot be told apart soundly; "" if there is none.
  [[nodiscard]] const std::string& refusal() const { return refusal_; }

 private:
  struct Edge {
    const ir::Edge* ir = nullptr;
    std::uint32_t component = 0;
    std::uint32_t next = 0;  // who goes on after it
  };
  // The queue that an edge does nothing with but to append one message or to take one.
  struct QueueEnd {
    ir::QueueUse::Kind kind;
    BitSet cells;
    std::uint32_t length;  // the cell that holds it
    std::int64_t capacity;
    // What an append or a take does to the length.
    [[nodiscard]] Written written() const;
    // Whether the queue has a message to take, or room for one more, where the test holds.
    [[nodiscard]] bool is_open(const CellTest& test) const;
  };
  // What an edge does by itself, whatever its parameters.
  struct Part {
    explicit Part(std::size_t cells) : guard(cells), body(cells) {}
    Touches guard;
    Touches body;
    std::optional<QueueEnd> end;  // that a step may use once behind its first edge
  };
  struct Place {
    std::uint32_t component;
    std::uint32_t location;
    bool operator==(const Place&) const = default;
  };
  // Where a step comes from.
  struct Origin {
    std::uint32_t edge;
    std::uint64_t instance;
  };

  void add_steps(std::uint32_t edge);
  void add_parts(std::size_t spare);
  [[nodiscard]] BitSet splitting_cells(std::uint32_t step, bool choosing) const;
  [[nodiscard]] std::optional<Split> split_by(std::uint32_t cell) const;
  void add_split(std::uint32_t number, std::uint32_t cell, std::size_t& spare);
  void add_alternatives();
  void add_alternatives(std::uint32_t of, std::size_t position, std::vector<Condition> conditions);
  [[nodiscard]] TouchFinder finder_of(const Action& action) const;
  [[nodiscard]] std::uint32_t code_in(const Split& split, std::span<const std::uint64_t> state) const;
  [[nodiscard]] Action step(const Origin& origin, const CellValues& values);
  void add_case(const CellValues& values, Action& action) const;
  void add_guard(const Edge& edge, const LocalValues& parameters, const TouchFinder& finder, Action& action);
  [[nodiscard]] bool can_be_outranked(const Edge& edge) const;
  void add_rivals(const Edge& edge, Action& action);
  void add_chain(std::uint32_t first, Action& action) const;
  [[nodiscard]] std::vector<std::uint32_t> chain_after(std::uint32_t edge) const;
  [[nodiscard]] std::optional<QueueEnd> queue_end(const Edge& edge, const LocalValues& parameters,
                                                  const TouchFinder& finder) const;
  [[nodiscard]] std::optional<QueueEnd> end_in_chain(std::uint32_t number) const;
  [[nodiscard]] bool is_sure(std::uint32_t number, std::uint32_t first, const std::vector<std::uint32_t>& chain,
                             const Action& action) const;
  [[nodiscard]] bool touches(std::uint32_t edge, const BitSet& cells) const;
  void add_queue(const QueueEnd& end, Action& action) const;
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
  std::vector<std::uint32_t> first_;  // per edge: its first step
  std::vector<Origin> origins_;       // per step
  std::vector<Action> actions_;
  std::size_t steps_ = 0;
  std::size_t watches_end_ = 0;
  std::string refusal_;
};

}  // namespace fathom
