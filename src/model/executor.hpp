// Whoever executes the model at the moment: the interpreter at once, native code as soon as it pays. Both give the same
// steps in the same order, so a search never notices the change.
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <thread>

#include "model/interpreted.hpp"
#include "model/model.hpp"
#include "model/native.hpp"
#include "native/build.hpp"
#include "support/counters.hpp"

namespace fathom {

enum class EngineChoice : std::uint8_t { automatic, native, interpret };

struct EngineUse {
  std::uint64_t interpreted = 0;  // states expanded by each
  std::uint64_t native = 0;
  double compile_seconds = 0;
  std::optional<std::uint32_t> endless_edge;  // on a step that goes on for ever, if one was met
  std::string note;                           // why there is no native code although it was wanted; "" otherwise
};

// One object serves one thread. `automatic` takes code that an earlier run has left; otherwise it interprets, starts a
// compiler in the background once the run has lasted a while, and changes over between two expansions.
class alignas(memory_line) Executor {
 public:
  // For EngineChoice::native this compiles first, and throws EnvironmentError when that is impossible.
  Executor(const ir::Program& program, EngineChoice choice);
  Executor(const Executor&) = delete;
  Executor& operator=(const Executor&) = delete;
  ~Executor();  // ends a compiler that is still running

  // An executor of the same program for another thread, without output. It never compiles, and takes over the code that
  // this one gets.
  [[nodiscard]] std::unique_ptr<Executor> for_another_thread() const;
  // Adds what such a one has counted and seen; its thread has ended.
  void add_counts_of(Executor& other);
  // Does not count so many expansions, because nobody needed them.
  void discount(std::uint64_t expansions);

  [[nodiscard]] std::uint32_t state_words() const { return interpreted_.state_words(); }
  void initial(Batch& out);
  void successors(StateView state, Batch& out) {
    if (expand_natively()) return native_->successors(state, out);
    interpreted_.successors(state, out);
  }
  void enabled(StateView state, Batch& out) {
    if (expand_natively()) return native_->enabled(state, out);
    interpreted_.enabled(state, out);
  }
  Outcome apply(StateBuffer& top, InstanceId step, Undo& undo);
  void undo(StateBuffer& top, const Undo& undo) { interpreted_.undo(top, undo); }
  void check(StateView state, StateCheck& findings);
  ir::SiteId live(StateView state, std::uint64_t* holding);
  ir::SiteId atoms(StateView state, std::uint32_t claim, AtomValues& values);

  void set_put_sink(PutSink* sink);
  void quiet(bool on);
  [[nodiscard]] Counters& hits() { return interpreted_.hits(); }
  [[nodiscard]] Counters& pending() { return interpreted_.pending(); }
  // The interpreter, for replaying and explaining.
  [[nodiscard]] InterpretedModel& interpreter() { return interpreted_; }
  [[nodiscard]] EngineUse use() const;

 private:
  // What the compiling thread hands over. It writes the result, then sets `done`; nobody else reads before.
  struct Compilation {
    std::optional<SharedObject> code;
    std::string note;
    double seconds = 0;
    std::atomic<bool> done = false;
    std::jthread thread;  // last, so that it ends first
  };

  // Native code, for all threads that execute the program.
  struct Code {
    std::shared_ptr<const SharedObject> object;
    std::atomic<bool> ready = false;  // set after the object, which is then left alone
  };

  // Says who expands the next state, and counts it.
  bool expand_natively() {
    if (native_ == nullptr) return count_interpreted();
    ++native_states_;
    return true;
  }
  bool count_interpreted();
  void consider_compiling();
  void start_compiling();
  void finish_compiling();
  void publish(SharedObject code);
  void adopt();

  const ir::Program& program_;
  InterpretedModel interpreted_;
  std::unique_ptr<NativeModel> native_;
  std::shared_ptr<Code> code_ = std::make_shared<Code>();
  bool follows_ = false;                // another executor gets the code
  std::unique_ptr<NativeBuild> build_;  // while native code may still come
  std::unique_ptr<Compilation> compilation_;
  PutSink* sink_ = nullptr;
  bool quiet_ = false;
  std::uint64_t interpreted_states_ = 0;
  std::uint64_t native_states_ = 0;
  std::optional<std::uint32_t> endless_elsewhere_;  // met by another thread
  std::chrono::steady_clock::time_point begin_;
  double compile_seconds_ = 0;
  std::string note_;
};

}  // namespace fathom
