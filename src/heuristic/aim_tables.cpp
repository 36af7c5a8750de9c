#include "heuristic/aim_tables.hpp"

#include <algorithm>
#include <numeric>
#include <random>
#include <set>

#include "heuristic/agent_shares.hpp"
#include "heuristic/pattern_choice.hpp"

namespace fathom {

namespace {

constexpr std::size_t fewest_states = 500;
constexpr std::size_t first_size = 100'000;
constexpr int walks = 32;
constexpr int steps_of_walk = 48;
constexpr int steps_between_samples = 6;
constexpr std::size_t largest_window = 12'500;
constexpr std::size_t part_for_window = 8;  // of the states that are left
constexpr std::size_t rounds_between_questions = 16;
constexpr std::size_t most_tried = 6;  // samples whose ways are tried out for one refinement

// A table that is being made.
struct Growing {
  Growing(AimPart&& its_part, const StepWeights& its_weights, MaySteps& steps, const ModelFacts& facts,
          InterpretedModel& model)
      : part(std::move(its_part)), weights(its_weights), pattern(steps, facts, model, part.aim, weights) {}

  const AimPart part;
  const StepWeights weights;
  PatternChoice pattern;
  std::size_t refinements = 0;
  bool done = false;
  std::size_t tried_within = 0;  // states, when it could not grow any more
};

struct GrowingAims {
  AimTables made;
  std::unique_ptr<DeadlockAgents> agents = {};
  std::vector<std::unique_ptr<Growing>> growing = {};
  std::size_t first_window = 0;                 // those before it are of single agents
  std::vector<std::vector<bool>> counted = {};  // per table: the agents whose steps are
  std::vector<std::uint32_t> at_samples = {};
  int failures = 0;  // refinements in a row that made no difference

  [[nodiscard]] bool is_done() const {
    return std::ranges::all_of(growing, [](const auto& each) { return each->done; });
  }
  [[nodiscard]] bool is_out_of_reach() const {
    return std::ranges::any_of(made.tables,
                               [](const auto& table) { return table->at_start() == AbstractionTable::never; });
  }
};

class TableMaker {
 public:
  using Clock = ThreadClock;

  TableMaker(const Goals& goals, const ModelFacts& facts, MaySteps& steps, const TableLimits& limits)
      : facts_(facts),
        steps_(steps),
        model_(goals.program),
        limits_(limits),
        size_(std::min(limits.states, first_size)),
        begin_(Clock::now()),
        end_(begin_ + std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(limits.seconds))) {
    model_.quiet(true);
    std::vector<StateBuffer> starts = steps.starts();
    for (StateBuffer& start : starts) samples_.push_back(std::move(start));
    for (int walk = 0; walk < walks && !steps.starts().empty(); ++walk) take_walk();
  }

  std::vector<AimTables> make(std::vector<PlannedAims>&& plans, const std::vector<Cost>& costs, const BitSet& named) {
    begin(std::move(plans), costs, named);
    if (named.empty()) grow_in_stages();
    std::vector<AimTables> result;
    for (GrowingAims& aims : aims_) {
      if (aims.is_out_of_reach()) continue;
      share_out(aims);
      leave_out_windows(aims);
      for (const auto& table : aims.made.tables) table->forget_steps();
      result.push_back(std::move(aims.made));
    }
    return result;
  }

  [[nodiscard]] Clock::time_point part_of_time(std::int64_t divisor) const {
    return Clock::now() + (end_ - Clock::now()) / divisor;
  }

 private:
  // Where searches come along.
  void take_walk() {
    StateBuffer state = steps_.starts()[random_() % steps_.starts().size()];
    Batch batch;
    for (int length = 1; length <= steps_of_walk && Clock::now() < begin_ + (end_ - begin_) / 8; ++length) {
      batch.clear();
      model_.successors(state, batch);
      std::vector<std::uint32_t> next;
      for (std::uint32_t k = 0; k < batch.size(); ++k)
        if (batch.outcome(k).has_successor()) next.push_back(k);
      if (next.empty()) return;
      const StateView taken = batch.state(next[random_() % next.size()]);
      state.assign(taken.begin(), taken.end());
      StateCheck check;
      model_.check(state, check);
      if (check.result != StateCheck::Result::fine) return;
      if (length % steps_between_samples == 0) samples_.push_back(state);
    }
  }

