// ModelWriter: steps of several edges. `follow_N` takes edge N in place and follows the step to its end; `go_on_C_L`
// finds out how component C goes on from location L. They call each other at their ends only, so a sequence without
// choices runs from edge to edge in one copy of the state. What is rare is left to model/macro_steps.hpp: a way that is
// very long or branches very often, and a guard that faults on it.
#include <fmt/format.h>

#include <algorithm>

#include "native/footprint.hpp"
#include "native/model_writer.hpp"

namespace fathom {

namespace {

constexpr const char* walk_parameters = "(fathom_host *host, fathom_batch *batch, uint64_t *s, uint64_t instance";
constexpr const char* arguments = "(host, batch, s, instance";
constexpr const char* give_up = "{ host->gave_up = 1; return; }";

// How many edges a way may have, and on how many of them there may be a choice. A choice keeps a copy of the state on
// the stack.
constexpr std::uint32_t max_length = 1000;
constexpr std::uint32_t max_choices = 64;
constexpr std::uint64_t max_stack = std::uint64_t{1} << 20;

// Sets of edges that leave one location are words.
constexpr std::size_t max_set = 64;

// As MacroSteps::EdgeFacts::outranks.
bool outranks(const ir::Edge& a, const ir::Edge& b, bool earlier) {
  if (a.rank < b.rank && (a.rank < 0 || b.rank <= 0 || earlier)) return true;
  if (earlier && a.first_of != 0 && a.first_of == b.first_of) return true;
  const bool joint = !a.participants.empty() && !b.participants.empty();
  return joint && a.offer == b.offer && a.participants.back() == b.participants.back() &&
         a.accepting_rank < b.accepting_rank;
}

bool writes(const ir::Block& block, const ir::Variable* variable) {
  return std::any_of(block.begin(), block.end(), [&](const ir::Stmt* stmt) {
    if (stmt->place != nullptr && stmt->place->variable == variable) return true;
    return writes(stmt->body, variable) || std::any_of(stmt->branches.begin(), stmt->branches.end(),
                                                       [&](const auto& each) { return writes(each.body, variable); });
  });
}

// A joint edge moves the accepting component by an assignment at the top of its body.
std::optional<std::uint32_t> location_assigned(const ir::Block& block, const ir::Variable* variable) {
  std::optional<std::uint32_t> found;
  for (const ir::Stmt* stmt : block) {
    if (!writes({stmt}, variable)) continue;
    const bool plain = stmt->kind == ir::Stmt::Kind::assign && stmt->value->kind == ir::Expr::Kind::constant;
    if (found.has_value() || !plain) return std::nullopt;
    found = static_cast<std::uint32_t>(variable->type->code(stmt->value->value) - 1);
  }
  return found;
}

}  // namespace

bool ModelWriter::Departure::has_ranks() const {
  return std::any_of(edges.begin(), edges.end(), [](const EdgePlan* plan) {
    return plan->edge->rank != 0 || plan->edge->accepting_rank != 0 || plan->edge->first_of != 0;
  });
}

bool ModelWriter::Departure::is_a_set() const {
  return edges.size() <= max_set &&
         std::all_of(edges.begin(), edges.end(), [](const EdgePlan* plan) { return plan->edge->parameters.empty(); });
}

// The edges of the departure that take precedence over one of them where they are enabled.
std::uint64_t ModelWriter::Departure::superiors(std::size_t k) const {
  std::uint64_t set = 0;
  for (std::size_t j = 0; j < edges.size(); ++j)
    if (outranks(*edges[j]->edge, *edges[k]->edge, j < k)) set |= std::uint64_t{1} << j;
  return set;
}

ModelWriter::Departure ModelWriter::departure(std::uint32_t component, std::uint32_t location) const {
  Departure leaving;
  for (const EdgePlan& plan : edges_)
    if (plan.component == component && (plan.location == nullptr || plan.edge->source == location))
      leaving.edges.push_back(&plan);
  return leaving;
}

// Where the component that goes on is after the edge, if that does not depend on the state.
std::optional<std::uint32_t> ModelWriter::location_after(const EdgePlan& plan) const {
  const ir::Variable* const location = program_.components[plan.next].location;
  if (location == nullptr) return 0;
  const ir::Block& body = plan.edge->routine.body;
  if (plan.next != plan.component) return location_assigned(body, location);
  return writes(body, location) ? std::nullopt : std::optional(plan.edge->target);
}

// The statement with which the component that has control goes on after the edge.
std::string ModelWriter::go_on_statement(const EdgePlan& plan) {
  const bool first = plan.edge->control == ir::Control::keep_first;
  const auto blocked = static_cast<std::uint32_t>(plan.edge->blocked);
  const auto call = [&](std::uint32_t location) {
    stops_.insert({plan.next, location, first});
    return fmt::format("{{ {}{} return; }}", stop_name({plan.next, location, first}),
                       first ? fmt::format("{}, {});", arguments, blocked) : fmt::format("{});", arguments));
  };
  if (const auto location = location_after(plan)) return call(*location);
  const ir::Component& component = program_.components[plan.next];
  std::string cases;
  for (std::uint32_t k = 0; k < component.locations.size(); ++k) cases += fmt::format("case {}: {}\n", k + 1, call(k));
  return fmt::format("switch (fathom_get(s, {}, {})) {{\n{}}}\nend_step{}, {});\nreturn;", component.location->offset,
                     component.location->type->bits, cases, arguments, first ? blocked : 0);
}

std::string ModelWriter::stop_name(const Stop& stop) {
  return fmt::format("go_on{}_{}_{}", stop.first ? "_first" : "", stop.component, stop.location);
}

// What is no part of a state is forgotten when a step is over.
std::string ModelWriter::forget_text() const {
  std::string forget;
  for (const ir::Variable& variable : program_.variables)
    if (variable.hidden) forget += fmt::format("fathom_zero(s, {}, {});\n", variable.offset, variable.type->bits);
  return forget.empty() ? "" : fmt::format("if (!host->single) {{\n{}}}\n", forget);
}

void ModelWriter::write_end_of_step() {
  out_ += fmt::format("FATHOM_OUTLINE void end_step{}, uint32_t fault) {{\n{}{}", walk_parameters, forget_text(),
                      notes_ ? "if (!fault) fault = fathom_noted(host);\n" : "");
  out_ += fmt::format("fathom_push(batch, instance + ((uint64_t)host->way++ << FATHOM_WAY_SHIFT), fault, {});\n}}\n",
                      words_);
}

// The edges of the step that begins with an edge, if there is never a choice on the way and nothing to wait for.
std::optional<std::vector<const ModelWriter::EdgePlan*>> ModelWriter::straight_way(const EdgePlan& plan) const {
  constexpr std::size_t longest = 16;
  if (!walks_ || plan.impossible.has_value()) return std::nullopt;
  std::vector<const EdgePlan*> way{&plan};
  while (way.back()->edge->control != ir::Control::release) {
    const auto location = location_after(*way.back());
    if (!location.has_value() || way.size() == longest) return std::nullopt;
    const Departure leaving = departure(way.back()->next, *location);
    if (leaving.edges.size() != 1 || !leaving.is_a_set()) return std::nullopt;
    const EdgePlan* const next = leaving.edges.front();
    if (next->guarded(0) || next->impossible.has_value()) return std::nullopt;
    way.push_back(next);
  }
  return way;
}

// Such a step is taken like a single edge: a short state stays in registers from its first edge to its last.
std::string ModelWriter::straight_text(const EdgePlan& plan, const std::vector<const EdgePlan*>& way) const {
  Footprint footprint;
  for (const EdgePlan* each : way) footprint.add(each->edge->routine.body);
  const bool notes = notes_ && (footprint.notes || !footprint.callees.empty());
  std::string out =
      fmt::format("{}{}uint32_t fault = body_{}(host, s{});\n", take_head(plan), notes ? "host->noted = 0;\n" : "",
                  plan.number, parameter_arguments(plan.edge->parameters.size()));
  const bool saves_timeout = uses_timeout_ && way.size() > 1;
  if (saves_timeout) out += "const uint32_t timeout = host->timeout;\n";
  if (way.size() > 1) out += fmt::format("if (!host->single) {{\n{}", saves_timeout ? "host->timeout = 0;\n" : "");
  for (std::size_t k = 1; k < way.size(); ++k)
    out += fmt::format("if (!fault) fault = body_{}(host, s);\n", way[k]->number);
  if (way.size() > 1) out += "}\n";
  if (saves_timeout) out += "host->timeout = timeout;\n";
  return out + forget_text() + (notes ? "if (!fault) fault = fathom_noted(host);\n" : "") + end_of_take();
}

// Where components can be between two steps, as far as edges that end a step take them there. Steps from elsewhere are
// rare, so that they may take longer.
std::set<std::pair<std::uint32_t, std::uint32_t>> ModelWriter::resting_places() const {
  std::set<std::pair<std::uint32_t, std::uint32_t>> places;
  for (std::uint32_t k = 0; k < program_.components.size(); ++k) places.emplace(k, 0);
  for (const EdgePlan& plan : edges_) {
    const bool is_joint = plan.next != plan.component;
    if (is_joint || plan.edge->control == ir::Control::release) places.emplace(plan.component, plan.edge->target);
    if (!is_joint || plan.edge->control != ir::Control::release) continue;
    if (const auto location = location_after(plan)) places.emplace(plan.next, *location);
  }
  return places;
}

void ModelWriter::write_straight_ways() {
  const auto begins = resting_places();
  for (const EdgePlan& plan : edges_) {
    if (!begins.contains({plan.component, plan.location == nullptr ? 0 : plan.edge->source})) continue;
    const auto way = straight_way(plan);
    if (!way.has_value()) continue;
    straight_.insert(plan.number);
    out_ += straight_text(plan, *way);
  }
}

// Everything that takes edges, for programs whose steps can be several of them.
void ModelWriter::write_follows() {
  write_straight_ways();
  write_begin_of_step();
  write_end_of_step();
  std::vector<const EdgePlan*> followed;
  std::set<std::uint32_t> known;
  const auto add = [&](const EdgePlan& plan) {
    if (!plan.impossible.has_value() && known.insert(plan.number).second) followed.push_back(&plan);
  };
  for (const EdgePlan& plan : edges_)
    if (!straight_.contains(plan.number)) add(plan);
  std::string follows, stops;
  std::set<Stop> written;
  for (std::size_t k = 0; k < followed.size(); ++k) {
    follows += follow_text(*followed[k]);
    for (const Stop& stop : stops_) {
      if (!written.insert(stop).second) continue;
      stops += go_on_text(stop);
      for (const EdgePlan* plan : departure(stop.component, stop.location).edges) add(*plan);
    }
  }
  for (const EdgePlan* plan : followed) out_ += follow_head(*plan) + ";\n";
  for (const Stop& stop : stops_)
    out_ +=
        fmt::format("static void {}{}{});\n", stop_name(stop), walk_parameters, stop.first ? ", uint32_t blocked" : "");
  out_ += follows + stops;
}

std::string ModelWriter::follow_head(const EdgePlan& plan) {
  std::string formal;
  for (std::size_t k = 0; k < plan.edge->parameters.size(); ++k) formal += fmt::format(", int64_t p{}", k);
  return fmt::format("static void follow_{}{}{})", plan.number, walk_parameters, formal);
}

std::string ModelWriter::follow_text(const EdgePlan& plan) {
  std::string out = fmt::format("{} {{\nuint32_t fault = body_{}(host, s{});\n", follow_head(plan), plan.number,
                                parameter_arguments(plan.edge->parameters.size()));
  if (!walks_)
    out += "if (fault == FATHOM_BLOCKED) return;\nif (!fault) fault = settle(host, s);\n";
  else if (plan.edge->control != ir::Control::release)
    out += fmt::format("if (!fault && !host->single) {{\n{}{}\n}}\n", uses_timeout_ ? "host->timeout = 0;\n" : "",
                       go_on_statement(plan));
  return out + fmt::format("end_step{}, fault);\n}}\n", arguments);
}

std::string ModelWriter::go_on_text(const Stop& stop) const {
  const Departure leaving = departure(stop.component, stop.location);
  std::string out = fmt::format("static void {}{}{}) {{\nif (FATHOM_UNLIKELY(host->left-- == 0)) {}\n", stop_name(stop),
                                walk_parameters, stop.first ? ", uint32_t blocked" : "", give_up);
  if (!leaving.is_a_set()) return out + "host->gave_up = 1;\n}\n";
  const std::string end = fmt::format("end_step{}, {});\n}}\n", arguments, stop.first ? "blocked" : "0");
  if (leaving.has_ranks() || (leaving.edges.size() > 1 && !stop.first))
    return set_text(stop, leaving) + out + choice_text(stop, leaving) + end;
  for (const EdgePlan* plan : leaving.edges) {
    const std::string follow = fmt::format("{{ {} return; }}\n", follow_call(*plan));
    if (!plan->guarded(0)) return out + follow + "}\n";
    out += fmt::format("{{ const uint32_t g = guard_{}_0(host, s);\nif (g == 1) {}if (FATHOM_UNLIKELY(g)) {} }}\n",
                       plan->number, follow, give_up);
  }
  return out + end;
}

std::string ModelWriter::follow_call(const EdgePlan& plan) {
  return plan.impossible.has_value() ? "" : fmt::format("follow_{}{});", plan.number, arguments);
}

// The function that follows one edge of a set.
std::string ModelWriter::set_text(const Stop& stop, const Departure& leaving) {
  std::string out =
      fmt::format("static void pick_{}{}, unsigned k) {{\nswitch (k) {{\n", stop_name(stop), walk_parameters);
  for (std::size_t k = 0; k < leaving.edges.size(); ++k)
    out += fmt::format("case {}: {} return;\n", k, follow_call(*leaving.edges[k]));
  return out + "}\n}\n";
}

std::string ModelWriter::choice_text(const Stop& stop, const Departure& leaving) const {
  std::string out = enabled_set_text(leaving) + fmt::format("if (FATHOM_UNLIKELY(on & bad)) {}\n", give_up);
  const std::string pick = fmt::format("pick_{}{}, (unsigned)__builtin_ctzll(on));", stop_name(stop), arguments);
  if (stop.first) return out + fmt::format("if (on) {{ {} return; }}\n", pick);
  out += fmt::format("if (on && !(on & (on - 1))) {{ {} return; }}\n", pick);
  const std::uint64_t most = std::min<std::uint64_t>(max_choices, max_stack / (8 * std::uint64_t{words_}));
  out += fmt::format(
      "if (on) {{\nif (FATHOM_UNLIKELY(host->depth == {0})) {1}\n++host->depth;\nuint64_t saved[{2}];\n"
      "fathom_copy_words(saved, s, {2});\nconst uint32_t noted = host->noted, left = host->left;\n"
      "for (; on && !host->gave_up; on &= on - 1) {{\nhost->noted = noted;\nhost->left = left;\n"
      "s = fathom_spare(host, batch, {4}, {2});\nfathom_copy_words(s, saved, {2});\n{3}\n"
      "if (FATHOM_UNLIKELY(host->way >> 18)) {1}\n}}\n--host->depth;\nreturn;\n}}\n",
      most, give_up, words_, pick, room_);
  return out;
}

// `on` are the edges of a departure that are enabled and not outranked, `bad` those whose guard faults; g<k> is what
// the guard of edge k has returned.
std::string ModelWriter::enabled_set_text(const Departure& leaving) {
  std::string out = "uint64_t on = 0, bad = 0;\n";
  for (std::size_t k = 0; k < leaving.edges.size(); ++k) {
    const EdgePlan& plan = *leaving.edges[k];
    out += plan.guarded(0) ? fmt::format(
                                 "const uint32_t g{0} = guard_{1}_0(host, s);\n"
                                 "on |= (uint64_t)(g{0} != 0) << {0};\nbad |= (uint64_t)(g{0} > 1) << {0};\n",
                                 k, plan.number)
                           : fmt::format("const uint32_t g{0} = 1;\non |= UINT64_C(1) << {0};\n", k);
  }
  std::string outranked;
  for (std::size_t k = 0; k < leaving.edges.size(); ++k)
    if (const std::uint64_t superiors = leaving.superiors(k))
      outranked += fmt::format(" | (uint64_t)((on & UINT64_C({})) != 0) << {}", superiors, k);
  return outranked.empty() ? out : out + fmt::format("on &= ~(0{});\n", outranked);
}

// The steps from a location where some edges outrank others.
void ModelWriter::write_ranked_steps(const Departure& leaving) {
  out_ += enabled_set_text(leaving);
  for (std::size_t k = 0; k < leaving.edges.size(); ++k) {
    const EdgePlan& plan = *leaving.edges[k];
    out_ += fmt::format(
        "if (on >> {0} & 1) {{\nif (g{0} == 1) {1}else fathom_push_faults(host, batch, state, words, UINT64_C({2}), 1, "
        "g{0} - 2);\n}}\n",
        k, fire_call(plan, 0), std::uint64_t{plan.number} << 32);
  }
}

// The first edge of a step is taken in a copy of the state at the end of the batch.
void ModelWriter::write_begin_of_step() {
  out_ += fmt::format(
      "FATHOM_OUTLINE uint64_t *begin_step(fathom_host *host, const uint64_t *state, fathom_batch *batch) {{\n"
      "uint64_t *const s = fathom_spare(host, batch, {3}, {0});\nfathom_copy_words(s, state, {0});\n{1}"
      "host->way = 0;\nhost->left = {2};\nhost->depth = 0;\nreturn s;\n}}\n",
      words_, notes_ ? "host->noted = 0;\n" : "", max_length, room_);
}

std::string ModelWriter::fire_body(const EdgePlan& plan, const std::string& instance, const std::string& values) const {
  if (straight_.contains(plan.number))
    return fmt::format("take_{}(host, state, batch, {}{});\n", plan.number, instance, values);
  const std::string follow =
      fmt::format("follow_{}(host, batch, begin_step(host, state, batch), {}{});\n", plan.number, instance, values);
  if (!walks_ || !uses_timeout_ || plan.edge->control == ir::Control::release) return follow;
  return "const uint32_t timeout = host->timeout;\n" + follow + "host->timeout = timeout;\n";
}

}  // namespace fathom
