// Symmetry reduction against a naive oracle: permutations applied leaf by leaf, orbits listed in full.
#include "reduction/symmetry.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <random>
#include <set>

#include "ir/builder.hpp"
#include "state/bits.h"
#include "state/multiset.h"

namespace fathom {
namespace {

using State = std::vector<std::uint64_t>;
using Kind = ir::Type::Kind;

// A renaming of values; values not in a permuted scalarset stay.
struct Renaming {
  std::vector<const ir::Type*> sets;
  std::vector<std::vector<std::int64_t>> images;

  [[nodiscard]] std::int64_t operator()(std::int64_t value) const {
    for (std::size_t k = 0; k < sets.size(); ++k) {
      if (sets[k]->contains(value)) return images[k][static_cast<std::size_t>(value - sets[k]->lo)];
    }
    return value;
  }
};

std::uint64_t renamed_code(const ir::Type& type, std::uint64_t code, const Renaming& renaming) {
  return code == 0 ? 0 : type.code(renaming(type.value(code)));
}

void rename(const ir::Type& type, const State& from, std::uint32_t from_bit, State& to, std::uint32_t to_bit,
            const Renaming& renaming) {
  switch (type.kind) {
    case Kind::array:
      for (std::uint64_t code = 1; code <= type.index->cardinality(); ++code) {
        const std::uint64_t target = renamed_code(*type.index, code, renaming);
        rename(*type.element, from, from_bit + static_cast<std::uint32_t>(code - 1) * type.stride, to,
               to_bit + static_cast<std::uint32_t>(target - 1) * type.stride, renaming);
      }
      return;
    case Kind::record:
      for (const ir::Field& field : type.fields) {
        rename(*field.type, from, from_bit + field.offset, to, to_bit + field.offset, renaming);
      }
      return;
    case Kind::multiset:
      for (std::uint32_t slot = 0; slot < type.capacity; ++slot) {
        const std::uint32_t skip = slot * type.stride;
        fathom_set(to.data(), to_bit + skip, 1, fathom_get(from.data(), from_bit + skip, 1));
        rename(*type.element, from, from_bit + skip + 1, to, to_bit + skip + 1, renaming);
      }
      fathom_sort_slots(to.data(), to_bit, type.capacity, type.stride);
      return;
    default: {
      const std::uint64_t code = fathom_get(from.data(), from_bit, type.bits);
      fathom_set(to.data(), to_bit, type.bits, renamed_code(type, code, renaming));
    }
  }
}

State rename(const ir::Program& program, const State& state, const Renaming& renaming) {
  State result(state.size());
  for (const ir::Variable& variable : program.variables) {
    rename(*variable.type, state, variable.offset, result, variable.offset, renaming);
  }
  return result;
}

std::vector<Renaming> all_renamings(const std::vector<const ir::Type*>& sets) {
  std::vector<Renaming> result{Renaming{}};
  for (const ir::Type* set : sets) {
    std::vector<Renaming> longer;
    std::vector<std::int64_t> image(set->cardinality());
    std::iota(image.begin(), image.end(), set->lo);
    do {
      for (Renaming renaming : result) {
        renaming.sets.push_back(set);
        renaming.images.push_back(image);
        longer.push_back(std::move(renaming));
      }
    } while (std::ranges::next_permutation(image).found);
    result = std::move(longer);
  }
  return result;
}

// A program without rules: its variables are all that symmetry looks at.
struct Sample {
  ir::Program program;
  ir::Builder builder{program};

  void add(const ir::Type* type) { builder.variable("v" + std::to_string(program.variables.size()), type, {}); }
  [[nodiscard]] State state() const { return State(std::max(1U, (program.state_bits + 63) / 64)); }
};

// Random types over given scalarsets, and random states of them that are regular enough to have automorphisms.
class Random {
 public:
  explicit Random(unsigned seed) : engine_(seed) {}

  std::uint64_t below(std::uint64_t n) { return std::uniform_int_distribution<std::uint64_t>(0, n - 1)(engine_); }
  template <class T>
  const T& one_of(const std::vector<T>& items) {
    return items[below(items.size())];
  }

  const ir::Type* type(Sample& sample, const std::vector<const ir::Type*>& scalars, unsigned depth) {
    switch (depth == 0 ? 0 : below(6)) {
      case 1:
      case 2:
        return sample.builder.array(one_of(scalars), type(sample, scalars, depth - 1));
      case 3: {
        std::vector<ir::Field> fields;
        for (std::uint64_t k = 1 + below(3); k > 0; --k) {
          fields.push_back({"f" + std::to_string(k), type(sample, scalars, depth - 1), 0});
        }
        return sample.builder.record(fields);
      }
      case 4:
        return sample.builder.multiset(1 + static_cast<std::uint32_t>(below(3)), type(sample, scalars, depth - 1));
      default:
        return one_of(scalars);
    }
  }

