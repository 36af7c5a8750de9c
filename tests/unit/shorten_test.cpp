// Shortening against breadth-first search on random graphs.
#include <gtest/gtest.h>

#include <array>
#include <cstdlib>

#include "search/bfs.hpp"
#include "search/dfs.hpp"
#include "toy_graph.hpp"
#include "toy_store.hpp"
#include "trace/shortener.hpp"

namespace fathom {
namespace {

using Kind = Violation::Kind;

int graphs() {
  const char* const wanted = std::getenv("FATHOM_GRAPHS");
  return wanted != nullptr ? std::atoi(wanted) : 5000;
}

// A graph in which exactly one kind of violation can be found.
struct Case {
  ToyGraph graph;
  SearchOptions options = toy_options();
};

Case random_case(std::mt19937& random, std::uint32_t nodes) {
  Case c{random_graph(random, nodes, 1.2 + double(random() % 10) / 10, 1 + random() % 2)};
  const std::uint32_t kind = random() % 3;
  if (kind == 0) c.graph.bad = {std::uint32_t(random() % nodes), std::uint32_t(random() % nodes)};
  for (std::uint32_t k = 0; kind == 1 && k < 3; ++k) {
    const std::uint32_t node = random() % nodes;
    if (!c.graph.successors_of[node].empty()) c.graph.faulty.insert({node, 0});
  }
  if (kind == 2) {
    c.options.deadlock = random() % 2 == 0 ? DeadlockMode::stuck : DeadlockMode::stuttering;
    for (auto& successors : c.graph.successors_of)
      if (successors.empty() && random() % 8 != 0) successors = {std::uint32_t(random() % nodes)};
  }
  return c;
}

std::optional<Counterexample> depth_first(const Case& c) {
  ToyModel model(c.graph);
  ToyStore<true> store(c.graph.words);
  return DepthFirst(model, store, c.options).run().first;
}

std::uint64_t shortest_length(const Case& c) {
  ToyModel model(c.graph);
  ToyStore<true> store(c.graph.words);
  return length_of(*BreadthFirst(model, store, c.options).run().first);
}

Counterexample shortened(const Case& c, const Counterexample& found, std::uint64_t expansions) {
  ToyModel model(c.graph);
  const ShorteningEffort effort{.expansions = expansions, .seconds = 1000, .memory = std::uint64_t{1} << 28};
  return Shortener<ToyModel, ToyStore<true>>(model, c.options, effort, found).run();
}

bool is_run(const ToyGraph& graph, const Counterexample& run) {
  const auto node = [&](std::size_t k) { return ToyModel::node_of(run.states[k]); };
  if (run.states.empty() || std::ranges::count(graph.starts, node(0)) == 0) return false;
  for (std::size_t k = 0; k + 1 < run.states.size(); ++k) {
    bool leads = false;
    for (std::uint32_t e = 0; e < graph.successors_of[node(k)].size(); ++e)
      leads |= graph.successors_of[node(k)][e] == node(k + 1) && !graph.faulty.contains({node(k), e});
    if (!leads) return false;
  }
  return true;
}

bool shows_its_violation(const Case& c, const Counterexample& run) {
  const std::uint32_t last = ToyModel::node_of(run.states.back());
  const auto& successors = c.graph.successors_of[last];
  switch (run.violation.kind) {
    case Kind::invariant:
      return !run.failing_step && c.graph.bad.contains(last);
    case Kind::fault:
      return run.failing_step && c.graph.faulty.contains({last, parameters_of(*run.failing_step)});
    default:
      return !run.failing_step && (c.options.deadlock == DeadlockMode::stuck
                                       ? successors.empty()
                                       : std::ranges::all_of(successors, [&](auto next) { return next == last; }));
  }
}

TEST(Shorten, GivesARunToTheSameViolationThatIsNeverLongerAndShortestWhenItSaysSo) {
  std::mt19937 random(1);
  int found_runs = 0, shortened_runs = 0, proven = 0;
  for (int round = 0; round < graphs() && !testing::Test::HasFailure(); ++round) {
    const Case c = random_case(random, 2 + random() % 120);
    const std::optional<Counterexample> found = depth_first(c);
    if (!found) continue;
    const std::uint64_t expansions = std::array{2, 10, 30, 100, 1000}[random() % 5];
    const Counterexample run = shortened(c, *found, expansions);
    ASSERT_TRUE(is_run(c.graph, run));
    EXPECT_EQ(run.violation.kind, found->violation.kind);
    EXPECT_TRUE(shows_its_violation(c, run));
    EXPECT_LE(length_of(run), length_of(*found));
    const std::uint64_t shortest = shortest_length(c);
    EXPECT_GE(length_of(run), shortest);
    if (run.shortest || expansions == 1000) {
      EXPECT_EQ(length_of(run), shortest);
    }
    EXPECT_TRUE(run.shortest || expansions < 1000);
    ++found_runs;
    shortened_runs += length_of(run) < length_of(*found);
    proven += run.shortest;
  }
  // Otherwise the above said nothing.
  EXPECT_GT(found_runs, graphs() / 4);
  EXPECT_GT(shortened_runs, found_runs / 4);
  EXPECT_GT(proven, found_runs / 4);
  EXPECT_LT(proven, found_runs);
}

// A line of `length` nodes with a way round it at every tenth, beside a tree that a breadth-first search gets lost in.
Case detours(std::uint32_t length) {
  Case c;
  c.graph.starts = {0};
  c.graph.successors_of.resize(length + 60000);
  for (std::uint32_t node = 0; node + 1 < length; ++node) {
    auto& successors = c.graph.successors_of[node];
    successors.push_back(node + 1);
    if (node % 10 == 0 && node + 8 < length) successors.push_back(node + 8);
  }
  c.graph.successors_of[0].push_back(length);
  for (std::uint32_t k = 0; 4 * k + 4 < 60000; ++k)
    for (std::uint32_t child = 1; child <= 4; ++child)
      c.graph.successors_of[length + k].push_back(length + 4 * k + child);
  c.graph.bad = {length - 1};
  return c;
}

TEST(Shorten, FindsShortcutsThatABreadthFirstSearchDoesNotReach) {
  const Case c = detours(1000);
  const std::optional<Counterexample> found = depth_first(c);
  ASSERT_TRUE(found.has_value());
  ASSERT_EQ(length_of(*found), 999U);
  const Counterexample run = shortened(c, *found, 20000);
  EXPECT_EQ(length_of(run), 299U);
  EXPECT_FALSE(run.shortest);  // nobody has proven it
}

// Counters that run side by side, one to a word. The last may move only when the first stands at 2 or above, and
// property 0 is violated when it has moved twice.
struct Counters {
  static constexpr std::uint32_t count = 16, end = 3;

