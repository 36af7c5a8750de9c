#include "analysis/narrowing.hpp"

#include <algorithm>
#include <bit>

#include "analysis/value_bounds.hpp"
#include "ir/layout.hpp"

namespace fathom {

namespace {

std::uint32_t width(std::int64_t value) {
  return static_cast<std::uint32_t>(std::bit_width(static_cast<std::uint64_t>(value)));
}

void narrow(ir::Type& type, Interval bounds) {
  const bool is_signed = bounds.lo < 0;
  const std::uint32_t bits = is_signed
                                 ? std::max(width(-(bounds.lo + 1)), width(std::max<std::int64_t>(0, bounds.hi))) + 1
                                 : std::max(1U, width(bounds.hi));
  if (bits > type.bits) return;
  type.bits = bits;
  type.is_signed = is_signed;
  type.lo = bounds.lo;
  type.hi = bounds.hi;
}

bool has_frames(const ir::Program& program) {
  const auto has = [](const auto& each) { return each->routine.frame_bits > 0; };
  const std::vector<const ir::Edge*> edges = program.edges();
  return std::ranges::any_of(edges, has) || std::ranges::any_of(program.functions, has) ||
         std::ranges::any_of(program.properties, has);
}

}  // namespace

void narrow_variables(ir::Program& program) {
  const auto bounds = value_bounds(program);
  if (!bounds || has_frames(program)) return;
  for (ir::Type& type : program.types)
    if (const auto found = bounds->find(&type); found != bounds->end()) narrow(type, found->second);
  ir::lay_out(program);
}

}  // namespace fathom
