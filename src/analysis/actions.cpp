#include "analysis/actions.hpp"

#include <algorithm>

#include "ir/instance.hpp"
#include "state/bits.h"

namespace fathom {

namespace {

// Beyond this many instances an edge is one action, whatever its parameters.
constexpr std::uint64_t max_instances = 4096;
constexpr std::uint64_t max_property_instances = 256;
// Cases are told apart as long as there are few of them, in each instance and in all.
constexpr std::uint32_t max_codes = 9;
constexpr std::size_t max_case_cells = 2;
constexpr std::size_t max_with_cases = 1024;

LocalValues values_of(const std::vector<ir::Parameter>& parameters, std::uint64_t instance) {
  const std::vector<std::int64_t> values = ir::parameter_values(parameters, instance);
  LocalValues result;
  for (std::size_t k = 0; k < parameters.size(); ++k) result[parameters[k].local] = values[k];
  return result;
}

std::uint64_t instances_of(const std::vector<ir::Parameter>& parameters) {
  std::uint64_t count = 1;
  for (const ir::Parameter& parameter : parameters) count *= std::min<std::uint64_t>(parameter.domain.size(), 1U << 16);
  return count;
}

bool has_rank(const ir::Edge& edge) {
  return edge.rank != 0 || edge.accepting_rank != 0 || edge.first_of != 0;
}

}  // namespace

Actions::Actions(const ir::Program& program, const Cells& cells, const CellFacts& known,
                 const std::vector<bool>& watched)
    : program_(program), cells_(cells), finder_(program, cells, known) {
  std::uint64_t instances = 0;
  of_component_.resize(program.components.size());
  for (std::uint32_t number = 0; number < program.components.size(); ++number)
    for (const auto& edge : program.components[number].edges) {
      of_component_[number].push_back(static_cast<std::uint32_t>(edges_.size()));
      edges_.push_back({edge.get(), number, edge->participants.empty() ? number : edge->participants.back()});
      instances += std::min(edge->instances(), max_instances + 1);
    }
  by_instance_ = instances <= max_instances;
  spare_actions_ = instances < max_with_cases ? max_with_cases - static_cast<std::size_t>(instances) : 0;
  for (const Edge& edge : edges_) {
    Part& part = parts_.emplace_back(cells.size());
    if (edge.ir->guard != nullptr) part.guard = finder_.of(*edge.ir->guard, {});
    part.body = body_of(edge, {}, finder_);
  }
  for (const Edge& edge : edges_) add_steps(edge);
  steps_ = actions_.size();
  for (std::size_t k = 0; k < program.properties.size(); ++k)
    if (watched[k]) add_watches(*program.properties[k]);
}

void Actions::add_steps(const Edge& edge) {
  first_.push_back(static_cast<std::uint32_t>(instances_.size()));
  const bool unknown = !by_instance_ && !edge.ir->parameters.empty();
  const std::uint64_t count = by_instance_ ? edge.ir->instances() : 1;
  for (std::uint64_t k = 0; k < count; ++k) {
    const LocalValues parameters = unknown ? LocalValues{} : values_of(edge.ir->parameters, k);
    Instance instance{static_cast<std::uint32_t>(actions_.size()), 1, cases_of(edge, parameters)};
    for (const CaseCell& each : instance.cases) instance.count *= each.codes;
    if (instance.count - 1 > spare_actions_) {
      instance.count = 1;
      instance.cases.clear();
    }
    spare_actions_ -= instance.count - 1;
    for (std::uint32_t number = 0; number < instance.count; ++number)
      actions_.push_back(step(edge, parameters, unknown, values_of_case(instance.cases, number)));
    instances_.push_back(std::move(instance));
  }
}

// Cells that choose elements, as long as the step itself leaves them as they are. A chain of edges is no case: what its
// later edges touch is found without regard to parameters.
std::vector<Actions::CaseCell> Actions::cases_of(const Edge& edge, const LocalValues& parameters) const {
  if (edge.ir->control != ir::Control::release || !by_instance_) return {};
  Touches all = finder_.of(edge.ir->routine.body, parameters);
  if (edge.ir->guard != nullptr) all.add(finder_.of(*edge.ir->guard, parameters));
  all.indices.subtract(all.writes);
  std::vector<CaseCell> cases;
  all.indices.for_each([&](std::size_t number) {
    const auto cell = static_cast<std::uint32_t>(number);
    const ir::Type& type = *cells_[cell].type;
    if (!type.is_scalar() || type.bits > 4 || finder_.knows(cell)) return;
    const bool may_be_undefined = !type.is_machine() && !finder_.is_defined(cell);
    const std::uint32_t first = type.is_machine() || may_be_undefined ? 0 : 1;
    const std::uint64_t end = type.is_machine() ? std::uint64_t{1} << type.bits : type.cardinality() + 1;
    cases.push_back({cell, first, static_cast<std::uint32_t>(end) - first});
  });
  const auto is_large = [](const CaseCell& each) { return each.codes > max_codes; };
  if (all.unfollowed || cases.size() > max_case_cells || std::ranges::any_of(cases, is_large)) return {};
  return cases;
}

CellValues Actions::values_of_case(const std::vector<CaseCell>& cases, std::uint32_t number) const {
  CellValues values;
  for (const CaseCell& each : cases) {
    values[each.cell] = cells_[each.cell].type->decode(each.first_code + number % each.codes);
    number /= each.codes;
  }
  return values;
}

std::uint32_t Actions::case_of(const Instance& instance, std::span<const std::uint64_t> state) const {
  std::uint32_t number = 0;
  std::uint32_t weight = 1;
  for (const CaseCell& each : instance.cases) {
    const Cell& cell = cells_[each.cell];
    const auto code = static_cast<std::uint32_t>(fathom_get(state.data(), cell.offset, cell.type->bits));
    number += weight * (code - each.first_code);
    weight *= each.codes;
  }
  return number;
}

Action Actions::step(const Edge& edge, const LocalValues& parameters, bool unknown_parameters,
                     const CellValues& values) {
  const TouchFinder finder = finder_.with(values);
  Action action(cells_.size());
  action.routine = &edge.ir->routine;
  action.has_unknown_locals = unknown_parameters;
  add_case(values, action);
  add_guard(edge, parameters, finder, action);
  const bool outranked = can_be_outranked(edge);
  if (outranked) add_rivals(edge, action);
  const Touches body = body_of(edge, parameters, finder);
  action.touches.reads |= action.guard_reads;
  action.touches.add(body);
  action.plain_reads = action.touches.reads;
  action.plain_writes = action.touches.writes;
  if (edge.ir->queue && !outranked) add_queue(edge, parameters, finder, action);
  if (edge.ir->control != ir::Control::release) add_chain(edge, action);
  if (action.touches.timeout)
    refuse("`timeout` is used otherwise than as a condition of its own, so that a step may depend on all others");
  finish(action);
  return action;
}

void Actions::add_case(const CellValues& values, Action& action) const {
  for (const auto& [cell, value] : values) {
    Conjunct here;
    here.reads = BitSet(cells_.size());
    here.reads.set(cell);
    here.test = CellTest{cell, CellTest::Relation::equal, value, false};
    action.guard.push_back(std::move(here));
  }
}

void Actions::add_guard(const Edge& edge, const LocalValues& parameters, const TouchFinder& finder, Action& action) {
  const ir::Variable* const location = program_.components[edge.component].location;
  if (location != nullptr) {
    Conjunct here;
    here.reads = BitSet(cells_.size());
    here.reads.set(*cells_.at(location->offset));
    here.test = CellTest{*cells_.at(location->offset), CellTest::Relation::equal,
                         location->type->value(std::uint64_t{edge.ir->source} + 1), false};
    action.guard.push_back(std::move(here));
  }
  if (edge.ir->guard != nullptr)
    for (Conjunct& conjunct : conjuncts_of(*edge.ir->guard, true, parameters, finder)) {
      action.waits_for_timeout |= conjunct.timeout;
      if (!conjunct.timeout && finder.of(*conjunct.expr, conjunct.locals).timeout) action.touches.timeout = true;
      action.guard.push_back(std::move(conjunct));
    }
  for (const Conjunct& conjunct : action.guard) action.guard_reads |= conjunct.reads;
}

// Escapes have ranks below 0, so it is not enough to look at the edge itself.
bool Actions::can_be_outranked(const Edge& edge) const {
  return std::ranges::any_of(of_component_[edge.component], [&](std::uint32_t other) {
    return edges_[other].ir->source == edge.ir->source && has_rank(*edges_[other].ir);
  });
}

// Whether it may be taken depends on what else its component could do.
void Actions::add_rivals(const Edge& edge, Action& action) {
  for (const std::uint32_t other : of_component_[edge.component])
    if (edges_[other].ir->source == edge.ir->source) action.guard_reads |= parts_[other].guard.reads;
}

Touches Actions::body_of(const Edge& edge, const LocalValues& parameters, const TouchFinder& finder) const {
  Touches body = finder.of(edge.ir->routine.body, parameters);
  const ir::Variable* const location = program_.components[edge.component].location;
  if (location != nullptr)
    body.write(*cells_.at(location->offset), {.values = {location->type->value(std::uint64_t{edge.ir->target} + 1)}});
  return body;
}

// The places from which a process may go on alone after the edge.
std::vector<Actions::Place> Actions::places_after(const Edge& edge, const Touches& body) const {
  if (edge.ir->control == ir::Control::release) return {};
  if (edge.next == edge.component) return {{edge.next, edge.ir->target}};
  const ir::Variable* const location = program_.components[edge.next].location;
  std::vector<Place> places;
  if (location == nullptr) return {{edge.next, 0}};
  const auto written = body.written.find(*cells_.at(location->offset));
  for (std::uint32_t k = 0; k < program_.components[edge.next].locations.size(); ++k) {
    const std::int64_t value = location->type->value(std::uint64_t{k} + 1);
    const bool there = written == body.written.end() || written->second.anything ||
                       std::ranges::count(written->second.values, value) > 0;
    if (there) places.push_back({edge.next, k});
  }
  return places;
}

void Actions::add_chain(const Edge& edge, Action& action) {
  const std::uint32_t first = static_cast<std::uint32_t>(&edge - edges_.data());
  std::vector<Place> places = places_after(edge, parts_[first].body);
  for (std::size_t k = 0; k < places.size(); ++k) {
    const Place at = places[k];
    for (const std::uint32_t number : of_component_[at.component]) {
      if (program_.components[at.component].location != nullptr && edges_[number].ir->source != at.location) continue;
      Touches both = parts_[number].guard;
      both.add(parts_[number].body);
      both.timeout = false;  // inside a chain it is false
      const ir::Variable* const location = program_.components[at.component].location;
      if (location != nullptr) both.reads.set(*cells_.at(location->offset));
      action.touches.add(both);
      action.plain_reads |= both.reads;
      action.plain_writes |= both.writes;
      for (const Place& next : places_after(edges_[number], parts_[number].body))
        if (std::ranges::count(places, next) == 0) places.push_back(next);
    }
  }
}

// Only a queue that is known is left out of the plain part. Its first cell is its length, which an append makes longer
// and a take shorter.
void Actions::add_queue(const Edge& edge, const LocalValues& parameters, const TouchFinder& finder,
                        Action& action) const {
  std::vector<std::pair<std::uint32_t, std::uint32_t>> found;
  for (const ir::Place* place : edge.ir->queue->queues) {
    const auto offsets = finder.offsets(*place, parameters);
    if (!offsets) return;
    for (const std::uint32_t offset : *offsets) found.emplace_back(offset, place->type->bits);
  }
  if (found.size() != 1) return;
  action.queue = edge.ir->queue->kind;
  cells_.each_in(found.front().first, found.front().second, [&](std::uint32_t cell) { action.queue_cells.set(cell); });
  action.plain_reads.subtract(action.queue_cells);
  action.plain_writes.subtract(action.queue_cells);
  const std::uint32_t length = *cells_.at(found.front().first);
  for (Conjunct& conjunct : action.guard)
    conjunct.at_front_of_queue =
        conjunct.test && conjunct.test->cell != length && action.queue_cells.test(conjunct.test->cell);
  if (action.touches.writes.test(length))
    action.touches.written[length] = {.more = *action.queue == ir::QueueUse::Kind::append,
                                      .less = *action.queue == ir::QueueUse::Kind::take,
                                      .values = {}};
}

void Actions::add_watches(const ir::Property& property) {
  const bool cover = property.kind == ir::Property::Kind::cover;
  if (property.condition == nullptr) return;
  const std::uint64_t instances = instances_of(property.parameters);
  const bool unknown = instances > max_property_instances;
  for (std::uint64_t k = 0; k < (unknown ? 1 : instances); ++k) {
    const LocalValues parameters = unknown ? LocalValues{} : values_of(property.parameters, k);
    for (Condition& condition : alternatives_of(*property.condition, cover, parameters, finder_)) {
      Action watch(cells_.size());
      watch.routine = &property.routine;
      watch.has_unknown_locals = unknown;
      for (const Conjunct& conjunct : condition) watch.guard_reads |= conjunct.reads;
      watch.guard = std::move(condition);
      watch.touches.reads = watch.plain_reads = watch.guard_reads;
      finish(watch);
      actions_.push_back(std::move(watch));
    }
  }
}

void Actions::finish(Action& action) const {
  if (action.touches.unfollowed)
    for (std::uint32_t cell = 0; cell < cells_.size(); ++cell) {
      action.touches.reads.set(cell);
      action.touches.write(cell, {.anything = true, .values = {}});
      action.plain_reads.set(cell);
      action.plain_writes.set(cell);
    }
  if (action.plain_reads.intersects(action.queue_cells) || action.plain_writes.intersects(action.queue_cells)) {
    action.queue.reset();
    action.plain_reads |= action.touches.reads;
    action.plain_writes |= action.touches.writes;
  }
  action.facts = facts_of(action.guard);
  std::ranges::sort(action.facts);
}

}  // namespace fathom
