#include "lang/promela/origin.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace fathom::promela {

OriginId Origins::add(Origin origin) {
  all_.push_back(std::move(origin));
  return static_cast<OriginId>(all_.size());
}

std::vector<Note> Origins::notes(OriginId id) const {
  constexpr std::size_t most = 6;  // deeper chains say nothing more
  std::vector<Note> result;
  for (; id != OriginId{} && result.size() < most; id = (*this)[id].parent) {
    const Origin& origin = (*this)[id];
    if (origin.kind == Origin::Kind::macro) {
      result.push_back({origin.definition, fmt::format("in expansion of macro `{}`", origin.name)});
    } else {
      result.push_back({origin.use, fmt::format("in this use of inline `{}`", origin.name)});
    }
  }
  return result;
}

std::vector<const Origin*> Origins::inlines(OriginId id) const {
  std::vector<const Origin*> result;
  for (; id != OriginId{}; id = (*this)[id].parent)
    if ((*this)[id].kind == Origin::Kind::inline_body) result.push_back(&(*this)[id]);
  return result;
}

SourceRange cover(SourceRange first, SourceRange last) {
  if (first.file != last.file) return first;
  return {first.file, std::min(first.begin, last.begin), std::max(first.end, last.end)};
}

}  // namespace fathom::promela
