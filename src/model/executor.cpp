#include "model/executor.hpp"

#include <algorithm>
#include <functional>

#include "support/errors.hpp"

namespace fathom {

namespace {

using Clock = std::chrono::steady_clock;

// A run that has lasted this long is likely to last as long as a compiler takes. The clock is read once in a while
// only.
constexpr auto patience = std::chrono::milliseconds(250);
constexpr std::uint64_t states_between_looks = 64;

// An imported transition system: its edges do nothing that could be compiled, and there can be a million of them.
bool is_mere_graph(const ir::Program& program) {
  return std::ranges::all_of(program.edges(), [](const ir::Edge* edge) {
    return edge->guard == nullptr && edge->routine.body.empty() && edge->parameters.empty();
  });
}

double seconds_since(Clock::time_point begin) {
  return std::chrono::duration<double>(Clock::now() - begin).count();
}

}  // namespace

Executor::Executor(const ir::Program& program, EngineChoice choice)
    : program_(program), interpreted_(program), begin_(Clock::now()) {
  if (choice == EngineChoice::interpret) return;
  if (choice == EngineChoice::automatic && is_mere_graph(program)) return;
  try {
    build_ = std::make_unique<NativeBuild>(program);
    if (auto code = build_->cached()) {
      publish(std::move(*code));
    } else if (choice == EngineChoice::native) {
      const Clock::time_point begin = Clock::now();
      publish(build_->build({}));
      compile_seconds_ = seconds_since(begin);
    }
  } catch (const EnvironmentError& error) {
    if (choice == EngineChoice::native) throw;
    note_ = error.what();
    build_.reset();
  }
}

Executor::~Executor() = default;

std::unique_ptr<Executor> Executor::for_another_thread() const {
  auto other = std::make_unique<Executor>(program_, EngineChoice::interpret);
  other->code_ = code_;
  other->follows_ = true;
  if (code_->ready.load(std::memory_order_acquire)) other->adopt();
  return other;
}

void Executor::add_counts_of(Executor& other) {
  interpreted_states_ += other.interpreted_states_;
  native_states_ += other.native_states_;
  std::ranges::transform(interpreted_.hits(), other.interpreted_.hits(), interpreted_.hits().begin(), std::plus<>());
  std::ranges::transform(interpreted_.pending(), other.interpreted_.pending(), interpreted_.pending().begin(),
                         std::bit_and<>());
  if (!endless_elsewhere_) endless_elsewhere_ = other.use().endless_edge;
}

void Executor::discount(std::uint64_t expansions) {
  const std::uint64_t natively = std::min(native_states_, expansions);
  native_states_ -= natively;
  interpreted_states_ -= std::min(interpreted_states_, expansions - natively);
}

void Executor::publish(SharedObject code) {
  code_->object = std::make_shared<const SharedObject>(std::move(code));
  adopt();
  code_->ready.store(true, std::memory_order_release);
}

void Executor::adopt() {
  native_ = std::make_unique<NativeModel>(program_, code_->object, interpreted_.hits(), interpreted_.pending());
  native_->set_put_sink(sink_);
  native_->quiet(quiet_);
}

bool Executor::count_interpreted() {
  if ((build_ != nullptr || follows_) && interpreted_states_ % states_between_looks == 0) {
    if (!follows_)
      consider_compiling();
    else if (code_->ready.load(std::memory_order_acquire))
      adopt();
    if (native_ != nullptr) return expand_natively();
  }
  ++interpreted_states_;
  return false;
}

void Executor::consider_compiling() {
  if (compilation_ == nullptr) {
    if (Clock::now() - begin_ > patience) start_compiling();
  } else if (compilation_->done.load(std::memory_order_acquire)) {
    finish_compiling();
  }
}

void Executor::start_compiling() {
  compilation_ = std::make_unique<Compilation>();
  compilation_->thread = std::jthread([result = compilation_.get(), build = build_.get()](const std::stop_token& stop) {
    const Clock::time_point begin = Clock::now();
    try {
      result->code.emplace(build->build(stop));
    } catch (const std::exception& error) {
      result->note = error.what();
    }
    result->seconds = seconds_since(begin);
    result->done.store(true, std::memory_order_release);
  });
}

void Executor::finish_compiling() {
  compilation_->thread.join();
  compile_seconds_ = compilation_->seconds;
  note_ = compilation_->note;
  try {
    if (compilation_->code.has_value()) publish(std::move(*compilation_->code));
  } catch (const EnvironmentError& error) {
    note_ = error.what();
  }
  compilation_.reset();
  build_.reset();
}

void Executor::initial(Batch& out) {
  if (native_ != nullptr) return native_->initial(out);
  interpreted_.initial(out);
}

Outcome Executor::apply(StateBuffer& top, InstanceId step, Undo& undo) {
  return native_ != nullptr ? native_->apply(top, step, undo) : interpreted_.apply(top, step, undo);
}

void Executor::check(StateView state, StateCheck& findings) {
  if (native_ != nullptr) return native_->check(state, findings);
  interpreted_.check(state, findings);
}

ir::SiteId Executor::live(StateView state, std::uint64_t* holding) {
  return native_ != nullptr ? native_->live(state, holding) : interpreted_.live(state, holding);
}

ir::SiteId Executor::atoms(StateView state, std::uint32_t claim, AtomValues& values) {
  return native_ != nullptr ? native_->atoms(state, claim, values) : interpreted_.atoms(state, claim, values);
}

void Executor::set_put_sink(PutSink* sink) {
  sink_ = sink;
  interpreted_.set_put_sink(sink);
  if (native_ != nullptr) native_->set_put_sink(sink);
}

void Executor::quiet(bool on) {
  quiet_ = on;
  interpreted_.quiet(on);
  if (native_ != nullptr) native_->quiet(on);
}

EngineUse Executor::use() const {
  auto endless = native_ != nullptr ? native_->endless_edge() : std::nullopt;
  if (!endless) endless = interpreted_.endless_edge();
  return {interpreted_states_, native_states_, compile_seconds_, endless ? endless : endless_elsewhere_, note_};
}

}  // namespace fathom
