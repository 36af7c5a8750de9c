// Partial order reduction must not change what is found: random models in both languages, with and without it.
#include "reduction/partial_order.hpp"

#include <gtest/gtest.h>

#include <cstdlib>

#include "analysis/symmetry.hpp"
#include "ir/compose.hpp"
#include "lang/murphi/load.hpp"
#include "lang/promela/load.hpp"
#include "model/interpreted.hpp"
#include "open/ordered_list.hpp"
#include "random_networks.hpp"
#include "reduction/symmetry.hpp"
#include "search/best_first.hpp"
#include "search/bfs.hpp"
#include "search/dfs.hpp"
#include "store/indexed_store.hpp"

namespace fathom {
namespace {

constexpr std::uint64_t largest = 3000;  // states; models with more are left out

// A model from its text; for Promela, with room for all processes that a search created so far.
struct Loaded {
  Sources sources;
  Diagnostics diagnostics;
  std::unique_ptr<promela::Model> promela;
  std::unique_ptr<ir::Program> program;

  static std::unique_ptr<Loaded> of_promela(const std::string& text) {
    auto result = std::make_unique<Loaded>();
    const FileId file = result->sources.add("random.pml", text);
    result->promela = std::make_unique<promela::Model>(result->sources, file, promela::Options{},
                                                       promela::LowerOptions{}, result->diagnostics);
    if (result->promela->parsed()) result->make_program();
    return result;
  }
  static std::unique_ptr<Loaded> of_murphi(const std::string& text) {
    auto result = std::make_unique<Loaded>();
    const FileId file = result->sources.add("random.m", text);
    result->program = murphi::load(result->sources, file, {}, result->diagnostics).program;
    return result;
  }
  void make_program() {
    program = promela->program(diagnostics);
    if (program != nullptr) ir::compose(*program, diagnostics);
  }
};

// best: by the length of the path and an evaluator, so that states are opened again; greedy: by the evaluator alone;
// several: like best, several states together.
enum class Walk { deep, wide, best, greedy, several };
constexpr const char* walk_names[] = {"dfs", "bfs", "astar", "greedy", "k-best"};

// Leads astray: estimates are chance.
class Chance final : public Evaluator {
 public:
  [[nodiscard]] Cost estimate(StateView state, const Batch&) override {
    return static_cast<Cost>(hash_words(state.data(), static_cast<std::uint32_t>(state.size())) % 7);
  }
};

struct Setting {
  Walk walk = Walk::deep;
  bool reduced = false;
  bool symmetric = false;
  bool watches = true;
  DeadlockMode deadlock = DeadlockMode::stuck;
  Proviso proviso = Proviso::sound;
};

// What a search found, as far as a reduction has to preserve it.
struct Findings {
  bool complete = true;
  std::vector<bool> violated, faulty;
  bool covered = false;
  std::uint64_t deadlocks = 0;
  SearchStatistics statistics;

