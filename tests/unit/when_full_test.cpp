// What a breadth-first search does when its memory is full, at random moments: the answer is that of a search with
// enough of it.
#include <gtest/gtest.h>

#include <deque>

#include "search/bfs.hpp"
#include "search/external_bfs.hpp"
#include "search/fingerprint_step.hpp"
#include "search/parallel_bfs.hpp"
#include "store/compression.hpp"
#include "store/inline_store.hpp"
#include "store/packed_fingerprints.hpp"
#include "toy_graph.hpp"

namespace fathom {
namespace {

constexpr std::uint64_t enough_memory = std::uint64_t{1} << 26;

// A graph whose states have most of their words in common, up to a node: the words are digits of its number. From that
// node on they have nothing in common.
class DigitModel {
 public:
  explicit DigitModel(const ToyGraph& graph, std::uint32_t alike_below = UINT32_MAX)
      : graph_(graph), alike_below_(alike_below) {}

  static std::uint32_t node_of(StateView state) {
    if (state[0] >= unlike) return static_cast<std::uint32_t>(state[0] - unlike);
    std::uint32_t node = 0;
    for (std::uint32_t w = 0; w < state.size() && w < digits; ++w)
      node |= static_cast<std::uint32_t>(state[w]) << 4 * w;
    return node;
  }

  [[nodiscard]] std::uint32_t state_words() const { return graph_.words; }
  void initial(Batch& out) {
    for (std::uint32_t k = 0; k < graph_.starts.size(); ++k) append(out, make_instance(0, k), graph_.starts[k], {});
  }
  void successors(StateView state, Batch& out) {
    const std::uint32_t node = node_of(state);
    for (std::uint32_t k = 0; k < graph_.successors_of[node].size(); ++k)
      append(out, make_instance(0, k), graph_.successors_of[node][k],
             graph_.faulty.contains({node, k}) ? Outcome{ir::SiteId{1}} : Outcome{});
  }
  void enabled(StateView state, Batch& out) {
    for (std::uint32_t k = 0; k < graph_.successors_of[node_of(state)].size(); ++k)
      out.push(make_instance(0, k), Outcome{}, 0);
  }
  Outcome apply(StateBuffer& top, InstanceId step, Undo&) {
    write(graph_.successors_of[node_of(top)][parameters_of(step)], top.data());
    return {};
  }
  void undo(StateBuffer&, const Undo&) {}
  void check(StateView state, StateCheck& findings) {
    const bool bad = graph_.bad.contains(node_of(state));
    findings.result = bad ? StateCheck::Result::violated : StateCheck::Result::fine;
    findings.violated.assign(1, bad ? 1 : 0);
  }
  ir::SiteId live(StateView, std::uint64_t*) { return ir::SiteId::none; }
  ir::SiteId atoms(StateView, std::uint32_t, AtomValues&) { return ir::SiteId::none; }
  void quiet(bool) {}

 private:
  static constexpr std::uint64_t unlike = std::uint64_t{1} << 32;
  static constexpr std::uint32_t digits = 5;

  void write(std::uint32_t node, std::uint64_t* state) const {
    for (std::uint32_t w = 0; w < graph_.words; ++w)
      if (node >= alike_below_)
        state[w] = w == 0 ? unlike + node : (node + 1) * (0x9e3779b97f4a7c15ULL + w);
      else
        state[w] = w + 1 < std::min(digits, graph_.words) ? node >> 4 * w & 15 : w < digits ? node >> 4 * w : 7;
  }
  void append(Batch& out, InstanceId instance, std::uint32_t node, Outcome outcome) {
    write(node, out.spare(graph_.words));
    out.push(instance, outcome, graph_.words);
  }

