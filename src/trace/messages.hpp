// Who sent what to whom, read off the changes of a trace: a channel of Promela whose length grows got a message, and a
// multiset of Murphi that has one more element did. Each message that is taken out is matched with the step that put it
// in.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "trace/trace.hpp"

namespace fathom {

struct MessageEvent {
  enum class Kind : std::uint8_t { sent, received };
  Kind kind = Kind::sent;
  std::string channel;                // "q[0]"
  std::string text;                   // "red,3"
  std::optional<std::size_t> sender;  // received: the number of the step that sent it; nothing: it was there before
};

// Per step of the trace.
std::vector<std::vector<MessageEvent>> messages_of(const Trace& trace);

}  // namespace fathom
