// The search for accepting cycles with several threads against the definition and against the one with one thread.
#include <gtest/gtest.h>

#include <deque>
#include <filesystem>

#include "search/cndfs.hpp"
#include "search/ndfs.hpp"
#include "search/store_share.hpp"
#include "toy_cycles.hpp"
#include "toy_graph.hpp"

namespace fathom {
namespace {

using toy_cycles::expect_lasso;
using toy_cycles::has_marked_component;
using CycleGraph = toy_cycles::ToyGraph;

SearchResult in_parallel(CycleGraph& graph, SearchOptions options, unsigned threads,
                         const std::function<void()>& save = {}) {
  options.threads = threads;
  std::deque<CycleGraph> copies;
  SharedGraph<CycleGraph> shared{
      .another = [&]() -> CycleGraph& { return copies.emplace_back(graph); },
      .grow = [](Team*, const auto&) { return true; },
      .settle = [] {},
      .bytes = [] { return std::uint64_t{0}; },
      .most_nodes = graph.size(),
      .nodes = [&] { return graph.size(); },
  };
  ParallelNestedDfs<CycleGraph, CycleGraph> search(graph, std::move(shared), options, 0);
  search.save = save;
  return search.run(graph.start_nodes);
}

// Starting threads takes long under the thread sanitizer.
#ifdef __SANITIZE_THREAD__
constexpr int graphs = 40;
#else
constexpr int graphs = 400;
#endif

class ParallelCycles : public testing::TestWithParam<unsigned> {};

TEST_P(ParallelCycles, AnAcceptingCycleIsFoundIfThereIsOne) {
  std::mt19937 random(GetParam());
  int found = 0;
  for (int k = 0; k < graphs; ++k) {
    CycleGraph graph = toy_cycles::random_graph(random, 0);
    const bool expected = has_marked_component(graph);
    const SearchResult result = in_parallel(graph, toy_cycles::toy_options(), GetParam());
    ASSERT_EQ(result.first.has_value(), expected) << "graph " << k;
    EXPECT_EQ(result.ending, expected ? Ending::error_limit : Ending::exhausted);
    if (!expected) continue;
    ++found;
    expect_lasso(graph, *result.first);
    if (HasFatalFailure()) return;
  }
  EXPECT_GT(found, graphs / 8);
}

// In parts of an automaton: what is swept and what nested searches see is put together as by one thread.
TEST_P(ParallelCycles, InPartsOfAnAutomatonAnAcceptingCycleIsFoundIfThereIsOne) {
  std::mt19937 random(200 + GetParam());
  int found = 0;
  for (int k = 0; k < 2 * graphs; ++k) {
    const ir::Automaton automaton = toy_cycles::random_automaton(random);
    CycleGraph graph = toy_cycles::random_product(random, automaton, k % 4 == 0);
    const bool expected = has_marked_component(graph);
    const SearchResult result = in_parallel(graph, toy_cycles::toy_options(), GetParam());
    ASSERT_EQ(result.first.has_value(), expected) << "graph " << k;
    found += expected ? 1 : 0;
    if (expected) {
      expect_lasso(graph, *result.first);
      if (HasFatalFailure()) return;
      continue;
    }
    const SearchResult alone = NestedDfs(graph, toy_cycles::toy_options(), 0, NestedVariant::se).run();
    ASSERT_EQ(result.statistics.states, alone.statistics.states) << "graph " << k;
    ASSERT_EQ(result.statistics.transitions, alone.statistics.transitions) << "graph " << k;
  }
  EXPECT_GT(found, graphs / 8);
}

// Whether a sweep or a nested search comes across it, there is a way to it.
TEST_P(ParallelCycles, WhatGoesWrongInANodeIsShownWithAWayToIt) {
  std::mt19937 random(300 + GetParam());
  int found = 0;
  for (int k = 0; k < graphs; ++k) {
    const ir::Automaton automaton = toy_cycles::random_automaton(random);
    CycleGraph graph = toy_cycles::random_product(random, automaton, false);
    graph.failing = random() % graph.arcs.size();
    const SearchResult result = in_parallel(graph, toy_cycles::toy_options(), GetParam());
    if (!result.first || result.first->violation.kind != Violation::Kind::fault) continue;
    ++found;
    const Counterexample& run = *result.first;
    ASSERT_EQ(run.states.size(), run.steps.size() + 1);
    EXPECT_EQ(run.states.front().front(), graph.start_nodes.front());
    EXPECT_EQ(run.states.back().front(), *graph.failing);
    for (std::size_t step = 0; step < run.steps.size(); ++step) {
      const auto& arcs = graph.arcs[run.states[step].front()];
      EXPECT_EQ(arcs.at(static_cast<std::size_t>(run.steps[step])).target, run.states[step + 1].front());
    }
  }
  EXPECT_GT(found, graphs / 8);
}

// Large enough that the threads really meet: a few strongly connected parts, one behind the other, with accepting nodes
// between them and, in every other graph, one accepting node inside the last.
CycleGraph chain_of_parts(std::mt19937& random, bool accepts_inside) {
  constexpr std::size_t parts = 12, part = 5;
  CycleGraph graph;
  graph.arcs.resize(parts * part);
  graph.own_marks.resize(parts * part);
  for (std::size_t node = 0; node < graph.arcs.size(); ++node) {
    const std::size_t first = node / part * part;
    if (node == first) {  // leads into the part and is not on any cycle
      graph.own_marks[node].set(0);
      graph.arcs[node].push_back({first + 1, {}});
    } else {
      for (int k = 0; k < 2; ++k) graph.arcs[node].push_back({first + 1 + random() % (part - 1), {}});
      graph.arcs[node].push_back({std::min(first + part, graph.arcs.size() - part), {}});
      if (first + part == graph.arcs.size()) graph.arcs[node].pop_back();
    }
    for (int k = 0; k < 2; ++k) {
      const std::size_t other = first + part + random() % (3 * part);
      if (other < graph.arcs.size()) graph.arcs[node].push_back({other, {}});
    }
  }
  if (accepts_inside) graph.own_marks.back().set(0);
  graph.start_nodes = {0};
  return graph;
}

TEST_P(ParallelCycles, SecondSearchesThatMeetWaitForEachOther) {
  std::mt19937 random(100 + GetParam());
  for (int k = 0; k < graphs / 2; ++k) {
    CycleGraph graph = chain_of_parts(random, k % 2 == 0);
    const bool expected = has_marked_component(graph);
    const SearchResult result = in_parallel(graph, toy_cycles::toy_options(), GetParam());
    ASSERT_EQ(result.first.has_value(), expected) << "graph " << k;
    if (expected) {
      expect_lasso(graph, *result.first);
      continue;
    }
    const SearchResult alone = NestedDfs(graph, toy_cycles::toy_options(), 0, NestedVariant::se).run();
    EXPECT_EQ(result.statistics.states, alone.statistics.states);
    EXPECT_EQ(result.statistics.transitions, alone.statistics.transitions);
  }
}

// A product of a model and an automaton over one store, which must grow while the threads search it.
struct ModelProducts {
  ModelProducts(const ToyGraph& graph, const ir::Automaton& automaton, std::uint64_t memory, bool stutters = true)
      : graph(graph),
        automaton(automaton),
        stutters(stutters),
        model(graph),
        store(graph.words, memory),
        lead(model, store, 0, automaton, std::nullopt, stutters, nullptr) {}

