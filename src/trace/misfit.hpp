// Why a recorded step cannot be taken in a state of the model, in a sentence.
#pragma once

#include <string>

#include "trace/trace.hpp"

namespace fathom {

// "rule "SendInv" (i: NODE_2) is not enabled: `Chan2[i].Cmd = Empty` is false (german.m:60:3), Chan2[i].Cmd: Inv"
std::string why_not(InterpretedModel& model, const Describer& describer, const TraceStep& recorded, StateView state);

}  // namespace fathom
