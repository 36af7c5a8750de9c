#include "model/interpreted.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <numeric>

#include "ir/instance.hpp"
#include "model/guard_parts.hpp"
#include "model/instance_walk.hpp"
#include "model/interpreter.hpp"
#include "state/bits.h"

namespace fathom {

using ir::Edge;
using ir::Parameter;
using ir::Property;

namespace {

void load_parameters(Interpreter& run, const std::vector<Parameter>& parameters, std::uint64_t k) {
  const std::vector<std::int64_t> values = ir::parameter_values(parameters, k);
  for (std::size_t p = 0; p < parameters.size(); ++p) run.set_register(*parameters[p].local, values[p]);
}

}  // namespace

// The parts of a program in the order in which they are tried.
struct alignas(memory_line) InterpretedModel::Parts : MicroModel {
  using Numbers = std::span<const std::uint32_t>;

  explicit Parts(const ir::Program& program) : run(program), words(std::max(1U, (program.state_bits + 63) / 64)) {
    for (const ir::Component& component : program.components) {
      OwnEdges& own = of_component.emplace_back();
      for (const auto& edge : component.edges) {
        own.numbers.push_back(static_cast<std::uint32_t>(edges.size()));
        edges.push_back(edge.get());
        instances_of.push_back(edge->parameters.empty() ? nullptr : std::make_unique<Instances>(*edge));
        locations.push_back(component.location);
      }
      by_priority.insert(by_priority.end(), own.numbers.begin(), own.numbers.end());
      sort_by_priority(own.numbers);
    }
    sort_by_priority(by_priority);
    if (std::ranges::all_of(edges, [&](const Edge* edge) { return edge->priority == edges.front()->priority; }))
      for (std::size_t k = 0; k < of_component.size(); ++k) sort_by_location(program.components[k], of_component[k]);
    pending.assign((program.properties.size() + 63) / 64, 0);
    for (std::size_t k = 0; k < program.properties.size(); ++k)
      if (program.properties[k]->antecedent != nullptr) pending[k / 64] |= std::uint64_t{1} << (k % 64);
  }

  // The edges of one component: by priority, or where all have the same, by where they leave from. A rendezvous makes
  // an edge for each pair of partners, and an imported transition system can have a million.
  struct OwnEdges {
    std::vector<std::uint32_t> numbers;
    const ir::Variable* location = nullptr;
    std::vector<std::uint32_t> first_at;  // where the edges of each location begin; empty if they are not sorted by it

    [[nodiscard]] Numbers tried_in(StateView state) const {
      if (location == nullptr) return numbers;
      const std::uint64_t place = fathom_get(state.data(), location->offset, location->type->bits);
      if (place == 0) return {};
      return Numbers(numbers).subspan(first_at[place - 1], first_at[place] - first_at[place - 1]);
    }
  };

  void sort_by_priority(std::vector<std::uint32_t>& numbers) const {
    std::stable_sort(numbers.begin(), numbers.end(),
                     [&](auto a, auto b) { return edges[a]->priority < edges[b]->priority; });
  }

  void sort_by_location(const ir::Component& component, OwnEdges& own) {
    if (component.location == nullptr) return;
    own.location = component.location;
    std::ranges::stable_sort(own.numbers, {}, [&](std::uint32_t edge) { return edges[edge]->source; });
    own.first_at.assign(component.locations.size() + 1, 0);
    for (const std::uint32_t edge : own.numbers) ++own.first_at[edges[edge]->source + 1];
    std::partial_sum(own.first_at.begin(), own.first_at.end(), own.first_at.begin());
    sorted_by_location = true;
  }

  // Of an edge that has parameters.
  struct Instances {
    explicit Instances(const Edge& edge) : walk(edge.parameters), guard(edge) {}
    InstanceWalk walk;
    GuardParts guard;
  };

  // The edges to be tried in a state; valid until the next call.
  [[nodiscard]] Numbers tried_in(StateView state) {
    if (!sorted_by_location) return by_priority;
    tried.clear();
    for (const OwnEdges& own : of_component) {
      const Numbers here = own.tried_in(state);
      tried.insert(tried.end(), here.begin(), here.end());
    }
    return tried;
  }

  [[nodiscard]] bool is_at_source(std::uint32_t edge, const std::uint64_t* state) const {
    const ir::Variable* const at = locations[edge];
    return at == nullptr || fathom_get(state, at->offset, at->type->bits) == edges[edge]->source + 1;
  }

