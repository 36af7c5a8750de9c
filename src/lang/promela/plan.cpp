#include "lang/promela/plan.hpp"

#include <algorithm>

namespace fathom::promela {

Plan initial_plan(const ParsedModel& model) {
  Plan plan;
  std::uint32_t pid = 0;
  for (const auto& process : model.processes) {
    const bool runs = process->kind == Process::Kind::proctype || process->kind == Process::Kind::init;
    for (std::uint32_t k = 0; runs && k < process->active; ++k) plan.push_back({process.get(), pid++, true});
  }
  return plan;
}

std::uint32_t numbers_in_use(const Plan& plan) {
  std::uint32_t largest = 0;
  for (const PlannedProcess& each : plan) largest = std::max(largest, each.pid + 1);
  return largest;
}

bool contains(const Plan& plan, const Process& process, std::uint32_t pid) {
  return std::ranges::any_of(plan, [&](const PlannedProcess& each) { return each.is(process, pid); });
}

void extend(Plan& plan, const Process& process, std::uint32_t pid) {
  const auto planned = std::ranges::count(plan, &process, &PlannedProcess::process);
  const std::uint32_t in_advance = planned < 8 ? 0 : static_cast<std::uint32_t>(planned) / 2;
  for (std::uint32_t number = pid; number <= pid + in_advance && number < max_processes; ++number)
    if (!contains(plan, process, number)) plan.push_back({&process, number, false});
}

}  // namespace fathom::promela
