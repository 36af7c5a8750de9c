#include "heuristic/may_steps.hpp"

#include <algorithm>

#include "ir/instance.hpp"
#include "model/interpreted.hpp"
#include "state/bits.h"

namespace fathom {

namespace {

constexpr std::size_t max_questions = 400;  // to instances that are followed together

bool has_assumption(const ir::Block& body) {
  return std::ranges::any_of(body, [](const ir::Stmt* stmt) {
    return stmt->kind == ir::Stmt::Kind::assume || stmt->kind == ir::Stmt::Kind::call || has_assumption(stmt->body) ||
           std::ranges::any_of(stmt->branches, [](const ir::Branch& branch) { return has_assumption(branch.body); });
  });
}

std::uint64_t instances_of(const std::vector<ir::Parameter>& parameters, std::uint64_t limit) {
  std::uint64_t count = 1;
  for (const ir::Parameter& parameter : parameters) count = std::min(count * parameter.domain.size(), limit);
  return count;
}

}  // namespace

MaySteps::MaySteps(const Goals& goals, ModelFacts& facts)
    : goals_(goals), facts_(facts), run_(goals.program, facts.cells) {
  of_component_.resize(goals.program.components.size());
  for (std::uint32_t number = 0; number < goals.program.components.size(); ++number) {
    const ir::Component& component = goals.program.components[number];
    has_priorities_ = has_priorities_ || component.priority != nullptr;
    if (component.choice != ir::SiteId::none) refusal_ = "a process of the model must not have a choice";
    for (const auto& edge : component.edges) {
      of_component_[number].push_back(static_cast<std::uint32_t>(edges_.size()));
      edges_.push_back({edge.get(), number, edge->participants.empty() ? number : edge->participants.back(), {}});
    }
  }
  find_starts();
  find_instances();
  if (!refusal_.empty()) return;
  find_rivals();
  find_possible();
  find_violations();
}

void MaySteps::find_starts() {
  std::uint64_t count = 0;
  for (const auto& start : goals_.program.starts) count += std::min(start->instances(), max_starts + 1);
  if (count > max_starts) {
    refusal_ = "the model has too many start states";
    return;
  }
  InterpretedModel model(goals_.program);
  model.quiet(true);
  Batch starts;
  model.initial(starts);
  for (std::uint32_t k = 0; k < starts.size(); ++k)
    if (starts.outcome(k).has_successor()) starts_.emplace_back(starts.state(k).begin(), starts.state(k).end());
}

void MaySteps::find_instances() {
  std::uint64_t total = 0;
  for (const Edge& edge : edges_) total += std::min(edge.ir->instances(), max_instances + 1);
  if (total > max_instances) {
    refusal_ = "the model has too many instances of rules";
    return;
  }
  of_edge_.resize(edges_.size());
  for (std::uint32_t number = 0; number < edges_.size(); ++number)
    for (std::uint64_t k = 0; k < edges_[number].ir->instances(); ++k) {
      of_edge_[number].push_back(static_cast<std::uint32_t>(instances_.size()));
      instances_.push_back(
          {number, static_cast<std::uint32_t>(k), ir::parameter_values(edges_[number].ir->parameters, k)});
    }
}

// The edges that are taken instead of one, where both are possible; only those of which the guard says it all.
void MaySteps::find_rivals() {
  equal_priorities_ =
      std::ranges::all_of(edges_, [&](const Edge& edge) { return edge.ir->priority == edges_.front().ir->priority; });
  for (std::uint32_t number = 0; number < edges_.size(); ++number) {
    Edge& edge = edges_[number];
    const bool can_be_taken_back = has_assumption(edge.ir->routine.body);
    const bool changes_place = goals_.program.components[edge.component].location != nullptr &&
                               edge.ir->source != edge.ir->target && edge.ir->control == ir::Control::release;
    surely_moves_.push_back(!can_be_taken_back && (!goals_.stuttering || (changes_place && equal_priorities_)));
    for (const std::uint32_t other : of_component_[edge.component]) {
      const ir::Edge& rival = *edges_[other].ir;
      const bool outranks = rival.rank < edge.ir->rank || (rival.first_of != 0 && rival.first_of == edge.ir->first_of &&
                                                           rival.rank == edge.ir->rank && other < number);
      if (outranks && equal_priorities_ && rival.source == edge.ir->source && !has_assumption(rival.routine.body))
        edge.rivals.push_back(other);
    }
  }
}

// A cell can only hold what steps make of what it holds at the start.
void MaySteps::find_possible() {
  for (std::uint32_t cell = 0; cell < facts_.cells.size(); ++cell) {
    const ir::Type& type = *facts_.cells[cell].type;
    if (!type.is_scalar()) {
      possible_.emplace_back(type);
      continue;
    }
    possible_.push_back(CellSet::all_of(type, !facts_.defined.test(cell)));
    if (!possible_.back().is_small()) continue;
    std::vector<bool> from(facts_.steps.codes(cell));
    for (const StateBuffer& start : starts_)
      from[fathom_get(start.data(), facts_.cells[cell].offset, type.bits)] = true;
    const std::vector<bool> reached = facts_.steps.reachable(cell, from);
    std::uint64_t codes = 0;
    for (std::size_t code = 0; code < reached.size(); ++code)
      if (reached[code]) codes |= std::uint64_t{1} << code;
    possible_.back().keep_codes(codes);
  }
}

void MaySteps::find_violations() {
  const TouchFinder finder(goals_.program, facts_.cells, {{}, facts_.defined});
  forget_all();
  for (std::size_t k = 0; k < goals_.program.properties.size(); ++k) {
    const ir::Property& property = *goals_.program.properties[k];
    const bool invariant = property.kind == ir::Property::Kind::invariant;
    if ((!invariant && property.kind != ir::Property::Kind::cover) || property.condition == nullptr) continue;
    const std::uint64_t instances = instances_of(property.parameters, max_instances);
    if (instances == max_instances) refusal_ = "an invariant has too many instances";
    for (std::uint64_t instance = 0; instance < instances && refusal_.empty(); ++instance) {
      const std::vector<std::int64_t> values = ir::parameter_values(property.parameters, instance);
      LocalValues locals;
      for (std::size_t p = 0; p < values.size(); ++p) locals[property.parameters[p].local] = values[p];
      find_violations(property, invariant && goals_.selected[k], locals, finder);
    }
  }
}

// Properties are evaluated whether they are looked for or not.
void MaySteps::find_violations(const ir::Property& property, bool looked_for, const LocalValues& locals,
                               const TouchFinder& finder) {
  find_violations(property.routine, *property.condition, looked_for, locals, finder);
  if (property.antecedent != nullptr) find_violations(property.routine, *property.antecedent, false, locals, finder);
}

// A fault in a condition is one in some alternative of its negation.
void MaySteps::find_violations(const ir::Routine& routine, const ir::Expr& condition, bool looked_for,
                               const LocalValues& locals, const TouchFinder& finder) {
  for (Condition& alternative : alternatives_of(condition, false, locals, finder)) {
    StateViolation violation{&routine, std::move(alternative), BitSet(facts_.cells.size()), true};
    for (const Conjunct& conjunct : violation.conjuncts) violation.reads |= conjunct.reads;
    const bool faults = may_violate(violation);
    properties_may_fault_ = properties_may_fault_ || faults;
    violation.only_faults = !looked_for;
    if (faults || (looked_for && may_violate(violation))) violations_.push_back(std::move(violation));
  }
}

void MaySteps::forget_all() {
  run_.begin();
  run_.cells() = possible_;
}

void MaySteps::know(std::uint32_t cell, std::uint64_t code) {
  run_.cells()[cell] = CellSet::code(*facts_.cells[cell].type, code);
}

std::optional<std::uint32_t> MaySteps::location_of(std::uint32_t component) const {
  const ir::Variable* const location = goals_.program.components[component].location;
  return location == nullptr ? std::nullopt : facts_.cells.at(location->offset);
}

std::optional<std::pair<std::uint32_t, std::uint64_t>> MaySteps::place_of(const Instance& instance) const {
  const auto cell = location_of(edges_[instance.edge].component);
  if (!cell) return std::nullopt;
  return std::pair(*cell, std::uint64_t{edges_[instance.edge].ir->source} + 1);
}

void MaySteps::load(const ir::Routine& routine, const std::vector<ir::Parameter>& parameters,
                    const std::vector<std::int64_t>& values) {
  run_.enter(routine);
  for (std::size_t k = 0; k < parameters.size(); ++k) run_.set_register(*parameters[k].local, values[k]);
}

// ---- Along one path -------------------------------------------------------------------------------------------------

bool MaySteps::take_system_step(const Instance& instance) {
  return take_edge(instance) && go_on(instance.edge) && meets_assumptions();
}

// Whether the process is there; if it may be, it is from here on.
bool MaySteps::is_at(std::uint32_t edge) {
  const auto cell = location_of(edges_[edge].component);
  if (!cell) return true;
  const std::uint64_t code = std::uint64_t{edges_[edge].ir->source} + 1;
  const CellSet present = run_.look(*cell);
  if (!present.contains_code(code)) return false;
  if (present.single_code() == code) return true;
  if (!run_.choices().flip()) {
    if (!present.is_small()) return false;
    CellSet elsewhere = present;
    elsewhere.keep_codes(~(std::uint64_t{1} << code));
    run_.assume(*cell, elsewhere);
    return false;
  }
  run_.assume(*cell, CellSet::code(*facts_.cells[*cell].type, code));
  return true;
}

bool MaySteps::is_enabled(const Instance& instance) {
  if (!is_at(instance.edge) || run_.ended()) return false;
  const ir::Edge& edge = *edges_[instance.edge].ir;
  load(edge.routine, edge.parameters, instance.parameters);
  return edge.guard == nullptr || (run_.holds(*edge.guard) && !run_.ended());
}

bool MaySteps::take_edge(const Instance& instance) {
  const Edge& edge = edges_[instance.edge];
  if (!is_at(instance.edge)) return false;
  for (const std::uint32_t rival : edge.rivals)
    for (const std::uint32_t other : of_edge_[rival])
      if (is_enabled(instances_[other]) || run_.ended()) return false;
  if (!is_enabled(instance)) return false;
  if (const auto cell = location_of(edge.component))
    run_.write(*cell, CellSet::code(*facts_.cells[*cell].type, std::uint64_t{edge.ir->target} + 1));
  run_.run(edge.ir->routine.body);
  return !run_.ended();
}

bool MaySteps::go_on(std::uint32_t edge) {
  for (unsigned length = 0; edges_[edge].ir->control != ir::Control::release; ++length) {
    if (length == max_chain) run_.give_up();
    if (run_.ended() || !go_on_once(edge)) return false;
    if (edge == UINT32_MAX) return true;
  }
  return true;
}

// One more edge of the process that goes on, or, if it may be that it cannot, the end of the step: then `edge` is none.
bool MaySteps::go_on_once(std::uint32_t& edge) {
  const std::uint32_t component = edges_[edge].next;
  const bool must = edges_[edge].ir->control == ir::Control::keep_first;
  std::vector<std::uint32_t> there;
  for (const std::uint32_t number : of_component_[component]) {
    if (const auto cell = location_of(component))
      if (!run_.look(*cell).contains_code(std::uint64_t{edges_[number].ir->source} + 1)) continue;
    there.insert(there.end(), of_edge_[number].begin(), of_edge_[number].end());
  }
  const std::uint32_t picked = run_.choices().pick(static_cast<std::uint32_t>(there.size()) + 1);
  if (picked < there.size()) {
    edge = instances_[there[picked]].edge;
    return take_edge(instances_[there[picked]]);
  }
  if (!has_priorities_ || must)
    for (const std::uint32_t number : there)
      if (is_enabled(instances_[number]) || run_.ended()) return false;
  if (must) run_.fault();
  edge = UINT32_MAX;
  return !run_.ended();
}

bool MaySteps::meets_assumptions() {
  for (const auto& property : goals_.program.properties) {
    if (property->kind != ir::Property::Kind::assumption) continue;
    const std::uint64_t count = instances_of(property->parameters, max_instances);
    for (std::uint64_t k = 0; k < count; ++k) {
      load(property->routine, property->parameters, ir::parameter_values(property->parameters, k));
      if (!run_.holds(*property->condition) || run_.ended()) return false;
    }
  }
  return true;
}

bool MaySteps::may_violate(const StateViolation& violation) {
  bool found = false;
  unsigned paths = 0;
  run_.choices().forget();
  do {
    run_.begin();
    bool all = true;
    for (const Conjunct& conjunct : violation.conjuncts) {
      run_.enter(*violation.routine);
      for (const auto& [local, value] : conjunct.locals) run_.set_register(*local, value);
      all = run_.holds(*conjunct.expr) == conjunct.wanted && !run_.ended();
      if (!all) break;
    }
    found = (all && !violation.only_faults) || run_.may_fault() || run_.gave_up() || ++paths > max_paths;
  } while (!found && run_.choices().advance());
  run_.begin();
  return found;
}

// ---- Deadlocks ------------------------------------------------------------------------------------------------------

bool MaySteps::may_be_deadlock() {
  if (std::ranges::any_of(instances_, [&](const Instance& each) { return is_surely_possible(each); })) return false;
  bool found = false;
  unsigned paths = 0;
  run_.choices().forget();
  do {
    run_.begin();
    found = no_step_is_taken() || run_.gave_up() || ++paths > max_paths;
  } while (!found && run_.choices().advance());
  run_.begin();
  return found;
}

bool MaySteps::surely_moves(const Instance& instance) {
  if (surely_moves_[instance.edge]) return true;
  bool moves = true;
  unsigned paths = 0;
  run_.choices().forget();
  do {
    run_.begin();
    if (is_enabled(instance)) moves = is_known_to_move(instance);
    moves = moves && !run_.gave_up() && ++paths <= max_paths;
  } while (moves && run_.choices().advance());
  run_.begin();
  return moves;
}

// Whatever is not known. Following all instances together takes more paths than there are for many of them, and mostly
// one that is known to be possible is enough.
bool MaySteps::is_surely_possible(const Instance& instance) {
  bool possible = true;
  unsigned paths = 0;
  run_.choices().forget();
  do {
    run_.begin();
    possible = surely_goes_on(instance) && !run_.gave_up() && ++paths <= max_paths;
  } while (possible && run_.choices().advance());
  run_.begin();
  return possible;
}

bool MaySteps::may_be_blocked(const std::vector<std::uint32_t>& instances) {
  const std::size_t most_paths = max_questions / std::max<std::size_t>(1, instances.size());
  bool found = false;
  std::size_t paths = 0;
  run_.choices().forget();
  do {
    run_.begin();
    found = std::ranges::none_of(instances, [&](std::uint32_t k) { return surely_goes_on(instances_[k]); }) ||
            run_.gave_up() || ++paths > most_paths;
  } while (!found && run_.choices().advance());
  run_.begin();
  return found;
}

// On this path. A fault in a guard is a step that goes wrong.
bool MaySteps::surely_goes_on(const Instance& instance) {
  const bool enabled = is_enabled(instance);
  return run_.ended() || (enabled && (surely_moves_[instance.edge] || is_known_to_move(instance)));
}

// Whether on this path nothing is surely possible, and the program may not end here.
bool MaySteps::no_step_is_taken() {
  for (const Instance& instance : instances_)
    if (surely_goes_on(instance)) return false;
  if (!goals_.valid_end) return true;
  const ir::Property& end = *goals_.program.properties[*goals_.valid_end];
  run_.enter(end.routine);
  const bool ends_well = run_.holds(*end.condition);
  return !run_.ended() && !ends_well;
}

// Whether a step that is enabled leads to another state, or goes wrong, whatever is not known.
bool MaySteps::is_known_to_move(const Instance& instance) {
  const Edge& edge = edges_[instance.edge];
  if (!goals_.stuttering || !equal_priorities_ || edge.ir->control != ir::Control::release) return false;
  if (has_assumption(edge.ir->routine.body)) return false;
  const std::size_t before = run_.mark();
  if (const auto cell = location_of(edge.component))
    run_.write(*cell, CellSet::code(*facts_.cells[*cell].type, std::uint64_t{edge.ir->target} + 1));
  run_.run(edge.ir->routine.body);
  if (run_.ended() || run_.surely_changed(before)) return true;
  run_.restore(before);
  return false;
}

}  // namespace fathom
