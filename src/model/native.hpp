// Executes a model as native code (model_abi.h). It behaves like InterpretedModel step for step; the cover hits and
// pending antecedents are the interpreter's own, so that the two can take turns.
#pragma once

#include <cstdint>
#include <vector>

#include "model/model.hpp"
#include "support/shared_object.hpp"

namespace fathom {

class NativeModel {
 public:
  // Throws EnvironmentError when the object is not a model for this interface.
  NativeModel(const ir::Program& program, SharedObject code, std::vector<std::uint64_t>& hits,
              std::vector<std::uint64_t>& pending);
  NativeModel(const NativeModel&) = delete;
  NativeModel& operator=(const NativeModel&) = delete;

  [[nodiscard]] std::uint32_t state_words() const { return model_->words; }
  void initial(Batch& out) { model_->initial(&host_, out.raw()); }
  void successors(StateView state, Batch& out) { model_->successors(&host_, state.data(), out.raw()); }
  void enabled(StateView state, Batch& out) { model_->enabled(&host_, state.data(), out.raw()); }
  Outcome apply(StateBuffer& top, InstanceId step, Undo& undo);
  void undo(StateBuffer& top, const Undo& undo);
  void check(StateView state, StateCheck& findings);
  ir::SiteId live(StateView state, std::uint64_t* holding);

  void set_put_sink(PutSink* sink);
  void quiet(bool on);

 private:
  void connect_puts(PutSink* sink);

  const ir::Program& program_;
  SharedObject code_;
  const fathom_model* model_;
  fathom_host host_{};
  PutSink* sink_ = nullptr;
  std::vector<std::uint64_t>& hits_;
  std::vector<std::uint64_t> unheard_;  // takes the cover hits while we are quiet
  StateBuffer before_;                  // scratch of apply
};

}  // namespace fathom
