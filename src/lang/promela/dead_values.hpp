// Dead-variable reset: a scalar of a process whose value nobody will read any more is set to 0, so that states that
// differ in it alone become one.
//
// A scalar is live at a control point if on some way from there it is read before it is written. It is reset by every
// edge after which it is dead and which could leave another value than 0 in it: it was live before, the edge wrote it,
// or it has a value from the beginning and the edge is the first. What the guards and effects of a process depend on is
// live, so a state and the same state without its dead values can do the same for ever after.
//
// Arrays and channel variables keep their values, and so does what others can see (visibility.hpp). A `provided` is
// read everywhere. What `printf` prints is not asked for, because a search does not execute it: traces are shown as the
// model is written.
#pragma once

#include "lang/promela/flow_graph.hpp"
#include "lang/promela/visibility.hpp"

namespace fathom::promela {

// Fills in FlowEdge::dead.
void find_dead_values(FlowGraph& graph, const Process& process, const Visibility& seen);

}  // namespace fathom::promela
