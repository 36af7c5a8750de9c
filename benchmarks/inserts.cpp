// How many fingerprints a core puts into their table per second, and how many it finds there again.
//
//   cmake --build build/release --target inserts && build/release/inserts [COUNT]
//
// States of one word are fingerprinted and inserted in groups, as a breadth-first search does it. First the table has
// room for all of them, and its memory has been touched by a round that does not count; then it grows on the way.
#include <fmt/format.h>

#include <array>
#include <chrono>
#include <cstdlib>

#include "store/fingerprint_table.hpp"

namespace {

using namespace fathom;

constexpr std::uint64_t group = 192, memory = std::uint64_t{1} << 34;

// Of the states 0 .. count-1; returns how many were new.
std::uint64_t insert(FingerprintTable& table, std::uint64_t count) {
  std::array<std::uint64_t, group> states;
  std::array<Hash, group> hashes;
  std::array<std::uint32_t, group> waiting;
  std::uint64_t fresh = 0;
  const auto next_index = [&] { return fresh++; };
  for (std::uint64_t first = 0; first < count; first += group) {
    if (!table.reserve(group)) throw std::bad_alloc();
    FingerprintTable::View<1, true> view(table);
    for (std::uint32_t k = 0; k < group; ++k) {
      states[k] = first + k;
      hashes[k] = view.hash(&states[k]);
      view.prefetch(hashes[k]);
    }
    std::uint32_t left = 0;
    for (std::uint32_t k = 0; k < group; ++k)
      if (view.insert_at_home(view.approach(hashes[k]), &states[k], hashes[k], next_index) == Found::full)
        waiting[left++] = k;
    for (std::uint32_t w = 0; w < left; ++w) {
      const std::uint32_t k = waiting[w];
      view.insert(view.approach(hashes[k]), &states[k], hashes[k], next_index);
    }
    table.set_size(std::max(table.size(), fresh));
  }
  return fresh;
}

void measure(const char* what, FingerprintTable& table, std::uint64_t count) {
  const auto began = std::chrono::steady_clock::now();
  const std::uint64_t fresh = insert(table, count);
  const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - began).count();
  fmt::print("{:24} {:>12} new {:8.1f} M/s {:8.2f} bytes each\n", what, fresh,
             static_cast<double>(count) / seconds / 1e6,
             static_cast<double>(table.bytes()) / static_cast<double>(count));
}

}  // namespace

int main(int words, char** word) {
  const std::uint64_t count = words > 1 ? std::strtoull(word[1], nullptr, 10) : 100'000'000;
  {
    FingerprintTable touched(1, memory, true);
    if (!touched.reserve(count)) return 1;
    insert(touched, count);
  }
  FingerprintTable with_room(1, memory, true);
  if (!with_room.reserve(count)) return 1;
  measure("room beforehand", with_room, count);
  measure("known ones", with_room, count);
  FingerprintTable grows(1, memory, true);
  measure("growing", grows, count);
}
