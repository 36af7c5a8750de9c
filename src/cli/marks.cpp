#include "cli/marks.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "analysis/marks.hpp"
#include "cli/flows.hpp"
#include "cli/promela_marks.hpp"
#include "cli/question.hpp"
#include "cli/usage_error.hpp"
#include "lang/murphi/load_conditions.hpp"
#include "support/file_text.hpp"

namespace fathom {

namespace {

constexpr std::size_t start_states_looked_at = 64;

StartFacts start_facts(const ir::Program& program) {
  InterpretedModel model(program);
  model.quiet(true);
  StartFacts facts;
  facts.enabled.assign(program.edges().size(), false);
  Batch starts;
  model.initial(starts);
  for (std::uint32_t k = 0; k < starts.size() && facts.states.size() < start_states_looked_at; ++k) {
    if (!starts.outcome(k).ok()) continue;
    const StateView state = starts.state(k);
    facts.states.emplace_back(state.begin(), state.end());
    Batch steps;
    model.enabled(state, steps);
    for (std::uint32_t step = 0; step < steps.size(); ++step) facts.enabled[edge_of(steps.instance(step))] = true;
  }
  return facts;
}

std::string flow_text(const std::string& path) {
  std::optional<std::string> text = file_text(path);
  if (!text) throw UsageError(fmt::format("cannot read the flows in `{}`", path));
  return *std::move(text);
}

class MarkReader {
 public:
  MarkReader(const ir::Program& program, const LoadedModel* promela, const CheckOptions& options,
             const std::vector<bool>& selected, Marking& marking)
      : program_(program),
        promela_(promela),
        options_(options),
        selected_(selected),
        marking_(marking),
        edges_(program.edges()) {
    const FileId model{0};
    model_ = marking_.sources.add(program.sources->path(model), std::string(program.sources->text(model)));
  }

  void read(bool automatically) {
    for (const std::string& list : options_.marks) read_list(list, automatically);
    if (options_.flows) read_flows(*options_.flows);
    if (automatically) mark_automatically();
    if (!conditions_.empty()) load_conditions();
    refuse_mistakes();
  }

 private:
  void read_list(const std::string& list, bool& automatically) {
    const FileId file = marking_.sources.add("--mark", list);
    for (const FlowMark& mark : parse_marks(marking_.sources, file, diagnostics_)) {
      if (mark.rule.text == "auto" && !mark.condition)
        automatically = true;
      else
        add(mark);
    }
    refuse_mistakes();
  }

  void read_flows(const std::string& path) {
    const FileId file = marking_.sources.add(path, flow_text(path));
    const std::vector<Flow> flows = parse_flows(marking_.sources, file, diagnostics_);
    bool any = false;
    for (const Flow& flow : flows) {
      for (const FlowName& rule : flow.rules) edges_named(rule);
      if (!serves_selected(flow)) continue;
      any = true;
      for (const FlowMark& mark : flow.marks_of()) add(mark);
    }
    refuse_mistakes();
    if (!any) marking_.warnings.push_back(fmt::format("no flow in `{}` serves a property that is checked", path));
  }

  bool serves_selected(const Flow& flow) {
    bool serves = flow.properties.empty();
    for (const FlowName& name : flow.properties) {
      std::vector<std::string> known;
      bool found = false;
      for (std::size_t k = 0; k < program_.properties.size(); ++k) {
        known.push_back(program_.properties[k]->name);
        if (known.back() != name.text) continue;
        found = true;
        serves |= selected_[k];
      }
      if (!found) complain("F323", name, "property", known);
    }
    return serves;
  }

  void add(const FlowMark& mark) {
    if (program_.language == "promela") return add_in_promela(mark);
    for (const std::uint32_t edge : edges_named(mark.rule)) {
      if (mark.condition) {
        conditions_.push_back({edge, *mark.condition});
        conditional_.push_back(marking_.marks.all.size());
      }
      marking_.marks.all.push_back({edge, RuleMarks::always});
    }
  }

  void add_in_promela(const FlowMark& mark) {
    const std::string condition(mark.condition ? marking_.sources.text(*mark.condition) : std::string_view());
    const std::vector<PromelaMark> found = promela_marks(program_, mark.rule.text, condition);
    if (found.empty()) complain("F322", mark.rule, "statement, proctype or line", promela_mark_names(program_));
    try {
      for (const PromelaMark& each : found)
        marking_.marks.all.push_back({each.edge, RuleMarks::always, question(each.condition)});
    } catch (const BadQuestion& bad) {
      diagnostics_.error("F324", mark.condition.value_or(mark.rule.range),
                         fmt::format("this condition is wrong\n{}", bad.what()));
    }
  }

