// Which processes a program has room for. A component of the ir is one proctype with one process number; a plan is the
// list of these pairs. It begins with the processes that are there at the start and grows when a run of the program
// creates one that is not in it.
#pragma once

#include <cstdint>
#include <vector>

#include "ir/program.hpp"
#include "lang/promela/ast.hpp"

namespace fathom::promela {

using ir::max_processes;

struct PlannedProcess {
  const Process* process = nullptr;
  std::uint32_t pid = 0;
  bool initial = false;
  [[nodiscard]] bool is(const Process& other, std::uint32_t number) const { return process == &other && pid == number; }
};

using Plan = std::vector<PlannedProcess>;

// The processes of the initial state, numbered in the order of the text.
Plan initial_plan(const ParsedModel& model);
// The least number that no process of the plan has: no process can get a larger one.
std::uint32_t numbers_in_use(const Plan& plan);
bool contains(const Plan& plan, const Process& process, std::uint32_t pid);
// Of a process that is created over and over a few more are planned in advance, because each time the plan grows the
// search begins anew.
void extend(Plan& plan, const Process& process, std::uint32_t pid);

}  // namespace fathom::promela
