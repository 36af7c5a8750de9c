// How the channel variables of a model are used, which decides where their channels are kept.
#pragma once

#include <set>

#include "lang/promela/ast.hpp"

namespace fathom::promela {

struct ChannelUses {
  // Assigned to or received into: it may come to hold another channel than its own.
  std::set<const Variable*> written;
  // Sent, passed, assigned or compared: its channel may come to be known elsewhere.
  std::set<const Variable*> given_away;
};

ChannelUses channel_uses(const ParsedModel& model);

}  // namespace fathom::promela
