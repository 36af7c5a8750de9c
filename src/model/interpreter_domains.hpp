// Interpreter: walking the values of a quantifier and the filled slots of a multiset. Internal to the interpreter.
#pragma once

#include "model/interpreter.hpp"
#include "state/bits.h"

namespace fathom {

// "0..3", "NODE", as a fault message names a set of values.
std::string describe(const ir::Type& type);

template <class Visit>
void Interpreter::each_value(const Range& range, Visit visit) {
  if (range.type != nullptr) {
    const std::uint64_t count = range.type->cardinality();
    for (std::uint64_t code = 1; code <= count; ++code)
      if (!visit(range.type->value(code))) return;
    return;
  }
  // The distance to the end is unsigned arithmetic, so no bound overflows however far apart the ends are.
  const bool upwards = range.step > 0;
  if (upwards ? range.from > range.to : range.from < range.to) return;
  std::uint64_t left = upwards ? std::uint64_t(range.to) - std::uint64_t(range.from)
                               : std::uint64_t(range.from) - std::uint64_t(range.to);
  const std::uint64_t stride = upwards ? std::uint64_t(range.step) : -std::uint64_t(range.step);
  for (std::uint64_t value = std::uint64_t(range.from);; value += std::uint64_t(range.step), left -= stride) {
    if (!visit(static_cast<std::int64_t>(value)) || left < stride) return;
  }
}

template <class Visit>
bool Interpreter::each_filled_slot(const ir::Place& place, const ir::Local& index, Visit visit) {
  Reference at;
  if (!resolve(place, at)) return false;
  for (std::uint32_t slot = 0; slot < place.type->capacity; ++slot) {
    const std::uint64_t bit = at.bit + std::uint64_t{slot} * place.type->stride;
    if (fathom_get(at.words, bit, 1) == 0) continue;
    set_register(index, slot);
    visit(bit);
    if (failed()) return false;
  }
  return true;
}

}  // namespace fathom