  bool operator==(const Findings& other) const {
    return violated == other.violated && faulty == other.faulty && deadlocks == other.deadlocks &&
           covered == other.covered;
  }
};

std::ostream& operator<<(std::ostream& out, const Findings& findings) {
  out << findings.statistics.states << " states, " << findings.deadlocks << " deadlocks, covered " << findings.covered
      << ", violated";
  for (const bool each : findings.violated) out << ' ' << each;
  out << ", faults at";
  for (std::size_t k = 0; k < findings.faulty.size(); ++k)
    if (findings.faulty[k]) out << ' ' << k;
  return out;
}

template <class Search>
SearchResult search(InterpretedModel& model, IndexedStore& store, const SearchOptions& options) {
  return Search(model, store, options).run();
}

SearchResult best_first(InterpretedModel& model, const SearchOptions& options, Walk walk) {
  using Search = BestFirst<InterpretedModel, IndexedStore>;
  IndexedStore store(model.state_words(), UINT64_MAX);
  Chance chance;
  std::vector<Evaluator*> evaluators{&chance};
  RankedList<Additive, Search::Entry> open({walk == Walk::greedy ? 0U : 1U, 1});
  BestFirstPlan plan;
  plan.in_turn = walk == Walk::best;
  plan.cost_counts = walk != Walk::greedy;
  plan.width = walk == Walk::several ? 5 : 1;
  return Search(model, store, options, evaluators, open, plan).run();
}

SearchResult run(InterpretedModel& model, const SearchOptions& options, Walk walk) {
  if (walk != Walk::deep && walk != Walk::wide) return best_first(model, options, walk);
  IndexedStore store(model.state_words(), UINT64_MAX);
  if (walk == Walk::deep) return search<DepthFirst<InterpretedModel, IndexedStore>>(model, store, options);
  return search<BreadthFirst<InterpretedModel, IndexedStore>>(model, store, options);
}

// A fault in a statement is the same for all processes that execute it.
std::size_t place_of(const ir::Program& program, std::size_t site) {
  const auto same = [&](const ir::Site& other) {
    return other.kind == program.sites[site].kind && other.range == program.sites[site].range;
  };
  return static_cast<std::size_t>(std::ranges::find_if(program.sites, same) - program.sites.begin());
}

Findings explore(const ir::Program& program, const Setting& setting, std::vector<std::uint64_t>* faults = nullptr) {
  InterpretedModel model(program);
  SearchOptions options;
  options.shape = {program.edges().size(), program.properties.size(), program.sites.size()};
  options.deadlock = setting.deadlock;
  options.valid_end = ir::valid_end_of(program);
  options.max_errors = UINT64_MAX;
  options.selected.assign(program.properties.size(), true);
  options.proviso = setting.proviso;
  options.tick = [](const Progress& progress) { return progress.states < largest; };
  std::unique_ptr<Symmetry> symmetry;
  if (const auto sets = analyse_symmetry(program).safe; setting.symmetric && !sets.empty())
    symmetry = std::make_unique<Symmetry>(program, sets);
  options.canonicaliser = symmetry.get();
  std::unique_ptr<PartialOrder> reduction;
  if (setting.reduced) {
    reduction = std::make_unique<PartialOrder>(program, std::vector<bool>(program.properties.size(), setting.watches));
    if (reduction->refusal().empty()) options.reduction = reduction.get();
    reduction->remove_ended(setting.walk == Walk::deep);
  }
  const SearchResult result = run(model, options, setting.walk);
  if (faults != nullptr) *faults = result.faults;
  Findings findings;
  findings.complete = result.ending == Ending::exhausted;
  findings.statistics = result.statistics;
  // States that differ in the numbers of processes alone may be left out.
  const bool by_kind = program.anonymous_count != nullptr && setting.walk == Walk::deep;
  findings.deadlocks = by_kind ? std::min<std::uint64_t>(result.deadlocks, 1) : result.deadlocks;
  for (const std::uint64_t count : result.violations) findings.violated.push_back(count > 0);
  findings.faulty.resize(result.faults.size());
  for (std::size_t k = 0; k < result.faults.size(); ++k)
    if (result.faults[k] > 0) findings.faulty[place_of(program, k)] = true;
  for (const std::uint64_t hits : model.hits()) findings.covered |= hits > 0;
  return findings;
}

std::uint64_t number_of_networks(std::uint64_t usual) {
  const char* const wanted = std::getenv("FATHOM_RANDOM_NETWORKS");
  return wanted == nullptr ? usual : std::strtoull(wanted, nullptr, 10) / 2;
}

enum class Family { promela, promela_with_processes_that_go, murphi };

std::unique_ptr<Loaded> random_model(Family family, std::uint64_t seed, std::string& text) {
  using Processes = RandomPromela::Processes;
  const bool promela = family != Family::murphi;
  const Processes processes = family == Family::promela ? Processes::stay : Processes::come_and_go;
  text = promela ? RandomPromela(seed, processes).text() : RandomMurphi(seed).text();
  auto loaded = promela ? Loaded::of_promela(text) : Loaded::of_murphi(text);
  EXPECT_NE(loaded->program, nullptr) << text
                                      << (loaded->diagnostics.all().empty()
                                              ? ""
                                              : loaded->diagnostics.all().front().message);
  return loaded;
}

// The whole of a random model, or nothing where it is too large.
std::optional<Findings> explore_fully(Loaded& loaded, const Setting& setting) {
  for (;;) {
    std::vector<std::uint64_t> faults;
    Findings all = explore(*loaded.program, setting, &faults);
    if (!all.complete) return std::nullopt;
    if (loaded.promela == nullptr || !loaded.promela->extend_plan(faults)) return all;
    loaded.make_program();
  }
}

struct Totals {
  std::uint64_t compared = 0;
  std::uint64_t full_states = 0, reduced_states = 0;
  std::uint64_t different = 0;
};

// Compares random models with and without reduction under the given settings of the reduced search.
Totals compare(Family family, std::uint64_t first_seed, std::uint64_t count, const std::vector<Setting>& settings,
               bool expect_equal) {
  Totals totals;
  for (std::uint64_t seed = first_seed; seed < first_seed + count && !testing::Test::HasFailure(); ++seed) {
    std::string text;
    const auto loaded = random_model(family, seed, text);
    if (loaded->program == nullptr) break;
    for (const Setting& setting : settings) {
      Setting plain = setting;
      plain.reduced = false;
      const std::optional<Findings> all = explore_fully(*loaded, plain);
      if (!all) continue;
      const Findings reduced = explore(*loaded->program, setting);
      ++totals.compared;
      totals.full_states += all->statistics.states;
      totals.reduced_states += reduced.statistics.states;
      totals.different += !(reduced == *all);
      if (!expect_equal) continue;
      EXPECT_EQ(reduced, *all) << "seed " << seed << ", " << walk_names[static_cast<int>(setting.walk)] << "\n" << text;
    }
  }
  return totals;
}

std::vector<Setting> sound_settings() {
  return {{.walk = Walk::deep, .reduced = true},
          {.walk = Walk::wide, .reduced = true},
          {.walk = Walk::deep, .reduced = true, .deadlock = DeadlockMode::stuttering}};
}

TEST(PartialOrder, FindsTheSameInRandomPromela) {
  const Totals totals = compare(Family::promela, 1, number_of_networks(1000), sound_settings(), true);
  EXPECT_GT(totals.compared, 2 * number_of_networks(1000));
  EXPECT_LT(totals.reduced_states * 10, totals.full_states * 9);
}

TEST(PartialOrder, FindsTheSameWhereProcessesComeAndGo) {
  const Totals totals =
      compare(Family::promela_with_processes_that_go, 1, number_of_networks(600), sound_settings(), true);
  EXPECT_GT(totals.compared, number_of_networks(600));
  EXPECT_LT(totals.reduced_states * 10, totals.full_states * 7);
}

TEST(PartialOrder, FindsTheSameInRandomMurphi) {
  const Totals totals = compare(Family::murphi, 1, number_of_networks(1000), sound_settings(), true);
  EXPECT_GT(totals.compared, 2 * number_of_networks(1000));
  EXPECT_LT(totals.reduced_states, totals.full_states);
}

TEST(PartialOrder, FindsTheSameInBestFirstSearches) {
  const std::vector<Setting> settings{{.walk = Walk::best, .reduced = true},
                                      {.walk = Walk::greedy, .reduced = true},
                                      {.walk = Walk::several, .reduced = true},
                                      {.walk = Walk::greedy, .reduced = true, .symmetric = true}};
  const Totals promela = compare(Family::promela, 5000, number_of_networks(600), settings, true);
  const Totals murphi = compare(Family::murphi, 5000, number_of_networks(400), settings, true);
  EXPECT_LT(promela.reduced_states * 10, promela.full_states * 9);
  EXPECT_LT(murphi.reduced_states, murphi.full_states);
}

TEST(PartialOrder, GoesTogetherWithSymmetry) {
  compare(Family::murphi, 1, number_of_networks(1000) / 2,
          {{.walk = Walk::deep, .reduced = true, .symmetric = true},
           {.walk = Walk::wide, .reduced = true, .symmetric = true}},
          true);
}

// Reduced and not reduced, in a depth-first search.
std::pair<Findings, Findings> both_ways(const std::string& text) {
  const auto loaded = Loaded::of_promela(text);
  const Setting reduced{.walk = Walk::deep, .reduced = true};
  Setting full = reduced;
  full.reduced = false;
  const std::optional<Findings> all = explore_fully(*loaded, full);
  return {explore(*loaded->program, reduced), all.value()};
}

TEST(PartialOrder, AStepThatAsksFirstDoesNotMindTheOtherEndsOfItsChannels) {
  const auto [reduced, full] = both_ways(R"(
    chan a = [3] of { byte }; chan b = [3] of { byte };
    active proctype source() { byte i; do :: i < 6 -> a!i; i++ :: else -> break od }
    active proctype relay() { byte x; end: do :: atomic { nempty(a) && nfull(b) -> a?x; b!x } od }
    active proctype sink() { byte n, x; do :: n < 6 -> b?x; assert(x == n); n++ :: else -> break od })");
  EXPECT_EQ(reduced, full);
  EXPECT_LT(reduced.statistics.states * 3, full.statistics.states);
}

// What a step does with a channel behind its beginning may hang on what others do with it, and then it shows.
TEST(PartialOrder, AStepThatMayHaveToWaitInItsMiddleMindsTheOtherEnds) {
  const std::string sender = "active proctype B() { c!1; c!2; assert(x == 0) } active proctype A() { byte i; ";
  const std::string taker = "active proctype B() { c!1; c?_; assert(x == 0) } active proctype A() { ";
  for (const std::string& text :
       {sender + "atomic { nempty(c) -> c?i; x = 1; c?i; x = 0 } }", sender + "atomic { c?i; x = 1; c?i; x = 0 } }",
        sender + "atomic { nempty(c) -> do :: i < 2 -> c?_; x = 1; i++ :: i == 2 -> break od; x = 0 } }",
        sender + "atomic { nempty(d) -> x = 1; c?_; x = 0 } } init { d!1 }",
        sender + "atomic { nempty(c) -> x = 1; c??2; x = 0 } }",
        taker + "atomic { nfull(c) -> c!3; x = 1; c!3; x = 0 } }", taker + "atomic { c!3; x = 1; c!3; x = 0 } }"}) {
    const auto [reduced, full] = both_ways("byte x; chan c = [2] of { byte }; chan d = [1] of { byte };" + text);
    EXPECT_GT(std::ranges::count(full.faulty, true), 0) << text;
    EXPECT_EQ(reduced, full) << text;
  }
}

TEST(PartialOrder, ProcessesThatHaveEndedGoAtOnceWhereNobodyCanTell) {
  const auto [reduced, full] = both_ways(R"(
    byte sum;
    proctype leaf(chan up; byte n) { up!n }
    proctype node(chan up; byte n) {
      chan me = [0] of { byte };
      byte a, b;
      run leaf(me, n); me?a;
      run leaf(me, n); me?b;
      up!a + b
    }
    init {
      chan me = [0] of { byte };
      byte v;
      run node(me, 1); me?v; sum = v;
      run node(me, 2); me?v; sum = sum + v;
      assert(sum == 6)
    })");
  EXPECT_EQ(reduced, full);
  EXPECT_LT(reduced.statistics.states * 2, full.statistics.states);
  EXPECT_LE(reduced.statistics.most_processes, 7U);
}

TEST(PartialOrder, KnowsWhoCanTellTheNumbersOfProcesses) {
  const auto matter = [](const std::string& text) {
    return Loaded::of_promela(text)->program->anonymous_count == nullptr;
  };
  const std::string child = "chan g = [1] of { byte }; byte x; proctype C() { skip } ";
  EXPECT_FALSE(matter(child + "init { run C(); g!1; run C() }"));
  EXPECT_FALSE(
      matter("proctype C(chan up) { chan me = [0] of { byte }; if :: up?1 :: run C(me); me!1 fi } "
             "init { chan me = [1] of { byte }; run C(me); me!1 }"));
  EXPECT_TRUE(matter(child + "init { x = run C() }"));
  EXPECT_TRUE(matter(child + "init { run C(); assert(_nr_pr == 2) }"));
  EXPECT_TRUE(matter(child + "proctype D() { x = _pid } init { run C(); run D() }"));
  EXPECT_TRUE(matter(child + "proctype D() { there: skip } init { run D(); assert(!D[1]@there) }"));
  EXPECT_TRUE(matter(child + "proctype D() { byte v; v = 1 } init { run D(); assert(D[1]:v == 0) }"));
  EXPECT_TRUE(matter(child + "init { run C() } ltl p { [] (_nr_pr < 3) }"));
  EXPECT_TRUE(matter(child + "proctype D() provided (x == 0) { skip } init { run D() }"));
  EXPECT_TRUE(matter("chan g = [1] of { chan }; init { chan me = [1] of { byte }; g!me }"));
  EXPECT_TRUE(matter("chan g; proctype C(chan c) { g = c } init { chan me = [1] of { byte }; run C(me) }"));
  EXPECT_TRUE(matter("byte x; proctype C(byte c) { x = c } init { chan me = [1] of { byte }; run C(me) }"));
  EXPECT_TRUE(matter("init { chan me = [1] of { byte }; assert(me > 1) }"));
}

// There could be any number of them if none went.
TEST(PartialOrder, CountsTheProcessesThatCouldHaveStayed) {
  const Setting setting{.walk = Walk::deep, .reduced = true};
  const auto count = [&](const std::string& text) {
    const auto loaded = Loaded::of_promela("chan c = [0] of { byte }; proctype P() { c!1 } init { " + text + " }");
    for (;;) {
      std::vector<std::uint64_t> faults;
      const Findings found = explore(*loaded->program, setting, &faults);
      if (!loaded->promela->extend_plan(faults)) return found.statistics.most_processes;
      loaded->make_program();
    }
  };
  EXPECT_EQ(count("run P(); c?_; run P(); c?_; run P(); c?_"), 4U);
  EXPECT_GT(count("do :: run P(); c?_ od"), ir::max_processes);
}

// What the reduction is made of is needed: without any one part the random models show it.

TEST(PartialOrder, NeedsTheProvisoOnTheStack) {
  const Totals totals =
      compare(Family::promela, 1, 1000, {{.walk = Walk::deep, .reduced = true, .proviso = Proviso::none}}, false);
  EXPECT_GT(totals.different, 0U);
}

TEST(PartialOrder, NeedsTheProvisoOnClosedStates) {
  const Totals totals =
      compare(Family::promela, 1, 1000, {{.walk = Walk::greedy, .reduced = true, .proviso = Proviso::none}}, false);
  EXPECT_GT(totals.different, 0U);
}

TEST(PartialOrder, NeedsTheProvisoBetweenLevels) {
  const Totals totals =
      compare(Family::promela, 1, 1000, {{.walk = Walk::wide, .reduced = true, .proviso = Proviso::none}}, false);
  EXPECT_GT(totals.different, 0U);
}

TEST(PartialOrder, NeedsTheLevelToBeClosed) {
  const Totals totals = compare(Family::promela, 1, 1000,
                                {{.walk = Walk::wide, .reduced = true, .proviso = Proviso::level_is_open}}, false);
  EXPECT_GT(totals.different, 0U);
}

TEST(PartialOrder, NeedsToWatchTheProperties) {
  const Totals totals =
      compare(Family::murphi, 1, 1000, {{.walk = Walk::deep, .reduced = true, .watches = false}}, false);
  EXPECT_GT(totals.different, 0U);
}

}  // namespace
}  // namespace fathom
