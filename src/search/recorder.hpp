// What a search has seen so far: counts of fired edges and of violations, and whether that is enough. Every search
// reports through one Recorder, so that `--max-errors` and `--keep-going` mean the same everywhere.
#pragma once

#include <utility>

#include "search/search.hpp"

namespace fathom {

class Recorder {
 public:
  explicit Recorder(const SearchOptions& options);

  void fire(InstanceId step) {
    ++result.statistics.transitions;
    ++result.fired[edge_of(step)];
  }
  // The same for several.
  [[gnu::always_inline]] void fire(const fathom_step* steps, std::uint32_t count) {
    result.statistics.transitions += count;
    std::uint64_t* const __restrict fired = result.fired.data();
    for (std::uint32_t k = 0; k < count; ++k) ++fired[edge_of(InstanceId{steps[k].instance})];
  }
  // Counts a violation. True for the first one: the search then supplies the run that shows it.
  [[nodiscard]] bool count(const Violation& violation);
  // Enough violations were seen.
  [[nodiscard]] bool finished() const { return result.statistics.errors >= options_.max_errors; }

  // The violations in a state: every selected invariant that is false there, or the fault in evaluating one.
  template <class M>
  [[nodiscard]] const std::vector<Violation>& examine(M& model, StateView state) {
    found_.clear();
    model.check(state, findings_);
    if (findings_.result != StateCheck::Result::fine) collect();
    return found_;
  }

  // A step that went wrong in a way that was asked for.
  [[nodiscard]] bool is_violation(Outcome outcome) const {
    return outcome.is_fault() && (options_.assertions || !outcome.goes_on());
  }

  // The result once the search is over; what the store is decides how much it is worth.
  template <class S>
  SearchResult finish(const S& store, std::uint64_t depth, std::uint64_t bytes) {
    result.exact = S::exact;
    if constexpr (!S::exact) result.omission_probability = store.omission_probability();
    result.statistics.states = store.size();
    result.statistics.depth = depth;
    result.statistics.store_bytes = bytes;
    return std::move(result);
  }

  SearchResult result;

 private:
  void collect();

  const SearchOptions& options_;
  StateCheck findings_;
  std::vector<Violation> found_;
};

// Counts steps of edges, one or several.
struct Firing {
  Recorder& recorder;
  [[gnu::always_inline]] void operator()(InstanceId step) const { recorder.fire(step); }
  [[gnu::always_inline]] void operator()(const fathom_step* steps, std::uint32_t count) const {
    recorder.fire(steps, count);
  }
};

// Adds what one thread of a search has counted to what is known of all.
void add_counts(const SearchResult& part, SearchResult& sum);

}  // namespace fathom
