// A run that grows step by step, with everything a trace shows of it: the interpreter executes each step and we write
// down the edges inside it, the states between them and what they print.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "ir/output.hpp"
#include "model/interpreted.hpp"

namespace fathom {

// What happened so far, in the steps that a trace shows.
struct Replayed {
  // The start state and the state after each step. When the run fails inside its last step (or its start), that state
  // is the one the step had reached when it failed.
  std::vector<StateBuffer> states;
  // What a trace shows as a step of its own: the edges inside a step of the run, and of those that belong together
  // (d_step) the first. One less than there are states.
  std::vector<InstanceId> steps;
  // All edges, also those that are shown together with the one before.
  struct Edge {
    InstanceId instance{};
    bool joined = false;
    bool ends_step = false;  // of the system
  };
  std::vector<Edge> edges = {};
  std::vector<std::string> outputs;      // what was printed while each state came about
  std::string fault;                     // the interpreter's message, for a fault
  std::optional<std::size_t> loop = {};  // the state after so many steps is that after the last one
};

class Execution {
 public:
  // Whether an outcome of an edge is where the run ends.
  using IsFailure = std::function<bool(Outcome)>;

  // `outputs` is what edges print besides `put`; null: nothing.
  explicit Execution(InterpretedModel& model, const ir::Outputs* outputs = nullptr);

  // Forgets everything and begins anew.
  Outcome begin(InstanceId start);
  // Begins in a state that some run has come to.
  void begin_at(StateView state);
  // Takes an enabled step of the system. When an edge inside it fails, or the step cannot go on behind its last edge,
  // that outcome is returned and the run is over.
  Outcome take(InstanceId step, const IsFailure& is_failure);
  // Takes the last step back.
  void undo();

  [[nodiscard]] const StateBuffer& state() const { return state_; }
  [[nodiscard]] InstanceId start() const { return start_; }
  [[nodiscard]] const std::vector<InstanceId>& steps() const { return steps_; }  // of the system
  [[nodiscard]] const Replayed& record() const { return record_; }
  // The start state and the state after each step of the system.
  [[nodiscard]] std::vector<StateBuffer> states() const;
  // How many steps were shown before this step of the system, and back: nothing where that lies inside one.
  [[nodiscard]] std::size_t shown_before(std::size_t step) const;
  [[nodiscard]] std::optional<std::size_t> step_shown_after(std::size_t shown) const;

 private:
  class Listener final : public PutSink {
   public:
    explicit Listener(InterpretedModel& model);
    ~Listener() override;
    Listener(const Listener&) = delete;
    Listener& operator=(const Listener&) = delete;
    void put(std::string_view text) override { heard += text; }
    std::string heard;

   private:
    InterpretedModel& model_;
  };

  Outcome take_edge(const MicroPath::Step& step);
  [[nodiscard]] std::string output_of(InstanceId edge) const;
  void show(const MicroPath::Step& step, std::string output);

  InterpretedModel& model_;
  const ir::Outputs* outputs_;
  const std::vector<const ir::Edge*> edges_;
  InstanceId start_{};
  StateBuffer state_;
  std::vector<InstanceId> steps_;
  std::vector<std::size_t> shown_before_;  // per step of the system: how many were shown before it
  Replayed record_;
};

}  // namespace fathom