  // First tables of all aims. Half of the time is for them, in equal parts.
  void begin(std::vector<PlannedAims>&& plans, const std::vector<Cost>& costs, const BitSet& named) {
    std::size_t left = 0;
    for (const PlannedAims& plan : plans) left += plan.parts.size();
    const std::size_t share = std::max(std::min(fewest_states, size_), size_ / std::max<std::size_t>(1, left));
    for (PlannedAims& plan : plans) {
      GrowingAims& aims = aims_.emplace_back();
      aims.made.at_least = plan.at_least;
      aims.agents = std::move(plan.agents);
      const StepWeights weights{costs, aims.agents == nullptr ? std::vector<std::uint32_t>{} : aims.agents->owners()};
      for (AimPart& part : plan.parts) {
        const AbstractionLimits limits{share, part_of_time(static_cast<std::int64_t>(2 * left--))};
        auto growing = std::make_unique<Growing>(std::move(part), weights, steps_, facts_, model_);
        auto table = named.empty() ? growing->pattern.begin(growing->part.seeds, growing->part.few_seeds, limits)
                                   : growing->pattern.make(named, limits);
        add(aims, std::move(growing), std::move(table));
      }
      aims.first_window = aims.growing.size();
      if (aims.agents != nullptr && named.empty()) add_windows(aims, weights);
      share_out(aims);
      look_at_samples(aims);
    }
  }

  void add(GrowingAims& aims, std::unique_ptr<Growing> growing, PatternChoice::Made table) {
    states_ += table->size();
    aims.growing.push_back(std::move(growing));
    aims.made.tables.push_back(std::move(table));
  }

  // Those that say more about one of their agents than anything before. Where one is too large its parts are tried.
  void add_windows(GrowingAims& aims, const StepWeights& weights) {
    AgentShares shares = shares_of(aims);
    const Clock::time_point deadline = part_of_time(2);
    std::vector<DeadlockAgents::Set> waiting = aims.agents->windows();
    std::set<DeadlockAgents::Set> known(waiting.begin(), waiting.end());
    for (std::size_t k = 0; k < waiting.size() && Clock::now() < deadline && states_ < size_; ++k) {
      const DeadlockAgents::Set window = waiting[k];
      AimPart part{{{}, {}, aims.agents->instances_of(window)}, aims.agents->cells_of(window), {}, window};
      auto growing = std::make_unique<Growing>(std::move(part), weights, steps_, facts_, model_);
      auto table = growing->pattern.make(growing->part.seeds,
                                         {std::min(largest_window, (size_ - states_) / part_for_window), deadline});
      if (!table->is_complete()) {
        for (DeadlockAgents::Set& smaller : aims.agents->parts_of(window))
          if (known.insert(smaller).second) waiting.push_back(std::move(smaller));
      } else if (shares.offer(*table, aims.growing.size(), window) || table->at_start() == AbstractionTable::never) {
        add(aims, std::move(growing), std::move(table));
      }
    }
  }

  [[nodiscard]] AgentShares shares_of(const GrowingAims& aims) const {
    AgentShares shares(aims.agents->size(), samples_);
    for (std::size_t k = 0; k < aims.growing.size(); ++k)
      shares.offer(*aims.made.tables[k], k, aims.growing[k]->part.agents);
    return shares;
  }

  void share_out(GrowingAims& aims) const {
    if (aims.agents == nullptr) return;
    const AgentShares shares = shares_of(aims);
    aims.counted.clear();
    for (std::size_t k = 0; k < aims.growing.size(); ++k) {
      aims.counted.push_back(shares.counted_by(k));
      aims.made.tables[k]->count(aims.counted.back());
    }
  }

  // Those in which nothing is counted after all.
  static void leave_out_windows(GrowingAims& aims) {
    for (std::size_t k = aims.growing.size(); k-- > aims.first_window;)
      if (std::ranges::count(aims.counted[k], true) == 0)
        aims.made.tables.erase(aims.made.tables.begin() + static_cast<std::ptrdiff_t>(k));
  }