  [[nodiscard]] std::uint32_t state_words() const { return count; }
  void initial(Batch& out) {
    std::fill_n(out.spare(count), count, 0);
    out.push(make_instance(0, 0), Outcome{}, count);
  }
  static bool can_move(StateView state, std::uint32_t k) { return state[k] < end && (k + 1 < count || state[0] >= 2); }
  void successors(StateView state, Batch& out) {
    for (std::uint32_t k = 0; k < count; ++k) {
      if (!can_move(state, k)) continue;
      std::uint64_t* const next = out.spare(count);
      std::copy(state.begin(), state.end(), next);
      ++next[k];
      out.push(make_instance(0, k), Outcome{}, count);
    }
  }
  void enabled(StateView state, Batch& out) {
    for (std::uint32_t k = 0; k < count; ++k)
      if (can_move(state, k)) out.push(make_instance(0, k), Outcome{}, 0);
  }
  Outcome apply(StateBuffer& top, InstanceId step, Undo&) {
    ++top[parameters_of(step)];
    return {};
  }
  void undo(StateBuffer&, const Undo&) {}
  void check(StateView state, StateCheck& findings) {
    const bool bad = state[count - 1] == 2;
    findings.result = bad ? StateCheck::Result::violated : StateCheck::Result::fine;
    findings.violated.assign(1, bad ? 1 : 0);
  }
  ir::SiteId live(StateView, std::uint64_t*) { return ir::SiteId::none; }
  ir::SiteId atoms(StateView, std::uint32_t, AtomValues&) { return ir::SiteId::none; }
  void quiet(bool) {}
};

TEST(Shorten, LeavesOutWhatOtherAgentsDoAtTheSideline) {
  Counters model;
  ToyStore<true> store(Counters::count);
  const std::optional<Counterexample> found = DepthFirst(model, store, toy_options()).run().first;
  ASSERT_TRUE(found.has_value());
  ASSERT_GT(length_of(*found), 30U);
  // Too little for a breadth-first search, and the short way leads through states that are far from the run.
  const ShorteningEffort effort{.expansions = 1500, .seconds = 1000, .memory = std::uint64_t{1} << 28};
  const Counterexample run = Shortener<Counters, ToyStore<true>>(model, toy_options(), effort, *found).run();
  EXPECT_EQ(length_of(run), 4U);
  EXPECT_TRUE(run.shortest);  // the search did come far enough to prove it
  EXPECT_EQ(run.states.back()[Counters::count - 1], 2U);
}

TEST(Shorten, KeepsARunThatIsLongerThanTheEffort) {
  const Case c = detours(5000);
  const std::optional<Counterexample> found = depth_first(c);
  ASSERT_TRUE(found.has_value());
  const Counterexample run = shortened(c, *found, 100);
  EXPECT_TRUE(is_run(c.graph, run));
  EXPECT_LE(length_of(run), length_of(*found));
  EXPECT_TRUE(shows_its_violation(c, run));
}

TEST(Shorten, ClaimsNothingAboutAViolationItDoesNotSee) {
  Case c;
  c.graph.starts = {0};
  c.graph.successors_of = {{1, 2}, {2}, {}};
  Counterexample run{{Kind::fault, 0, ir::SiteId{1}}, {{1}, {2}, {3}}, std::nullopt, false};
  const Counterexample same = shortened(c, run, 1000);
  EXPECT_EQ(same.states, run.states);
  EXPECT_FALSE(same.shortest);
}

TEST(Shorten, StopsWhenItIsToldToAndAtTheMemoryLimit) {
  std::mt19937 random(3);
  Case c{random_graph(random, 50000, 3)};
  c.graph.bad = {std::uint32_t(random() % 50000)};
  const std::optional<Counterexample> found = depth_first(c);
  ASSERT_TRUE(found.has_value());
  ToyModel model(c.graph);
  const ShorteningEffort stopped{
      .expansions = 1000000, .seconds = 1000, .memory = std::uint64_t{1} << 28, .go_on = [](std::uint64_t) {
        return false;
      }};
  const ShorteningEffort small{.expansions = 1000000, .seconds = 1000, .memory = 1 << 18};
  const ShorteningEffort no_time{.expansions = 1000000, .seconds = 0, .memory = std::uint64_t{1} << 28};
  for (const ShorteningEffort& effort : {stopped, small, no_time}) {
    const Counterexample run = Shortener(model, c.options, effort, *found).run();
    EXPECT_TRUE(is_run(c.graph, run));
    EXPECT_TRUE(shows_its_violation(c, run));
    EXPECT_LE(length_of(run), length_of(*found));
  }
}

}  // namespace
}  // namespace fathom
