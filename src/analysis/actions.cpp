#include "analysis/actions.hpp"

#include <algorithm>

#include "ir/instance.hpp"
#include "state/bits.h"

namespace fathom {

namespace {

// Beyond this many instances an edge is one action, whatever its parameters.
constexpr std::uint64_t max_instances = 4096;
constexpr std::uint64_t max_property_instances = 256;
// Cells split actions as long as they have few values, and there are not too many parts. Where the tables are made
// again whenever some cells change, there must be fewer.
constexpr std::uint32_t max_codes = 9;
constexpr std::uint64_t max_values = 1024;  // of the cells that split one action
constexpr std::size_t max_parts = 2048;
constexpr std::size_t max_parts_of_many_tables = 512;
constexpr std::size_t max_alternatives_split = 16;
constexpr std::size_t max_actions = 6144;

LocalValues parameters_of(const std::vector<ir::Parameter>& parameters, std::uint64_t instance) {
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

// Whether knowing the value of a cell says more of what the action does, or of when it is possible.
bool is_narrower(const Action& part, const Action& whole) {
  const auto tests = [](const Condition& guard) {
    return std::ranges::count_if(guard, [](const Conjunct& each) { return each.test.has_value(); });
  };
  return part.touches.reads != whole.touches.reads || part.touches.written != whole.touches.written ||
         tests(part.guard) > tests(whole.guard) + 1;
}

// Of a queue; 0 where it cannot be told.
std::int64_t capacity_of(const ir::Type& queue) {
  if (queue.fields.size() < 2 || queue.fields[1].type->kind != ir::Type::Kind::array) return 0;
  return static_cast<std::int64_t>(queue.fields[1].type->index->cardinality());
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
  for (const Edge& edge : edges_) {
    Part& part = parts_.emplace_back(cells.size());
    if (edge.ir->guard != nullptr) part.guard = finder_.of(*edge.ir->guard, {});
    part.body = body_of(edge, {}, finder_);
  }
  for (std::uint32_t edge = 0; edge < edges_.size(); ++edge) parts_[edge].end = end_in_chain(edge);
  for (std::uint32_t edge = 0; edge < edges_.size(); ++edge) add_steps(edge);
  steps_ = actions_.size();
  for (std::size_t k = 0; k < program.properties.size(); ++k)
    if (watched[k]) add_watches(*program.properties[k]);
  watches_end_ = actions_.size();
  if (by_instance_) add_parts(known.values.empty() ? max_parts : max_parts_of_many_tables);
  add_alternatives();
}

void Actions::add_steps(std::uint32_t edge) {
  first_.push_back(static_cast<std::uint32_t>(actions_.size()));
  const std::uint64_t count = by_instance_ ? edges_[edge].ir->instances() : 1;
  for (std::uint64_t k = 0; k < count; ++k) {
    origins_.push_back({edge, k});
    actions_.push_back(step(origins_.back(), {}));
    actions_.back().whole = static_cast<std::uint32_t>(actions_.size() - 1);
  }
}

// ---- Parts ----------------------------------------------------------------------------------------------------------

// Cells that choose elements come first: what an action touches matters more than what it writes there.
void Actions::add_parts(std::size_t spare) {
  for (const bool choosing : {true, false})
    for (std::uint32_t step = 0; step < steps_; ++step)
      splitting_cells(step, choosing).for_each([&](std::size_t cell) {
        add_split(step, static_cast<std::uint32_t>(cell), spare);
      });
}

// A chain of edges is not split: what its later edges touch is found without regard to parameters. Messages are passed
// on as they are, whatever their values.
BitSet Actions::splitting_cells(std::uint32_t step, bool choosing) const {
  const Action& action = actions_[step];
  const ir::Edge& edge = *edges_[origins_[step].edge].ir;
  if (edge.control != ir::Control::release || action.touches.unfollowed) return BitSet(cells_.size());
  BitSet cells = action.touches.indices;
  if (choosing) return cells;
  if (edge.queue) return BitSet(cells_.size());
  cells = action.touches.reads;
  cells.subtract(action.touches.indices);
  return cells;
}

std::optional<Split> Actions::split_by(std::uint32_t cell) const {
  const ir::Type& type = *cells_[cell].type;
  if (!type.is_scalar() || type.bits > 4 || finder_.knows(cell)) return std::nullopt;
  const bool may_be_undefined = !type.is_machine() && !finder_.is_defined(cell);
  const std::uint32_t first = type.is_machine() || may_be_undefined ? 0 : 1;
  const std::uint64_t end = type.is_machine() ? std::uint64_t{1} << type.bits : type.cardinality() + 1;
  if (end - first > max_codes || end - first < 2) return std::nullopt;
  return Split{cell, first, static_cast<std::uint32_t>(end) - first, static_cast<std::uint32_t>(actions_.size())};
}

// Nothing is gained by a cell whose value makes no difference.
void Actions::add_split(std::uint32_t number, std::uint32_t cell, std::size_t& spare) {
  const std::optional<Split> split = split_by(cell);
  const auto is_cell = [&](const auto& fact) { return fact.first == cell; };
  if (!split || split->codes > spare || std::ranges::any_of(actions_[number].facts, is_cell)) return;
  std::uint64_t values = split->codes;
  for (const Split& each : actions_[number].splits) values *= each.codes;
  if (values > max_values) return;
  bool matters = false;
  for (std::uint32_t k = 0; k < split->codes; ++k) {
    Action part = step(origins_[number], {{cell, cells_[cell].type->decode(split->first_code + k)}});
    part.whole = number;
    matters = matters || is_narrower(part, actions_[number]);
    actions_.push_back(std::move(part));
  }
  if (!matters) {
    actions_.erase(actions_.begin() + split->first_part, actions_.end());
    return;
  }
  actions_[number].splits.push_back(*split);
  spare -= split->codes;
}

std::uint32_t Actions::code_in(const Split& split, std::span<const std::uint64_t> state) const {
  const Cell& cell = cells_[split.cell];
  return static_cast<std::uint32_t>(fathom_get(state.data(), cell.offset, cell.type->bits));
}

std::uint64_t Actions::values_in(const Action& step, std::span<const std::uint64_t> state) const {
  std::uint64_t number = 0;
  for (const Split& split : step.splits) number = number * split.codes + (code_in(split, state) - split.first_code);
  return number;
}

Action Actions::exactly(std::uint32_t number, std::span<const std::uint64_t> state) {
  CellValues values;
  for (const Split& split : actions_[number].splits)
    values[split.cell] = cells_[split.cell].type->decode(code_in(split, state));
  Action action = step(origins_[number], values);
  action.whole = number;
  return action;
}

// Only those of conjuncts that are looked at as they are: a test says all there is to say.
void Actions::add_alternatives() {
  for (std::uint32_t number = 0, end = static_cast<std::uint32_t>(actions_.size()); number < end; ++number)
    for (std::size_t k = 0; k < actions_[number].guard.size(); ++k) {
      const Conjunct& conjunct = actions_[number].guard[k];
      if (conjunct.test || conjunct.expr == nullptr || conjunct.timeout || actions_[number].has_unknown_locals)
        continue;
      std::vector<Condition> conditions = alternatives_of(conjunct, finder_of(actions_[number]), Calls::open);
      if (conditions.size() < 2 || conditions.size() > max_alternatives_split) continue;
      if (actions_.size() + conditions.size() > max_actions) return;
      add_alternatives(number, k, std::move(conditions));
    }
}

void Actions::add_alternatives(std::uint32_t of, std::size_t position, std::vector<Condition> conditions) {
  for (Condition& condition : conditions) {
    Action alternative(cells_.size());
    alternative.routine = actions_[of].routine;
    alternative.whole = of;
    for (const Conjunct& conjunct : condition) alternative.guard_reads |= conjunct.reads;
    alternative.guard = std::move(condition);
    actions_[of].alternatives[position].push_back(static_cast<std::uint32_t>(actions_.size()));
    actions_.push_back(std::move(alternative));
  }
}

// Knows the value by which the action is a part of another one.
TouchFinder Actions::finder_of(const Action& action) const {
  return finder_.with(action.given);
}

// ---- Steps ----------------------------------------------------------------------------------------------------------

Action Actions::step(const Origin& origin, const CellValues& values) {
  const Edge& edge = edges_[origin.edge];
  const bool unknown_parameters = !by_instance_ && !edge.ir->parameters.empty();
  const LocalValues parameters =
      unknown_parameters ? LocalValues{} : parameters_of(edge.ir->parameters, origin.instance);
  const TouchFinder finder = finder_.with(values);
  Action action(cells_.size());
  action.routine = &edge.ir->routine;
  action.has_unknown_locals = unknown_parameters;
  action.given = values;
  add_case(values, action);
  add_guard(edge, parameters, finder, action);
  const bool outranked = can_be_outranked(edge);
  if (outranked) add_rivals(edge, action);
  CellValues before = values;  // what the guard says is so when the body begins
  for (const auto& [cell, value] : facts_of(action.guard)) before[cell] = value;
  const Touches body = body_of(edge, parameters, finder_.with(before));
  action.strict_reads |= body.reads;
  action.touches.reads |= action.guard_reads;
  action.touches.add(body);
  action.plain_reads = action.touches.reads;
  action.plain_writes = action.touches.writes;
  const std::optional<QueueEnd> end = outranked ? std::nullopt : queue_end(edge, parameters, finder);
  if (end) add_queue(*end, action);
  if (edge.ir->control != ir::Control::release) add_chain(origin.edge, action);
  if (action.touches.timeout)
    refuse("`timeout` is used otherwise than as a condition of its own, so that a step may depend on all others");
  finish(action);
  return action;
}

void Actions::add_case(const CellValues& values, Action& action) const {
  for (const auto& [cell, value] : values) {
    Conjunct here;
    here.reads = here.other_reads = BitSet(cells_.size());
    here.reads.set(cell);
    here.test = CellTest{cell, CellTest::Relation::equal, value, false};
    action.guard.push_back(std::move(here));
  }
}

void Actions::add_guard(const Edge& edge, const LocalValues& parameters, const TouchFinder& finder, Action& action) {
  const ir::Variable* const location = program_.components[edge.component].location;
  if (location != nullptr) {
    Conjunct here;
    here.reads = here.other_reads = BitSet(cells_.size());
    here.reads.set(*cells_.at(location->offset));
    here.test = CellTest{*cells_.at(location->offset), CellTest::Relation::equal,
                         location->type->value(std::uint64_t{edge.ir->source} + 1), false};
    action.guard.push_back(std::move(here));
  }
  if (edge.ir->guard != nullptr)
    for (Conjunct& conjunct : conjuncts_of(*edge.ir->guard, true, parameters, finder, Calls::open)) {
      action.waits_for_timeout |= conjunct.timeout;
      const Touches asked = finder.of(*conjunct.expr, conjunct.locals);
      action.touches.timeout |= asked.timeout && !conjunct.timeout;
      action.touches.indices |= asked.indices;
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
    if (edges_[other].ir->source == edge.ir->source) {
      action.guard_reads |= parts_[other].guard.reads;
      action.strict_reads |= parts_[other].guard.reads;
    }
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

// The edges that may follow in the same step.
std::vector<std::uint32_t> Actions::chain_after(std::uint32_t edge) const {
  std::vector<std::uint32_t> chain;
  std::vector<Place> places = places_after(edges_[edge], parts_[edge].body);
  for (std::size_t k = 0; k < places.size(); ++k) {
    const Place at = places[k];
    for (const std::uint32_t number : of_component_[at.component]) {
      if (program_.components[at.component].location != nullptr && edges_[number].ir->source != at.location) continue;
      chain.push_back(number);
      for (const Place& next : places_after(edges_[number], parts_[number].body))
        if (std::ranges::count(places, next) == 0) places.push_back(next);
    }
  }
  return chain;
}

void Actions::add_chain(std::uint32_t first, Action& action) const {
  const std::vector<std::uint32_t> chain = chain_after(first);
  for (const std::uint32_t number : chain) {
    Touches both = parts_[number].guard;
    both.add(parts_[number].body);
    both.timeout = false;  // inside a chain it is false
    const ir::Variable* const location = program_.components[edges_[number].component].location;
    if (location != nullptr) both.reads.set(*cells_.at(location->offset));
    if (is_sure(number, first, chain, action)) {
      const std::optional<QueueEnd>& end = parts_[number].end;
      if (both.writes.test(end->length)) both.written[end->length] = end->written();
      (end->kind == ir::QueueUse::Kind::append ? action.appends : action.takes) |= end->cells;
      action.touches.add(both);
      both.reads.subtract(end->cells);
      both.writes.subtract(end->cells);
    } else {
      action.touches.add(both);
    }
    action.plain_reads |= both.reads;
    action.strict_reads |= both.reads;
    action.plain_writes |= both.writes;
  }
}

// ---- Queues ---------------------------------------------------------------------------------------------------------

Written Actions::QueueEnd::written() const {
  return {.more = kind == ir::QueueUse::Kind::append, .less = kind == ir::QueueUse::Kind::take, .values = {}};
}

bool Actions::QueueEnd::is_open(const CellTest& test) const {
  using Relation = CellTest::Relation;
  if (test.cell != length || test.faults_if_undefined) return false;
  const bool has_room = (test.relation == Relation::less && test.value <= capacity) ||
                        (test.relation == Relation::at_most && test.value < capacity);
  const bool has_message = (test.relation == Relation::greater && test.value >= 0) ||
                           (test.relation == Relation::at_least && test.value > 0);
  return kind == ir::QueueUse::Kind::append ? has_room : has_message;
}

// Only where it is known which queue it is.
std::optional<Actions::QueueEnd> Actions::queue_end(const Edge& edge, const LocalValues& parameters,
                                                    const TouchFinder& finder) const {
  if (!edge.ir->queue) return std::nullopt;
  std::optional<QueueEnd> end;
  for (const ir::Place* place : edge.ir->queue->queues) {
    const auto offsets = finder.offsets(*place, parameters);
    if (!offsets || offsets->size() + (end ? 1 : 0) > 1) return std::nullopt;
    if (offsets->empty()) continue;
    end = {edge.ir->queue->kind, BitSet(cells_.size()), *cells_.at(offsets->front()), capacity_of(*place->type)};
    cells_.each_in(offsets->front(), place->type->bits, [&](std::uint32_t cell) { end->cells.set(cell); });
  }
  return end;
}

// Of an edge behind the first one of a step, which may not come twice. A receive that asks for a certain message is
// left out.
std::optional<Actions::QueueEnd> Actions::end_in_chain(std::uint32_t number) const {
  std::optional<QueueEnd> end = queue_end(edges_[number], {}, finder_);
  if (!end || can_be_outranked(edges_[number])) return std::nullopt;
  BitSet messages = end->cells;
  messages.reset(end->length);
  if (parts_[number].guard.reads.intersects(messages)) return std::nullopt;
  const std::vector<std::uint32_t> rest = chain_after(number);
  return std::ranges::count(rest, number) > 0 ? std::nullopt : end;
}

// That the edge can be taken must not hang on what others do at the other end of the queue: the guard of the step asks
// whether there is a message, or room for one. Nothing else in the step may use the queue.
bool Actions::is_sure(std::uint32_t number, std::uint32_t first, const std::vector<std::uint32_t>& chain,
                      const Action& action) const {
  const std::optional<QueueEnd>& end = parts_[number].end;
  const auto asks = [&](const Conjunct& conjunct) { return conjunct.test && end->is_open(*conjunct.test); };
  if (!end || std::ranges::none_of(action.guard, asks)) return false;
  const Touches& body = parts_[first].body;
  if (body.unfollowed || body.reads.intersects(end->cells) || body.writes.intersects(end->cells)) return false;
  return std::ranges::none_of(chain,
                              [&](std::uint32_t other) { return other != number && touches(other, end->cells); });
}

bool Actions::touches(std::uint32_t edge, const BitSet& cells) const {
  const Part& part = parts_[edge];
  return part.guard.unfollowed || part.body.unfollowed || part.guard.reads.intersects(cells) ||
         part.body.reads.intersects(cells) || part.body.writes.intersects(cells);
}

void Actions::add_queue(const QueueEnd& end, Action& action) const {
  action.queue = end.kind;
  action.queue_cells = end.cells;
  action.plain_reads.subtract(action.queue_cells);
  action.plain_writes.subtract(action.queue_cells);
  for (Conjunct& conjunct : action.guard)
    conjunct.at_front_of_queue =
        conjunct.test && conjunct.test->cell != end.length && action.queue_cells.test(conjunct.test->cell);
  if (action.touches.writes.test(end.length)) action.touches.written[end.length] = end.written();
}

void Actions::add_watches(const ir::Property& property) {
  const bool cover = property.kind == ir::Property::Kind::cover;
  if (property.condition == nullptr) return;
  const std::uint64_t instances = instances_of(property.parameters);
  const bool unknown = instances > max_property_instances;
  for (std::uint64_t k = 0; k < (unknown ? 1 : instances); ++k) {
    const LocalValues parameters = unknown ? LocalValues{} : parameters_of(property.parameters, k);
    for (Condition& condition : alternatives_of(*property.condition, cover, parameters, finder_, Calls::open)) {
      Action watch(cells_.size());
      watch.routine = &property.routine;
      watch.has_unknown_locals = unknown;
      for (const Conjunct& conjunct : condition) watch.guard_reads |= conjunct.reads;
      watch.guard = std::move(condition);
      watch.whole = static_cast<std::uint32_t>(actions_.size());
      watch.touches.reads = watch.plain_reads = watch.guard_reads;
      finish(watch);
      actions_.push_back(std::move(watch));
    }
  }
}

void Actions::finish(Action& action) const {
  if (action.touches.unfollowed) action.touch_everything(cells_.size());
  if (action.plain_reads.intersects(action.queue_cells) || action.plain_writes.intersects(action.queue_cells)) {
    action.queue.reset();
    action.plain_reads |= action.touches.reads;
    action.plain_writes |= action.touches.writes;
    action.strict_reads |= action.touches.reads;
  }
  if (action.queue) (*action.queue == ir::QueueUse::Kind::append ? action.appends : action.takes) |= action.queue_cells;
  action.sort_out_tests();
  action.facts = facts_of(action.guard);
  std::ranges::sort(action.facts);
}

void Action::touch_everything(std::size_t cells) {
  for (std::uint32_t cell = 0; cell < cells; ++cell) {
    touches.reads.set(cell);
    touches.write(cell, {.anything = true, .values = {}});
    plain_reads.set(cell);
    plain_writes.set(cell);
    strict_reads.set(cell);
  }
}

void Action::sort_out_tests() {
  for (const Conjunct& conjunct : guard) strict_reads |= conjunct.other_reads;
  for (std::size_t k = 0; k < strict_reads.word_count(); ++k) strict_reads.word(k) &= plain_reads.word(k);
  const auto add = [this](const CellTest& test) {
    if (plain_reads.test(test.cell) && !strict_reads.test(test.cell)) tests.push_back(test);
  };
  for (const Conjunct& conjunct : guard) {
    if (conjunct.test) add(*conjunct.test);
    std::ranges::for_each(conjunct.parts, add);
  }
}

}  // namespace fathom