  void look_at_samples(GrowingAims& aims) {
    aims.at_samples.clear();
    for (const StateBuffer& sample : samples_)
      aims.at_samples.push_back(aims.made.distance(sample, AbstractionTable::never));
  }

  // With little room the patterns are chosen with more care than with much, which lets them grow in leaps.
  void grow_in_stages() {
    grow();
    while (size_ < limits_.states && Clock::now() < end_ && !enough_) {
      size_ = std::min(4 * size_, limits_.states);
      grow();
    }
  }

  void grow() {
    while (Clock::now() < end_ && states_ < size_ && !is_enough()) {
      GrowingAims* const aims = weakest();
      if (aims != nullptr)
        refine(*aims);
      else if (!try_again())
        return;
    }
  }

  // It is asked when the estimate at the start has changed, and now and then: trying a way out takes time.
  bool is_enough() {
    std::uint32_t at_start = AbstractionTable::never;
    for (const StateBuffer& start : steps_.starts()) at_start = std::min(at_start, nearest(start));
    if (at_start == asked_at_ && ++rounds_ % rounds_between_questions != 0) return enough_;
    asked_at_ = at_start;
    enough_ =
        at_start != AbstractionTable::never && limits_.is_enough([this](StateView state) { return nearest(state); });
    return enough_;
  }

  [[nodiscard]] std::uint32_t nearest(StateView state) const {
    std::uint32_t nearest = AbstractionTable::never;
    for (const GrowingAims& aims : aims_) nearest = std::min(nearest, aims.made.distance(state, nearest));
    return nearest;
  }

  // What had no room while all were growing may have some when others are done.
  bool try_again() {
    std::size_t waiting = 0;
    each_that_could_grow([&](const Growing& growing, std::size_t) { waiting += growing.done ? 1 : 0; });
    bool some = false;
    each_that_could_grow([&](Growing& growing, std::size_t states) {
      const std::size_t room = states + (size_ - states_) / std::max<std::size_t>(1, waiting);
      if (room < 2 * growing.tried_within) return;
      growing.tried_within = room;
      growing.done = false;
      some = true;
    });
    return some;
  }

  // With all the room that is left.
  template <class Visit>
  void each_that_could_grow(Visit visit) {
    for (GrowingAims& aims : aims_)
      for (std::size_t k = 0; k < aims.growing.size(); ++k)
        if (could_grow(aims, k)) visit(*aims.growing[k], aims.made.tables[k]->size());
  }

  [[nodiscard]] bool could_grow(const GrowingAims& aims, std::size_t k) const {
    const std::size_t room = aims.made.tables[k]->size() + size_ - std::min(size_, states_);
    return !aims.is_out_of_reach() && (!aims.growing[k]->done || room >= 2 * aims.growing[k]->tried_within);
  }

  [[nodiscard]] bool stays_as_it_is(const GrowingAims& aims) const {
    for (std::size_t k = 0; k < aims.growing.size(); ++k)
      if (could_grow(aims, k)) return false;
    return true;
  }

  // The aims that are the nearest at most samples where nothing else that stays as it is is as near. Those that grew in
  // vain lately come later.
  [[nodiscard]] GrowingAims* weakest() {
    std::vector<double> wanted(aims_.size());
    for (std::size_t sample = 0; sample < samples_.size(); ++sample) {
      const std::uint32_t nearest = nearest_at(sample);
      if (nearest == AbstractionTable::never) continue;
      const auto is_hopeless = [&](const GrowingAims& aims) {
        return aims.at_samples[sample] == nearest && stays_as_it_is(aims);
      };
      if (std::ranges::any_of(aims_, is_hopeless)) continue;
      for (std::size_t k = 0; k < aims_.size(); ++k)
        wanted[k] += aims_[k].at_samples[sample] == nearest && !aims_[k].is_done() ? 1 : 0;
    }
    competing_ = static_cast<std::size_t>(std::ranges::count_if(wanted, [](double times) { return times > 0; }));
    if (competing_ == 0) return nullptr;
    for (std::size_t k = 0; k < aims_.size(); ++k) wanted[k] /= 1 + aims_[k].failures;
    return &aims_[static_cast<std::size_t>(std::ranges::max_element(wanted) - wanted.begin())];
  }

