// Statement merging: what a process does with its own variables alone is done in the same step as the statement before.
//
// A control point is passed in the step that leads to it (Control::keep on the edges to it) when
//  - there is one statement to go on with, or a choice between conditions, with or without `else`. Between other
//    statements it is not passed: a step has a way through it for each combination of choices, and they multiply;
//  - these read and write only variables of the process that nothing else can see (visibility.hpp): no global, no
//    channel, no `run`, no `_nr_pr`, no hidden variable; or they do nothing at all (unread_variables.hpp);
//  - neither it nor what it leads to bears a label that something can see;
//  - it lies outside of atomic and d_step sequences and of `unless`, and its process has no `provided`;
//  - there is another control point on every cycle through it, so that what goes on for ever still does.
// Whether such a statement can be executed depends on its process alone. If it can, it commutes with all steps of other
// processes, and can neither be disabled by them nor disable one of theirs: all runs stay, up to repetitions of states
// that no property tells apart. If it cannot, the process stands there for ever, and the step ends there. A failing
// statement fails in the longer step. An assertion ends its step, so that a trace to it ends with it; so does the step
// to the closing brace, as the removal of a process is never merged.
#pragma once

#include "lang/promela/flow_graph.hpp"
#include "lang/promela/visibility.hpp"

namespace fathom::promela {

void merge_statements(FlowGraph& graph, const Process& process, const Visibility& seen);

}  // namespace fathom::promela