  const ToyGraph& graph_;
  const std::uint32_t alike_below_;
};

static_assert(Model<DigitModel>);

ToyGraph graph_with_faults(std::mt19937& random, std::uint32_t words, std::uint32_t nodes, double faults) {
  ToyGraph graph = random_graph(random, nodes, 2.5, words);
  for (auto some = static_cast<std::uint32_t>(faults * nodes); some > 0; --some) {
    graph.bad.insert(random() % nodes);
    const std::uint32_t node = random() % nodes;
    if (!graph.successors_of[node].empty()) graph.faulty.insert({node, 0});
  }
  return graph;
}

// Nodes are found in the order of their numbers.
ToyGraph graph_in_order(std::uint32_t words, std::uint32_t nodes) {
  ToyGraph graph;
  graph.words = words;
  graph.successors_of.resize(nodes);
  for (std::uint32_t k = 0; k < nodes; ++k)
    graph.successors_of[k] = {std::min(2 * k + 1, nodes - 1), std::min(2 * k + 2, nodes - 1), k / 3};
  graph.starts = {0};
  return graph;
}

SearchResult with_enough_memory(const ToyGraph& graph, const SearchOptions& options) {
  DigitModel model(graph);
  IndexedStore store(graph.words, enough_memory);
  return BreadthFirst(model, store, options).run();
}

std::unique_ptr<IndexedStore> filled(DigitModel& model, std::uint32_t words) {
  auto store = std::make_unique<IndexedStore>(words, enough_memory);
  static_cast<void>(BreadthFirst(model, *store, toy_options()).run());
  return store;
}

std::vector<StateBuffer> states_of(const auto& store) {
  std::vector<StateBuffer> states;
  for (std::uint64_t id = 0; id < store.size(); ++id) {
    const StateView state = store.state(StateId{id});
    states.emplace_back(state.begin(), state.end());
  }
  return states;
}

// At a level none of whose states are expanded.
LevelStanding standing_at(std::uint64_t level_begin, std::uint64_t level_end) {
  LevelStanding standing;
  standing.levels = {0};
  standing.level_begin = level_begin;
  standing.level_end = level_end;
  standing.rest = std::vector<IdRange>{{level_begin, level_end}};
  return standing;
}

// A search that takes the steps when it is told to, or when it is full.
class Degraded {
 public:
  Degraded(const ToyGraph& graph, SearchOptions options, unsigned threads, std::mt19937& random)
      : graph_(graph), options_(std::move(options)), random_(random), model_(graph) {
    options_.threads = threads;
  }

  SearchResult run(bool compresses, bool to_fingerprints) {
    auto full = std::make_unique<IndexedStore>(graph_.words, bytes_for_some());
    BreadthFirst first(model_, *full, options_);
    const std::uint64_t large = random_() % 2 == 0 ? UINT64_MAX : 1 + random_() % 300;
    if (!first.run_to_level_of(large) && !first.is_full()) return first.finish();
    LevelStanding standing = first.leave();
    if (random_() % 2 == 0)
      if (auto result = go_on(*full, standing)) return std::move(*result);
    if (!compresses) return fingerprinted(*full, std::move(standing));
    Compressed moved = compress(full, least_for_tree + bytes_for_some());
    EXPECT_EQ(moved.half, nullptr);
    if (moved.all == nullptr) return fingerprinted(*full, std::move(standing));
    ++compressed;
    if (auto result = go_on(*moved.all, standing)) return std::move(*result);
    if (to_fingerprints) return fingerprinted(*moved.all, std::move(standing));
    SearchResult result = std::move(standing.so_far);
    result.ending = Ending::memory_limit;
    return result;
  }

  int compressed = 0, reduced = 0;  // how often

 private:
  // A store has a table of 32768 slots at least, and there are five in a tree.
  static constexpr std::uint64_t least_for_tree = 5 << 18;
  std::uint64_t bytes_for_some() { return (1 << 18) + (200 + random_() % 4000) * graph_.words * sizeof(std::uint64_t); }

  ThreadParts<DigitModel> parts_of_another() { return {&models_.emplace_back(graph_), nullptr}; }

