// Executes the ir directly. It starts at once, replays every trace before it is shown, and is the oracle that native
// code is tested against. One object serves one thread: it owns the registers and frames of the run.
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "model/macro_steps.hpp"
#include "model/model.hpp"
#include "support/counters.hpp"

namespace fathom {

class InterpretedModel {
 public:
  explicit InterpretedModel(const ir::Program& program);
  ~InterpretedModel();
  InterpretedModel(InterpretedModel&&) noexcept;

  [[nodiscard]] std::uint32_t state_words() const;
  void initial(Batch& out);
  void successors(StateView state, Batch& out);
  void enabled(StateView state, Batch& out);
  Outcome apply(StateBuffer& top, InstanceId step, Undo& undo);
  void undo(StateBuffer& top, const Undo& undo);
  void check(StateView state, StateCheck& findings);
  ir::SiteId live(StateView state, std::uint64_t* holding);
  ir::SiteId atoms(StateView state, std::uint32_t claim, AtomValues& values);

  // Runs start edge `step` on the all-undefined state.
  Outcome start(InstanceId step, StateBuffer& state);
  // What happens inside a step of the system: its edges in order, a single one in most programs. Each is then taken
  // with take(), which is one edge in place.
  MicroPath micro_steps(StateView state, InstanceId step);
  Outcome take(StateBuffer& state, InstanceId micro_step);
  // Is the first edge of this step enabled? A guard that faults reports it.
  bool is_enabled(StateView state, InstanceId step, Outcome& guard_outcome);
  // The message of the last fault with the values that caused it: "index 4 is outside 0..3 in `queue[tail]`".
  [[nodiscard]] std::string last_fault() const;
  [[nodiscard]] const ir::Program& program() const;
  // An edge on a step that goes on for ever, if one was met.
  [[nodiscard]] std::optional<std::uint32_t> endless_edge() const;

  void set_put_sink(PutSink* sink);
  void quiet(bool on);
  // Cover hits per property and the antecedents still to be seen, shared with a native executor (see model_abi.h).
  [[nodiscard]] Counters& hits();
  [[nodiscard]] Counters& pending();

 private:
  struct Parts;
  std::unique_ptr<Parts> parts_;
};

}  // namespace fathom