  // Visits every instance of the given edges whose guard holds or faults, smallest priority first. A larger priority is
  // looked at only while `out` has got no step.
  template <class Visit>
  void each_enabled(Numbers numbers, StateView state, const Batch& out, Visit visit) {
    auto* const parent = const_cast<std::uint64_t*>(state.data());  // guards do not write
    const std::uint32_t first = out.size();
    for (std::size_t k = 0; k < numbers.size(); ++k) {
      const std::uint32_t number = numbers[k];
      const Edge& edge = *edges[number];
      if (k > 0 && edge.priority != edges[numbers[k - 1]]->priority && out.size() > first) return;
      if (!is_at_source(number, parent)) continue;
      if (Instances* const several = instances_of[number].get()) {
        each_enabled_instance(number, *several, parent, visit);
        continue;
      }
      run.enter(edge.routine, parent);
      if (edge.guard == nullptr || run.holds(*edge.guard) || run.faulted())
        visit(number, make_instance(number, 0), nullptr);
    }
  }

  template <class Visit>
  void each_enabled_instance(std::uint32_t number, Instances& instances, std::uint64_t* parent, Visit visit) {
    InstanceWalk& walk = instances.walk;
    const std::size_t all = edges[number]->parameters.size();
    std::size_t differs_in = all;
    for (bool more = walk.begin(); more; more = walk.advance_in(differs_in)) {
      run.enter(edges[number]->routine, parent);
      walk.load(run);
      const std::optional<std::size_t> false_within = instances.guard.false_within(run);
      differs_in = false_within.value_or(all);
      if (!false_within) visit(number, make_instance(number, walk.index()), &walk);
    }
  }

  void append_steps(Numbers numbers, StateView state, Batch& out);

  void micro_successors(StateView state, Batch& out) override { append_steps(tried_in(state), state, out); }
  void micro_successors_of(StateView state, std::uint32_t component, Batch& out) override {
    append_steps(of_component[component].tried_in(state), state, out);
  }
  Outcome micro_apply(std::uint64_t* state, InstanceId step) override {
    const Edge& edge = *edges[edge_of(step)];
    run.enter(edge.routine, state);
    load_parameters(run, edge.parameters, parameters_of(step));
    return if_admitted(fire(edge_of(step), state), state);
  }
  void set_timeout(bool on) override { run.timeout = on; }

  // Takes the step in place. The parameters are loaded.
  Outcome fire(std::uint32_t edge, std::uint64_t* state) {
    if (locations[edge] != nullptr)
      fathom_set(state, locations[edge]->offset, locations[edge]->type->bits, edges[edge]->target + 1);
    const Outcome outcome = run.run_body(edges[edge]->routine);
    if (outcome.has_successor()) run.normalise_multisets(state);
    return outcome;
  }

  // Whether the model's assumptions admit the state; a fault in one of them is a fault of the step.
  Outcome admitted(std::uint64_t* state) {
    for (const auto& property : run.program.properties) {
      if (property->kind != Property::Kind::assumption) continue;
      const bool holds = holds_for_all(*property, state);
      if (run.faulted()) return Outcome{run.fault()};
      if (!holds) return Outcome::dropped();
    }
    return {};
  }

  // The outcome of a step, given what it leads to.
  Outcome if_admitted(Outcome outcome, std::uint64_t* state) {
    if (!outcome.has_successor()) return outcome;
    const Outcome assumptions = admitted(state);
    return assumptions.ok() ? outcome : assumptions;
  }

  bool holds_for_all(const Property& property, std::uint64_t* state) {
    InstanceWalk instance(property.parameters);
    run.enter(property.routine, state);
    if (!instance.begin()) return true;
    do {
      run.enter(property.routine, state);
      instance.load(run);
      // An assumption that fails inside an invariant excludes the state from it.
      if (run.holds(*property.condition)) continue;
      if (property.kind != Property::Kind::invariant || !run.blocked()) return false;
    } while (instance.advance());
    return true;
  }

  bool holds_for_some(const Property& property, const ir::Expr& condition, std::uint64_t* state) {
    InstanceWalk instance(property.parameters);
    run.enter(property.routine, state);
    if (!instance.begin()) return false;
    do {
      run.enter(property.routine, state);
      instance.load(run);
      const bool holds = run.holds(condition);
      if (holds || run.faulted()) return holds;
    } while (instance.advance());
    return false;
  }

