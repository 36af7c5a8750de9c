// The control flow of a proctype: its control points and the statements that lead from one to another.
//
// What is a step and which control points are the same follows Spin, because state counts depend on it: a `goto`, a
// `break` or the end of an if, do or unless is passed over when it follows a statement, but is a step of its own where
// a choice or a block begins with it, where it bears an end, progress or accept label, and where it leads out of an
// atomic sequence.
#pragma once

#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "ir/program.hpp"
#include "lang/promela/ast.hpp"
#include "support/diagnostics.hpp"

namespace fathom::promela {

// A scalar of a process: a variable, and of a structure the fields that lead to it.
using Scalar = std::vector<const Variable*>;

struct FlowEdge {
  const Stmt* statement = nullptr;  // a basic statement; jump and leave do nothing, null is the end of a process
  std::uint32_t source = 0;
  std::uint32_t target = 0;  // of the end: itself
  ir::Control control = ir::Control::release;
  // Only the executable edges of the smallest rank may be taken: escapes of `unless` lie below 0, the outermost lowest.
  std::int32_t rank = 0;
  bool in_d_step = false;
  // Edges of one source and one such number begin the same d_step: only the first executable one may be taken.
  std::uint32_t first_of = 0;
  // Whose value nobody asks for any more once the edge was taken (dead_values.hpp).
  std::vector<Scalar> dead = {};
};

struct FlowLocation {
  SourceRange range;
  bool is_end = false;
  bool is_progress = false;
  bool is_accept = false;
  std::vector<std::uint32_t> edges;  // in textual order, escapes first
};

struct FlowGraph {
  std::vector<FlowLocation> locations;  // 0 is the start
  std::vector<FlowEdge> edges;
  std::uint32_t last = 0;  // the location at the closing brace
  std::map<const Label*, std::uint32_t> labels;
  // Statements and counters that loops stand for.
  std::deque<Stmt> made;
  std::deque<Variable> counters;
};

// Null after a mistake, which is reported: a loop of jumps without a statement.
std::unique_ptr<FlowGraph> flow_graph(const Process& process, Diagnostics& diagnostics);

}  // namespace fathom::promela
