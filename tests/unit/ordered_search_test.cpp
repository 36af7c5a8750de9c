// Searches that prepare a level with several threads and take it in order: nothing may depend on how many there are.
#include <gtest/gtest.h>

#include <deque>
#include <stdexcept>

#include "search/biased_bfs.hpp"
#include "search/highway.hpp"
#include "store/fingerprint_store.hpp"
#include "store/indexed_store.hpp"
#include "store/inline_store.hpp"
#include "toy_graph.hpp"

namespace fathom {
namespace {

constexpr std::uint64_t memory = std::uint64_t{1} << 28;

// ---- The row itself.

struct Numbers {
  std::vector<std::uint64_t> all;
  void clear() { all.clear(); }
  [[nodiscard]] std::uint64_t work() const { return all.size(); }
  [[nodiscard]] std::uint64_t bytes() const { return all.size() * sizeof(std::uint64_t); }
};

// Every item is as much work as its weight.
std::uint64_t prepare_numbers(IdRange items, std::uint64_t most, std::uint64_t weight, Numbers& numbers) {
  for (; !items.empty() && numbers.all.size() < most; ++items.first)
    numbers.all.insert(numbers.all.end(), weight, items.first);
  return items.first;
}

TEST(OrderedPortions, AreTakenInTheOrderOfTheRowAndEachOnce) {
  OrderedPortions<Numbers> portions;
  for (const unsigned threads : {1U, 2U, 3U, 8U}) {
    Team team(threads);
    for (const std::uint64_t weight : {std::uint64_t{1}, std::uint64_t{7}, std::uint64_t{5000}, std::uint64_t{1}})
      for (const std::uint64_t count : {3000U, 100U, 2U, 1U, 0U}) {
        std::uint64_t next = 5, longest = 0;
        portions.run(
            team, {5, 5 + count},
            [&](unsigned, IdRange items, std::uint64_t most, Numbers& numbers) {
              return prepare_numbers(items, most, weight, numbers);
            },
            [&](Numbers& numbers) {
              longest = std::max<std::uint64_t>(longest, numbers.all.size());
              for (std::size_t k = 0; k < numbers.all.size(); k += weight) EXPECT_EQ(numbers.all[k], next++);
              return true;
            });
        EXPECT_EQ(next, 5 + count);
        EXPECT_LT(longest, 8192 + weight);  // a buffer does not grow beyond that
        EXPECT_TRUE(count == 0 || portions.bytes() > 0);
      }
  }
}

TEST(OrderedPortions, EndWhereTheOneWhoTakesThemSaysSo) {
  Team team(4);
  OrderedPortions<Numbers> portions;
  for (std::uint64_t last = 0; last < 2000; last += 37) {
    std::uint64_t seen = 0;
    portions.run(
        team, {0, 5000},
        [](unsigned, IdRange items, std::uint64_t most, Numbers& numbers) {
          return prepare_numbers(items, most, 1, numbers);
        },
        [&](Numbers& numbers) {
          for (const std::uint64_t number : numbers.all) {
            EXPECT_EQ(number, seen++);
            if (number == last) return false;
          }
          return true;
        });
    EXPECT_EQ(seen, last + 1);
  }
}

TEST(OrderedPortions, ThrowWhatOneThreadThrows) {
  Team team(4);
  OrderedPortions<Numbers> portions;
  const auto fill = [](unsigned, IdRange items, std::uint64_t most, Numbers& numbers) {
    return prepare_numbers(items, most, 1, numbers);
  };
  const auto fail = [](unsigned, IdRange items, std::uint64_t, Numbers&) -> std::uint64_t {
    if (items.first > 1000) throw std::runtime_error("no more");
    return items.end;
  };
  EXPECT_THROW(portions.run(team, {0, 5000}, fail, [](Numbers&) { return true; }), std::runtime_error);
  EXPECT_THROW(portions.run(team, {0, 5000}, fill, [](Numbers&) -> bool { throw std::bad_alloc(); }), std::bad_alloc);
}

// ---- The searches.

// A graph that counts how often its nodes are looked at, and how often a model would count its covers.
class CountedModel : public ToyModel {
 public:
  using ToyModel::ToyModel;
  void successors(StateView state, Batch& out) {
    ++expanded;
    loud += quiet_ ? 0 : 1;
    ToyModel::successors(state, out);
  }
  void check(StateView state, StateCheck& findings) {
    ++checked;
    ToyModel::check(state, findings);
  }
  void quiet(bool on) { quiet_ = on; }
  std::uint64_t expanded = 0, loud = 0, checked = 0;

