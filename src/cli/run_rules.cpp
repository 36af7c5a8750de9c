#include "cli/run_rules.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "cli/flows.hpp"
#include "cli/given_goal.hpp"
#include "cli/usage_error.hpp"

namespace fathom {

namespace {

// "send" and "send(2)" are both processes of the proctype send.
std::string proctype_of(const std::string& component) {
  return component.substr(0, component.find_first_of("(["));
}

// Those of these names that were listed.
class Names {
 public:
  Names(const char* option, const char* what, std::vector<std::string> known)
      : option_(option), what_(what), known_(std::move(known)) {}

  std::vector<std::uint32_t> find(const std::vector<std::string>& lists) const {
    std::vector<std::uint32_t> found;
    for (const std::string& list : lists)
      for (const FlowMark& mark : read(list)) add(mark.rule.text, found);
    std::ranges::sort(found);
    found.erase(std::unique(found.begin(), found.end()), found.end());
    return found;
  }

 private:
  [[nodiscard]] std::vector<FlowMark> read(const std::string& list) const {
    Sources sources;
    Diagnostics diagnostics;
    std::vector<FlowMark> marks = parse_marks(sources, sources.add(option_, list), diagnostics);
    const bool conditional =
        std::ranges::any_of(marks, [](const FlowMark& mark) { return mark.condition.has_value(); });
    if (diagnostics.failed() || conditional)
      throw UsageError(fmt::format("{} wants names with commas between them, not `{}`", option_, list));
    return marks;
  }

  void add(const std::string& name, std::vector<std::uint32_t>& found) const {
    bool any = false;
    for (std::uint32_t k = 0; k < known_.size(); ++k) {
      if (known_[k] != name) continue;
      any = true;
      found.push_back(k);
    }
    if (!any)
      throw UsageError(fmt::format("{}: the model has no {} `{}`{}", option_, what_, name, did_you_mean(name, known_)));
  }

  const char* option_;
  const char* what_;
  std::vector<std::string> known_;
};

std::vector<std::string> rule_names(const ir::Program& program) {
  std::vector<std::string> names;
  for (const ir::Edge* edge : program.edges()) names.push_back(edge->name);
  return names;
}

std::vector<std::string> process_names(const ir::Program& program) {
  std::vector<std::string> names;
  for (const ir::Component& component : program.components) names.push_back(proctype_of(component.name));
  return names;
}

std::vector<bool> progress_edges(const ir::Program& program, const CheckOptions& options) {
  if (options.progress.empty() || wants_goal(options)) return {};
  if (program.language != "murphi")
    throw UsageError("--progress is for Murphi models; in Promela, progress is what labels say");
  std::vector<bool> result(program.edges().size());
  for (const std::uint32_t edge : Names("--progress", "rule", rule_names(program)).find(options.progress))
    result[edge] = true;
  return result;
}

// In Promela, processes and then statements.
std::vector<std::uint32_t> strong_units(const ir::Program& program, const CheckOptions& options) {
  if (program.language == "murphi")
    return Names("--strong-fair", "rule", rule_names(program)).find(options.strong_fair);
  std::vector<std::string> names = process_names(program);
  std::ranges::copy(rule_names(program), std::back_inserter(names));
  return Names("--strong-fair", "proctype or statement", std::move(names)).find(options.strong_fair);
}

}  // namespace

RunRules run_rules(const ir::Program& program, const CheckOptions& options) {
  return {options.fair, progress_edges(program, options), strong_units(program, options)};
}

}  // namespace fathom
