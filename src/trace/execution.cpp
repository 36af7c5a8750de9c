#include "trace/execution.hpp"

#include "model/fault_message.hpp"
#include "model/printed.hpp"

namespace fathom {

// Steps are also executed to find out what is possible; only while a listener lives are they heard.
Execution::Listener::Listener(InterpretedModel& model) : model_(model) {
  model_.set_put_sink(this);
}

Execution::Listener::~Listener() {
  model_.set_put_sink(nullptr);
}

Execution::Execution(InterpretedModel& model, const ir::Outputs* outputs)
    : model_(model), outputs_(outputs), edges_(model.program().edges()) {}

Outcome Execution::begin(InstanceId start) {
  record_ = {};
  steps_.clear();
  shown_before_.clear();
  start_ = start;
  state_.assign(model_.state_words(), 0);
  Listener listener(model_);
  const Outcome outcome = model_.start(start, state_);
  if (outcome.is_fault()) record_.fault = model_.last_fault();
  record_.states.push_back(state_);
  record_.outputs.push_back(std::move(listener.heard));
  return outcome;
}

void Execution::begin_at(StateView state) {
  record_ = {};
  steps_.clear();
  shown_before_.clear();
  state_.assign(state.begin(), state.end());
  record_.states.push_back(state_);
  record_.outputs.emplace_back();
}

Outcome Execution::take(InstanceId step, const IsFailure& is_failure) {
  const MicroPath path = model_.micro_steps(state_, step);
  steps_.push_back(step);
  shown_before_.push_back(record_.steps.size());
  for (const MicroPath::Step& edge : path.steps) {
    const Outcome outcome = take_edge(edge);
    if (is_failure(outcome)) {
      record_.fault = model_.last_fault();
      return outcome;
    }
    if (!outcome.has_successor()) return outcome;
  }
  record_.edges.back().ends_step = true;
  // No edge failed. A step can still fail behind its last edge, when it cannot go on there, or because of what else its
  // process could have done.
  const bool fails = !path.outcome.has_successor() || is_failure(path.outcome);
  if (fails && path.outcome.is_fault()) record_.fault = fault_message(model_.program().site(path.outcome.site()), "");
  state_ = path.state;
  record_.states.back() = state_;
  return fails ? path.outcome : Outcome{};
}

// A guard that fails is a failure of the step.
Outcome Execution::take_edge(const MicroPath::Step& step) {
  std::string output = output_of(step.instance);
  Outcome outcome;
  model_.is_enabled(state_, step.instance, outcome);
  if (outcome.ok()) {
    Listener listener(model_);
    outcome = model_.take(state_, step.instance);
    output += listener.heard;
  }
  show(step, std::move(output));
  return outcome;
}

std::string Execution::output_of(InstanceId edge) const {
  if (outputs_ == nullptr) return "";
  const auto found = outputs_->find(edges_[edge_of(edge)]);
  if (found == outputs_->end()) return "";
  return printed(model_.program(), *found->first, found->second, state_);
}

void Execution::show(const MicroPath::Step& step, std::string output) {
  record_.edges.push_back({step.instance, step.joined});
  if (step.joined) {
    record_.states.back() = state_;
    record_.outputs.back() += output;
    return;
  }
  record_.steps.push_back(step.instance);
  record_.states.push_back(state_);
  record_.outputs.push_back(std::move(output));
}

std::size_t Execution::shown_before(std::size_t step) const {
  return step < shown_before_.size() ? shown_before_[step] : record_.steps.size();
}

std::optional<std::size_t> Execution::step_shown_after(std::size_t shown) const {
  for (std::size_t step = 0; step <= steps_.size(); ++step)
    if (shown_before(step) == shown) return step;
  return std::nullopt;
}

std::vector<StateBuffer> Execution::states() const {
  std::vector<StateBuffer> states;
  for (std::size_t step = 0; step <= steps_.size(); ++step) states.push_back(record_.states[shown_before(step)]);
  return states;
}

void Execution::undo() {
  const std::size_t shown = shown_before_.back();
  for (std::size_t left = record_.steps.size(); left > shown; record_.edges.pop_back())
    if (!record_.edges.back().joined) --left;
  record_.steps.resize(shown);
  record_.states.resize(shown + 1);
  record_.outputs.resize(shown + 1);
  record_.fault.clear();
  state_ = record_.states.back();
  steps_.pop_back();
  shown_before_.pop_back();
}

}  // namespace fathom