 private:
  bool quiet_ = false;
};

// Two nodes each are taken for one. That is no symmetry of the graph, which does not matter here.
class Pairs final : public Canonicaliser {
 public:
  explicit Pairs(std::uint32_t words) : words_(words) {}
  void canonicalise(std::uint64_t* state) override {
    if (ToyModel::node_of({state, words_}) % 2 == 0) return;
    for (std::uint32_t w = 0; w < words_; ++w) state[w] -= w == 0 ? 1 : 0x9e3779b97f4a7c15ULL + w;
  }

 private:
  std::uint32_t words_;
};

// All that a search says and leaves behind.
struct Finished {
  SearchResult result;
  std::vector<std::uint64_t> levels;
  std::vector<std::uint64_t> stored;
  std::uint64_t expanded = 0, loud = 0, checked = 0;  // expanded: without what was in vain
};

// The models of several threads, and what they counted.
class Threads {
 public:
  Threads(const ToyGraph& graph, const SearchOptions& options, const ToyGuidance& guidance)
      : graph_(graph), options_(options), guidance_(guidance), model(graph) {}

  MoreThreads<CountedModel> more() {
    return {options_.threads,
            [this] {
              Pairs* const pairs =
                  options_.canonicaliser == nullptr ? nullptr : &canonicalisers_.emplace_back(graph_.words);
              return ThreadParts<CountedModel>{&models_.emplace_back(graph_), pairs, &guidance_};
            },
            1};
  }
  void count(Finished& run, std::uint64_t in_vain) {
    run.expanded = model.expanded - in_vain;
    run.loud = model.loud;
    run.checked = model.checked;
    for (const CountedModel& other : models_) {
      run.expanded += other.expanded;
      run.loud += other.loud;
      run.checked += other.checked;
    }
  }

 private:
  const ToyGraph& graph_;
  const SearchOptions& options_;
  const ToyGuidance& guidance_;
  std::deque<CountedModel> models_;
  std::deque<Pairs> canonicalisers_;

