#include "cli/repeat.hpp"

#include <algorithm>
#include <cmath>
#include <exception>
#include <mutex>
#include <thread>
#include <vector>

#include "cli/searches.hpp"

namespace fathom {

namespace {

// What is said about a violation that K runs did not show goes by this chance of being wrong.
constexpr double doubt = 0.05;

SpreadReport spread_of(const std::vector<std::uint64_t>& values) {
  SpreadReport spread;
  if (values.empty()) return spread;
  const auto count = static_cast<double>(values.size());
  for (const std::uint64_t value : values) spread.mean += static_cast<double>(value) / count;
  double squares = 0;
  for (const std::uint64_t value : values) squares += std::pow(static_cast<double>(value) - spread.mean, 2);
  spread.deviation = values.size() > 1 ? std::sqrt(squares / (count - 1)) : 0;
  spread.least = *std::ranges::min_element(values);
  spread.most = *std::ranges::max_element(values);
  return spread;
}

class Repetition {
 public:
  explicit Repetition(const SearchJob& job) : job_(job) {}

  RepeatedJob run() {
    {
      std::vector<std::jthread> threads;
      for (std::uint64_t k = 1; k < workers(); ++k) threads.emplace_back([this] { work(); });
      work();
    }
    if (failure_) std::rethrow_exception(failure_);
    best_.repeat = summary();
    return std::move(best_);
  }

 private:
  [[nodiscard]] std::uint64_t workers() const {
    return evaluates_states() ? 1 : std::min(job_.options.threads, job_.options.repeat);
  }
  // What evaluators are given serves one run at a time.
  [[nodiscard]] bool evaluates_states() const {
    return std::ranges::count(resolve_search(job_.options.search).arguments, SearchArgument::Kind::search,
                              &SearchArgument::kind) > 0;
  }

  // A run stands for all if it shows a violation, and then, whatever the threads do, the earliest of these.
  struct Rank {
    bool violated = false;
    bool exhausted = false;
    std::uint64_t number = UINT64_MAX;

    [[nodiscard]] bool better_than(const Rank& other) const {
      if (violated != other.violated) return violated;
      if (exhausted != other.exhausted) return exhausted;
      return number < other.number;
    }
  };

  void work() {
    try {
      while (const std::optional<std::uint64_t> number = next()) run_number(*number);
    } catch (...) {
      const std::lock_guard lock(mutex_);
      failure_ = std::current_exception();
      stopped_ = true;
    }
  }

  std::optional<std::uint64_t> next() {
    const std::lock_guard lock(mutex_);
    if (stopped_ || next_ >= job_.options.repeat) return std::nullopt;
    return next_++;
  }

  void run_number(std::uint64_t number) {
    CheckOptions options = job_.options;
    options.seed += number;
    options.memory /= workers();
    options.threads = 1;
    if (is_shown_already()) options.shorten.reset();
    const bool alone = workers() == 1;
    const auto tell = [&](const Diagnostics& diagnostics) {
      if (number == 0) job_.tell(diagnostics);
    };
    const auto tick = [this](const Progress& progress) { return go_on(progress); };
    JobResult result = run_job(
        {job_.program, options, job_.selection, alone ? job_.put : nullptr, tick, tell, job_.claim, job_.evaluators});
    add(number, options.seed, std::move(result));
  }

  // Only the trace that is shown is worth shortening.
  bool is_shown_already() {
    const std::lock_guard lock(mutex_);
    return best_rank_.violated;
  }

  bool go_on(const Progress& progress) {
    const std::lock_guard lock(mutex_);
    if (!job_.tick(progress)) stopped_ = true;
    return !stopped_;
  }

  void add(std::uint64_t number, std::uint64_t seed, JobResult result) {
    const std::lock_guard lock(mutex_);
    const SearchResult& search = result.search;
    const Rank rank{search.first.has_value(), search.ending == Ending::exhausted, number};
    const bool finished = search.ending != Ending::time_or_user;
    if (finished) {
      successes_ += rank.violated ? 1 : 0;
      states_.push_back(search.statistics.breadth ? search.statistics.breadth->states : search.statistics.states);
      depths_.push_back(search.statistics.depth);
    }
    if (rank.exhausted && !rank.violated) stopped_ = true;
    if (!rank.better_than(best_rank_)) return;
    best_rank_ = rank;
    best_.result = std::move(result);
    best_.seed = seed;
  }

  [[nodiscard]] RepeatReport summary() const {
    RepeatReport report;
    report.runs = states_.size();
    report.successes = successes_;
    report.first_seed = job_.options.seed;
    report.seed = best_.seed;
    report.states = spread_of(states_);
    report.depth = spread_of(depths_);
    if (successes_ == 0 && report.runs > 0 && !best_rank_.exhausted) {
      report.doubt = doubt;
      report.chance = 1 - std::pow(doubt, 1 / static_cast<double>(report.runs));
    }
    return report;
  }

  const SearchJob& job_;
  std::mutex mutex_;
  std::uint64_t next_ = 0;
  bool stopped_ = false;
  std::exception_ptr failure_;
  Rank best_rank_;
  RepeatedJob best_;
  std::uint64_t successes_ = 0;
  std::vector<std::uint64_t> states_, depths_;
};

}  // namespace

RepeatedJob run_repeated(const SearchJob& job) {
  if (job.options.repeat > 1) return Repetition(job).run();
  return {run_job(job), job.options.seed, {}};
}

}  // namespace fathom
