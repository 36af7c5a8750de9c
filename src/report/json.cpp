#include "report/json.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>

namespace fathom {

namespace {

using Json = nlohmann::ordered_json;

template <class T>
Json or_null(const std::optional<T>& value) {
  return value ? Json(*value) : Json(nullptr);
}

// Properties without a name of their own are called by their kind.
Json to_json(const PropertyReport& property) {
  return {{"name", property.name.empty() ? property.kind : property.name},
          {"kind", property.kind},
          {"verdict", name(property.verdict)},
          {"location", property.location},
          {"message", property.message}};
}

Json to_json(const ScopeReport& scope) {
  return {{"exhaustive", scope.exhaustive},
          {"exact", scope.exact},
          {"depth", or_null(scope.depth)},
          {"switches", or_null(scope.switches)},
          {"statement", scope.statement}};
}

Json to_json(const BreadthStatistics& breadth) {
  return {{"states", breadth.states},
          {"levels", breadth.levels},
          {"narrowed", breadth.narrowed},
          {"redrawn", breadth.redrawn},
          {"fallbacks", breadth.fallbacks}};
}

Json to_json(const StatisticsReport& s) {
  Json json = {{"states", s.states},
               {"transitions", s.transitions},
               {"depth", s.depth},
               {"revisits", s.revisits},
               {"reduced", s.reduced},
               {"errors", s.errors},
               {"state_bytes", s.state_bytes},
               {"store_bytes", s.store_bytes},
               {"stack_bytes", s.stack_bytes},
               {"frontier_bytes", s.frontier_bytes},
               {"disk_bytes", s.disk_bytes},
               {"seconds", s.seconds},
               {"compile_seconds", s.compile_seconds},
               {"threads", s.threads}};
  if (s.breadth) json["breadth"] = to_json(*s.breadth);
  return json;
}

Json to_json(const SpreadReport& spread) {
  return {{"mean", spread.mean}, {"deviation", spread.deviation}, {"least", spread.least}, {"most", spread.most}};
}

Json to_json(const RepeatReport& repeat) {
  Json json = {{"runs", repeat.runs},
               {"successes", repeat.successes},
               {"success_rate",
                static_cast<double>(repeat.successes) / static_cast<double>(std::max<std::uint64_t>(repeat.runs, 1))},
               {"first_seed", repeat.first_seed},
               {"seed", repeat.seed},
               {"states", to_json(repeat.states)},
               {"depth", to_json(repeat.depth)}};
  if (repeat.chance)
    json["bound"] = {
        {"chance", *repeat.chance}, {"missed_at_most", repeat.doubt}, {"assumption", assumption_of(repeat)}};
  return json;
}

Json to_json(const RunReport& run) {
  Json json = {{"property", run.property},
               {"search", run.search},
               {"verdict", name(run.verdict)},
               {"statement", run.statement},
               {"statistics", to_json(run.statistics)}};
  if (run.automaton_states > 0) json["automaton_states"] = run.automaton_states;
  if (run.repeat) json["repeat"] = to_json(*run.repeat);
  return json;
}

Json to_json(const RuleReport& rule) {
  return {{"rule", rule.rule}, {"fired", rule.fired}, {"inside", rule.inside}, {"location", rule.location}};
}

Json to_json(const CoverReport& cover) {
  return {{"name", cover.name}, {"hits", cover.hits}, {"location", cover.location}};
}

Json to_json(const EvaluatorReport& evaluator) {
  return {
      {"name", evaluator.name}, {"about", evaluator.about}, {"calls", evaluator.calls}, {"seconds", evaluator.seconds}};
}

Json to_json(const VacuousReport& invariant) {
  return {{"name", invariant.name}, {"location", invariant.location}};
}

Json to_json(const DiagnosticReport& diagnostic) {
  return {{"severity", diagnostic.severity},
          {"location", diagnostic.location},
          {"message", diagnostic.message},
          {"code", diagnostic.code}};
}

Json to_json(const LeafChange& change) {
  return {{"variable", change.variable}, {"before", or_null(change.before)}, {"after", or_null(change.after)}};
}

Json to_json(const TraceStep& step);

Json to_json(const HuntSearchReport& search) {
  return {{"search", search.search}, {"property", search.property}, {"states", search.states},
          {"depth", search.depth},   {"seconds", search.seconds},   {"found", search.found}};
}

template <class T>
Json list(const std::vector<T>& items) {
  Json array = Json::array();
  for (const T& item : items) array.push_back(to_json(item));
  return array;
}

Json object(const NamedValues& values) {
  Json result = Json::object();
  for (const auto& [key, value] : values) result[key] = value;
  return result;
}

// The names of leaves are distinct, and a state can have very many: we append without the look-up that operator[] does.
Json state_object(const NamedValues& values) {
  Json::object_t result;
  for (const auto& [key, value] : values) result.Container::emplace_back(key, value);
  return result;
}

Json to_json(const TraceStep& step) {
  return {{"rule", step.rule},         {"parameters", object(step.parameters)}, {"agents", Json(step.agents)},
          {"location", step.location}, {"changes", list(step.changes)},         {"output", step.output}};
}

Json to_json(const TraceCost& cost) {
  Json found = Json::array();
  for (const Improvement& each : cost.found)
    found.push_back({{"cost", each.cost}, {"least", each.at_least}, {"seconds", each.seconds}});
  return {{"run", cost.run}, {"least", cost.least}, {"found", found}};
}

Json to_json(const Trace& trace, const std::optional<std::uint64_t>& found_length) {
  const Json start = {{"name", trace.start.name},
                      {"parameters", object(trace.start.parameters)},
                      {"location", trace.start.location},
                      {"state", state_object(trace.start.state)},
                      {"output", trace.start.output}};
  Json json = {{"start", start},
               {"steps", list(trace.steps)},
               {"loop", or_null(trace.loop)},
               {"length", trace.steps.size()},
               {"guarantee", trace.guarantee},
               {"found_length", found_length.value_or(trace.steps.size())}};
  if (trace.cost) json["cost"] = to_json(*trace.cost);
  return json;
}

Json to_json(const HuntReport& hunt) {
  return {{"searches", list(hunt.searches)}, {"command", hunt.command.empty() ? Json(nullptr) : Json(hunt.command)}};
}

}  // namespace

std::string render_json(const Report& report) {
  Json json;
  json["schema"] = "fathom/1";
  json["model"] = report.model;
  json["language"] = report.language;
  json["verdict"] = name(report.verdict);
  json["properties"] = list(report.properties);
  json["scope"] = to_json(report.scope);
  json["statistics"] = to_json(report.statistics);
  json["runs"] = list(report.runs);
  json["coverage"] = list(report.coverage);
  json["trace"] = report.trace ? to_json(*report.trace, report.found_length) : Json(nullptr);
  json["diagnostics"] = list(report.diagnostics);
  json["search"] = report.search;
  json["reductions"] = report.reductions;
  json["seed"] = report.seed;
  json["engine"] = {{"interpreted", report.engine.interpreted}, {"native", report.engine.native}};
  json["evaluators"] = list(report.evaluators);
  json["covers"] = list(report.covers);
  json["vacuous"] = list(report.vacuous);
  json["warnings"] = report.warnings;
  json["omission_probability"] = or_null(report.omission_probability);
  if (report.hunt) json["hunt"] = to_json(*report.hunt);
  // Model text may hold bytes that are not UTF-8; they must not cost the user the report.
  return json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace fathom
