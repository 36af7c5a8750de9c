// Executes a model as native code (model_abi.h). It behaves like InterpretedModel step for step; the cover hits and
// pending antecedents are the interpreter's own, so that the two can take turns.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "model/macro_steps.hpp"
#include "model/model.hpp"
#include "support/counters.hpp"
#include "support/shared_object.hpp"

namespace fathom {

class alignas(memory_line) NativeModel final : private MicroModel {
 public:
  // Throws EnvironmentError when the object is not a model for this interface.
  NativeModel(const ir::Program& program, std::shared_ptr<const SharedObject> code, Counters& hits, Counters& pending);
  NativeModel(const NativeModel&) = delete;
  NativeModel& operator=(const NativeModel&) = delete;

  [[nodiscard]] std::uint32_t state_words() const { return model_->words; }
  void initial(Batch& out);
  void successors(StateView state, Batch& out) {
    if (macro_ != nullptr) return follow(state, out);
    model_->successors(&host_, state.data(), out.raw());
  }
  void enabled(StateView state, Batch& out);
  Outcome apply(StateBuffer& top, InstanceId step, Undo& undo);
  void undo(StateBuffer& top, const Undo& undo);
  void check(StateView state, StateCheck& findings);
  ir::SiteId live(StateView state, std::uint64_t* holding);
  ir::SiteId atoms(StateView state, std::uint32_t claim, AtomValues& values);

  // An edge on a step that goes on for ever, if one was met.
  [[nodiscard]] std::optional<std::uint32_t> endless_edge() const {
    return macro_ == nullptr ? std::nullopt : macro_->endless_edge();
  }
  void set_put_sink(PutSink* sink);
  void quiet(bool on);

 private:
  // The code follows a step of several edges itself, and gives up where that is difficult.
  void follow(StateView state, Batch& out) {
    const std::uint32_t first = out.size();
    host_.single = 0;
    model_->successors(&host_, state.data(), out.raw());
    host_.single = 1;
    if (host_.gave_up != 0) follow_difficult(state, first, out);
  }
  void follow_difficult(StateView state, std::uint32_t first, Batch& out);
  Outcome apply_difficult(StateBuffer& top, InstanceId step, Undo& undo);

  // While these are called, host_.single is set.
  void micro_successors(StateView state, Batch& out) override { model_->successors(&host_, state.data(), out.raw()); }
  void micro_successors_of(StateView state, std::uint32_t component, Batch& out) override {
    model_->successors_of(&host_, state.data(), component, out.raw());
  }
  Outcome micro_apply(std::uint64_t* state, InstanceId step) override;
  void set_timeout(bool on) override { host_.timeout = on ? 1 : 0; }

  void connect_puts(PutSink* sink);

  const ir::Program& program_;
  std::shared_ptr<const SharedObject> code_;
  const fathom_model* model_;
  fathom_host host_{};
  PutSink* sink_ = nullptr;
  Counters& hits_;
  std::vector<std::uint64_t> unheard_;  // takes the cover hits while we are quiet
  Batch steps_;                         // scratch of enabled and apply
  StateBuffer after_;                   // scratch of apply_difficult
  std::unique_ptr<MacroSteps> macro_;   // null where every step is a single edge
};

}  // namespace fathom
