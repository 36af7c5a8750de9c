#include "cli/hunt.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <mutex>
#include <optional>
#include <vector>

#include "cli/evaluator_inputs.hpp"
#include "cli/model_check.hpp"
#include "cli/portfolio.hpp"
#include "cli/searches.hpp"
#include "cli/usage_error.hpp"
#include "support/text.hpp"
#include "support/turns.hpp"

namespace fathom {

namespace {

constexpr double default_seconds = 60;

// A strategy at work.
struct Hunter {
  explicit Hunter(Strategy its_strategy) : strategy(std::move(its_strategy)) {}

  Strategy strategy;
  PropertySelection selection;
  Progress progress;          // as it last reported
  Progress before;            // the same at the beginning of its turn
  std::uint64_t reports = 0;  // in its turn
  std::uint64_t allowance = 0;
  std::uint64_t weight = 1;  // how many shares its turn has
  ProgressLine::Clock::time_point turn_began;
  double seconds = 0;
  std::optional<JobResult> result;

  [[nodiscard]] bool found() const { return result && result->search.first.has_value(); }
  [[nodiscard]] bool proved() const {
    return result && !found() && result->search.exact &&
           (result->search.ending == Ending::exhausted || result->search.ending == Ending::bound);
  }
};

// The searches take turns, as many at a time as there are threads, measured in steps taken so that a hunt can be
// repeated. Turns are short at first, so that an easy bug is found by whoever it is easy for, and grow, so that
// changing over costs nothing. A search that comes to few new states loses part of its share to the others.
//
// Of those that find something in the same round the first in line wins, since that is the one that a single thread
// would have come to. So those before it go on to the end of their turns, and those behind it end theirs.
class Hunt {
 public:
  Hunt(const CheckOptions& options, const std::vector<std::string>& arguments)
      : options_(with_defaults(options)), arguments_(arguments), check_(options_) {}

  int run() {
    if (!check_.load()) return check_.finish();
    while (!attempt()) {
    }
    check_.output().progress().clear();
    report();
    return check_.finish();
  }

 private:
  static constexpr std::uint64_t first_turn = 2000;  // steps
  static constexpr std::uint64_t first_late_turn = 64 * first_turn;
  static constexpr std::uint64_t longest_turn = 1 << 20;
  static constexpr std::uint64_t steps_per_report = 100;
  static constexpr std::uint64_t most_shares = 4;

  static CheckOptions with_defaults(CheckOptions options) {
    if (options.search != "bfs" || options.order != Order::declared)
      throw UsageError(
          "a hunt chooses its own searches and orders: leave out --search and --order, or say fathom check");
    if (options.max_errors != 1)
      throw UsageError("a hunt ends with the first violation: leave out --max-errors and --keep-going");
    if (!options.seconds) options.seconds = default_seconds;
    return options;
  }

  // False: the program has grown, and everything found so far is void.
  bool attempt() {
    const PropertySelection selection = check_.select();
    hunters_.clear();
    for (Strategy& strategy : portfolio(check_.program(), selection, options_))
      hunters_.emplace_back(std::move(strategy));
    for (Hunter& hunter : hunters_) {
      hunter.selection = hunter.strategy.claim ? check_.nothing_of_states() : selection;
      hunter.strategy.options.memory = options_.memory / hunters_.size();
      hunter.strategy.options.threads = 1;  // several are at work
    }
    winner_ = nullptr;
    found_by_ = nobody;
    stopping_ = false;
    turn_ = first_turn;
    Turns turns(hunters_.size(), options_.threads, [this](std::size_t number) { hunt(hunters_[number]); });
    turns_ = &turns;
    turns.run([this] { return next_round(); }, [this](std::size_t number) { return may_begin(number); });
    return winner_ == nullptr || !grow_program(check_.model(), winner_->result->search.faults);
  }

  // A search that chooses at random and came to its end without a result begins again with another seed, in its next
  // turn.
  void hunt(Hunter& hunter) {
    begin_turn(hunter);
    search(hunter);
    while (chooses_at_random(hunter) && ended_incomplete(hunter) && is_wanted(hunter)) {
      hunter.strategy.options.seed += 1;
      set_progress(hunter, {});
      pause(hunter);
      if (is_wanted(hunter)) search(hunter);
    }
    if (hunter.found()) tell_found(hunter);
    end_turn(hunter);
  }