  // The result, if that is the end; otherwise where it stands when the store is full.
  template <class S>
  std::optional<SearchResult> go_on(S& store, LevelStanding& standing) {
    standing.so_far.ending = Ending::exhausted;
    ParallelBreadthFirst<DigitModel, S> search(model_, store, options_, std::move(standing),
                                               [this] { return parts_of_another(); });
    SearchResult result = search.run();
    if (result.ending != Ending::memory_limit) return result;
    standing = search.leave(std::move(result));
    return std::nullopt;
  }

  template <class Full>
  SearchResult fingerprinted(Full& full, LevelStanding standing) {
    const std::optional<std::uint64_t> bytes = fingerprint_bytes(full, standing, graph_.words, 1 << 24);
    EXPECT_TRUE(bytes);
    const auto store = FingerprintStep(full, standing, graph_.words, 1 << 24).take(*bytes);
    ++reduced;
    auto result = go_on(*store, standing);
    EXPECT_TRUE(result);
    return std::move(*result);
  }

  const ToyGraph& graph_;
  SearchOptions options_;
  std::mt19937& random_;
  DigitModel model_;
  std::deque<DigitModel> models_;
};

void expect_equal(const SearchResult& result, const SearchResult& expected, bool counts) {
  EXPECT_EQ(result.ending, expected.ending);
  ASSERT_EQ(result.first.has_value(), expected.first.has_value());
  if (result.first) {
    EXPECT_EQ(result.first->states.size(), expected.first->states.size());
    EXPECT_EQ(result.first->failing_step.has_value(), expected.first->failing_step.has_value());
  }
  if (!counts) return;
  EXPECT_EQ(result.statistics.states, expected.statistics.states);
  EXPECT_EQ(result.statistics.transitions, expected.statistics.transitions);
  EXPECT_EQ(result.statistics.depth, expected.statistics.depth);
  EXPECT_EQ(result.statistics.errors, expected.statistics.errors);
  EXPECT_EQ(result.fired, expected.fired);
  EXPECT_EQ(result.violations, expected.violations);
  EXPECT_EQ(result.faults, expected.faults);
  EXPECT_EQ(result.deadlocks, expected.deadlocks);
  EXPECT_EQ(result.scope.depth, expected.scope.depth);
}

// Parameters: words of a state, threads.
class WhenFull : public testing::TestWithParam<std::tuple<std::uint32_t, unsigned>> {
 protected:
  [[nodiscard]] static std::uint32_t words() { return std::get<0>(GetParam()); }

  void compare(const ToyGraph& graph, const SearchOptions& options, bool compresses, bool to_fingerprints) {
    Degraded search(graph, options, std::get<1>(GetParam()), random_);
    const SearchResult result = search.run(compresses, to_fingerprints);
    compressed_ += search.compressed;
    reduced_ += search.reduced;
    if (!to_fingerprints && result.ending == Ending::memory_limit) return;
    expect_equal(result, with_enough_memory(graph, options), options.max_errors > 1 || !result.first);
    EXPECT_TRUE(!result.first || is_path<DigitModel>(graph, result.first->states));
    EXPECT_EQ(result.exact, search.reduced == 0);
    EXPECT_LT(result.omission_probability, 1e-9);
  }

  void compare_all(const ToyGraph& graph, const SearchOptions& options) {
    compare(graph, options, true, false);
    compare(graph, options, true, true);
    compare(graph, options, false, true);
  }

