#include "store/arrangement_choice.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <functional>

#include "support/hash.hpp"

namespace fathom {

namespace {

constexpr std::uint32_t chunk_bytes = StateArrangement::chunk_bytes;

// Counts the different values among the hashes of a sample.
class DistinctCounter {
 public:
  explicit DistinctCounter(std::size_t most) : slots_(std::bit_ceil(2 * most)) {}

  template <class HashOf>
  std::size_t operator()(std::size_t size, const HashOf& hash_of) {
    std::ranges::fill(slots_, 0U);
    std::size_t count = 0;
    for (std::size_t k = 0; k < size; ++k) count += enter(hash_of(k) | 1) ? 1 : 0;
    return count;
  }

 private:
  bool enter(std::uint32_t hash) {
    for (std::size_t at = hash / 2 & (slots_.size() - 1);; at = (at + 1) & (slots_.size() - 1)) {
      if (slots_[at] == hash) return false;
      if (slots_[at] == 0) return slots_[at] = hash, true;
    }
  }
  std::vector<std::uint32_t> slots_;
};

// The bytes of the states of a sample, as hashes: one list for each byte that is not the same in all of them.
class Columns {
 public:
  explicit Columns(const StateSample& sample) : states_(sample.size()) {
    for (std::uint32_t byte = 0; byte < sample.words() * StateArrangement::word_bytes; ++byte) add(sample, byte);
  }

  [[nodiscard]] std::uint32_t bytes() const { return static_cast<std::uint32_t>(hashes_.size()); }
  [[nodiscard]] std::size_t states() const { return states_; }
  [[nodiscard]] bool varies(std::uint32_t byte) const { return !hashes_[byte].empty(); }
  [[nodiscard]] const std::vector<std::uint32_t>& hashes(std::uint32_t byte) const { return hashes_[byte]; }

  using Order = std::vector<std::uint32_t>;  // bytes that vary
  [[nodiscard]] Order in_order() const {
    Order order;
    for (std::uint32_t byte = 0; byte < bytes(); ++byte)
      if (varies(byte)) order.push_back(byte);
    return order;
  }
  [[nodiscard]] Order most_varied_first() const {
    Order order = in_order();
    std::ranges::stable_sort(order, std::greater(), [this](std::uint32_t byte) { return variety_[byte]; });
    return order;
  }

 private:
  void add(const StateSample& sample, std::uint32_t byte) {
    std::array<std::uint32_t, 256> hash_of{};
    std::uint32_t variety = 0;
    std::vector<std::uint32_t> hashes;
    const std::uint32_t word = byte / StateArrangement::word_bytes, shift = byte % StateArrangement::word_bytes * 8;
    for (std::size_t k = 0; k < sample.size(); ++k) {
      const std::uint64_t value = sample.state(k)[word] >> shift & 0xff;
      if (hash_of[value] == 0) {
        hash_of[value] = static_cast<std::uint32_t>(mix_bijective((std::uint64_t{byte} + 1) << 8 | value)) | 1;
        ++variety;
      }
      hashes.push_back(hash_of[value]);
    }
    if (variety == 1) hashes.clear();
    hashes_.push_back(std::move(hashes));
    variety_.push_back(variety);
  }

  std::size_t states_;
  std::vector<std::vector<std::uint32_t>> hashes_;
  std::vector<std::uint32_t> variety_;  // different values
};

// Shares the bytes of states among the two halves. What a half of a state is, is known by a hash to which each byte
// adds its own, so that it can be put in and taken out.
class Halving {
 public:
  Halving(const Columns& columns, const std::vector<std::uint32_t>& halves)
      : columns_(columns), count_(columns.states()), half_of_(columns.bytes()) {
    for (Half& half : halves_) half.hashes.resize(columns.states());
    for (const std::uint32_t half : halves) halves_[half].room += chunk_bytes;
  }

  [[nodiscard]] std::uint32_t half_of(std::uint32_t byte) const { return half_of_[byte]; }
  [[nodiscard]] double cost() const { return cost_of(halves_[0].values) + cost_of(halves_[1].values); }

  [[nodiscard]] Halving& leave_as_it_is(const std::vector<std::uint32_t>& halves) {
    for (const std::uint32_t byte : columns_.in_order()) toggle(halves_[halves[byte / chunk_bytes]], byte);
    for (Half& half : halves_) half.values = count_(half.hashes.size(), [&](std::size_t k) { return half.hashes[k]; });
    return *this;
  }

  // Bytes are placed in this order, and then placed again, since the first ones were placed by little.
  [[nodiscard]] Halving& choose(const Columns::Order& order) {
    constexpr int most_rounds = 3;
    for (const std::uint32_t byte : order) place(byte);
    for (int round = 0; round < most_rounds; ++round)
      if (std::ranges::count_if(order, [this](std::uint32_t byte) { return moves(byte); }) == 0) break;
    for (std::uint32_t byte = 0; byte < columns_.bytes(); ++byte)
      if (!columns_.varies(byte)) place_beside_the_last(byte);
    return *this;
  }

