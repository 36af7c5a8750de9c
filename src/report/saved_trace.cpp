#include "report/saved_trace.hpp"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

namespace fathom {

namespace {

using Json = nlohmann::ordered_json;

std::string text_of(const Json& object, const char* key) {
  const auto found = object.find(key);
  return found != object.end() && found->is_string() ? found->get<std::string>() : "";
}

NamedValues values_of(const Json& object, const char* key) {
  NamedValues values;
  const auto found = object.find(key);
  if (found == object.end() || !found->is_object()) return values;
  for (const auto& [name, value] : found->items())
    values.emplace_back(name, value.is_string() ? value.get<std::string>() : value.dump());
  return values;
}

std::optional<std::string> side_of(const Json& change, const char* key) {
  const auto found = change.find(key);
  if (found == change.end() || !found->is_string()) return std::nullopt;
  return found->get<std::string>();
}

TraceStep step_of(const Json& json, std::size_t number) {
  if (!json.is_object() || text_of(json, "rule").empty())
    throw BadTrace(fmt::format("step {} of the trace has no `rule`", number));
  TraceStep step;
  step.rule = text_of(json, "rule");
  step.parameters = values_of(json, "parameters");
  step.location = text_of(json, "location");
  step.output = text_of(json, "output");
  if (const auto agents = json.find("agents"); agents != json.end() && agents->is_array())
    for (const Json& agent : *agents)
      if (agent.is_string()) step.agents.push_back(agent.get<std::string>());
  if (const auto changes = json.find("changes"); changes != json.end() && changes->is_array())
    for (const Json& change : *changes)
      if (change.is_object())
        step.changes.push_back({text_of(change, "variable"), side_of(change, "before"), side_of(change, "after")});
  return step;
}

Trace trace_of(const Json& json) {
  Trace trace;
  if (const auto start = json.find("start"); start != json.end() && start->is_object()) {
    trace.start = {text_of(*start, "name"), values_of(*start, "parameters"), text_of(*start, "location"),
                   values_of(*start, "state"), text_of(*start, "output")};
  }
  for (const Json& step : json.at("steps")) trace.steps.push_back(step_of(step, trace.steps.size() + 1));
  if (const auto loop = json.find("loop"); loop != json.end() && loop->is_number_unsigned()) {
    trace.loop = loop->get<std::size_t>();
    if (*trace.loop > trace.steps.size()) throw BadTrace("the `loop` of the trace is behind its end");
  }
  trace.guarantee = "any";
  return trace;
}

// The violated property of a report; with several it is the first, which is the one a trace shows.
void read_violation(const Json& report, SavedTrace& saved) {
  const auto properties = report.find("properties");
  if (properties == report.end() || !properties->is_array()) return;
  for (const Json& property : *properties) {
    if (!property.is_object() || text_of(property, "verdict") != "violated") continue;
    saved.kind = text_of(property, "kind");
    saved.name = text_of(property, "name");
    return;
  }
}

}  // namespace

SavedTrace read_trace(const std::string& text) {
  const Json json = Json::parse(text, nullptr, false);
  if (json.is_discarded()) throw BadTrace("it is not JSON");
  if (!json.is_object()) throw BadTrace("it is no report: the JSON is not an object");
  SavedTrace saved;
  const bool report = !json.contains("steps");
  const auto trace = json.find("trace");
  if (report && trace == json.end()) throw BadTrace("it has neither a `trace` nor `steps`");
  if (report && trace->is_null()) throw BadTrace("the report has no trace: nothing with a trace was found in that run");
  const Json& object = report ? *trace : json;
  if (!object.is_object() || !object.contains("steps") || !object.at("steps").is_array())
    throw BadTrace("its trace has no `steps`");
  saved.trace = trace_of(object);
  saved.model = text_of(json, "model");
  saved.language = text_of(json, "language");
  if (report) read_violation(json, saved);
  return saved;
}

}  // namespace fathom
