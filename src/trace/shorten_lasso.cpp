#include "trace/shorten_lasso.hpp"

#include <algorithm>
#include <optional>
#include <utility>
#include <vector>

#include "search/parents.hpp"
#include "store/indexed_store.hpp"
#include "trace/verify_claim.hpp"

namespace fathom {

namespace {

// States, and the steps between them: one less.
struct Way {
  std::vector<StateBuffer> states;
  std::vector<InstanceId> steps;
};

class LassoShortener {
 public:
  LassoShortener(Counterexample run, const RunRules& rules, InterpretedModel& model, const LassoEffort& effort)
      : model_(model), rules_(rules), effort_(effort), best_(std::move(run)) {
    model_.quiet(true);
    if (best_.steps.size() + 1 != best_.states.size()) find_steps();
  }

  Counterexample run() {
    if (!best_.loop || !is_violation(best_)) return best_;
    for (std::size_t before = SIZE_MAX; length() < before && effort_.go_on();) {
      before = length();
      shorten_stem();
      cut_loop();
      close_loop_sooner();
    }
    return best_;
  }

 private:
  static constexpr std::size_t most_candidates = 64;  // of one kind, before we leave it

  [[nodiscard]] std::size_t length() const { return best_.steps.size(); }
  [[nodiscard]] std::size_t loop() const { return *best_.loop; }

  // A search that kept states alone says nothing of the steps.
  void find_steps() {
    best_.steps.clear();
    Batch batch;
    for (std::size_t k = 0; k + 1 < best_.states.size(); ++k) {
      const std::optional<InstanceId> step = step_between(best_.states[k], best_.states[k + 1], batch);
      if (!step) return best_.steps.clear();
      best_.steps.push_back(*step);
    }
  }

  std::optional<InstanceId> step_between(const StateBuffer& from, const StateBuffer& to, Batch& batch) {
    batch.clear();
    model_.successors(from, batch);
    for (std::uint32_t k = 0; k < batch.size(); ++k)
      if (batch.outcome(k).has_successor() && std::ranges::equal(batch.state(k), to)) return batch.instance(k);
    return std::nullopt;
  }

  [[nodiscard]] bool is_violation(const Counterexample& run) {
    if (run.steps.size() + 1 != run.states.size()) return false;
    ConcreteRun concrete;
    concrete.violation = run.violation;
    concrete.steps = run.steps;
    concrete.loop = run.loop;
    concrete.rules = rules_;
    try {
      verify_claim(concrete, run.states, model_);
    } catch (const ReplayError&) {
      return false;
    }
    return true;
  }

  bool take_if_better(Counterexample candidate) {
    if (candidate.steps.size() >= length() || !is_violation(candidate)) return false;
    best_ = std::move(candidate);
    return true;
  }

  // ---- The way to the loop.

  // To any of its states, the nearest first; the loop then begins there.
  void shorten_stem() {
    std::vector<std::size_t> places;
    for (const auto& [place, way] : ways_to_loop()) {
      if (places.size() == most_candidates) return;
      places.push_back(place);
      if (take_if_better(joined(way, rotated(place)))) return;
    }
  }

  // The loop from one of its states to itself.
  [[nodiscard]] Way rotated(std::size_t place) const {
    Way loop_from_here;
    const std::size_t size = length() - loop();
    loop_from_here.states.push_back(best_.states[place]);
    for (std::size_t k = 0; k < size; ++k) {
      const std::size_t at = loop() + (place - loop() + k) % size;
      loop_from_here.steps.push_back(best_.steps[at]);
      loop_from_here.states.push_back(best_.states[at + 1]);
    }
    return loop_from_here;
  }

  [[nodiscard]] Counterexample joined(const Way& stem, const Way& loop_from_there) const {
    Counterexample run;
    run.violation = best_.violation;
    run.states = stem.states;
    run.steps = stem.steps;
    run.loop = stem.steps.size();
    run.states.insert(run.states.end(), loop_from_there.states.begin() + 1, loop_from_there.states.end());
    run.steps.insert(run.steps.end(), loop_from_there.steps.begin(), loop_from_there.steps.end());
    return run;
  }

  // The shortest ways to states of the loop that are nearer than now, as far as the effort reaches.
  std::vector<std::pair<std::size_t, Way>> ways_to_loop() {
    std::vector<StateBuffer> starts;
    Batch batch;
    model_.initial(batch);
    for (std::uint32_t k = 0; k < batch.size(); ++k)
      if (batch.outcome(k).has_successor()) starts.emplace_back(batch.state(k).begin(), batch.state(k).end());
    std::vector<std::pair<std::size_t, Way>> found;
    const std::size_t end = loop() == length() ? length() + 1 : length();
    search(starts, loop(), [&](StateView state, const auto& way) {
      for (std::size_t place = loop(); place < end; ++place)
        if (std::ranges::equal(state, best_.states[place])) {
          found.emplace_back(place, way());
          break;
        }
      return found.size() >= most_candidates;
    });
    return found;
  }

  // ---- The loop.