  void search(Hunter& hunter) {
    set_result(hunter, std::nullopt);
    try {
      ModelEvaluatorInputs evaluators(check_.model(), hunter.strategy.options);
      set_result(hunter, run_job({check_.program(), hunter.strategy.options, hunter.selection, nullptr,
                                  [&](const Progress& progress) { return tick(hunter, progress); },
                                  [](const Diagnostics&) {}, hunter.strategy.claim, &evaluators}));
    } catch (const UsageError&) {
      // The search does not go with the options or the model: the others hunt without it.
    }
    if (hunter.result) set_progress(hunter, last_progress(*hunter.result));
  }

  // ---- What others look at while it is written.
  void set_result(Hunter& hunter, std::optional<JobResult> result) {
    const std::lock_guard lock(mutex_);
    hunter.result = std::move(result);
  }
  void set_progress(Hunter& hunter, const Progress& progress) {
    const std::lock_guard lock(mutex_);
    hunter.progress = progress;
  }
  void tell_found(const Hunter& hunter) {
    const std::lock_guard lock(mutex_);
    found_by_ = std::min(found_by_, number_of(hunter));
  }
  bool is_wanted(const Hunter& hunter) {
    const std::lock_guard lock(mutex_);
    return wanted(hunter);
  }
  // In a round that began before it was known that somebody in front of it has found something.
  bool may_begin(std::size_t number) {
    const std::lock_guard lock(mutex_);
    return stopping_ || number < found_by_;
  }

  static bool chooses_at_random(const Hunter& hunter) {
    return entry_of(resolve_search(hunter.strategy.options.search)).random;
  }

  static bool ended_incomplete(const Hunter& hunter) {
    return hunter.result && hunter.result->search.ending == Ending::incomplete;
  }

  static Progress last_progress(const JobResult& result) {
    const SearchStatistics& statistics = result.search.statistics;
    return {.states = statistics.states, .transitions = statistics.transitions, .depth = statistics.depth};
  }

  // A search that shortens its run has found it.
  bool tick(Hunter& hunter, const Progress& progress) {
    const bool shortening = std::strcmp(progress.phase, "shortening") == 0;
    if (shortening)
      tell_found(hunter);
    else
      set_progress(hunter, progress);
    ++hunter.reports;
    if (ask_check() && !shortening && spent(hunter) >= hunter.allowance) pause(hunter);
    return shortening ? may_shorten(hunter) : is_wanted(hunter);
  }

  // Whether the hunt goes on.
  bool ask_check() {
    const std::lock_guard lock(mutex_);
    stopping_ = !check_.go_on(total()) || stopping_;
    return !stopping_;
  }
  bool may_shorten(const Hunter& hunter) {
    const std::lock_guard lock(mutex_);
    return !check_.stopped() && number_of(hunter) <= found_by_;
  }

  void pause(Hunter& hunter) {
    end_turn(hunter);
    turns_->pause(number_of(hunter));
    begin_turn(hunter);
  }

  [[nodiscard]] std::size_t number_of(const Hunter& hunter) const {
    return static_cast<std::size_t>(&hunter - hunters_.data());
  }

  [[nodiscard]] Progress total() const {
    Progress total{.phase = "hunt"};
    for (const Hunter& hunter : hunters_) {
      total.states += hunter.progress.states;
      total.transitions += hunter.progress.transitions;
      total.depth = std::max(total.depth, hunter.progress.depth);
      total.queue += hunter.progress.queue;
      total.bytes += hunter.progress.bytes;
    }
    return total;
  }

  // Steps taken. A search that only repeats steps still reports now and then.
  static std::uint64_t spent(const Hunter& hunter) {
    return hunter.progress.transitions - hunter.before.transitions + hunter.reports * steps_per_report;
  }

  // Once one search has proved a property, the others for it have nothing left to find.
  [[nodiscard]] bool wanted(const Hunter& hunter) const {
    return !stopping_ && number_of(hunter) <= found_by_ && std::ranges::none_of(hunters_, [&](const Hunter& other) {
      return other.strategy.claim == hunter.strategy.claim && other.proved();
    });
  }

