#include "native/emit.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "native/footprint.hpp"
#include "native/model_writer.hpp"
#include "native/runtime_text.hpp"

namespace fathom {

namespace {

// What written-out loops may add up to, in ir nodes. The first bound keeps a single large rule set a loop, the second
// keeps the compile time of a large model near a second or two.
constexpr std::uint64_t max_unrolled_nodes = 1500;
constexpr std::uint64_t total_unrolled_nodes = 10000;
constexpr std::uint64_t max_unrolled_instances = 64;

// Room for so many steps is made at once.
constexpr std::uint64_t max_room = 256;

std::uint64_t stack_bytes(const ir::Routine& routine) {
  constexpr std::uint64_t overhead = 512;  // an estimate of what the compiler spills
  Footprint footprint;
  footprint.add(routine.body);
  return overhead + (routine.frame_bits + footprint.copied_bits) / 8 +
         8 * (routine.registers + 2 * std::uint64_t{routine.references});
}

bool reaches(const ir::Function& from, const ir::Function& target, std::set<const ir::Function*>& seen) {
  Footprint footprint;
  footprint.add(from.routine.body);
  return std::any_of(footprint.callees.begin(), footprint.callees.end(), [&](const ir::Function* callee) {
    return callee == &target || (seen.insert(callee).second && reaches(*callee, target, seen));
  });
}

bool is_recursive(const ir::Program& program) {
  return std::any_of(program.functions.begin(), program.functions.end(), [](const auto& function) {
    std::set<const ir::Function*> seen;
    return reaches(*function, *function, seen);
  });
}

bool has_locations(const ir::Program& program) {
  return std::any_of(program.components.begin(), program.components.end(),
                     [](const ir::Component& component) { return component.location != nullptr; });
}

bool has_notes(const ir::Program& program) {
  return std::any_of(program.stmts.begin(), program.stmts.end(),
                     [](const ir::Stmt& stmt) { return stmt.kind == ir::Stmt::Kind::check_and_go_on; });
}

bool uses_timeout(const ir::Program& program) {
  return std::any_of(program.exprs.begin(), program.exprs.end(),
                     [](const ir::Expr& expr) { return expr.kind == ir::Expr::Kind::timeout; });
}

// Whether a step depends on its own edges alone. Assumptions can take it back after its edges were taken; priorities,
// and choices that must not be, make it depend on all others.
bool has_steps_to_follow(const ir::Program& program) {
  if (!ir::has_macro_steps(program)) return false;
  const std::vector<const ir::Edge*> edges = program.edges();
  const bool others = std::any_of(edges.begin(), edges.end(),
                                  [&](const ir::Edge* edge) { return edge->priority != edges[0]->priority; }) ||
                      std::any_of(program.components.begin(), program.components.end(), [](const auto& component) {
                        return component.priority != nullptr || component.choice != ir::SiteId::none;
                      });
  const bool assumptions =
      std::any_of(program.properties.begin(), program.properties.end(),
                  [](const auto& property) { return property->kind == ir::Property::Kind::assumption; }) ||
      std::any_of(program.stmts.begin(), program.stmts.end(),
                  [](const ir::Stmt& stmt) { return stmt.kind == ir::Stmt::Kind::assume; });
  const bool multisets = std::any_of(program.types.begin(), program.types.end(),
                                     [](const ir::Type& type) { return type.kind == ir::Type::Kind::multiset; });
  return !others && !assumptions && !multisets;
}

}  // namespace

bool fits_native_stack(const ir::Program& program) {
  // A stack has eight megabytes by default; we use at most half of it.
  constexpr std::uint64_t available = 4 << 20;
  std::uint64_t in_functions = 0, outside = 0;
  for (const auto& function : program.functions) in_functions = std::max(in_functions, stack_bytes(function->routine));
  for (const ir::Edge* edge : program.edges()) outside = std::max(outside, stack_bytes(edge->routine));
  for (const auto& start : program.starts) outside = std::max(outside, stack_bytes(start->routine));
  for (const auto& property : program.properties) outside = std::max(outside, stack_bytes(property->routine));
  const std::uint64_t depth = is_recursive(program) ? ir::recursion_limit : program.functions.size();
  return outside + depth * in_functions <= available;
}

ModelWriter::ModelWriter(const ir::Program& program)
    : program_(program),
      dispatched_(has_locations(program) || ir::has_macro_steps(program)),
      has_macro_steps_(ir::has_macro_steps(program)),
      notes_(has_notes(program)),
      uses_timeout_(uses_timeout(program)),
      walks_(has_steps_to_follow(program)),
      emitter_(program),
      words_(std::max(1U, (program.state_bits + 63) / 64)),
      unroll_budget_(total_unrolled_nodes) {}

bool ModelWriter::worth_unrolling(std::uint64_t instances, std::uint64_t nodes) {
  const std::uint64_t total = instances * nodes;
  if (instances > max_unrolled_instances || total > max_unrolled_nodes || total > unroll_budget_) return instances == 1;
  unroll_budget_ -= total;
  return true;
}

void ModelWriter::plan_edges() {
  for (std::uint32_t number = 0; number < program_.components.size(); ++number)
    for (const auto& edge : program_.components[number].edges) {
      EdgePlan plan{.edge = edge.get(),
                    .location = program_.components[number].location,
                    .component = number,
                    .next = edge->participants.empty() ? number : edge->participants.back(),
                    .number = static_cast<std::uint32_t>(edges_.size())};
      plan.tests_location = plan.location != nullptr && !dispatched_;
      plan_guard(plan);
      Footprint footprint;
      if (edge->guard != nullptr) footprint.add(*edge->guard);
      plan.guard_nodes = footprint.nodes;
      footprint.add(edge->routine.body);
      plan.unrolled = worth_unrolling(edge->instances(), footprint.nodes);
      edges_.push_back(std::move(plan));
    }
  std::stable_sort(edges_.begin(), edges_.end(),
                   [](const EdgePlan& a, const EdgePlan& b) { return a.edge->priority < b.edge->priority; });
}

std::string ModelWriter::change_location(const EdgePlan& plan) {
  if (plan.location == nullptr) return "";
  return fmt::format("fathom_set(s, {}, {}, {}u);\n", plan.location->offset, plan.location->type->bits,
                     plan.edge->target + 1);
}

std::string ModelWriter::write() {
  plan_edges();
  write_functions();
  write_settle();
  std::erase_if(edges_, [](const EdgePlan& plan) { return plan.dead; });
  if (const std::uint64_t most = most_steps(); most <= max_room) room_ = static_cast<std::uint32_t>(most);
  for (const EdgePlan& plan : edges_) {
    for (std::size_t level = 0; level < plan.guards.size(); ++level)
      if (plan.guarded(level)) write_guard(plan, level);
    if (plan.impossible.has_value()) continue;
    write_body(*plan.edge, fmt::format("body_{}", plan.number), change_location(plan), plan.unrolled);
    if (!has_macro_steps_) write_take(plan);
  }
  if (has_macro_steps_) write_follows();
  write_initial();
  write_successors();
  write_enabled();
  write_take_entry();
  write_check();
  write_live();
  write_atoms();
  write_table();
  return std::string(runtime_text) + emitter_.helpers() + out_;
}

std::string emit_model(const ir::Program& program) {
  return ModelWriter(program).write();
}

}  // namespace fathom
