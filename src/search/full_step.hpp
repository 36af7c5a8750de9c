// What a breadth-first search does, one after the other, each time its memory is full. After the last step it ends.
#pragma once

#include <cstdint>

namespace fathom {

enum class FullStep : std::uint8_t { compress, fingerprint, disk };

}  // namespace fathom
