// Processes: their places in the state, and how they come to be.
#include <fmt/format.h>

#include <algorithm>

#include "lang/promela/dead_values.hpp"
#include "lang/promela/lowering.hpp"
#include "lang/promela/merge.hpp"

namespace fathom::promela {

using IrKind = ir::Expr::Kind;

std::string Lowering::name_of(const Process& process, std::uint32_t pid) {
  return process.kind == Process::Kind::init ? "init" : fmt::format("{}[{}]", process.name, pid);
}

const FlowGraph* Lowering::graph_of(const Process& process) {
  auto& graph = graphs_[&process];
  if (graph != nullptr) return graph.get();
  graph = flow_graph(process, diagnostics_);
  failed_ |= graph == nullptr;
  if (graph != nullptr && options_.optimise && is_process(process)) {
    merge_statements(*graph, process, seen_);
    find_dead_values(*graph, process, seen_);
  }
  return graph.get();
}

void Lowering::declare_slots() {
  for (const PlannedProcess& planned : plan_) {
    Slot& slot = slots_.emplace_back();
    slot.process = planned.process;
    slot.pid = planned.pid;
    slot.initial = planned.initial;
    slot.name = name_of(*planned.process, planned.pid);
    slot.graph = graph_of(*planned.process);
  }
  std::ranges::stable_sort(slots_, {}, &Slot::pid);
}

void Lowering::declare_slot(Slot& slot) {
  ir::Component& component = program_->components.emplace_back();
  component.name = slot.name;
  component.agent = std::to_string(slot.pid);
  component.present_at_start = slot.initial;
  std::map<std::uint32_t, std::uint32_t> on_line;
  for (const FlowLocation& location : slot.graph->locations) {
    const std::uint32_t line = sources_.position(location.range.file, location.range.begin).line;
    const std::uint32_t number = ++on_line[line];
    component.locations.push_back(number == 1 ? fmt::format("line {}", line)
                                              : fmt::format("line {} ({})", line, number));
  }
  component.locations[slot.graph->last] = "end";
  slot.location = variable(slot.name, build_.enumeration(component.locations), slot.process->name_range);
  component.location = slot.location;
  if (slot.process->deterministic)
    component.choice = build_.site(ir::FaultKind::nondeterminism, slot.process->name_range, slot.process->name);
  declare_priority(slot, component);
  declare_locals(slot);
}

void Lowering::declare_locals(Slot& slot) {
  std::vector<ir::Field> fields;
  std::map<std::string, std::uint32_t> seen;
  const auto add = [&](const Variable& local) {
    if (has_no_place(local)) return;
    const ir::Type* const type = type_of(local);
    if (type == nullptr) return;
    const std::uint32_t number = ++seen[local.name];
    slot.fields[&local] = static_cast<std::uint32_t>(fields.size());
    fields.push_back({number == 1 ? local.name : fmt::format("{}:{}", local.name, number), type});
  };
  for (const auto& local : slot.process->variables) add(*local);
  for (const Variable& counter : slot.graph->counters) add(counter);
  add_c_fields(slot, fields);
  if (fields.empty()) return;
  const ir::Type* const type = build_.record(std::move(fields));
  if (type == nullptr) return fail_on_size(slot.process->name_range, fmt::format("`{}`", slot.name));
  slot.locals = variable(slot.name, type, slot.process->name_range);
}

// What a variable starts with. Everything else is zero already.
void Lowering::initialise(const Slot* slot, const Variable& variable, ir::Block& out) {
  if (has_no_place(variable)) return;
  const auto found = channels_.find({slot, &variable});
  std::size_t next_channel = 0;
  const std::vector<Instance> none;
  initialise_part(place_of(slot, variable), variable, next_channel, found == channels_.end() ? none : found->second,
                  out);
}

void Lowering::initialise_part(ir::Place place, const Variable& variable, std::size_t& next_channel,
                               const std::vector<Instance>& channels, ir::Block& out) {
  for (std::uint32_t k = 0; k < variable.length; ++k) {
    const ir::Place here = variable.is_array ? element(place, constant(k, variable.range), write_site_) : place;
    if (variable.channel) assign(here, constant(channels[next_channel++].id(), variable.range), out);
    if (variable.value) assign(here, number(*variable.value), out);
    if (!variable.values.empty())
      assign(here, number(*variable.values[std::min<std::size_t>(k, variable.values.size() - 1)]), out);
    if (!variable.type.is(Type::Kind::user)) continue;
    for (const auto& part : variable.type.user->fields)
      initialise_part(field(here, part->index), *part, next_channel, channels, out);
  }
}

void Lowering::initialise_locals(const Slot& slot, ir::Block& out) {
  for (const auto& local : slot.process->variables) {
    if (local->scope == Variable::Scope::parameter) continue;
    // A variable declared between statements gets its value there; its channels and fields are made with the process.
    if (local->leading || local->channel || local->type.is(Type::Kind::user)) initialise(&slot, *local, out);
  }
  if (const CCode* const first = c_first_values(*slot.process)) call_c_code(c_function(*first, false), out);
}

const ir::Function& Lowering::run_function(const Process& process) {
  ir::Function*& known = run_functions_[&process];
  if (known != nullptr) return *known;
  auto function = std::make_unique<ir::Function>();
  function->name = "run " + process.name;
  function->range = process.name_range;
  function->result = build_.machine(8, false);
  function->no_return = function->recursion = build_.site(ir::FaultKind::no_return, process.name_range, process.name);
  std::size_t count = 0;
  for (const Variable* parameter : process.parameters) {
    std::vector<ir::Place> scalars;
    ir::Place whole;
    whole.type = type_of(*parameter);
    scalar_places(whole, parameter->type, scalars);
    count += scalars.size();
  }
  const auto add = [&](std::string name) {
    function->parameters.push_back(&ir::Builder::local(function->routine, std::move(name), &ir::machine_int(),
                                                       ir::Local::Storage::in_register, process.name_range));
  };
  for (std::size_t k = 0; k < count; ++k) add(fmt::format("argument {}", k + 1));
  if (has_priorities_) add("priority");
  known = function.get();
  program_->functions.push_back(std::move(function));
  return *known;
}

void Lowering::fill_run_function(const Process& process, ir::Function& function) {
  routine_ = &function.routine;
  ir::Stmt& stmt = build_.stmt(ir::Stmt::Kind::branch, process.name_range);
  for (const Slot& slot : slots_)
    if (slot.process == &process) stmt.branches.push_back(creation(slot, function));
  const std::uint32_t next = std::min(numbers_in_use(plan_), max_processes - 1);
  for (std::uint32_t pid = 0; pid <= next; ++pid)
    if (!contains(plan_, process, pid)) stmt.branches.push_back(missing(process, pid));
  ir::Branch too_many;
  ir::Stmt& fail = build_.stmt(ir::Stmt::Kind::fail, process.name_range);
  fail.site = build_.site(ir::FaultKind::unplanned_process, process.name_range, process.name);
  too_many.body.push_back(&fail);
  stmt.branches.push_back(std::move(too_many));
  function.routine.body.push_back(&stmt);
  if (!ir::Builder::lay_out(function.routine)) fail_on_size(process.name_range, fmt::format("`{}`", process.name));
}

ir::Branch Lowering::creation(const Slot& slot, const ir::Function& function) {
  const SourceRange range = slot.process->name_range;
  slot_ = &slot;
  ir::Branch branch;
  branch.condition = count_is(slot.pid, range);
  pass_arguments(slot, function, branch.body);
  initialise_locals(slot, branch.body);
  assign(at(*slot.location), start_of(slot, range), branch.body);
  if (slot.priority != nullptr) assign(at(*slot.priority), read(at(*function.parameters.back()), range), branch.body);
  assign(at(*process_count_), constant(slot.pid + 1, range), branch.body);
  ir::Stmt& done = build_.stmt(ir::Stmt::Kind::give_back, range);
  done.value = constant(slot.pid, range);
  done.site = write_site_;
  branch.body.push_back(&done);
  return branch;
}

void Lowering::pass_arguments(const Slot& slot, const ir::Function& function, ir::Block& out) {
  std::size_t next = 0;
  for (const Variable* parameter : slot.process->parameters) {
    std::vector<ir::Place> scalars;
    scalar_places(place_of(&slot, *parameter), parameter->type, scalars);
    for (const ir::Place& scalar : scalars)
      assign(scalar, read(at(*function.parameters[next++]), parameter->range), out);
  }
}

// The scalars of a structure in the order in which messages and arguments carry them.
void Lowering::scalar_places(const ir::Place& place, const Type& type, std::vector<ir::Place>& out) {
  if (!type.is(Type::Kind::user)) return out.push_back(place);
  for (const auto& part : type.user->fields) {
    if (part->is_array && part->type.is(Type::Kind::user)) continue;
    const ir::Place here = field(place, part->index);
    for (std::uint32_t k = 0; k < part->length; ++k)
      scalar_places(part->is_array ? element(here, constant(k, part->range), write_site_) : here, part->type, out);
  }
}

ir::Branch Lowering::missing(const Process& process, std::uint32_t pid) {
  ir::Branch branch;
  branch.condition = count_is(pid, process.name_range);
  ir::Stmt& fail = build_.stmt(ir::Stmt::Kind::fail, process.name_range);
  fail.site = build_.site(ir::FaultKind::unplanned_process, process.name_range, process.name);
  unplanned_.push_back({fail.site, &process, pid});
  branch.body.push_back(&fail);
  return branch;
}

const ir::Expr* Lowering::start_of(const Slot& slot, SourceRange range) {
  return build_.constant(slot.location->type->value(1), slot.location->type, range);
}

const ir::Expr* Lowering::count_is(std::uint32_t pid, SourceRange range) {
  return compare(IrKind::equal, read(at(*process_count_), range), constant(pid, range));
}

}  // namespace fathom::promela
