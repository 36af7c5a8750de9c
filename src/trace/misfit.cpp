#include "trace/misfit.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "model/explain.hpp"
#include "support/diagnostics.hpp"
#include "support/text.hpp"

namespace fathom {

namespace {

constexpr std::uint64_t most_instances = 100'000;  // a rule with more is not searched to the end

class Misfit {
 public:
  Misfit(InterpretedModel& model, const Describer& describer, const TraceStep& recorded, StateView state)
      : model_(model),
        program_(model.program()),
        describer_(describer),
        recorded_(recorded),
        state_(state),
        edges_(program_.edges()) {}

  std::string why() {
    if (!is_known()) return no_such_rule();
    const std::vector<InstanceId> meant = instances();
    if (meant.empty())
      return fmt::format("{} is not there: no {} has this {}", name(), is_promela() ? "process" : "instance",
                         is_promela() ? "statement and number" : "set of parameter values");
    for (const InstanceId instance : meant) {
      Outcome guard;
      if (model_.is_enabled(state_, instance, guard)) return held_back(instance);
      if (is_there(instance)) return disabled(instance);
    }
    return fmt::format("{} is not what comes next: {}", name(), present_statements());
  }

 private:
  [[nodiscard]] bool is_promela() const { return program_.language == "promela"; }

  [[nodiscard]] std::string name() const {
    if (is_promela()) return fmt::format("`{}` of process {}", recorded_.rule, fmt::join(recorded_.agents, " and "));
    std::string text = fmt::format("rule \"{}\"", recorded_.rule);
    for (std::size_t k = 0; k < recorded_.parameters.size(); ++k)
      text +=
          fmt::format("{}{}: {}", k == 0 ? " (" : ", ", recorded_.parameters[k].first, recorded_.parameters[k].second);
    return recorded_.parameters.empty() ? text : text + ")";
  }

  [[nodiscard]] bool is_known() const {
    return std::ranges::any_of(edges_, [&](const ir::Edge* edge) { return edge->name == recorded_.rule; });
  }

  [[nodiscard]] std::string no_such_rule() const {
    std::vector<std::string> known;
    for (const ir::Edge* edge : edges_) known.push_back(edge->name);
    const std::string meant = closest(recorded_.rule, known);
    const char* const what = is_promela() ? "statement" : "rule";
    const std::string help = meant.empty() ? "" : fmt::format(" (is it `{}` now? nothing it does fits)", meant);
    return fmt::format("the model has no {} `{}`{}", what, recorded_.rule, help);
  }

  // The steps of this model that the record can mean.
  [[nodiscard]] std::vector<InstanceId> instances() const {
    std::vector<InstanceId> found;
    for (std::uint32_t edge = 0; edge < edges_.size(); ++edge) {
      if (edges_[edge]->name != recorded_.rule) continue;
      const std::uint64_t count = std::min<std::uint64_t>(edges_[edge]->instances(), most_instances);
      for (std::uint64_t k = 0; k < count; ++k) {
        const InstanceId id = make_instance(edge, static_cast<std::uint32_t>(k));
        const TraceStep step = describer_.title(id);
        const bool same = step.agents == recorded_.agents &&
                          std::ranges::equal(step.parameters, recorded_.parameters, {},
                                             &NamedValues::value_type::second, &NamedValues::value_type::second);
        if (same) found.push_back(id);
      }
    }
    return found;
  }

  // Whether the process stands before this statement.
  [[nodiscard]] bool is_there(InstanceId instance) const { return stands_before(program_, instance, state_); }

  [[nodiscard]] std::string held_back(InstanceId) const {
    return fmt::format(
        "{} could be taken, but not with the effects that were recorded, or it comes after a step of "
        "higher priority",
        name());
  }

  [[nodiscard]] std::string disabled(InstanceId instance) const {
    const Explanation why = explain(program_, instance, state_);
    std::string text =
        fmt::format("{} is not enabled: `{}` is false ({})", name(), one_line(program_.sources->text(why.conjunct)),
                    program_.sources->location(why.conjunct));
    for (const auto& [variable, value] : why.values) text += fmt::format(", {}: {}", variable, value);
    return text;
  }

  // What the processes of the step could do instead.
  [[nodiscard]] std::string present_statements() const {
    std::vector<std::string> found;
    for (std::uint32_t edge = 0; edge < edges_.size(); ++edge) {
      const InstanceId id = make_instance(edge, 0);
      const TraceStep step = describer_.title(id);
      if (step.agents.empty() || recorded_.agents.empty() || step.agents.front() != recorded_.agents.front()) continue;
      if (!is_there(id)) continue;
      const std::string text = fmt::format("`{}` ({})", step.rule, step.location);
      if (std::ranges::count(found, text) == 0) found.push_back(text);
    }
    const std::string who = recorded_.agents.empty() ? "it" : "process " + recorded_.agents.front();
    if (found.empty()) return fmt::format("{} is not there", who);
    if (found.size() > 4) found.resize(4);
    return fmt::format("{} is at {}", who, fmt::join(found, " or "));
  }

  InterpretedModel& model_;
  const ir::Program& program_;
  const Describer& describer_;
  const TraceStep& recorded_;
  StateView state_;
  const std::vector<const ir::Edge*> edges_;
};

}  // namespace

std::string why_not(InterpretedModel& model, const Describer& describer, const TraceStep& recorded, StateView state) {
  return Misfit(model, describer, recorded, state).why();
}

}  // namespace fathom