  std::mt19937 random_{words()};
  int compressed_ = 0, reduced_ = 0;
};

TEST_P(WhenFull, CountsAreThoseOfASearchWithEnoughMemory) {
  for (int round = 0; round < 8; ++round) {
    const ToyGraph graph = graph_with_faults(random_, words(), 50 + random_() % 15000, round % 3 == 0 ? 0 : 0.01);
    SearchOptions options = toy_options();
    options.max_errors = UINT64_MAX;
    options.deadlock = round % 2 == 0 ? DeadlockMode::stuck : DeadlockMode::stuttering;
    compare_all(graph, options);
  }
  EXPECT_GT(compressed_, 3);
  EXPECT_GT(reduced_, 3);
}

TEST_P(WhenFull, TheFirstViolationHasATraceOfTheSameLength) {
  for (int round = 0; round < 12; ++round) {
    const ToyGraph graph = graph_with_faults(random_, words(), 5000 + random_() % 9000, 0.0003);
    SearchOptions options = toy_options();
    options.deadlock = round % 2 == 0 ? DeadlockMode::off : DeadlockMode::stuttering;
    options.deterministic = round % 3 == 0;
    compare_all(graph, options);
  }
}

TEST_P(WhenFull, ADepthBoundIsKept) {
  const ToyGraph graph = graph_with_faults(random_, words(), 12000, 0);
  SearchOptions options = toy_options();
  for (options.max_depth = 4; *options.max_depth < 20; ++*options.max_depth) compare_all(graph, options);
}

INSTANTIATE_TEST_SUITE_P(WordsAndThreads, WhenFull,
                         testing::Combine(testing::Values(5U, 7U, 9U), testing::Values(1U, 3U)));

// ---- States of one word: only fingerprints.

TEST(WhenFull, OneWordIsReducedToAFingerprint) {
  std::mt19937 random(11);
  for (int round = 0; round < 20; ++round) {
    const ToyGraph graph = graph_with_faults(random, 1, 10000, round % 2 == 0 ? 0 : 0.0003);
    ToyModel model(graph);
    InlineStore full((1 << 18) + (200 + random() % 4000) * sizeof(std::uint64_t));
    const SearchOptions options = toy_options();
    BreadthFirst first(model, full, options);
    ASSERT_FALSE(first.run_to_level_of(UINT64_MAX));
    SearchResult result;
    if (first.is_full()) {
      LevelStanding standing = first.leave();
      standing.so_far.ending = Ending::exhausted;
      const auto store = FingerprintStep(full, standing, 1, 1 << 22).take(1 << 20);
      result =
          ParallelBreadthFirst<ToyModel, PackedFingerprints>(model, *store, options, std::move(standing), {}).run();
      EXPECT_FALSE(result.exact);
    } else {
      result = first.finish();
    }
    InlineStore store(enough_memory);
    expect_equal(result, BreadthFirst(model, store, options).run(), !result.first);
  }
}

// Labels of levels begin again after 63 of them.
TEST(WhenFull, ARunThroughManyLevelsIsFoundAgain) {
  ToyGraph graph;
  graph.words = 5;
  graph.successors_of.resize(3000);
  for (std::uint32_t k = 0; k < graph.size(); ++k) graph.successors_of[k] = {k / 2, k, (k + 1) % graph.size()};
  for (std::uint32_t k = 62; k < graph.size(); k += 7) graph.successors_of[k].push_back(k - 62);
  graph.starts = {0};
  graph.bad = {2500};
  DigitModel model(graph);
  IndexedStore full(5, enough_memory);
  SearchOptions options = toy_options();
  options.max_depth = 1000;
  BreadthFirst first(model, full, options);
  ASSERT_FALSE(first.run_to_level_of(UINT64_MAX));
  LevelStanding standing = first.leave();
  standing.so_far.ending = Ending::exhausted;
  options.max_depth.reset();
  const auto store = FingerprintStep(full, standing, 5, 1 << 22).take(1 << 20);
  const SearchResult result =
      ParallelBreadthFirst<DigitModel, PackedFingerprints>(model, *store, options, std::move(standing), {}).run();
  ASSERT_TRUE(result.first);
  EXPECT_TRUE(is_path<DigitModel>(graph, result.first->states));
  EXPECT_EQ(DigitModel::node_of(result.first->states.back()), 2500U);
}

// ---- Moving states.

TEST(Compression, KeepsTheStatesAndTheirNumbers) {
  for (const std::uint32_t words : {3U, 5U, 9U, 12U}) {
    const ToyGraph graph = graph_in_order(words, 300'000);
    DigitModel model(graph);
    std::unique_ptr<IndexedStore> full = filled(model, words);
    const std::vector<StateBuffer> before = states_of(*full);
    const std::uint64_t bytes = full->bytes();
    const Compressed moved = compress(full, bytes);
    ASSERT_NE(moved.all, nullptr) << words;
    EXPECT_EQ(full, nullptr);
    EXPECT_EQ(states_of(*moved.all), before);
    EXPECT_LT(moved.all->bytes(), bytes);
    for (const StateBuffer& state : before) EXPECT_FALSE(moved.all->insert(state, moved.all->hash(state)).fresh);
  }
}

TEST(Compression, LeavesAStoreAsItIsThatWouldNotBecomeSmaller) {
  const ToyGraph graph = graph_in_order(4, 40000);
  DigitModel model(graph, 0);
  std::unique_ptr<IndexedStore> full = filled(model, 4);
  const std::vector<StateBuffer> before = states_of(*full);
  const Compressed moved = compress(full, full->bytes());
  EXPECT_EQ(moved.all, nullptr);
  EXPECT_EQ(moved.half, nullptr);
  EXPECT_EQ(states_of(*full), before);
  for (const StateBuffer& state : before) EXPECT_TRUE(full->contains(state, full->hash(state)));
  ASSERT_TRUE(full->reserve(1));
  EXPECT_TRUE(full->insert(StateBuffer{1, 2, 3, 4}, full->hash(StateBuffer{1, 2, 3, 4})).fresh);
}

// The first states are alike and the others are not, so that there is no room for all of them in the end.
class HalfWay : public testing::Test {
 protected:
  static constexpr std::uint32_t words = 6, nodes = 90000;

  const ToyGraph graph_ = graph_in_order(words, nodes);
  DigitModel model_{graph_, nodes / 2};
  std::unique_ptr<IndexedStore> full_ = filled(model_, words);
  const std::vector<StateBuffer> before_ = states_of(*full_);
  const Compressed moved_ = compress(full_, full_->bytes() - (1 << 20));
};

TEST_F(HalfWay, AllStatesAreStillThere) {
  ASSERT_NE(moved_.half, nullptr);
  EXPECT_EQ(states_of(*moved_.half), before_);
}

TEST_F(HalfWay, TheyCanBeTakenToADisk) {
  ASSERT_NE(moved_.half, nullptr);
  const SearchOptions options = toy_options();
  ExternalBreadthFirst<DigitModel, IndexedStore> search(model_, options, {testing::TempDir(), 1 << 22, 20000}, [] {
    return std::make_unique<IndexedStore>(words, std::uint64_t{1} << 22);
  });
  LevelStanding standing = standing_at(0, 1);
  standing.so_far = Recorder(options).result;
  ASSERT_TRUE(search.take_over(*moved_.half, std::move(standing)));
  EXPECT_EQ(search.run().statistics.states, nodes);
}

TEST_F(HalfWay, TheyCanBeReducedToFingerprints) {
  ASSERT_NE(moved_.half, nullptr);
  LevelStanding standing = standing_at(nodes / 4, nodes / 2);
  const auto store = FingerprintStep(*moved_.half, standing, words, enough_memory).take(1 << 22);
  EXPECT_EQ(store->size(), nodes);
  for (const StateBuffer& state : before_) EXPECT_FALSE(store->insert(state, store->hash(state)).fresh);
  for (std::uint32_t k = nodes / 4; k < nodes; ++k) {
    const bool is_next = k >= nodes / 2;
    const auto& array = is_next ? standing.next_frontier : standing.frontier;
    const std::uint64_t* const state = &array[(k - (is_next ? nodes / 2 : nodes / 4)) * words];
    ASSERT_EQ(StateBuffer(state, state + words), before_[k]);
  }
}

TEST(FingerprintStep, IsNotTakenWhereItWouldLeaveNoMoreRoom) {
  const ToyGraph graph = graph_in_order(9, 40000);
  DigitModel model(graph);
  const std::unique_ptr<IndexedStore> full = filled(model, 9);
  LevelStanding all_wait = standing_at(0, full->size());
  EXPECT_FALSE(fingerprint_bytes(*full, all_wait, 9, full->bytes()));
  LevelStanding few_wait = standing_at(38000, full->size());
  EXPECT_TRUE(fingerprint_bytes(*full, few_wait, 9, full->bytes()));
}

// ---- The table of fingerprints.

// So many that many find their line full.
TEST(PackedFingerprints, KnowAllThatWereTakenOverWithTheirLevels) {
  std::mt19937_64 random(7);
  PackedFingerprints store(PackedFingerprints::least_bytes);
  const std::uint64_t count = PackedFingerprints::capacity_of(store.bytes());
  const VirtualArray<Hash> fingerprints(count);
  const VirtualArray<std::uint8_t> levels(count);
  std::vector<std::pair<Hash, std::uint64_t>> all;
  for (std::uint64_t k = 0; k < count; ++k) {
    all.emplace_back(random(), random() % PackedFingerprints::distinct_levels);
    fingerprints[k] = all.back().first;
    levels[k] = static_cast<std::uint8_t>(all.back().second);
  }
  store.insert_all_known(fingerprints, levels, count);
  EXPECT_FALSE(store.overflowed());
  for (const auto& [hash, level] : all) {
    EXPECT_FALSE(store.insert({}, hash).fresh);
    EXPECT_FALSE(store.visit(hash, level + 1));
    EXPECT_TRUE(store.visit(hash, level));
  }
}

TEST(PackedFingerprints, AgreeWithASetUntilTheyAreFull) {
  std::mt19937_64 random(5);
  PackedFingerprints store(PackedFingerprints::least_bytes + 64 * 99);
  std::set<std::uint64_t> reference;
  while (store.reserve(1)) {
    const std::uint64_t word = random() % 80000;
    const StateBuffer state{word, ~word};
    EXPECT_EQ(store.insert(state, store.hash(state)).fresh, reference.insert(word).second);
  }
  EXPECT_EQ(store.size(), reference.size());
  EXPECT_GT(store.size(), 8 * (8192 + 99) / 10 * 9 - 10);
  EXPECT_FALSE(store.overflowed());
}

// Fingerprints that differ only in bits that their place in the table tells.
TEST(PackedFingerprints, AreKnownByAllTheirBits) {
  PackedFingerprints store(PackedFingerprints::least_bytes);
  std::uint64_t count = 0;
  for (std::uint64_t high = 0; high < 8192; ++high)
    for (const std::uint64_t low : {0, 1, 1 << 20}) EXPECT_EQ(index_of(store.insert({}, high << 51 | low).id), count++);
  for (std::uint64_t high = 0; high < 8192; ++high)
    for (const std::uint64_t low : {0, 1, 1 << 20}) EXPECT_FALSE(store.insert({}, high << 51 | low).fresh);
}

TEST(PackedFingerprints, SayWhenOneFoundNoPlace) {
  std::mt19937_64 random(6);
  PackedFingerprints store(PackedFingerprints::least_bytes);
  while (store.insert({}, random()).fresh) continue;
  EXPECT_GT(store.size(), PackedFingerprints::capacity_of(store.bytes()));
  EXPECT_LT(store.size(), store.bytes() / sizeof(Hash));
  EXPECT_TRUE(store.overflowed());
  EXPECT_FALSE(store.reserve(1));
}

TEST(PackedFingerprints, AreVisitedOnceAndAtTheirLevelOnly) {
  PackedFingerprints store(PackedFingerprints::least_bytes);
  store.set_level(300);
  for (std::uint64_t k = 0; k < 200; ++k) store.insert({}, k);
  EXPECT_FALSE(store.visit(17, 299));
  EXPECT_TRUE(store.visit(17, 300));
  EXPECT_FALSE(store.visit(17, 300));
  EXPECT_TRUE(store.visit(199, 300));
  EXPECT_FALSE(store.visit(200, 300));
  EXPECT_FALSE(store.insert({}, 17).fresh);
}

}  // namespace
}  // namespace fathom
