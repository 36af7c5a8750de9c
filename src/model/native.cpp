#include "model/native.hpp"

#include <algorithm>

#include "model/put.hpp"
#include "support/errors.hpp"

namespace fathom {

namespace {

// What conditions return for a fault is 2 + site.
constexpr std::uint32_t first_fault = 2;

// Makes a state another one and notes what it overwrites.
void replace(StateBuffer& state, const std::uint64_t* by, Undo& undo) {
  for (std::uint32_t k = 0; k < state.size(); ++k) {
    if (state[k] == by[k]) continue;
    undo.words.push_back({k, state[k]});
    state[k] = by[k];
  }
}

}  // namespace

NativeModel::NativeModel(const ir::Program& program, std::shared_ptr<const SharedObject> code, Counters& hits,
                         Counters& pending)
    : program_(program),
      code_(std::move(code)),
      model_(static_cast<const fathom_model*>(code_->symbol(FATHOM_MODEL_SYMBOL))),
      hits_(hits),
      unheard_(hits.size(), 0) {
  if (model_ == nullptr || model_->abi != FATHOM_ABI)
    throw EnvironmentError("the compiled model does not fit this version");
  host_.owner = this;
  host_.hits = hits.data();
  host_.pending = pending.data();
  host_.single = 1;
  if (ir::has_macro_steps(program)) macro_ = std::make_unique<MacroSteps>(program, static_cast<MicroModel&>(*this));
  host_.user_code = [](fathom_host* host, std::uint32_t use, std::uint64_t* state, std::int64_t* value) {
    const auto* const self = static_cast<NativeModel*>(host->owner);
    PutSink* const listener = host->put_text == nullptr ? nullptr : self->sink_;
    return self->program_.user_code->run(use, state, value, listener == nullptr ? nullptr : put_user_text, listener);
  };
  host_.grow = [](fathom_host*, fathom_batch* batch, std::uint32_t words) { Batch::grow(*batch, words); };
}

void NativeModel::set_put_sink(PutSink* sink) {
  sink_ = sink;
  connect_puts(sink);
}

void NativeModel::quiet(bool on) {
  host_.hits = on ? unheard_.data() : hits_.data();
  connect_puts(on ? nullptr : sink_);
}

void NativeModel::connect_puts(PutSink* sink) {
  host_.put_text = nullptr;
  host_.put_value = nullptr;
  host_.put_place = nullptr;
  if (sink == nullptr) return;
  host_.put_text = [](fathom_host* host, std::uint32_t number) {
    const auto* const self = static_cast<NativeModel*>(host->owner);
    put_text(*self->sink_, self->program_.stmts[number]);
  };
  host_.put_value = [](fathom_host* host, std::uint32_t number, std::int64_t value) {
    const auto* const self = static_cast<NativeModel*>(host->owner);
    put_value(*self->sink_, self->program_.stmts[number], value);
  };
  host_.put_place = [](fathom_host* host, std::uint32_t number, const std::uint64_t* words, std::uint64_t bit) {
    const auto* const self = static_cast<NativeModel*>(host->owner);
    put_place(*self->sink_, self->program_.stmts[number], words, bit);
  };
}

void NativeModel::initial(Batch& out) {
  const std::uint32_t first = out.size();
  model_->initial(&host_, out.raw());
  if (macro_ == nullptr) return;
  for (std::uint32_t k = first; k < out.size(); ++k) macro_->settle(out.words(k));
}

void NativeModel::follow_difficult(StateView state, std::uint32_t first, Batch& out) {
  host_.gave_up = 0;
  out.truncate(first);
  macro_->successors(state, out);
}

void NativeModel::enabled(StateView state, Batch& out) {
  if (macro_ == nullptr) return model_->enabled(&host_, state.data(), out.raw());
  steps_.clear();
  follow(state, steps_);
  MacroSteps::push_without_states(steps_, out);
}

Outcome NativeModel::apply(StateBuffer& top, InstanceId step, Undo& undo) {
  undo.words.clear();
  steps_.clear();
  const bool alone = macro_ == nullptr;
  host_.single = alone ? 1 : 0;
  model_->take(&host_, top.data(), std::uint64_t(alone ? step : MacroSteps::first_micro_step(step)), steps_.raw());
  host_.single = 1;
  if (host_.gave_up != 0) return apply_difficult(top, step, undo);
  const std::uint32_t way = alone ? 0 : MacroSteps::way_of(step);
  if (way >= steps_.size()) return Outcome::blocked();
  replace(top, steps_.words(way), undo);
  return steps_.outcome(way);
}

Outcome NativeModel::apply_difficult(StateBuffer& top, InstanceId step, Undo& undo) {
  host_.gave_up = 0;
  after_ = top;
  const Outcome outcome = macro_->apply(after_, step);
  replace(top, after_.data(), undo);
  return outcome;
}

Outcome NativeModel::micro_apply(std::uint64_t* state, InstanceId step) {
  steps_.clear();
  model_->take(&host_, state, std::uint64_t(step), steps_.raw());
  if (steps_.empty()) return Outcome::blocked();
  std::copy_n(steps_.words(0), state_words(), state);
  return steps_.outcome(0);
}

void NativeModel::undo(StateBuffer& top, const Undo& undo) {
  for (const Undo::Word& word : undo.words) top[word.index] = word.old;
}

// Findings are used again and again, and nearly all states are fine: then the set is empty already.
void NativeModel::check(StateView state, StateCheck& findings) {
  const std::size_t size = (program_.properties.size() + 63) / 64;
  if (findings.violated.size() != size || findings.result != StateCheck::Result::fine)
    findings.violated.assign(size, 0);
  findings.site = ir::SiteId::none;
  const std::uint32_t result = model_->check(&host_, state.data(), findings.violated.data());
  findings.result = static_cast<StateCheck::Result>(std::min(result, first_fault));
  if (result >= first_fault) findings.site = ir::SiteId{result - first_fault};
}

ir::SiteId NativeModel::live(StateView state, std::uint64_t* holding) {
  const std::uint32_t result = model_->live(&host_, state.data(), holding);
  return result >= first_fault ? ir::SiteId{result - first_fault} : ir::SiteId::none;
}

ir::SiteId NativeModel::atoms(StateView state, std::uint32_t claim, AtomValues& values) {
  std::uint64_t found[2];
  const std::uint32_t result = model_->atoms(&host_, state.data(), claim, found);
  values = {found[0], found[1]};
  return result >= first_fault ? ir::SiteId{result - first_fault} : ir::SiteId::none;
}

}  // namespace fathom
