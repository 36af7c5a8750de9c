#include "store/packed_fingerprints.hpp"

#include <array>
#include <utility>

namespace fathom {

namespace {

// In the order of their first eight bits, without further memory (American flag sort: McIlroy, Bostic, McIlroy 1993).
void sort_by_first_bits(Hash* fingerprints, std::uint8_t* levels, std::uint64_t count) {
  constexpr std::uint32_t shift = 56;
  std::array<std::uint64_t, 256> next{}, end{};
  for (std::uint64_t k = 0; k < count; ++k) ++end[fingerprints[k] >> shift];
  for (std::size_t part = 1; part < end.size(); ++part) end[part] += next[part] = end[part - 1];
  for (std::size_t part = 0; part < end.size(); ++part)
    for (; next[part] < end[part]; ++next[part]) {
      Hash& here = fingerprints[next[part]];
      std::uint8_t& level = levels[next[part]];
      while (here >> shift != part) {
        const std::uint64_t there = next[here >> shift]++;
        std::swap(here, fingerprints[there]);
        std::swap(level, levels[there]);
      }
    }
}

}  // namespace

// Sorted, they fill the table from its beginning to its end, which therefore takes memory only as the fingerprints give
// it back. Those that find their line full would go anywhere: they are put aside until the others are in.
void PackedFingerprints::insert_all_known(const VirtualArray<Hash>& fingerprints,
                                          const VirtualArray<std::uint8_t>& levels, std::uint64_t count) {
  constexpr std::uint64_t piece = std::uint64_t{1} << 18;
  sort_by_first_bits(fingerprints.data(), levels.data(), count);
  std::uint64_t aside = 0;
  for (std::uint64_t k = 0; k < count; ++k) {
    if (k % piece == 0) fingerprints.give_back(aside, k);
    if (enter(fingerprints[k], label_of(levels[k]), 1).has_place) continue;
    fingerprints[aside] = fingerprints[k];
    levels[aside++] = levels[k];
  }
  for (std::uint64_t k = 0; k < aside; ++k)
    if (!enter(fingerprints[k], label_of(levels[k]), most_tries).has_place) overflowed_ = true;
}

}  // namespace fathom