  using Search = ParallelNestedDfs<Product<ToyModel>, Product<ToyModel, StoreShare>>;

  SearchResult run(SearchOptions options, unsigned threads) {
    options.threads = threads;
    std::vector<Node> starts;
    static_cast<void>(lead.starts(starts));
    return Search(lead, shared_graph(), options, 0).run(std::move(starts));
  }

  // A piece of the search, from the file if `goes_on`; it leaves the file behind if it does not come to the end.
  SearchResult run_a_while(SearchOptions options, unsigned pauses, const std::filesystem::path& file, bool goes_on) {
    bool saved = false;
    options.tick = [&](const Progress&) { return !saved; };
    std::optional<SealedReader> in;
    std::vector<Node> starts;
    if (goes_on) {
      in.emplace(file, checkpoint_kind);
      EXPECT_TRUE(lead.load(*in));
    } else {
      static_cast<void>(lead.starts(starts));
    }
    Search search(lead, shared_graph(), options, 0);
    search.save_due = [&] { return !saved && pauses-- == 0; };
    search.save = [&] {
      SealedWriter out(file, checkpoint_kind);
      lead.save(out);
      search.write(out);
      out.commit();
      saved = true;
    };
    return goes_on ? search.resume(*in) : search.run(std::move(starts));
  }

  SharedGraph<Product<ToyModel, StoreShare>> shared_graph() {
    shares.emplace(store);
    return {
        .another = [this]() -> Product<ToyModel, StoreShare>& {
          return products.emplace_back(models.emplace_back(graph), shares->another(), 0U, automaton, std::nullopt,
                                       stutters, nullptr);
        },
        .grow = [this](Team* team, const auto& fits) { return shares->grow(team, fits); },
        .settle = [this] { shares->settle(); },
        .bytes = [this] { return shares->bytes(); },
        .most_nodes = lead.nodes_below(1 << 20),
        .nodes = [this] { return lead.nodes_below(shares->end()); },
    };
  }

