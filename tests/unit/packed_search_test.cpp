// Tables of quotients against sets, of states and of the roots of long ones, and a breadth-first search that changes to
// one at random moments against one that does not.
#include <gtest/gtest.h>

#include <algorithm>
#include <deque>
#include <numeric>
#include <set>
#include <tuple>

#include "field_states.hpp"
#include "search/bfs.hpp"
#include "search/origin_rows.hpp"
#include "search/packing.hpp"
#include "search/parallel_bfs.hpp"
#include "store/coded_store.hpp"
#include "store/inline_store.hpp"
#include "store/packed_tree.hpp"
#include "store/tree_store.hpp"
#include "toy_graph.hpp"

namespace fathom {
namespace {

constexpr std::uint64_t memory = std::uint64_t{1} << 28;
constexpr std::uint64_t little_memory = std::uint64_t{1} << 23;  // a table of 100,000 states becomes one of codes

// ---- The store.

StateBuffer random_state(std::mt19937_64& random, std::uint32_t bits) {
  StateBuffer state{random()};
  if (bits < 64) state[0] &= (std::uint64_t{1} << bits) - 1;
  if (bits > 64) state.push_back(random() >> (128 - bits));
  if (random() % 2 == 0) state[0] &= 0x3fff;  // nearly equal ones, and duplicates
  return state;
}

class Quotients : public testing::TestWithParam<std::uint32_t> {};

TEST_P(Quotients, AgreeWithASetWhileTheTableGrows) {
  for (const std::uint64_t limit : {memory, memory / 64}) {  // lines stay emptier where there is plenty
    std::mt19937_64 random(GetParam());
    QuotientStore store(GetParam(), limit, true);
    std::set<StateBuffer> reference;
    for (int k = 0; k < 60'000; ++k) {
      const StateBuffer state = random_state(random, GetParam());
      ASSERT_TRUE(store.reserve(1));
      ASSERT_EQ(store.insert(state, store.hash(state)).fresh, reference.insert(state).second);
    }
    EXPECT_EQ(store.size(), reference.size());
    for (const StateBuffer& state : reference) ASSERT_FALSE(store.insert(state, store.hash(state)).fresh);
  }
}

// All threads insert the same states, in the same order, so that they meet; they grow the table together.
TEST_P(Quotients, OneOfSeveralThreadsFindsEachState) {
  Team team(4);
  QuotientStore store(GetParam(), memory / 64, false);
  std::set<StateBuffer> reference;
  std::mt19937_64 random(GetParam());
  for (int round = 0; round < 8; ++round) {
    std::vector<StateBuffer> states(6'000);
    for (StateBuffer& state : states) state = random_state(random, GetParam());
    ASSERT_TRUE(store.reserve(states.size(), &team));
    std::atomic<std::uint64_t> fresh = 0;
    team.run([&](unsigned) {
      for (const StateBuffer& state : states)
        if (store.insert(state, store.hash(state), [] { return std::uint64_t{0}; }).fresh) ++fresh;
    });
    const std::uint64_t before = reference.size();
    reference.insert(states.begin(), states.end());
    ASSERT_EQ(fresh, reference.size() - before);
    store.set_size(reference.size());
  }
}

INSTANTIATE_TEST_SUITE_P(Bits, Quotients,
                         testing::Values(1U, 17U, 40U, 41U, 52U, 63U, 64U, 65U, 75U, 85U, 86U, 112U, 128U));

TEST(QuotientStore, SaysWhenItsMemoryIsFull) {
  QuotientStore store(60, 1 << 20, true);
  std::uint64_t count = 0;
  for (; store.reserve(1); ++count) {
    const StateBuffer state{count * 0x9e3779b97f4a7c15 >> 4};
    ASSERT_TRUE(store.insert(state, store.hash(state)).fresh);
  }
  EXPECT_LE(store.bytes(), 1 << 20);
  EXPECT_GT(count, (1 << 20) / 14);  // of 7 or 8 bytes each
}

// Entries of every width stand side by side, and those of the same tag are told apart.
TEST(QuotientLine, KeepsItsEntriesApart) {
  std::mt19937_64 random(1);
  for (std::uint32_t round = 0; round < 4 * 64; ++round) {
    const std::uint32_t bits = 1 + round % 64, more = round < 64 ? 0 : 1 + random() % 64;
    const QuotientLine format(bits, more);
    std::vector<QuotientLine::Byte> line(3 * QuotientLine::bytes, 0);
    QuotientLine::Byte* const middle = line.data() + QuotientLine::bytes;
    std::vector<QuotientLine::Entry> entries;
    for (std::uint32_t k = 0; k < format.entries(); ++k) {
      entries.push_back({static_cast<std::uint8_t>(random() % 2), random() >> (64 - bits)});
      if (k % 3 == 0) entries.back().rest = ~std::uint64_t{0} >> (64 - bits);
      if (more > 0) entries.back().more = random() >> (64 - more);
      const auto is_there = [&](const QuotientLine::Entry& other) {
        return other.tag == entries[k].tag && other.rest == entries[k].rest && other.more == entries[k].more;
      };
      ASSERT_EQ(format.has(middle, k, entries[k]), std::any_of(entries.begin(), entries.end() - 1, is_there));
      format.write(middle, k, entries[k]);
      std::vector<QuotientLine::Byte> at_once(QuotientLine::bytes, 0);
      format.write_first(at_once.data(), entries.data(), k + 1);
      ASSERT_EQ(at_once[0], k + 1);
      ASSERT_TRUE(std::equal(at_once.begin() + 1, at_once.end(), middle + 1));
      for (std::uint32_t j = 0; j <= k; ++j) {
        ASSERT_EQ(format.at(middle, j).tag, entries[j].tag);
        ASSERT_EQ(format.at(middle, j).rest, entries[j].rest);
        ASSERT_EQ(format.at(middle, j).more, entries[j].more);
        ASSERT_TRUE(format.has(middle, k + 1, entries[j]));
      }
    }
    if (more == 0) {
      EXPECT_GE(format.entries() * (8 + (bits > 57 ? 64 : bits)), std::min(format.entries(), 31U) == 31U ? 0U : 432U);
    }
    EXPECT_GE(format.entries(), 3U);
    EXPECT_EQ(std::count(line.begin(), line.begin() + QuotientLine::bytes, 0), QuotientLine::bytes);
    EXPECT_EQ(std::count(line.end() - QuotientLine::bytes, line.end(), 0), QuotientLine::bytes);
    EXPECT_EQ(middle[0], 0);
  }
}

// A word is told by its line and its entry, in tables of every size and for words at both ends of the lines.
TEST(QuotientShape, AWordIsFoundAgainInEverySize) {
  std::mt19937_64 random(1);
  for (const QuotientShape::Bits bits :
       {QuotientShape::Bits{40, 0}, {41, 3}, {52, 0}, {63, 0}, {64, 0}, {64, 21}, {64, 22}, {64, 64}})
    for (QuotientShape shape = QuotientShape::smallest(bits); shape.lines() < (1 << 20) && !shape.is_largest();
         shape = shape.larger(1)) {
      for (int k = 0; k < 200; ++k) {
        std::uint64_t word = random();
        if (k % 2 == 0) word = shape.first_of(1 + random() % (shape.lines() - 1)) - (k % 4 == 0 ? 1 : 0);
        const Hash mixed = word >> (64 - bits.mixed) << (64 - bits.mixed);
        const std::uint64_t beyond = bits.beyond == 0 ? 0 : random() >> (64 - bits.beyond);
        const std::uint64_t home = shape.line_of(mixed);
        ASSERT_LT(home, shape.lines());
        QuotientShape::Entry entry = shape.entry_of(mixed, beyond);
        for (std::uint64_t tries = 0; tries < QuotientShape::places; ++tries, entry.rest += shape.one_more_try()) {
          const std::uint64_t line = QuotientShape::place(home, tries, entry.tag);
          ASSERT_EQ(shape.home_of(line, entry), home);
          const QuotientShape::Word again = shape.word_of(shape.first_of(home), entry);
          ASSERT_EQ(again.mixed, mixed);
          ASSERT_EQ(again.beyond, beyond);
        }
      }
    }
}

// An entry of a table that has got bits since says the same, whether or not there is room for them in its rest.
TEST(QuotientShape, BitsBeyondMayComeLater) {
  std::mt19937_64 random(1);
  for (const std::uint32_t mixed : {30U, 45U, 60U, 63U, 64U})
    for (std::uint32_t before = 0; before <= 64; before += 3)
      for (std::uint32_t now = before; now <= 64; ++now) {
        const QuotientShape old = QuotientShape::smallest({mixed, 0}).with_beyond(before), shape = old.with_beyond(now);
        const Hash word = random() >> (64 - mixed) << (64 - mixed);
        const std::uint64_t beyond = before == 0 ? 0 : random() >> (64 - before), home = shape.line_of(word);
        const std::uint64_t tries = random() % QuotientShape::places;
        QuotientShape::Entry entry = old.entry_of(word, beyond);
        entry.rest += tries * old.one_more_try();
        const QuotientShape::Entry later = shape.widened(entry, old);
        ASSERT_EQ(shape.home_of(QuotientShape::place(home, tries, entry.tag), later), home);
        ASSERT_EQ(shape.word_of(shape.first_of(home), later).mixed, word) << mixed << ' ' << before << ' ' << now;
        ASSERT_EQ(shape.word_of(shape.first_of(home), later).beyond, beyond) << mixed << ' ' << before << ' ' << now;
      }
}

// Pairs of words whose second one gets more bits now and then.
TEST(QuotientStore, PairsMayBecomeWider) {
  for (const bool several : {false, true})
    for (const std::uint64_t limit : {memory, memory / 64}) {
      Team team(3);
      std::mt19937_64 random(7);
      QuotientStore store(QuotientShape::Bits{limit == memory ? 40U : 63U, 0}, limit, !several);
      std::set<StateBuffer> reference;
      for (std::uint32_t beyond = 0; beyond <= 64; beyond += 2)
        for (int k = 0; k < 4'000; ++k) {
          const StateBuffer pair{random() >> (random() % 2 == 0 ? 24 : 54),
                                 random() % 4 == 0 && beyond > 0 ? random() >> (64 - beyond) : 0};
          ASSERT_TRUE(store.reserve(1, beyond, several ? &team : nullptr));
          ASSERT_EQ(store.insert(pair, store.hash(pair)).fresh, reference.insert(pair).second);
        }
      EXPECT_EQ(store.size(), reference.size());
      EXPECT_EQ(store.beyond_bits(), 64U);
      for (const StateBuffer& pair : reference) ASSERT_FALSE(store.insert(pair, store.hash(pair)).fresh);
    }
}

// ---- Codes; state_code_test.cpp has the rest.

// All threads insert the same states, in the same order, so that they meet, also when they learn a value.
TEST(CodedStore, OneOfSeveralThreadsFindsEachState) {
  constexpr std::uint32_t bits = 100;
  Team team(4);
  CodedStore store(bits, memory / 16, false, true);
  std::set<StateBuffer> reference;
  std::mt19937_64 random(bits);
  for (std::uint64_t round = 0; round < 16; ++round) {
    std::vector<StateBuffer> states(10'000);
    for (StateBuffer& state : states) state = some_state(random, bits, 4 + round);
    ASSERT_TRUE(store.reserve(states.size(), &team));
    std::atomic<std::uint64_t> fresh = 0;
    team.run([&](unsigned) {
      for (const StateBuffer& state : states)
        if (store.insert(state, store.hash(state), [] { return std::uint64_t{0}; }).fresh) ++fresh;
    });
    const std::uint64_t before = reference.size();
    reference.insert(states.begin(), states.end());
    ASSERT_EQ(fresh, reference.size() - before);
    store.set_size(reference.size());
  }
  EXPECT_TRUE(store.has_code());
}

// ---- Long states.

// Parts that occur again and again, with more and more of them, so that roots become wider.
StateBuffer long_state(std::mt19937_64& random, std::uint32_t words, std::uint64_t variety) {
  StateBuffer state(words);
  for (std::uint64_t& word : state) word = random() % variety * 0x9e3779b97f4a7c15;
  return state;
}

StateArrangement shuffled(std::uint32_t words) {
  std::vector<std::uint32_t> places(words * StateArrangement::word_bytes);
  std::iota(places.begin(), places.end(), 0U);
  std::ranges::shuffle(places, std::mt19937_64(words));
  return StateArrangement(places);
}

// With states of so many words, as they are and arranged.
class PackedTrees : public testing::TestWithParam<std::tuple<std::uint32_t, bool>> {
 protected:
  const std::uint32_t words = std::get<0>(GetParam());
  const StateArrangement arrangement = std::get<1>(GetParam()) ? shuffled(words) : StateArrangement(words);
};

TEST_P(PackedTrees, AgreeWithASetWhileTheyGrow) {
  std::mt19937_64 random(words);
  PackedTree store(StateTree(arrangement, memory), memory, true);
  std::set<StateBuffer> reference;
  std::vector<std::pair<StateBuffer, Hash>> kept;
  for (int k = 0; k < 60'000; ++k) {
    const StateBuffer state = long_state(random, words, 2 + k / 1000);
    ASSERT_TRUE(store.reserve(1));
    ASSERT_GT(store.room(), 0U);
    const Hash root = store.hash(state);
    ASSERT_EQ(store.insert(state, root).fresh, reference.insert(state).second);
    if (k % 50 == 0) kept.emplace_back(state, root);
  }
  EXPECT_EQ(store.size(), reference.size());
  for (const auto& [state, root] : kept) {
    EXPECT_TRUE(std::ranges::equal(store.state_at(StateId{root % 1000}, &root), state));
    EXPECT_FALSE(store.insert(state, root).fresh);
  }
}

// As for short states; each thread has a view of the store, and hashes states in groups.
TEST_P(PackedTrees, OneOfSeveralThreadsFindsEachState) {
  Team team(4);
  PackedTree store(StateTree(arrangement, memory), memory, false);
  std::vector<std::unique_ptr<PackedTree>> views;
  for (unsigned k = 0; k < team.size(); ++k) views.push_back(store.for_another_thread());
  std::set<StateBuffer> reference;
  std::mt19937_64 random(words);
  for (int round = 0; round < 8; ++round) {
    std::vector<StateBuffer> states(4'000);
    for (StateBuffer& state : states) state = long_state(random, words, 2 + 8 * round);
    ASSERT_TRUE(store.reserve(states.size(), &team));
    std::atomic<std::uint64_t> fresh = 0;
    team.run([&](unsigned k) {
      std::vector<Hash> roots(50);
      for (std::size_t first = 0; first < states.size(); first += roots.size()) {
        for (std::size_t j = 0; j < roots.size(); ++j) views[k]->add(states[first + j]);
        views[k]->hash_added(roots.data());
        for (const Hash root : roots)
          if (views[k]->insert({}, root, [] { return std::uint64_t{0}; }).fresh) ++fresh;
      }
    });
    const std::uint64_t before = reference.size();
    reference.insert(states.begin(), states.end());
    ASSERT_EQ(fresh, reference.size() - before);
    store.set_size(reference.size());
  }
}

INSTANTIATE_TEST_SUITE_P(Words, PackedTrees,
                         testing::Combine(testing::Values(3U, 4U, 7U, 10U, 12U, 33U), testing::Bool()));

TEST(PackedTree, SaysWhenItsMemoryIsFull) {
  std::mt19937_64 random(1);
  PackedTree store(StateTree(10, 16 << 20), 16 << 20, true);
  for (; store.room() > 0 || store.reserve(1);) {
    const StateBuffer state = long_state(random, 10, 1000);
    ASSERT_TRUE(store.insert(state, store.hash(state)).fresh);
  }
  EXPECT_LE(store.bytes(), 16 << 20);
  EXPECT_GT(store.size(), 10'000U);
}

// In a tree of the states as they are there are as many nodes as states.
TEST(Packing, ArrangesStatesThatDifferInOneWord) {
  constexpr std::uint64_t states = 40'000;
  const auto state = [](std::uint64_t k) { return StateBuffer{7, 7, 7, k * 3, 7, 7, k % 4, 7, 7, 7}; };
  TreeStore full(10, memory);
  for (std::uint64_t k = 0; k < states; ++k) {
    ASSERT_TRUE(full.reserve(1));
    full.insert({}, full.hash(state(k)));
  }
  LevelStanding standing;
  standing.level_begin = states - 1;
  standing.level_end = states;
  const auto store = packed(full, standing, {640}, memory, 1);
  ASSERT_NE(store, nullptr);
  EXPECT_LT(store->bytes() * 2, full.bytes());
  EXPECT_EQ(store->size(), states);
  for (std::uint64_t k = 0; k < states; ++k)
    ASSERT_FALSE(store->insert({}, store->hash(state(k)), [] { return std::uint64_t{0}; }).fresh);
  const OriginRows rows(store->key_bits());
  const auto key = rows.key(reinterpret_cast<const OriginRows::Byte*>(standing.frontier.data()), 0);
  EXPECT_TRUE(std::ranges::equal(store->state_at(StateId{0}, key.data()), state(states - 1)));
}

// A store that was to be packed, and was not, goes on as before.
TEST(Packing, GivesATableBack) {
  InlineStore inline_store(memory);
  IndexedStore indexed(1, memory);
  const auto fill = [](auto& store) {
    for (std::uint64_t k = 0; k < 50'000; ++k) {
      const StateBuffer state{k * 3};
      ASSERT_TRUE(store.reserve(1));
      ASSERT_TRUE(store.insert(state, store.hash(state)).fresh);
    }
  };
  const auto is_as_before = [](auto& store) {
    store.give_up_table();
    store.restore_table();
    for (std::uint64_t k = 0; k < 60'000; ++k) {
      const StateBuffer state{k * 3};
      ASSERT_TRUE(store.reserve(1));
      ASSERT_EQ(store.insert(state, store.hash(state)).fresh, k >= 50'000);
    }
    EXPECT_EQ(store.size(), 60'000U);
  };
  fill(inline_store);
  fill(indexed);
  is_as_before(inline_store);
  is_as_before(indexed);
}

// States that have little in common stay as they are.
TEST(Packing, SaysWhetherATreePays) {
  std::mt19937_64 random(1);
  for (const bool are_alike : {true, false}) {
    IndexedStore store(5, memory);
    for (int k = 0; k < 40'000; ++k) {
      const StateBuffer state = long_state(random, 5, are_alike ? 12 : ~std::uint64_t{0});
      ASSERT_TRUE(store.reserve(1));
      store.insert(state, store.hash(state));
    }
    EXPECT_EQ(pays_as_tree(store, memory), are_alike);
  }
}

// ---- What waits.

TEST(OriginRows, KeepKeysOfEveryLength) {
  std::mt19937_64 random(1);
  for (std::uint32_t bits = 1; bits <= 300; ++bits) {
    const OriginRows rows(bits);
    std::vector<OriginRows::Byte> bytes(50 * rows.bytes() + 1, 0xa5);
    std::vector<std::pair<OriginRows::Key, std::uint64_t>> kept;
    for (std::uint64_t k = 0; k < 50; ++k) {
      OriginRows::Key key = rows.empty_key();
      for (std::uint32_t bit = 0; bit < bits; ++bit) key[bit / 64] |= (random() & 1) << bit % 64;
      kept.emplace_back(key, random() % OriginRows::most_origins);
    }
    for (const bool backwards : {false, true})
      for (std::uint64_t j = 0; j < 50; ++j) {
        const std::uint64_t k = backwards ? 49 - j : j;
        rows.write(bytes.data(), k, kept[k].first.data(), kept[k].second);
      }
    for (std::uint64_t k = 0; k < 50; ++k) {
      EXPECT_EQ(rows.key(bytes.data(), k), kept[k].first) << bits;
      EXPECT_EQ(rows.origin(bytes.data(), k), kept[k].second) << bits;
    }
    EXPECT_EQ(bytes.back(), 0xa5);
  }
}

// ---- The search.

// Long, with shortcuts back: every level is small, so that there are many milestones.
ToyGraph long_graph(std::mt19937& random, std::uint32_t nodes) {
  ToyGraph graph;
  graph.successors_of.resize(nodes);
  for (std::uint32_t k = 0; k < nodes; ++k) {
    graph.successors_of[k] = {std::min(k + 1 + static_cast<std::uint32_t>(random() % 3), nodes - 1), k / 2};
    if (random() % 2 == 0) graph.successors_of[k].push_back(std::min(k + 1, nodes - 1));
  }
  graph.starts = {0};
  return graph;
}

std::uint64_t memory_for(ShortStates kind) {
  return kind.small ? little_memory : memory;
}

// Searches that are ended now and then, saved, and gone on with by others, with a store of their own.
class Pieces {
 public:
  explicit Pieces(unsigned threads)
      : file_(testing::TempDir() + "packed_search_" + std::to_string(threads)), random_(threads) {}
  ~Pieces() { std::filesystem::remove(file_); }
  Pieces(const Pieces&) = delete;
  Pieces& operator=(const Pieces&) = delete;

  int count = 0;

  // `kind` as for packed().
  template <class Packed>
  SearchResult run(ToyModel& model, std::unique_ptr<Packed> store, const SearchOptions& options, LevelStanding standing,
                   const std::function<ThreadParts<ToyModel>()>& more, ShortStates kind) {
    using Search = ParallelBreadthFirst<ToyModel, Packed>;
    bool saved = false;
    SearchOptions ended = options;
    ended.tick = [&](const Progress&) { return !saved; };
    auto search = std::make_unique<Search>(model, *store, ended, std::move(standing), more);
    for (;;) {
      saved = false;
      search->save_due = [&saved, left = random_() % 12]() mutable { return !saved && left-- == 0; };
      search->save = [&] {
        SealedWriter out(file_, checkpoint_kind);
        search->write(out);
        out.commit();
        saved = true;
      };
      SearchResult result = search->run();
      if (!saved || result.ending != Ending::time_or_user) return result;
      ++count;
      search.reset();
      SealedReader in(file_, checkpoint_kind);
      LevelStanding read = load_standing(options.shape, in);
      store = loaded<Packed>(in, kind, options.threads <= 1);
      search = std::make_unique<Search>(model, *store, ended, std::move(read), more);
      EXPECT_TRUE(search->read(in));
      in.expect_end();
    }
  }

 private:
  template <class Packed>
  static std::unique_ptr<Packed> loaded(SealedReader& in, ShortStates kind, bool alone) {
    if constexpr (std::is_same_v<Packed, PackedTree>) {
      return PackedTree::loaded(in, memory, alone);
    } else {
      auto store = [&] {
        if constexpr (std::is_same_v<Packed, FingerprintTable>)
          return std::make_unique<Packed>(kind.bits / 64, memory, alone);
        else
          return std::make_unique<Packed>(kind.bits, memory_for(kind), alone, kind.small);
      }();
      return store->load(in) ? std::move(store) : nullptr;
    }
  }

  const std::filesystem::path file_;
  std::mt19937 random_;
};

// Packed before a level at which there are so many states; by one thread or several before and behind that.
template <class Full>
SearchResult packed_search(const ToyGraph& graph, Full&& full, const SearchOptions& options, std::uint64_t states,
                           bool is_parallel, ShortStates kind = {20}, Pieces* pieces = nullptr) {
  using Store = std::remove_cvref_t<Full>;
  ToyModel model(graph);
  std::deque<ToyModel> models;
  const auto more = [&] { return ThreadParts<ToyModel>{&models.emplace_back(graph), nullptr}; };
  BreadthFirst first(model, full, options);
  if (!first.run_to_level_of(is_parallel ? 1 + states / 2 : UINT64_MAX, states)) return first.finish();
  LevelStanding standing = first.leave();
  if (full.size() < states) {
    ParallelBreadthFirst<ToyModel, Store> second(model, full, options, std::move(standing), more);
    second.most_states = states;
    SearchResult result = second.run();
    if (!second.is_to_go_on()) return result;
    standing = second.leave(std::move(result));
  }
  auto store = [&] {
    if constexpr (std::is_same_v<Store, IndexedStore>)
      return packed_as_tree(full, standing, memory, options.threads);
    else if constexpr (std::is_same_v<Store, FingerprintStore>)
      return packed_fingerprints(full, standing, graph.words, memory, options.threads);
    else
      return packed(full, standing, kind, memory_for(kind), options.threads);
  }();
  if (pieces != nullptr) return pieces->run(model, std::move(store), options, std::move(standing), more, kind);
  using Packed = std::remove_cvref_t<decltype(*store)>;
  SearchResult result = ParallelBreadthFirst<ToyModel, Packed>(model, *store, options, std::move(standing), more).run();
  if constexpr (std::is_same_v<Packed, CodedStore>) {
    EXPECT_EQ(store->has_code(), kind.small);
  }
  return result;
}

class PackedSearch : public testing::TestWithParam<unsigned> {
 protected:
  // The same with short states, with those that become a tree when they are packed, and with long ones.
  void compare(ToyGraph graph, SearchOptions options) {
    ToyModel model(graph);
    InlineStore store(memory);
    const SearchResult expected = BreadthFirst(model, store, options).run();
    options.threads = GetParam();
    compare(graph, options, expected,
            packed_search(graph, InlineStore(memory), options, 1 + random_() % graph.size(), random_() % 2 == 0));
    graph.words = 5;
    compare(graph, options, expected,
            packed_search(graph, IndexedStore(5, memory), options, 1 + random_() % graph.size(), random_() % 2 == 0));
    graph.words = 10;
    compare(graph, options, expected,
            packed_search(graph, TreeStore(10, memory), options, 1 + random_() % graph.size(), random_() % 2 == 0));
    graph.words = 1 + random_() % 10;
    compare(graph, options, expected,
            packed_search(graph, FingerprintStore(memory), options, 1 + random_() % graph.size(), random_() % 2 == 0),
            false);
  }

  static void compare(const ToyGraph& graph, const SearchOptions& options, const SearchResult& expected,
                      const SearchResult& result, bool is_exact = true) {
    EXPECT_EQ(result.exact, is_exact);
    EXPECT_EQ(result.ending, expected.ending);
    ASSERT_EQ(result.first.has_value(), expected.first.has_value());
    if (result.first) {
      EXPECT_EQ(result.first->states.size(), expected.first->states.size());
      EXPECT_EQ(result.first->failing_step.has_value(), expected.first->failing_step.has_value());
      EXPECT_TRUE(is_path(graph, result.first->states));
      EXPECT_EQ(result.first->shortest, is_exact);
    }
    if (options.max_errors == 1 && result.first) return;
    EXPECT_EQ(result.statistics.states, expected.statistics.states);
    EXPECT_EQ(result.statistics.transitions, expected.statistics.transitions);
    EXPECT_EQ(result.statistics.depth, expected.statistics.depth);
    EXPECT_EQ(result.statistics.errors, expected.statistics.errors);
    EXPECT_EQ(result.fired, expected.fired);
    EXPECT_EQ(result.violations, expected.violations);
    EXPECT_EQ(result.scope.depth, expected.scope.depth);
  }

  ToyGraph some_graph(int round, double faults) {
    const std::uint32_t nodes = 50 + random_() % 9000;
    ToyGraph graph = round % 2 == 0 ? random_graph(random_, nodes, 2.5) : long_graph(random_, nodes);
    for (auto some = static_cast<std::uint32_t>(faults * nodes); some > 0; --some) {
      graph.bad.insert(random_() % nodes);
      const std::uint32_t node = random_() % nodes;
      if (!graph.successors_of[node].empty()) graph.faulty.insert({node, 0});
    }
    return graph;
  }

  std::mt19937 random_{GetParam()};
};

// States whose table becomes one of codes on the way.
TEST_P(PackedSearch, CountsAreTheSameWithCodes) {
  for (int round = 0; round < 3; ++round) {
    const std::uint32_t nodes = 80'000 + random_() % 80'000;
    ToyGraph graph = random_graph(random_, nodes, 2.5);
    if (round > 0) graph.bad.insert(random_() % nodes);
    SearchOptions options = toy_options();
    options.max_errors = UINT64_MAX;
    ToyModel model(graph);
    InlineStore store(memory);
    const SearchResult expected = BreadthFirst(model, store, options).run();
    options.threads = GetParam();
    compare(graph, options, expected,
            packed_search(graph, InlineStore(memory), options, 1000, round % 2 == 0, {60, true}));
  }
}

TEST_P(PackedSearch, CountsAreTheSame) {
  for (int round = 0; round < 24; ++round) {
    const ToyGraph graph = some_graph(round, round % 3 == 0 ? 0 : 0.01);
    SearchOptions options = toy_options();
    options.max_errors = UINT64_MAX;
    options.deadlock = round % 4 < 2 ? DeadlockMode::stuck : DeadlockMode::stuttering;
    compare(graph, options);
  }
}

// Also while a level is expanded, when a violation is known that will be shown at the end, and with codes.
TEST_P(PackedSearch, ASearchThatIsSavedAndResumedIsThatOfOneGo) {
  Pieces pieces(GetParam());
  for (int round = 0; round < 6; ++round) {
    const std::uint32_t nodes = (round % 2 == 0 ? 50'000 : 5'000) + random_() % 3'000;
    ToyGraph graph = round % 2 == 0 ? random_graph(random_, nodes, 2.5) : long_graph(random_, nodes);
    for (int k = 0; k < round / 2; ++k) graph.bad.insert(random_() % nodes);
    SearchOptions options = toy_options();
    options.max_errors = UINT64_MAX;
    ToyModel model(graph);
    InlineStore store(memory);
    const SearchResult expected = BreadthFirst(model, store, options).run();
    options.threads = GetParam();
    const auto is_as_expected = [&](auto full, ShortStates kind) {
      const bool is_exact = decltype(full)::exact;
      compare(graph, options, expected, packed_search(graph, std::move(full), options, 1000, true, kind, &pieces),
              is_exact);
    };
    is_as_expected(InlineStore(memory), {20});
    is_as_expected(InlineStore(memory), {60, true});
    graph.words = 10;
    is_as_expected(TreeStore(10, memory), {640});
    graph.words = 5;
    is_as_expected(IndexedStore(5, memory), {320});
    is_as_expected(FingerprintStore(memory), {320});
  }
  // Of several threads the others may leave nothing to the first.
  if (GetParam() == 1) {
    EXPECT_GT(pieces.count, 40);
  }
}

TEST_P(PackedSearch, TheFirstViolationHasAShortestTrace) {
  for (int round = 0; round < 40; ++round) {
    const ToyGraph graph = some_graph(round, 0.0003);
    SearchOptions options = toy_options();
    options.deadlock = round % 4 < 2 ? DeadlockMode::off : DeadlockMode::stuttering;
    compare(graph, options);
  }
}

TEST_P(PackedSearch, ADepthBoundIsKept) {
  const ToyGraph graph = some_graph(1, 0);
  SearchOptions options = toy_options();
  for (options.max_depth = 4; *options.max_depth < 2000; *options.max_depth *= 3) compare(graph, options);
}

INSTANTIATE_TEST_SUITE_P(Threads, PackedSearch, testing::Values(1U, 3U));

}  // namespace
}  // namespace fathom