  // If nobody else is left, those that are late begin.
  std::vector<std::size_t> next_round() {
    if (found_by_ != nobody && winner_ == nullptr) {
      winner_ = &hunters_[found_by_];
      stopping_ = true;
    }
    turn_ = std::min(turn_ * 2, longest_turn);
    std::vector<std::size_t> round = those_with_a_turn(turn_ >= first_late_turn);
    return round.empty() ? those_with_a_turn(true) : round;
  }

  [[nodiscard]] std::vector<std::size_t> those_with_a_turn(bool also_late) const {
    std::vector<std::size_t> round;
    for (std::size_t k = 0; k < hunters_.size(); ++k) {
      const bool is_due = turns_->began(k) || (wanted(hunters_[k]) && (also_late || !hunters_[k].strategy.late));
      if (is_due && !turns_->ended(k)) round.push_back(k);
    }
    return round;
  }

  void begin_turn(Hunter& hunter) {
    hunter.before = hunter.progress;
    hunter.reports = 0;
    hunter.allowance = turn_ * hunter.weight;
    hunter.turn_began = ProgressLine::Clock::now();
  }

  static void end_turn(Hunter& hunter) {
    hunter.seconds += ModelCheck::seconds_since(hunter.turn_began);
    const std::uint64_t fresh = hunter.progress.states - std::min(hunter.progress.states, hunter.before.states);
    if (fresh * 4 > spent(hunter))
      hunter.weight = std::min(hunter.weight * 2, most_shares);
    else if (fresh * 20 < spent(hunter))
      hunter.weight = std::max<std::uint64_t>(hunter.weight / 2, 1);
  }

  void report() {
    Report& report = check_.report();
    if (winner_ != nullptr) {
      add(*winner_);
      report.search = winner_->strategy.options.search;
    } else {
      add_what_is_known();
      report.search = "hunt";
    }
    HuntReport& hunt = report.hunt.emplace();
    for (const Hunter& hunter : hunters_) hunt.searches.push_back(describe(hunter));
    if (winner_ != nullptr) hunt.command = command(winner_->strategy);
  }

  void add(Hunter& hunter) {
    check_.add({hunter.strategy.claim, hunter.selection, std::move(*hunter.result), hunter.seconds,
                hunter.strategy.options.seed});
    hunter.result.reset();
  }

  // For each thing that was looked at, the search that proved it or else came first in the portfolio.
  void add_what_is_known() {
    std::vector<std::optional<std::uint32_t>> told;
    for (Hunter& hunter : hunters_) {
      if (std::ranges::count(told, hunter.strategy.claim) > 0) continue;
      Hunter* best = nullptr;
      for (Hunter& other : hunters_) {
        if (other.strategy.claim != hunter.strategy.claim || !other.result) continue;
        if (best == nullptr || (other.proved() && !best->proved())) best = &other;
      }
      if (best == nullptr) continue;
      told.push_back(hunter.strategy.claim);
      add(*best);
    }
  }

  HuntSearchReport describe(const Hunter& hunter) const {
    const std::optional<std::uint32_t> claim = hunter.strategy.claim;
    return {text_of(hunter.strategy), claim ? check_.program().claims[*claim].name : "states",
            hunter.progress.states,   hunter.progress.depth,
            hunter.seconds,           &hunter == winner_};
  }

  [[nodiscard]] std::string command(const Strategy& strategy) const {
    std::string text = "fathom check";
    for (const std::string& argument : arguments_) text += " " + shell_quoted(argument);
    return text + arguments_of(strategy);
  }

  const CheckOptions options_;
  const std::vector<std::string>& arguments_;
  ModelCheck check_;
  std::vector<Hunter> hunters_;
  Turns* turns_ = nullptr;
  std::uint64_t turn_ = first_turn;  // steps for one share
  Hunter* winner_ = nullptr;         // known between two rounds
  static constexpr std::size_t nobody = SIZE_MAX;
  std::mutex mutex_;               // for what follows, and for what is reported of the hunters
  std::size_t found_by_ = nobody;  // the first in line that has found something
  bool stopping_ = false;
};

}  // namespace

int hunt(const CheckOptions& options, const std::vector<std::string>& arguments) {
  return Hunt(options, arguments).run();
}

}  // namespace fathom
