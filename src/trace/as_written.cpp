#include "trace/as_written.hpp"

#include <algorithm>

#include "model/printed.hpp"
#include "state/bits.h"
#include "trace/concrete_run.hpp"

namespace fathom {

namespace {

class Rewriter {
 public:
  Rewriter(InterpretedModel& written, const ir::Outputs* outputs)
      : model_(written),
        program_(written.program()),
        outputs_(outputs),
        edges_(program_.edges()),
        waits_(std::ranges::any_of(program_.exprs,
                                   [](const ir::Expr& expr) { return expr.kind == ir::Expr::Kind::timeout; })) {}

  Replayed run(const Replayed& record, InstanceId start) {
    Replayed result;
    state_.assign(model_.state_words(), 0);
    model_.start(start, state_);
    result.states.push_back(state_);
    result.outputs.emplace_back();
    for (const Replayed::Edge& edge : record.edges) execute(edge, &edge == &record.edges.back(), result);
    result.fault = record.fault;
    result.loop = record.loop;
    if (record.loop && *record.loop < record.steps.size()) close_loop(record, result);
    return result;
  }

 private:
  static constexpr std::size_t most_rounds = 16;

  void execute(const Replayed::Edge& edge, bool last, Replayed& result) {
    std::string output = output_of(edge.instance);
    take(edge.instance, last);
    if (edge.ends_step) forget_hidden();
    show(edge, std::move(output), result);
    result.edges.push_back(edge);
  }

  // A variable that nobody reads may be another one after a round: the loop is gone round until all are as they were.
  // If that takes many rounds it stays as it is, and the trace says what is left changed.
  void close_loop(const Replayed& record, Replayed& result) {
    const auto begin = first_edge_of(record, *record.loop);
    std::vector<std::size_t> rounds{*record.loop};  // the states in which they begin
    const Replayed once = result;
    while (rounds.size() <= most_rounds) {
      const auto same = std::ranges::find_if(rounds, [&](std::size_t k) { return result.states[k] == state_; });
      result.loop = same != rounds.end() ? *same : result.loop;
      if (same != rounds.end()) return;
      rounds.push_back(result.steps.size());
      for (auto edge = begin; edge != record.edges.end(); ++edge) execute(*edge, false, result);
    }
    result = once;
  }

  static std::vector<Replayed::Edge>::const_iterator first_edge_of(const Replayed& record, std::size_t step) {
    auto edge = record.edges.begin();
    for (std::size_t shown = 0; edge != record.edges.end(); ++edge)
      if (!edge->joined && shown++ == step) break;
    return edge;
  }

  // Whether a timeout holds only the whole program knows; in its last edge a run may fail.
  void take(InstanceId edge, bool last) {
    if (edge_of(edge) >= edges_.size()) throw ReplayError("the model as it is written has other statements");
    Outcome outcome;
    const bool enabled = model_.is_enabled(state_, edge, outcome);
    if (outcome.ok() && !enabled && !waits_)
      throw ReplayError("the model as it is written cannot execute " + edges_[edge_of(edge)]->name);
    if (outcome.ok()) outcome = model_.take(state_, edge);
    if (!outcome.has_successor() && !last)
      throw ReplayError("the model as it is written fails earlier, in " + edges_[edge_of(edge)]->name);
  }

  void forget_hidden() {
    for (const ir::Variable& variable : program_.variables)
      if (variable.hidden) fathom_zero(state_.data(), variable.offset, variable.type->bits);
  }

  [[nodiscard]] std::string output_of(InstanceId edge) const {
    if (outputs_ == nullptr) return "";
    const auto found = outputs_->find(edges_[edge_of(edge)]);
    return found == outputs_->end() ? "" : printed(program_, *found->first, found->second, state_);
  }

  void show(const Replayed::Edge& edge, std::string output, Replayed& result) const {
    if (edge.joined) {
      result.states.back() = state_;
      result.outputs.back() += output;
      return;
    }
    result.steps.push_back(edge.instance);
    result.states.push_back(state_);
    result.outputs.push_back(std::move(output));
  }

  InterpretedModel& model_;
  const ir::Program& program_;
  const ir::Outputs* outputs_;
  const std::vector<const ir::Edge*> edges_;
  const bool waits_;
  StateBuffer state_;
};

}  // namespace

Replayed as_written(const Replayed& record, InstanceId start, InterpretedModel& written, const ir::Outputs* outputs) {
  return Rewriter(written, outputs).run(record, start);
}

}  // namespace fathom