  void fill(const ir::Type& type, State& state, std::uint32_t bit, std::uint64_t density) {
    switch (type.kind) {
      case Kind::array:
        for (std::uint32_t k = 0; k < type.index->cardinality(); ++k) {
          fill(*type.element, state, bit + k * type.stride, density);
        }
        return;
      case Kind::record:
        for (const ir::Field& field : type.fields) fill(*field.type, state, bit + field.offset, density);
        return;
      case Kind::multiset:
        for (std::uint32_t slot = 0; slot < type.capacity; ++slot) {
          if (below(2) == 0) continue;
          fathom_set(state.data(), bit + slot * type.stride, 1, 1);
          fill(*type.element, state, bit + slot * type.stride + 1, density);
        }
        fathom_sort_slots(state.data(), bit, type.capacity, type.stride);
        return;
      default:
        if (below(100) < density) fathom_set(state.data(), bit, type.bits, 1 + below(type.cardinality()));
    }
  }

  State state(const Sample& sample) {
    State result = sample.state();
    const std::uint64_t density = one_of(std::vector<std::uint64_t>{10, 30, 60, 100});
    for (const ir::Variable& variable : sample.program.variables) {
      fill(*variable.type, result, variable.offset, density);
    }
    return result;
  }

 private:
  std::mt19937 engine_;
};

State canonical(Symmetry& symmetry, State state) {
  symmetry.canonicalise(state.data());
  return state;
}

// The form is in the orbit, and all of the orbit has it; so it is equal exactly within orbits.
void expect_canonical(const Sample& sample, const std::vector<const ir::Type*>& sets, const State& state,
                      Symmetry& symmetry) {
  std::set<State> orbit;
  for (const Renaming& renaming : all_renamings(sets)) orbit.insert(rename(sample.program, state, renaming));
  const State form = canonical(symmetry, state);
  ASSERT_TRUE(orbit.contains(form));
  for (const State& other : orbit) ASSERT_EQ(canonical(symmetry, other), form);
}

TEST(Symmetry, GivesAllStatesOfAnOrbitAndNoOthersTheSameForm) {
  for (unsigned seed = 0; seed < 400; ++seed) {
    Random random{seed};
    Sample sample;
    const std::vector<const ir::Type*> sets{sample.builder.scalarset(2 + random.below(3)),
                                            sample.builder.scalarset(2 + random.below(2))};
    std::vector<const ir::Type*> scalars = sets;
    scalars.push_back(sample.builder.enumeration({"red", "green"}));
    scalars.push_back(sample.builder.boolean());
    scalars.push_back(sample.builder.unite({scalars[2], sets[0]}));
    scalars.push_back(sample.builder.unite({sets[1], scalars[2], sets[0]}));
    for (std::uint64_t k = 1 + random.below(4); k > 0; --k) {
      const ir::Type* const type = random.type(sample, scalars, 3);
      if (type->bits <= 2000) sample.add(type);
    }
    Symmetry symmetry{sample.program, sets};
    for (int k = 0; k < 8; ++k) {
      SCOPED_TRACE("seed " + std::to_string(seed) + ", state " + std::to_string(k));
      expect_canonical(sample, sets, random.state(sample), symmetry);
      if (HasFatalFailure()) return;
    }
    EXPECT_EQ(symmetry.capped(), 0);
  }
}

// Relations between elements of one set are the hard case: graphs, here on six vertices.
TEST(Symmetry, TellsGraphsApartExactly) {
  for (unsigned seed = 0; seed < 30; ++seed) {
    Random random{seed};
    Sample sample;
    const std::vector<const ir::Type*> sets{sample.builder.scalarset(6)};
    sample.add(sample.builder.array(sets[0], sample.builder.array(sets[0], sample.builder.boolean())));
    Symmetry symmetry{sample.program, sets};
    expect_canonical(sample, sets, random.state(sample), symmetry);
  }
}

// The group of the Fano plane is 2-transitive: after one choice all other points still look alike, and it takes three
// choices to settle the rest.
TEST(Symmetry, SettlesAStructureThatRefinementCannotSplit) {
  constexpr std::uint32_t points = 7;
  Sample sample;
  const std::vector<const ir::Type*> sets{sample.builder.scalarset(points)};
  const ir::Type* const bit = sample.builder.boolean();
  sample.add(sample.builder.array(sets[0], sample.builder.array(sets[0], sample.builder.array(sets[0], bit))));
  State plane = sample.state();
  for (std::uint32_t k = 0; k < points; ++k) {
    std::vector<std::uint32_t> line{k, (k + 1) % points, (k + 3) % points};
    std::ranges::sort(line);
    do {
      const std::uint32_t cell = (line[0] * points + line[1]) * points + line[2];
      fathom_set(plane.data(), cell * bit->bits, bit->bits, 2);
    } while (std::ranges::next_permutation(line).found);
  }
  Symmetry symmetry{sample.program, sets};
  expect_canonical(sample, sets, plane, symmetry);
  EXPECT_EQ(symmetry.capped(), 0);
}

TEST(Symmetry, SeesFilledSlotsWithNothingDefinedInThem) {
  Sample sample;
  const std::vector<const ir::Type*> sets{sample.builder.scalarset(4), sample.builder.scalarset(3)};
  const ir::Type* const bag = sample.builder.multiset(1, sets[1]);
  const ir::Type* const row = sample.builder.array(sets[1], bag);
  sample.add(sample.builder.array(sets[0], row));
  State state = sample.state();
  for (const auto& [i, j] :
       std::vector<std::pair<std::uint32_t, std::uint32_t>>{{0, 1}, {0, 2}, {1, 0}, {1, 2}, {2, 0}}) {
    fathom_set(state.data(), i * row->bits + j * bag->bits, 1, 1);
  }
  Symmetry symmetry{sample.program, sets};
  expect_canonical(sample, sets, state, symmetry);
}

// A perfect matching has a large group that no transposition and no colour reveals.
TEST(Symmetry, UsesAutomorphismsToAvoidRepeatedWork) {
  constexpr std::uint32_t size = 20;
  Sample sample;
  const ir::Type* const set = sample.builder.scalarset(size);
  const ir::Type* const partners = sample.builder.array(set, set);
  sample.add(partners);
  Symmetry symmetry{sample.program, {set}};
  State expected;
  for (unsigned seed = 0; seed < 5; ++seed) {
    std::vector<std::uint32_t> who(size);
    std::iota(who.begin(), who.end(), 0);
    std::ranges::shuffle(who, std::mt19937{seed});
    State state = sample.state();
    for (std::uint32_t k = 0; k < size; ++k) {
      fathom_set(state.data(), who[k] * partners->stride, set->bits, 1 + who[k ^ 1]);
    }
    const State form = canonical(symmetry, state);
    if (seed == 0) expected = form;
    EXPECT_EQ(form, expected);
  }
  EXPECT_EQ(symmetry.capped(), 0);
}

TEST(Symmetry, StaysInTheOrbitWhenTheEffortIsBounded) {
  Random random{7};
  Sample sample;
  const std::vector<const ir::Type*> sets{sample.builder.scalarset(6)};
  sample.add(sample.builder.array(sets[0], sets[0]));
  Symmetry symmetry{sample.program, sets, 1};
  const ir::Type& next = *sample.program.variables[0].type;
  State ring = sample.state();
  for (std::uint32_t k = 0; k < 6; ++k) fathom_set(ring.data(), k * next.stride, sets[0]->bits, 1 + (k + 1) % 6);
  std::set<State> orbit;
  for (const Renaming& renaming : all_renamings(sets)) orbit.insert(rename(sample.program, ring, renaming));
  EXPECT_TRUE(orbit.contains(canonical(symmetry, ring)));
  EXPECT_EQ(symmetry.capped(), 1);
}

TEST(Symmetry, LeavesScalarsetsAloneThatAreNotPermuted) {
  Sample sample;
  const ir::Type* const fixed = sample.builder.scalarset(3);
  const ir::Type* const moved = sample.builder.scalarset(3);
  sample.add(fixed);
  sample.add(moved);
  Symmetry symmetry{sample.program, {moved}};
  State state = sample.state();
  fathom_set(state.data(), 0, fixed->bits, 3);
  fathom_set(state.data(), fixed->bits, moved->bits, 1);
  State other = state;
  fathom_set(other.data(), fixed->bits, moved->bits, 2);
  EXPECT_EQ(canonical(symmetry, state), canonical(symmetry, other));
  EXPECT_EQ(fathom_get(canonical(symmetry, state).data(), 0, fixed->bits), 3);
}

TEST(Symmetry, FindsTheScalarsetsOfAProgram) {
  Sample sample;
  const ir::Type* const pair = sample.builder.scalarset(2);
  sample.builder.scalarset(1);
  sample.builder.range(0, 3);
  EXPECT_EQ(scalarsets(sample.program), std::vector<const ir::Type*>{pair});
}

}  // namespace
}  // namespace fathom
