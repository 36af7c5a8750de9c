#include "trace/conclude.hpp"

#include <fmt/format.h>

#include "model/explain.hpp"
#include "support/text.hpp"

namespace fathom {

namespace {

using Lines = std::vector<std::string>;

std::string quoted(const ir::Program& program, SourceRange range) {
  return fmt::format("`{}` ({})", one_line(program.sources->text(range)), program.sources->location(range));
}

Lines why_invariant(const ir::Program& program, const ir::Property& property, StateView state) {
  const Explanation why = explain(program, property, state);
  Lines lines{fmt::format("false here: {}", quoted(program, why.conjunct))};
  for (const auto& [name, value] : why.bindings) lines.push_back(fmt::format("  for {} = {}", name, value));
  for (const auto& [name, value] : why.values) lines.push_back(fmt::format("  {}: {}", name, value));
  return lines;
}

std::string why_fault(const ir::Program& program, const ConcreteRun& run, const Replayed& replayed) {
  const char* where = !run.fails_inside   ? "a property fails here"
                      : run.steps.empty() ? "the start fails"
                                          : "this step fails";
  const std::string location = program.sources->location(program.site(run.violation.site).range);
  return fmt::format("{}: {} ({})", where, replayed.fault, location);
}

std::string how_fair(const RunRules& rules) {
  std::string text = rules.fair ? " (fairly: whoever could always move does)" : "";
  if (!rules.strong.empty()) text += " (strongly fair to those that were named)";
  return text;
}

std::string why_cycle(const ir::Claim& claim, const ConcreteRun& run) {
  if (!run.loop) return "however the run goes on, the formula does not hold of it";
  const bool ends = run.loop == run.steps.size();
  const std::string how = ends ? "the run ends here, and " : "the run goes round in the loop for ever, and ";
  const std::string fair = ends ? "" : how_fair(run.rules);
  switch (claim.kind) {
    case ir::Claim::Kind::ltl:
      return how + "the formula does not hold of it" + fair;
    case ir::Claim::Kind::never:
      return how + "the never claim accepts it" + fair;
    case ir::Claim::Kind::accept_labels:
      return ends ? "the run ends here, at an accept label" : how + "passes an accept label each time" + fair;
    case ir::Claim::Kind::non_progress:
      return how + (run.rules.progress.empty() ? "never passes a progress label" : "takes no step with progress") +
             fair;
    case ir::Claim::Kind::mu:
      break;
  }
  return how;
}

std::string why_formula(const ConcreteRun& run) {
  const bool loops = run.loop && *run.loop < run.steps.size();
  return fmt::format("{}this shows that the formula {} in the first state",
                     loops ? "the run goes round in the loop for ever, and " : "",
                     run.is_witness ? "holds" : "does not hold");
}

std::string why_claim(const ir::Program& program, const ConcreteRun& run) {
  if (run.violation.kind == Violation::Kind::mu_formula) return why_formula(run);
  if (run.violation.kind == Violation::Kind::cycle) return why_cycle(program.claims[run.violation.property], run);
  return fmt::format("{} the never claim {}", run.loop ? "while the run stays here," : "here",
                     run.violation.kind == Violation::Kind::claim_end ? "comes to its end" : "fails an assertion");
}

}  // namespace

Lines conclude(const ir::Program& program, const ConcreteRun& run, const Replayed& replayed, DeadlockMode deadlock) {
  switch (run.violation.kind) {
    case Violation::Kind::invariant:
      return why_invariant(program, *program.properties[run.violation.property], replayed.states.back());
    case Violation::Kind::fault:
      return {why_fault(program, run, replayed)};
    case Violation::Kind::deadlock:
      if (ir::valid_end_of(program)) return {"invalid end state: no process can move, and not all have ended"};
      return {deadlock == DeadlockMode::stuck ? "deadlock: no rule is enabled here"
                                              : "deadlock: no rule leads from here to another state"};
    case Violation::Kind::liveness: {
      const ir::Property& property = *program.properties[run.violation.property];
      return {
          fmt::format("from here no state can be reached that fulfils {}", quoted(program, property.condition->range))};
    }
    case Violation::Kind::cycle:
    case Violation::Kind::claim_end:
    case Violation::Kind::claim_assertion:
    case Violation::Kind::mu_formula:
      return {why_claim(program, run)};
    case Violation::Kind::cover:
      return {};
  }
  return {};
}

}  // namespace fathom