  // Some samples where nothing is nearer, beginning with the start.
  [[nodiscard]] std::vector<StateView> where_it_counts(const GrowingAims& aims) {
    std::vector<std::size_t> there;
    for (std::size_t sample = 0; sample < samples_.size(); ++sample)
      if (aims.at_samples[sample] == nearest_at(sample)) there.push_back(sample);
    if (there.size() > 1) std::shuffle(there.begin() + 1, there.end(), random_);
    std::vector<StateView> result;
    for (const std::size_t sample : there)
      if (result.size() < most_tried) result.emplace_back(samples_[sample]);
    return result;
  }

  [[nodiscard]] std::uint32_t nearest_at(std::size_t sample) const {
    std::uint32_t nearest = AbstractionTable::never;
    for (const GrowingAims& aims : aims_) nearest = std::min(nearest, aims.at_samples[sample]);
    return nearest;
  }

  // One more round for the table that had fewest. What is left of the size and the time is for all that compete.
  void refine(GrowingAims& aims) {
    std::size_t picked = 0, open = 0;
    for (std::size_t k = 0; k < aims.growing.size(); ++k) {
      if (aims.growing[k]->done) continue;
      if (open++ == 0 || aims.growing[k]->refinements < aims.growing[picked]->refinements) picked = k;
    }
    Growing& growing = *aims.growing[picked];
    auto& table = aims.made.tables[picked];
    const std::size_t rivals = competing_ + open - 1;
    const AbstractionLimits limits{table->size() + (size_ - states_) / rivals, part_of_time(2)};
    auto next = growing.pattern.refined(*table, where_it_counts(aims), limits);
    ++growing.refinements;
    growing.done = next == nullptr;
    growing.tried_within = std::max(growing.tried_within, limits.states);
    if (next == nullptr) return;
    states_ += next->size() - table->size();
    table = std::move(next);
    if (!aims.counted.empty()) table->count(aims.counted[picked]);
    const std::uint64_t before = sum_at_samples(aims);
    look_at_samples(aims);
    aims.failures = sum_at_samples(aims) > before ? 0 : aims.failures + 1;
    if (aims.is_out_of_reach())
      for (const auto& each : aims.growing) each->done = true;
  }

  static std::uint64_t sum_at_samples(const GrowingAims& aims) {
    return std::accumulate(aims.at_samples.begin(), aims.at_samples.end(), std::uint64_t{0});
  }

  const ModelFacts& facts_;
  MaySteps& steps_;
  InterpretedModel model_;
  const TableLimits& limits_;
  std::size_t size_;  // of this stage
  const Clock::time_point begin_, end_;
  std::mt19937 random_{1};
  std::vector<StateBuffer> samples_;
  std::vector<GrowingAims> aims_;
  std::size_t states_ = 0;
  std::size_t competing_ = 1;   // aims that could be the weakest
  std::uint32_t asked_at_ = 0;  // the estimate at the start, when it was last asked whether that is enough
  std::size_t rounds_ = 0;      // since the start, without a change
  bool enough_ = false;
};

}  // namespace

std::uint32_t AimTables::distance(StateView state, std::uint32_t enough) const {
  std::uint32_t farthest = at_least;
  std::uint64_t together = 0;
  for (const auto& table : tables) {
    const std::uint32_t number = table->number_of(state);
    farthest = std::max(farthest, table->all_of(number));
    together += table->share_of(number);
    if (std::max<std::uint64_t>(farthest, together) >= enough) break;
  }
  if (farthest != AbstractionTable::never && together > farthest)
    farthest = static_cast<std::uint32_t>(std::min<std::uint64_t>(together, AbstractionTable::never - 1));
  return farthest;
}

std::vector<AimTables> make_tables(const Goals& goals, const ModelFacts& facts, MaySteps& steps,
                                   const std::vector<Cost>& costs, const BitSet& named, const TableLimits& limits) {
  TableMaker maker(goals, facts, steps, limits);
  return maker.make(plan_aims(goals, facts, steps, costs, maker.part_of_time(4)), costs, named);
}

}  // namespace fathom