 public:
  CountedModel model;
};

template <class Store>
std::vector<std::uint64_t> contents(const Store& store) {
  std::vector<std::uint64_t> all;
  for (std::uint64_t id = 0; id < store.size(); ++id) {
    if constexpr (Store::keeps_states) {
      const StateView state = store.state(StateId{id});
      all.insert(all.end(), state.begin(), state.end());
    } else {
      all.push_back(store.fingerprint(StateId{id}));
    }
  }
  return all;
}

template <class Store>
Finished highway(const ToyGraph& graph, Store store, const SearchOptions& options, const HighwayBounds& bounds) {
  const ToyGuidance nobody;
  Threads threads(graph, options, nobody);
  Highway search(threads.model, store, options, bounds, threads.more());
  Finished run{search.run(), search.levels(), contents(store)};
  threads.count(run, search.expanded_in_vain());
  return run;
}

template <class Store>
Finished biased(const ToyGraph& graph, const ToyGuidance& guidance, Store store, const SearchOptions& options,
                const BiasedBfsSettings& settings) {
  Threads threads(graph, options, guidance);
  BiasedBreadthFirst search(threads.model, store, options, guidance, settings, threads.more());
  Finished run{search.run(), {}, contents(store)};
  threads.count(run, search.expanded_in_vain());
  return run;
}

void expect_same(const std::optional<Counterexample>& one, const std::optional<Counterexample>& other) {
  ASSERT_EQ(one.has_value(), other.has_value());
  if (!one) return;
  EXPECT_EQ(one->violation.kind, other->violation.kind);
  EXPECT_EQ(one->violation.property, other->violation.property);
  EXPECT_EQ(one->violation.site, other->violation.site);
  EXPECT_EQ(one->states, other->states);
  EXPECT_EQ(one->failing_step, other->failing_step);
}

void expect_same(const Finished& one, const Finished& other) {
  EXPECT_EQ(one.levels, other.levels);
  EXPECT_EQ(one.stored, other.stored);
  EXPECT_EQ(one.expanded, other.expanded);
  EXPECT_EQ(one.checked, other.checked);
  // A search that comes to its end needs all that was prepared.
  if (!other.result.first) {
    EXPECT_EQ(one.loud, other.loud);
    EXPECT_GE(one.expanded, one.loud);
  }
  EXPECT_EQ(one.result.ending, other.result.ending);
  EXPECT_EQ(one.result.scope.depth, other.result.scope.depth);
  EXPECT_EQ(one.result.scope.gap, other.result.scope.gap);
  EXPECT_EQ(one.result.statistics.states, other.result.statistics.states);
  EXPECT_EQ(one.result.statistics.transitions, other.result.statistics.transitions);
  EXPECT_EQ(one.result.statistics.depth, other.result.statistics.depth);
  EXPECT_EQ(one.result.statistics.revisits, other.result.statistics.revisits);
  EXPECT_EQ(one.result.statistics.errors, other.result.statistics.errors);
  EXPECT_EQ(one.result.fired, other.result.fired);
  EXPECT_EQ(one.result.violations, other.result.violations);
  EXPECT_EQ(one.result.faults, other.result.faults);
  EXPECT_EQ(one.result.deadlocks, other.result.deadlocks);
  expect_same(one.result.first, other.result.first);
  ASSERT_EQ(one.result.statistics.breadth.has_value(), other.result.statistics.breadth.has_value());
  if (!one.result.statistics.breadth) return;
  EXPECT_EQ(one.result.statistics.breadth->states, other.result.statistics.breadth->states);
  EXPECT_EQ(one.result.statistics.breadth->levels, other.result.statistics.breadth->levels);
  EXPECT_EQ(one.result.statistics.breadth->narrowed, other.result.statistics.breadth->narrowed);
  EXPECT_EQ(one.result.statistics.breadth->redrawn, other.result.statistics.breadth->redrawn);
  EXPECT_EQ(one.result.statistics.breadth->fallbacks, other.result.statistics.breadth->fallbacks);
}

class WithThreads : public testing::Test {
 protected:
  // Small graphs, so that most portions are single states, and now and then one with large levels.
  void draw() {
    const std::uint32_t nodes = random_() % 8 == 0 ? 20000 : 2 + random_() % 400;
    graph_ = random_graph(random_, nodes, 1 + 0.2 * (random_() % 12), 1 + random_() % 3);
    for (std::uint32_t errors = random_() % 3 == 0 ? 0 : 1 + random_() % 5; errors > 0; --errors) {
      graph_.bad.insert(random_() % nodes);
      const std::uint32_t node = random_() % nodes;
      if (!graph_.successors_of[node].empty()) graph_.faulty.insert({node, 0});
    }
    guidance_ = random_guidance(random_, graph_);
    constexpr std::uint64_t most_errors[] = {1, 1, 2, UINT64_MAX};
    options_ = toy_options();
    options_.max_errors = most_errors[random_() % 4];
    options_.deadlock = static_cast<DeadlockMode>(random_() % 3);
    options_.seed = random_();
    if (random_() % 4 == 0) options_.max_depth = random_() % 12;
    pairs_ = Pairs(graph_.words);
    options_.canonicaliser = random_() % 3 == 0 ? &pairs_ : nullptr;
  }

  // Calls run() with the options for one thread and for several.
  template <class Make>
  void compare(const Make& run) {
    options_.threads = 1;
    const Finished expected = run();
    for (options_.threads = 2; options_.threads <= 8; options_.threads = options_.threads == 2 ? 3 : 8) {
      SCOPED_TRACE(options_.threads);
      const Finished result = run();
      expect_same(result, expected);
      in_parallel_ += result.result.statistics.threads > 1;
      if (options_.threads == 8) break;
    }
    violated_ += expected.result.first.has_value();
    EXPECT_EQ(expected.result.statistics.threads, 1U);
  }

