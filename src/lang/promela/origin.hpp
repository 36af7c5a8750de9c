// How a piece of text got where it is: by which macros and inlines. A diagnostic points at the user's own line and
// shows these steps as notes.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "support/diagnostics.hpp"
#include "support/source.hpp"

namespace fathom::promela {

enum class OriginId : std::uint32_t {};  // 0: written as such

struct Origin {
  enum class Kind : std::uint8_t { macro, inline_body };
  Kind kind = Kind::macro;
  std::string name = {};
  SourceRange use = {};
  SourceRange definition = {};
  OriginId parent{};  // of the use itself
};

class Origins {
 public:
  OriginId add(Origin origin);
  [[nodiscard]] const Origin& operator[](OriginId id) const { return all_[static_cast<std::size_t>(id) - 1]; }
  // "in expansion of macro `X`" and "in this use of inline `f`", innermost first.
  [[nodiscard]] std::vector<Note> notes(OriginId id) const;
  // The chain of inlines only, innermost first: what a trace shows as its call stack.
  [[nodiscard]] std::vector<const Origin*> inlines(OriginId id) const;

 private:
  std::vector<Origin> all_;
};

// The smallest range with both, or the first where they lie in different files.
SourceRange cover(SourceRange first, SourceRange last);

}  // namespace fathom::promela