  // A state that comes twice divides the loop into two, and each may do by itself.
  void cut_loop() {
    for (std::size_t i = loop(); i < length(); ++i)
      for (std::size_t j = length() - 1; j > i; --j) {
        if (best_.states[i] != best_.states[j]) continue;
        if (take_if_better(without(i, j)) || take_if_better(ending_at(i, j))) return;
      }
  }

  [[nodiscard]] Counterexample without(std::size_t from, std::size_t to) const {
    Counterexample run = best_;
    const auto offset = [](std::size_t k) { return static_cast<std::ptrdiff_t>(k); };
    run.states.erase(run.states.begin() + offset(from), run.states.begin() + offset(to));
    run.steps.erase(run.steps.begin() + offset(from), run.steps.begin() + offset(to));
    return run;
  }

  [[nodiscard]] Counterexample ending_at(std::size_t from, std::size_t to) const {
    Counterexample run = best_;
    run.states.resize(to + 1);
    run.steps.resize(to);
    run.loop = from;
    return run;
  }

  // From a state of the loop back to it by a shortest way, or from one state of it straight to a later one.
  void close_loop_sooner() {
    if (loop() == length()) return;
    const std::size_t size = length() - loop();
    for (std::size_t k = 0; k < std::min(size, most_candidates) && effort_.go_on(); ++k) {
      const std::size_t place = loop() + k;
      std::optional<Way> round;
      search({best_.states[place]}, length() - loop(), [&](StateView state, const auto& way) {
        if (way_length_ > 0 && std::ranges::equal(state, best_.states[place])) round = way();
        return round.has_value();
      });
      if (!round) continue;
      Way stem;
      stem.states.assign(best_.states.begin(), best_.states.begin() + static_cast<std::ptrdiff_t>(place) + 1);
      stem.steps.assign(best_.steps.begin(), best_.steps.begin() + static_cast<std::ptrdiff_t>(place));
      if (take_if_better(joined(stem, *round))) return;
    }
    take_shortcuts();
  }

  void take_shortcuts() {
    Batch batch;
    for (std::size_t i = 0; i + 2 < best_.states.size() && effort_.go_on(); ++i)
      for (std::size_t j = best_.states.size() - 1; j > i + 1; --j) {
        if (i < loop() && j > loop()) continue;
        const std::optional<InstanceId> step = step_between(best_.states[i], best_.states[j], batch);
        if (!step) continue;
        Counterexample run = without(i + 1, j);
        run.steps[i] = *step;
        if (i < loop()) run.loop = loop() - (j - i - 1);
        if (take_if_better(std::move(run))) break;
      }
  }

  // ---- Searching breadth-first, within the effort and a length.

  // Calls seen(state, way) for each state as it is met, the way there being made on demand, and for a first state that
  // is met again, until it returns true.
  template <class Seen>
  void search(const std::vector<StateBuffer>& sources, std::size_t limit, Seen seen) {
    IndexedStore store(model_.state_words(), UINT64_MAX);
    std::vector<StateId> parents;
    std::vector<std::uint32_t> depths;
    const auto way_to = [&](StateId last, StateView state) {
      Way way;
      way.states.emplace_back(state.begin(), state.end());
      for (StateId id = last; id != no_parent;) {
        const StateView at = store.state(id);
        way.states.emplace_back(at.begin(), at.end());
        id = parents[index_of(id)];
      }
      std::ranges::reverse(way.states);
      Batch batch;
      for (std::size_t k = 0; k + 1 < way.states.size(); ++k)
        way.steps.push_back(step_between(way.states[k], way.states[k + 1], batch).value_or(InstanceId{}));
      return way;
    };
    const auto meet = [&](StateView state, StateId from, std::uint32_t depth) {
      if (!store.reserve(1)) return true;
      const auto [id, fresh] = store.insert(state, store.hash(state));
      way_length_ = depth;
      if (fresh) {
        parents.push_back(from);
        depths.push_back(depth);
      } else if (depths[index_of(id)] > 0) {
        return false;
      }
      return seen(state, [&] { return way_to(from, state); });
    };
    for (const StateBuffer& source : sources)
      if (meet(source, no_parent, 0)) return;
    Batch batch;
    for (std::uint64_t k = 0; k < store.size() && k < effort_.expansions; ++k) {
      if (depths[k] >= limit || (k % 1024 == 1023 && !effort_.go_on())) return;
      const StateView at = store.state(StateId{k});
      const StateBuffer state(at.begin(), at.end());
      batch.clear();
      model_.successors(state, batch);
      for (std::uint32_t step = 0; step < batch.size(); ++step)
        if (batch.outcome(step).has_successor() && meet(batch.state(step), StateId{k}, depths[k] + 1)) return;
    }
  }

  InterpretedModel& model_;
  const RunRules& rules_;
  const LassoEffort& effort_;
  Counterexample best_;
  std::uint32_t way_length_ = 0;  // to the state that was met last
};

}  // namespace

Counterexample shorten_lasso(Counterexample run, const RunRules& rules, InterpretedModel& model,
                             const LassoEffort& effort) {
  return LassoShortener(std::move(run), rules, model, effort).run();
}

}  // namespace fathom