  std::mt19937 random_{20101102};
  ToyGraph graph_;
  ToyGuidance guidance_;
  Pairs pairs_{1};
  SearchOptions options_;
  int in_parallel_ = 0, violated_ = 0;
};

constexpr int rounds = 150;

TEST_F(WithThreads, AHighwayIsTheSame) {
  int fallbacks = 0, whole = 0;
  for (int round = 0; round < rounds && !HasFailure(); ++round) {
    SCOPED_TRACE(round);
    draw();
    HighwayBounds bounds{.breadth = 1 + random_() % (round % 2 == 0 ? 8 : 5000), .total = random_() % 3 != 0};
    bounds.progress = bounds.total && random_() % 2 == 0;
    if (bounds.total && random_() % 3 == 0) bounds.degrade = 1 + random_() % 5;
    compare([&] {
      Finished run = graph_.words == 1 && round % 3 == 0
                         ? highway(graph_, InlineStore(memory), options_, bounds)
                         : highway(graph_, IndexedStore(graph_.words, memory), options_, bounds);
      fallbacks += run.result.statistics.breadth->fallbacks > 0;
      whole += run.result.ending == Ending::exhausted && run.result.statistics.breadth->narrowed > 0;
      return run;
    });
  }
  EXPECT_GT(in_parallel_, rounds);
  EXPECT_GT(violated_, rounds / 10);
  EXPECT_GT(fallbacks, 0);
  EXPECT_GT(whole, 0);  // the second pass was needed
}

TEST_F(WithThreads, ABiasedBreadthFirstSearchIsTheSame) {
  std::uint64_t revisits = 0;
  for (int round = 0; round < rounds && !HasFailure(); ++round) {
    SCOPED_TRACE(round);
    draw();
    constexpr std::uint64_t limits[] = {0, 1, 5};
    const BiasedBfsSettings settings{limits[random_() % 3], random_() % 3 != 0};
    compare([&] {
      Finished run = round % 3 == 0 ? biased(graph_, guidance_, FingerprintStore(memory), options_, settings)
                                    : biased(graph_, guidance_, IndexedStore(graph_.words, memory), options_, settings);
      revisits += run.result.statistics.revisits;
      return run;
    });
  }
  EXPECT_GT(in_parallel_, rounds);
  EXPECT_GT(violated_, rounds / 10);
  EXPECT_GT(revisits, 0U);
}

// States with more steps than a portion holds, in a level with others that have none.
TEST_F(WithThreads, AStateWithVeryManyStepsIsNoExceptionToThat) {
  graph_ = random_graph(random_, 30000, 0.5, 2);
  graph_.starts.clear();
  for (std::uint32_t node = 0; node < 600; ++node) graph_.starts.push_back(node);
  for (std::uint32_t node = 0; node < 600; node += 97)
    for (int k = 0; k < 6000; ++k) graph_.successors_of[node].push_back(random_() % graph_.size());
  graph_.bad.insert(graph_.successors_of[97].back());
  guidance_ = random_guidance(random_, graph_);
  options_ = toy_options();
  for (options_.max_errors = 1; options_.max_errors < 3; ++options_.max_errors) {
    compare([&] { return highway(graph_, IndexedStore(2, memory), options_, {.breadth = 5000}); });
    compare([&] { return highway(graph_, IndexedStore(2, memory), options_, {.breadth = 5000, .total = true}); });
    compare([&] { return biased(graph_, guidance_, IndexedStore(2, memory), options_, {}); });
  }
  EXPECT_GT(in_parallel_, 0);
}

TEST_F(WithThreads, ASearchEndsWhenTheUserOrTheMemoryWantsIt) {
  graph_ = random_graph(random_, 60000, 3, 2);
  guidance_ = random_guidance(random_, graph_);
  options_ = toy_options();
  options_.threads = 3;
  options_.tick = [](const Progress& progress) { return progress.states < 1000; };
  EXPECT_EQ(highway(graph_, IndexedStore(2, memory), options_, {.breadth = 5000}).result.ending, Ending::time_or_user);
  EXPECT_EQ(biased(graph_, guidance_, IndexedStore(2, memory), options_, {}).result.ending, Ending::time_or_user);
  options_ = toy_options();
  options_.threads = 3;
  options_.memory_limit = 1 << 20;
  EXPECT_EQ(highway(graph_, IndexedStore(2, options_.memory_limit), options_, {.breadth = 5000}).result.ending,
            Ending::memory_limit);
  EXPECT_EQ(biased(graph_, guidance_, IndexedStore(2, options_.memory_limit), options_, {}).result.ending,
            Ending::memory_limit);
}

}  // namespace
}  // namespace fathom
