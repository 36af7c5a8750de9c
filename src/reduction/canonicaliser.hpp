// What a search needs of symmetry reduction: a map from states to the representatives of their classes.
#pragma once

#include <cstdint>

namespace fathom {

// Maps a state to the representative of its symmetry class, in place. An object serves one thread.
class Canonicaliser {
 public:
  virtual ~Canonicaliser() = default;
  virtual void canonicalise(std::uint64_t* state) = 0;
};

}  // namespace fathom