  Interpreter run;
  std::uint32_t words;
  std::vector<const Edge*> edges;
  std::vector<std::unique_ptr<Instances>> instances_of;  // per edge; null where it has no parameters
  std::vector<const ir::Variable*> locations;            // per edge: where its component keeps its location
  std::vector<std::uint32_t> by_priority;                // edge numbers, smallest priority first ...
  std::vector<OwnEdges> of_component;                    // ... and those of each component
  bool sorted_by_location = false;
  std::vector<std::uint32_t> tried;
  Counters pending;
  std::unique_ptr<MacroSteps> macro;  // null where every step is a single edge
};

InterpretedModel::InterpretedModel(const ir::Program& program) : parts_(std::make_unique<Parts>(program)) {
  if (ir::has_macro_steps(program)) parts_->macro = std::make_unique<MacroSteps>(program, *parts_);
}
InterpretedModel::~InterpretedModel() = default;
InterpretedModel::InterpretedModel(InterpretedModel&&) noexcept = default;

std::uint32_t InterpretedModel::state_words() const {
  return parts_->words;
}
std::string InterpretedModel::last_fault() const {
  return parts_->run.last_fault();
}
std::optional<std::uint32_t> InterpretedModel::endless_edge() const {
  return parts_->macro == nullptr ? std::nullopt : parts_->macro->endless_edge();
}

const ir::Program& InterpretedModel::program() const {
  return parts_->run.program;
}
void InterpretedModel::set_put_sink(PutSink* sink) {
  parts_->run.sink = sink;
}
void InterpretedModel::quiet(bool on) {
  parts_->run.quiet = on;
}
Counters& InterpretedModel::hits() {
  return parts_->run.hits;
}
Counters& InterpretedModel::pending() {
  return parts_->pending;
}

Outcome InterpretedModel::start(InstanceId step, StateBuffer& state) {
  const Edge& edge = *parts_->run.program.starts[edge_of(step)];
  state.assign(parts_->words, 0);
  for (const ir::Component& component : parts_->run.program.components)
    if (component.location != nullptr && component.present_at_start)
      fathom_set(state.data(), component.location->offset, component.location->type->bits, 1);
  parts_->run.enter(edge.routine, state.data());
  load_parameters(parts_->run, edge.parameters, parameters_of(step));
  const Outcome outcome = parts_->run.run_body(edge.routine);
  if (!outcome.ok()) return outcome;
  parts_->run.normalise_multisets(state.data());
  if (parts_->macro != nullptr) parts_->macro->settle(state.data());
  return parts_->admitted(state.data());
}

void InterpretedModel::initial(Batch& out) {
  StateBuffer state;
  const auto& starts = parts_->run.program.starts;
  for (std::uint32_t edge = 0; edge < starts.size(); ++edge)
    for (std::uint64_t k = 0; k < starts[edge]->instances(); ++k) {
      const InstanceId instance = make_instance(edge, static_cast<std::uint32_t>(k));
      const Outcome outcome = start(instance, state);
      if (outcome.is_dropped() || outcome.is_blocked()) continue;
      std::copy(state.begin(), state.end(), out.spare(parts_->words));
      out.push(instance, outcome, parts_->words);
    }
}

// A statement-level assumption that fails takes the step back as if it had not been enabled; a violated assumption of
// the whole model leaves the step in the batch, dropped, because it did fire.
void InterpretedModel::Parts::append_steps(Numbers numbers, StateView state, Batch& out) {
  each_enabled(numbers, state, out, [&](std::uint32_t edge, InstanceId id, const InstanceWalk* instance) {
    std::uint64_t* const successor = out.spare(words);
    std::copy(state.begin(), state.end(), successor);
    Outcome outcome{run.fault()};  // of the guard
    if (outcome.ok()) {
      run.enter(edges[edge]->routine, successor);
      if (instance != nullptr) instance->load(run);
      outcome = fire(edge, successor);
      if (outcome.is_blocked()) return;
      outcome = if_admitted(outcome, successor);
    }
    out.push(id, outcome, words);
  });
}

void InterpretedModel::successors(StateView state, Batch& out) {
  if (parts_->macro != nullptr) return parts_->macro->successors(state, out);
  parts_->micro_successors(state, out);
}

void InterpretedModel::enabled(StateView state, Batch& out) {
  if (parts_->macro != nullptr) return parts_->macro->enabled(state, out);
  parts_->each_enabled(parts_->tried_in(state), state, out, [&](std::uint32_t, InstanceId id, const InstanceWalk*) {
    out.push(id, Outcome{parts_->run.fault()}, 0);
  });
}

bool InterpretedModel::is_enabled(StateView state, InstanceId step, Outcome& guard_outcome) {
  if (parts_->macro != nullptr) step = MacroSteps::first_micro_step(step);
  const Edge& edge = *parts_->edges[edge_of(step)];
  auto* const parent = const_cast<std::uint64_t*>(state.data());
  parts_->run.enter(edge.routine, parent);
  load_parameters(parts_->run, edge.parameters, parameters_of(step));
  const bool enabled =
      parts_->is_at_source(edge_of(step), parent) && (edge.guard == nullptr || parts_->run.holds(*edge.guard));
  guard_outcome = Outcome{parts_->run.fault()};
  return enabled;
}

Outcome InterpretedModel::apply(StateBuffer& top, InstanceId step, Undo& undo) {
  const StateBuffer before = top;
  const Outcome outcome = parts_->macro != nullptr ? parts_->macro->apply(top, step) : take(top, step);
  undo.words.clear();
  for (std::uint32_t k = 0; k < top.size(); ++k)
    if (top[k] != before[k]) undo.words.push_back({k, before[k]});
  return outcome;
}

Outcome InterpretedModel::take(StateBuffer& state, InstanceId micro_step) {
  return parts_->micro_apply(state.data(), micro_step);
}

MicroPath InterpretedModel::micro_steps(StateView state, InstanceId step) {
  if (parts_->macro != nullptr) return parts_->macro->micro_steps(state, step);
  MicroPath path;
  path.steps.push_back({step, false});
  path.state.assign(state.begin(), state.end());
  path.outcome = take(path.state, step);
  return path;
}

void InterpretedModel::undo(StateBuffer& top, const Undo& undo) {
  for (const Undo::Word& word : undo.words) top[word.index] = word.old;
}

void InterpretedModel::check(StateView state, StateCheck& findings) {
  Parts& p = *parts_;
  auto* const words = const_cast<std::uint64_t*>(state.data());
  const auto& properties = p.run.program.properties;
  findings.result = StateCheck::Result::fine;
  findings.site = ir::SiteId::none;
  findings.violated.assign((properties.size() + 63) / 64, 0);
  for (std::size_t k = 0; k < properties.size(); ++k) {
    const Property& property = *properties[k];
    if (property.kind == Property::Kind::invariant) {
      const std::uint64_t bit = std::uint64_t{1} << (k % 64);
      if (!p.holds_for_all(property, words) && !p.run.faulted()) {
        findings.violated[k / 64] |= bit;
        findings.result = StateCheck::Result::violated;
      }
      const bool failed = p.run.faulted();
      if (!failed && (p.pending[k / 64] & bit) != 0 && p.holds_for_some(property, *property.antecedent, words))
        p.pending[k / 64] &= ~bit;
      if (!failed) continue;
    } else if (property.kind == Property::Kind::cover && property.condition != nullptr) {
      if (p.holds_for_some(property, *property.condition, words) && !p.run.quiet) ++p.run.hits[k];
      if (!p.run.faulted()) continue;
    } else {
      continue;
    }
    findings.result = StateCheck::Result::fault;
    findings.site = p.run.fault();
    return;
  }
}

ir::SiteId InterpretedModel::live(StateView state, std::uint64_t* holding) {
  Parts& p = *parts_;
  const auto& properties = p.run.program.properties;
  for (std::size_t k = 0; k < properties.size(); ++k) {
    if (properties[k]->kind != Property::Kind::liveness && properties[k]->kind != Property::Kind::valid_end) continue;
    const bool holds = p.holds_for_all(*properties[k], const_cast<std::uint64_t*>(state.data()));
    if (p.run.faulted()) return p.run.fault();
    if (holds) holding[k / 64] |= std::uint64_t{1} << (k % 64);
  }
  return ir::SiteId::none;
}

ir::SiteId InterpretedModel::atoms(StateView state, std::uint32_t claim, AtomValues& values) {
  Parts& p = *parts_;
  const ir::Program& program = p.run.program;
  const std::vector<std::uint32_t>& atoms = program.claims[claim].atoms;
  const auto holds = [&](std::size_t k) {
    return p.holds_for_all(*program.properties[atoms[k]], const_cast<std::uint64_t*>(state.data()));
  };
  values = {};
  for (std::size_t k = 0; k < atoms.size(); ++k) {
    const bool is_true = holds(k);
    if (p.run.faulted())
      values.faulty |= std::uint64_t{1} << k;
    else if (is_true)
      values.holding |= std::uint64_t{1} << k;
  }
  if (values.faulty == 0) return ir::SiteId::none;
  holds(static_cast<std::size_t>(std::countr_zero(values.faulty)));  // last_fault() is to tell of the first
  return p.run.fault();
}

}  // namespace fathom