  const ToyGraph& graph;
  const ir::Automaton& automaton;
  const bool stutters;
  ToyModel model;
  IndexedStore store;
  Product<ToyModel> lead;
  std::optional<StoreShares> shares;
  std::deque<ToyModel> models;
  std::deque<Product<ToyModel, StoreShare>> products;
};

constexpr std::uint64_t memory = std::uint64_t{1} << 28;

// Two places, of which the second accepts and leads nowhere else: a bad run is any that goes on for ever.
ir::Automaton two_places(bool accepts) {
  ir::Automaton automaton;
  automaton.states.resize(2);
  automaton.states[0].edges = {{0, {}, {}, {}}, {1, {}, {}, {}}};
  automaton.states[1].edges = {{1, {}, {}, {}}};
  automaton.states[1].accepting = accepts;
  return automaton;
}

// Edges lead to larger numbers only.
ToyGraph without_cycles(std::mt19937& random, std::uint32_t nodes) {
  ToyGraph graph = random_graph(random, nodes, 2.5);
  graph.starts = {0};
  for (std::uint32_t node = 0; node < nodes; ++node) {
    std::erase_if(graph.successors_of[node], [&](std::uint32_t target) { return target <= node; });
    if (node + 1 < nodes) graph.successors_of[node].push_back(node + 1);
  }
  return graph;
}

TEST_P(ParallelCycles, TheStoreGrowsWhileTheyWork) {
  std::mt19937 random(3);
  const ToyGraph graph = without_cycles(random, 20'000);
  const ir::Automaton automaton = two_places(false);
  ModelProducts one(graph, automaton, memory), several(graph, automaton, memory);
  const SearchResult expected = NestedDfs(one.lead, toy_options(), 0, NestedVariant::se).run();
  const SearchResult result = several.run(toy_options(), GetParam());
  EXPECT_EQ(result.ending, Ending::exhausted);
  EXPECT_EQ(result.statistics.states, expected.statistics.states);
  EXPECT_EQ(result.statistics.transitions, expected.statistics.transitions);
  EXPECT_EQ(result.fired, expected.fired);
  EXPECT_EQ(several.store.states(), one.store.states());
  EXPECT_TRUE(several.lead.covers_model());
}

// Parts of all kinds, and so many nodes that portions are handed on and threads join in long nested searches. Some of
// the graphs have one edge back.
TEST_P(ParallelCycles, WithManyNodesTheAnswerIsThatOfOneThread) {
  std::mt19937 random(400 + GetParam());
  int found = 0;
  for (int k = 0; k < graphs / 8; ++k) {
    ToyGraph graph = without_cycles(random, 3'000);
    if (k % 2 == 0) graph.successors_of[1'000 + random() % 2'000].push_back(random() % 1'000);
    const ir::Automaton automaton = toy_cycles::random_automaton(random);
    ModelProducts one(graph, automaton, memory, false), several(graph, automaton, memory, false);
    const SearchResult expected = NestedDfs(one.lead, toy_options(), 0, NestedVariant::se).run();
    const SearchResult result = several.run(toy_options(), GetParam());
    ASSERT_EQ(result.ending, expected.ending) << "graph " << k;
    ASSERT_EQ(result.first.has_value(), expected.first.has_value()) << "graph " << k;
    found += expected.first ? 1 : 0;
    if (expected.first) continue;
    EXPECT_EQ(result.statistics.states, expected.statistics.states);
    EXPECT_EQ(result.statistics.transitions, expected.statistics.transitions);
    EXPECT_EQ(result.fired, expected.fired);
    EXPECT_EQ(several.store.states(), one.store.states());
  }
  EXPECT_GT(found, 0);
  EXPECT_LT(found, graphs / 8);
}

// Also by more threads than before, and inside second searches.
TEST_P(ParallelCycles, ASearchThatIsSavedAndResumedIsThatOfOneGo) {
  const std::filesystem::path file = testing::TempDir() + "parallel_cycles_" + std::to_string(GetParam());
  std::mt19937 random(GetParam());
  int pieces = 0;
  for (int round = 0; round < 6; ++round) {
    const bool violated = round == 5;
    const ToyGraph graph = without_cycles(random, 20'000);
    ir::Automaton automaton = two_places(violated);
    if (round % 2 == 0) {  // every state is accepting once, and what a second search sees is not
      automaton.states.push_back(automaton.states[1]);
      automaton.states[1].accepting = true;
      automaton.states[1].edges[0].target = automaton.states[2].edges[0].target = 2;
    }
    ModelProducts one(graph, automaton, memory);
    const SearchResult expected = NestedDfs(one.lead, toy_options(), 0, NestedVariant::se).run();
    SearchResult result;
    SearchOptions options = toy_options();
    options.threads = GetParam();
    for (bool goes_on = false;; goes_on = true) {
      ModelProducts several(graph, automaton, memory);
      result = several.run_a_while(options, random() % 4, file, goes_on);
      if (result.ending != Ending::time_or_user) {
        EXPECT_TRUE(violated || several.lead.covers_model());
        EXPECT_TRUE(violated || several.store.states() == one.store.states());
        break;
      }
      ++pieces;
      options.threads += random() % 8 == 0 ? 1 : 0;
    }
    ASSERT_EQ(result.ending, expected.ending);
    ASSERT_EQ(result.first.has_value(), violated);
    if (violated) continue;
    EXPECT_EQ(result.statistics.states, expected.statistics.states);
    EXPECT_EQ(result.statistics.transitions, expected.statistics.transitions);
    EXPECT_EQ(result.fired, expected.fired);
  }
  // Of several threads the others may leave nothing to the first.
  if (GetParam() == 1) {
    EXPECT_GT(pieces, 40);
  }
  std::filesystem::remove(file);
}

// Each of the threads that left a checkpoint has its own stack.
TEST(ParallelCyclesSaved, FewerThreadsCannotGoOn) {
  const std::filesystem::path file = testing::TempDir() + "fewer_threads";
  std::mt19937 random(5);
  const ToyGraph graph = without_cycles(random, 20'000);
  const ir::Automaton automaton = two_places(false);
  SearchOptions options = toy_options();
  options.threads = 2;
  ModelProducts two(graph, automaton, memory), one(graph, automaton, memory);
  two.run_a_while(options, 0, file, false);
  options.threads = 1;
  EXPECT_THROW(one.run_a_while(options, 0, file, true), EnvironmentError);
  std::filesystem::remove(file);
}

// The limit is noticed when the many edges of a node were taken, one of which closes a cycle.
TEST(ParallelCyclesSaved, AViolationThatIsFoundAtALimitIsToldAndNotSaved) {
  CycleGraph graph;
  graph.wanted.set(0);
  graph.start_nodes = {0};
  graph.arcs.resize(3);
  graph.own_marks.resize(3);
  graph.parts = {{0, false, false}, {1, true, true}, {1, true, true}};
  graph.mixed = {true, false, false};
  graph.own_marks[1].set(0);
  graph.own_marks[2].set(0);
  graph.arcs[0] = {{1, {}}};
  graph.arcs[1].assign(100'000, {2, {}});
  graph.arcs[1].front().target = 1;
  SearchOptions options = toy_cycles::toy_options();
  options.tick = [](const Progress&) { return false; };
  bool saved = false;
  const SearchResult result = in_parallel(graph, options, 1, [&] { saved = true; });
  EXPECT_TRUE(result.first.has_value());
  EXPECT_FALSE(saved);
}

// The run that ends in the last node stays there for ever, and this is what the automaton waits for.
TEST_P(ParallelCycles, ALassoIsFoundInAStoreThatHasGrown) {
  std::mt19937 random(4);
  const ToyGraph graph = without_cycles(random, 18'000);
  const ir::Automaton automaton = two_places(true);
  ModelProducts several(graph, automaton, memory);
  const SearchResult result = several.run(toy_options(), GetParam());
  ASSERT_TRUE(result.first.has_value());
  EXPECT_EQ(result.ending, Ending::error_limit);
  const std::vector<StateBuffer>& states = result.first->states;
  EXPECT_EQ(ToyModel::node_of(states.front()), 0U);
  EXPECT_EQ(ToyModel::node_of(states.back()), graph.size() - 1);
  EXPECT_EQ(result.first->loop, states.size() - 1);
}

TEST_P(ParallelCycles, TheMemoryLimitEndsTheSearch) {
  std::mt19937 random(5);
  const ToyGraph graph = without_cycles(random, 20'000);
  const ir::Automaton automaton = two_places(false);
  ModelProducts several(graph, automaton, 1 << 20);
  EXPECT_EQ(several.run(toy_options(), GetParam()).ending, Ending::memory_limit);
}

TEST_P(ParallelCycles, TheUserCanEndTheSearch) {
  std::mt19937 random(6);
  const ToyGraph graph = without_cycles(random, 20'000);
  const ir::Automaton automaton = two_places(false);
  ModelProducts several(graph, automaton, memory);
  SearchOptions options = toy_options();
  options.tick = [](const Progress&) { return false; };
  EXPECT_EQ(several.run(options, GetParam()).ending, Ending::time_or_user);
}

INSTANTIATE_TEST_SUITE_P(WithThreads, ParallelCycles, testing::Values(1U, 2U, 3U, 8U));

}  // namespace
}  // namespace fathom
