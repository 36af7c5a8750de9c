// Replaces synchronising edges by joint edges, one for every pair of an offering and an accepting edge of different
// components, so that executors, analyses and searches need to know nothing of synchronisation.
//
// A joint edge belongs to the offering component and stands where the offering edge stood. Its parameters are those of
// the offering edge and then those of the accepting one; its priority is the smaller number of the two. It is enabled
// when both components are at their locations and then, in this order and with short circuit, the offering guard holds,
// the offered port has a value, the accepting guard holds and the accepted port has the same value; a fault in any of
// them is a fault of the joint step.
//
// The values that travel stand in for the accepting side's received registers in its guard and port; the joint body
// sets the registers first of all. The ranks of both sides are kept. Control is the accepting side's: it is the
// accepting component that goes on or lets go.
//
// An edge that finds no partner vanishes, and so does a pair whose ports are different constants: they have no step, so
// their guards cannot fault either. The number of joint edges is the product of both sides.
#pragma once

#include "ir/program.hpp"
#include "support/diagnostics.hpp"

namespace fathom::ir {

// A program without synchronising edges is left as it is. Joint edges that are too large are reported, and then the
// program must not be run.
void compose(Program& program, Diagnostics& diagnostics);

}  // namespace fathom::ir