 private:
  struct Half {
    std::vector<std::uint32_t> hashes;  // of what it is in each state
    std::size_t values = 1;             // different ones
    std::uint32_t room = 0;             // bytes
  };

  // Nearly what the sample tells about the number of values in all states: where each of its states has another one,
  // there is no telling how many they are.
  [[nodiscard]] double cost_of(std::size_t values) const {
    const auto seen = static_cast<double>(values), states = static_cast<double>(columns_.states());
    return seen / (1 - seen / (states + 1));
  }

  // To the half in which it makes fewer new values. If that is either, it stays with its neighbour: the fewer pieces a
  // word is cut into, the less is to be done.
  void place(std::uint32_t byte) {
    std::array<std::size_t, 2> values;
    std::array<double, 2> increase;
    for (const std::uint32_t half : {0U, 1U}) {
      values[half] = values_when_toggled(halves_[half], byte);
      increase[half] = cost_of(values[half]) - cost_of(halves_[half].values);
    }
    std::uint32_t to = increase[0] < increase[1] ? 0 : 1;
    if (increase[0] == increase[1]) to = last_half(byte);
    if (halves_[to].room == 0) to = 1 - to;
    put(byte, to, values[to]);
  }

  [[nodiscard]] std::uint32_t last_half(std::uint32_t byte) const {
    while (byte > 0 && !columns_.varies(byte - 1)) --byte;
    return byte == 0 ? 0 : half_of_[byte - 1];
  }

  void place_beside_the_last(std::uint32_t byte) {
    half_of_[byte] = byte == 0 ? 0 : half_of_[byte - 1];
    if (halves_[half_of_[byte]].room == 0) half_of_[byte] = 1 - half_of_[byte];
    --halves_[half_of_[byte]].room;
  }

  // To the other half, if that is better.
  bool moves(std::uint32_t byte) {
    const std::uint32_t from = half_of_[byte], to = 1 - from;
    Half& here = halves_[from];
    if (halves_[to].room == 0) return false;
    const std::size_t without = values_when_toggled(here, byte), with = values_when_toggled(halves_[to], byte);
    if (cost_of(without) + cost_of(with) >= cost()) return false;
    toggle(here, byte);
    here.values = without;
    ++here.room;
    put(byte, to, with);
    return true;
  }

  // How many values a half has with a byte that is not in it, or without one that is.
  [[nodiscard]] std::size_t values_when_toggled(const Half& half, std::uint32_t byte) {
    const std::vector<std::uint32_t>& hashes = columns_.hashes(byte);
    return count_(hashes.size(), [&](std::size_t k) { return half.hashes[k] ^ hashes[k]; });
  }

  void put(std::uint32_t byte, std::uint32_t half, std::size_t values) {
    half_of_[byte] = half;
    toggle(halves_[half], byte);
    halves_[half].values = values;
    --halves_[half].room;
  }

  void toggle(Half& half, std::uint32_t byte) const {
    const std::vector<std::uint32_t>& hashes = columns_.hashes(byte);
    for (std::size_t k = 0; k < hashes.size(); ++k) half.hashes[k] ^= hashes[k];
  }

  const Columns& columns_;
  DistinctCounter count_;
  std::array<Half, 2> halves_;
  std::vector<std::uint32_t> half_of_;
};

// The bytes of a half stand in its chunks in the order that they have in the state.
std::vector<std::uint32_t> places_for(const Halving& halving, std::uint32_t bytes,
                                      const std::vector<std::uint32_t>& halves) {
  std::array<std::vector<std::uint32_t>, 2> free;
  for (std::uint32_t chunk = 0; chunk < halves.size(); ++chunk)
    for (std::uint32_t byte = 0; byte < chunk_bytes; ++byte) free[halves[chunk]].push_back(chunk * chunk_bytes + byte);
  std::array<std::size_t, 2> taken{};
  std::vector<std::uint32_t> places;
  for (std::uint32_t byte = 0; byte < bytes; ++byte) {
    const std::uint32_t half = halving.half_of(byte);
    places.push_back(free[half][taken[half]++]);
  }
  return places;
}

}  // namespace

std::optional<StateArrangement> better_arrangement(const StateSample& sample,
                                                   const std::vector<std::uint32_t>& halves) {
  if (sample.words() > most_words_to_arrange || sample.size() == 0) return std::nullopt;
  const Columns columns(sample);
  Halving first(columns, halves), second(columns, halves), as_it_is(columns, halves);
  const double cost =
      std::min(first.choose(columns.in_order()).cost(), second.choose(columns.most_varied_first()).cost());
  if (cost * 2 > as_it_is.leave_as_it_is(halves).cost()) return std::nullopt;
  return StateArrangement(places_for(first.cost() == cost ? first : second, columns.bytes(), halves));
}

}  // namespace fathom
