// Of the states of a full store only fingerprints are kept from here on, and in full those that wait to be expanded:
// the level that the search is at, and what is known of the next one.
//
// All of it happens within the memory that is there. The table is given up first. The states that wait are taken out,
// the others become words where they stand, and what is left of the store goes; only then is there a table for the
// fingerprints, which is filled from its beginning to its end while the words go.
#pragma once

#include <memory>
#include <optional>

#include "search/level_standing.hpp"
#include "store/packed_fingerprints.hpp"

namespace fathom {

// The first state that waits to be expanded. What lies behind it is kept, too, whether it waits or not.
inline std::uint64_t first_waiting(const LevelStanding& standing) {
  if (!standing.rest) return standing.level_begin;
  std::uint64_t first = standing.level_end;
  for (const IdRange& states : *standing.rest) first = std::min(first, states.first);
  return first;
}

// How large the table will be; nothing if there would be hardly more room than there is. Both the table and the states
// that wait are to grow: these by less, since levels stop growing in the end.
template <class Full>
std::optional<std::uint64_t> fingerprint_bytes(const Full& full, const LevelStanding& standing, std::uint32_t words,
                                               std::uint64_t memory) {
  const std::uint64_t known = full.size() * sizeof(Hash);
  const std::uint64_t waiting = (full.size() - first_waiting(standing)) * words * sizeof(std::uint64_t);
  const bool moves_in_place = requires {
    full.give_back(IdRange{});
  };
  if (!moves_in_place && waiting > full.table_bytes()) return std::nullopt;
  memory -= spare_pages(memory);
  if (known / 8 * 9 + waiting > memory) return std::nullopt;
  const double share = static_cast<double>(known) / static_cast<double>(known + waiting / 4 * 3);
  const std::uint64_t bytes =
      std::min(memory - known / 2 - waiting, static_cast<std::uint64_t>(share * static_cast<double>(memory)));
  const bool is_enough = bytes >= PackedFingerprints::least_bytes && waiting / 8 * 9 < memory - bytes &&
                         PackedFingerprints::capacity_of(bytes) > full.size() / 8 * 9;
  return is_enough ? std::optional(bytes) : std::nullopt;
}

template <class Full>
class FingerprintStep {
 public:
  FingerprintStep(Full& full, LevelStanding& standing, std::uint32_t words, std::uint64_t memory)
      : full_(full),
        standing_(standing),
        words_(words),
        count_(full.size()),
        first_(first_waiting(standing)),
        memory_(memory) {}

  // The end of the full store; `bytes` is what fingerprint_bytes said.
  std::unique_ptr<PackedFingerprints> take(std::uint64_t bytes) {
    full_.give_up_table();
    standing_.frontier = taken_out({first_, standing_.level_end}, standing_.level_begin);
    standing_.next_frontier = taken_out({standing_.level_end, count_}, standing_.level_end);
    const VirtualArray<std::uint64_t> words = fingerprints();
    const VirtualArray<std::uint8_t> labels = levels();
    auto store = std::make_unique<PackedFingerprints>(bytes);
    store->insert_all_known(words, labels, count_);
    store->set_size(count_);
    store->begin_losing();
    return store;
  }

 private:
  static constexpr std::uint64_t piece = std::uint64_t{1} << 14;  // states after which memory is given back

  // In an array that begins with the state `begin`.
  VirtualArray<std::uint64_t> taken_out(IdRange states, std::uint64_t begin) {
    VirtualArray<std::uint64_t> to(std::min(memory_, most_reserved) / sizeof(std::uint64_t));
    for (std::uint64_t id = states.first; id < states.end; ++id) {
      std::ranges::copy(full_.state(StateId{id}), &to[(id - begin) * words_]);
      if constexpr (requires { full_.give_back(IdRange{}); }) {
        if (id % piece == 0) full_.give_back({states.first, id});
      }
    }
    return to;
  }

  // Of all states, by their numbers.
  VirtualArray<std::uint64_t> fingerprints() {
    auto words = full_.into_words(first_, fingerprint_of);
    const std::uint64_t begin = standing_.level_begin, end = standing_.level_end;
    for (std::uint64_t id = first_; id < end; ++id) words[id] = of_waiting(standing_.frontier, id - begin);
    for (std::uint64_t id = end; id < count_; ++id) words[id] = of_waiting(standing_.next_frontier, id - end);
    return words;
  }
  [[nodiscard]] Hash of_waiting(const VirtualArray<std::uint64_t>& states, std::uint64_t k) const {
    return fingerprint_of({&states[k * words_], words_});
  }

  // Labels of all states, by their numbers.
  [[nodiscard]] VirtualArray<std::uint8_t> levels() const {
    VirtualArray<std::uint8_t> labels(count_);
    std::uint64_t level = 0;
    for (std::uint64_t id = 0; id < count_; ++id) {
      while (level < standing_.depth + 1 && id >= end_of(level)) ++level;
      labels[id] = static_cast<std::uint8_t>(level % PackedFingerprints::distinct_levels);
    }
    return labels;
  }
  [[nodiscard]] std::uint64_t end_of(std::uint64_t level) const {
    return level < standing_.depth ? standing_.levels[level + 1] : standing_.level_end;
  }

  Full& full_;
  LevelStanding& standing_;
  const std::uint32_t words_;
  const std::uint64_t count_;
  const std::uint64_t first_;  // that waits
  const std::uint64_t memory_;
};

}  // namespace fathom