  // The number of a condition of a Promela model.
  std::uint32_t question(const std::string& condition) {
    if (condition.empty()) return RuleMarks::always;
    const auto [known, is_new] = questions_.try_emplace(condition, static_cast<std::uint32_t>(questions_.size()));
    if (is_new) {
      if (promela_ == nullptr) throw BadQuestion("conditions cannot be used here");
      marking_.questions.push_back(program_with_question(*promela_, condition, marking_.sources));
      marking_.marks.questions.push_back(marking_.questions.back().get());
    }
    return known->second;
  }

  // All rules of this name; a mistake when there is none.
  std::vector<std::uint32_t> edges_named(const FlowName& name) {
    std::vector<std::uint32_t> found;
    std::vector<std::string> known;
    if (program_.language == "promela" && !promela_marks(program_, name.text, "").empty()) return found;
    for (std::uint32_t k = 0; k < edges_.size(); ++k) {
      known.push_back(edges_[k]->name);
      if (edges_[k]->name == name.text) found.push_back(k);
    }
    if (found.empty()) complain("F322", name, "rule", known);
    return found;
  }

  void complain(const char* code, const FlowName& name, const char* what, const std::vector<std::string>& known) {
    Diagnostic& error = diagnostics_.error(code, name.range, fmt::format("the model has no {} `{}`", what, name.text));
    const std::string meant = closest(name.text, known);
    if (!meant.empty()) error.help = fmt::format("did you mean `{}`?", meant);
  }

  void mark_automatically() {
    std::vector<std::string> names;
    for (const std::uint32_t edge : derive_marks(program_, selected_, start_facts(program_))) {
      marking_.marks.all.push_back({edge, RuleMarks::always});
      names.push_back(edges_[edge]->name);
    }
    if (!names.empty())
      marking_.warnings.push_back(fmt::format("marked because of the properties: {}", fmt::join(names, ", ")));
  }

  void load_conditions() {
    if (program_.language != "murphi") {
      diagnostics_.error("F324", conditions_.front().text, "there is nothing that conditions could be about here");
      return;
    }
    const murphi::Options settings{options_.dialect, options_.constants, options_.loop_limit};
    Diagnostics found;
    murphi::LoadedConditions loaded = murphi::load_conditions(marking_.sources, model_, settings, conditions_, found);
    for (const Diagnostic& diagnostic : found.all())
      if (diagnostic.severity == Severity::error) diagnostics_.add(diagnostic);
    if (loaded.program == nullptr) return;
    for (std::size_t k = 0; k < conditional_.size(); ++k)
      marking_.marks.all[conditional_[k]].condition = loaded.edges[k];
    marking_.conditions = std::move(loaded.program);
    marking_.marks.conditions = marking_.conditions.get();
  }

  void refuse_mistakes() const {
    if (!diagnostics_.failed()) return;
    std::string text = "the marks cannot be used\n";
    for (const Diagnostic& diagnostic : diagnostics_.all()) text += render(diagnostic, marking_.sources, false);
    while (text.ends_with('\n')) text.pop_back();
    throw UsageError(text);
  }

  const ir::Program& program_;
  const LoadedModel* promela_;
  const CheckOptions& options_;
  const std::vector<bool>& selected_;
  Marking& marking_;
  const std::vector<const ir::Edge*> edges_;
  FileId model_;
  Diagnostics diagnostics_;
  std::vector<murphi::RuleCondition> conditions_;
  std::vector<std::size_t> conditional_;  // per condition: the number of its mark
  std::map<std::string, std::uint32_t> questions_;
};

}  // namespace

void read_marks(const ir::Program& program, const LoadedModel* promela, const CheckOptions& options,
                const std::vector<bool>& selected, bool automatically, Marking& marking) {
  MarkReader(program, promela, options, selected, marking).read(automatically);
}

Agents choose_agents(const ir::Program& program, const CheckOptions& options) {
  if (!options.agents) return Agents(program);
  std::vector<std::string> known;
  for (const ir::Type* type : agent_types(program)) {
    if (type->name == *options.agents) return Agents(program, *type);
    known.push_back(type->name);
  }
  throw UsageError(fmt::format("--agents: the model has no scalar type `{}`{}", *options.agents,
                               did_you_mean(*options.agents, known)));
}

std::optional<Agents> named_agents(const ir::Program& program, const CheckOptions& options) {
  if (!options.agents) return std::nullopt;
  return choose_agents(program, options);
}

}  // namespace fathom
