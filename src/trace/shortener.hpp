// Makes the run that a search found shorter. A search that goes deep finds violations early and reports them by long
// runs; what is read by people should be short.
//
// Part of the effort goes into a breadth-first search from the start states. If it meets the violation, that run is a
// shortest one; if it comes to the length of the run at hand without having met it, the run at hand is. Otherwise steps
// are left out (trace/step_elimination.hpp), and the rest of the effort goes into the surroundings of the run: the
// states near it are expanded, nearest first, and the shortest run through what is then known is taken, with all
// shortcuts at once (Nakhost and Müller, Action Elimination and Plan Neighborhood Graph Search, ICAPS 2010). That is
// repeated around the shorter run.
#pragma once

#include <chrono>
#include <functional>
#include <utility>

#include "trace/region.hpp"
#include "trace/step_elimination.hpp"

namespace fathom {

struct ShorteningEffort {
  std::uint64_t expansions = 0;  // decides, wherever it can: the result is then the same every time
  double seconds = 0;            // at most
  std::uint64_t memory = 0;
  std::function<bool(std::uint64_t states)> go_on = [](std::uint64_t) { return true; };
};

// The number of steps, one that fails included.
inline std::uint64_t length_of(const Counterexample& run) {
  return run.states.empty() ? 0 : run.states.size() - 1 + (run.failing_step ? 1 : 0);
}

template <Model M, StateStore S = IndexedStore>
class Shortener {
 public:
  Shortener(M& model, const SearchOptions& options, const ShorteningEffort& effort, Counterexample found)
      : model_(model),
        options_(options),
        effort_(effort),
        region_(model, options, found.violation, effort.memory),
        best_(std::move(found)) {}

  // A run that shows the same violation and is not longer. It is `shortest` if that is proven.
  Counterexample run() {
    if (best_.states.empty()) return shortest();
    if (!recognised() || !region_.add_starts()) return best_;
    if (search_from_the_start()) leave_out_steps();
    if (length_of(best_) > least_) look_around();
    if (length_of(best_) == least_) return shortest();
    return best_;
  }

 private:
  using Node = typename Region<M, S>::Node;

  static constexpr double until_searched = 0.4, until_left_out = 0.7;  // parts of the effort
  static constexpr int rounds = 3;  // of looking around; each costs a pass over the region

  Counterexample shortest() {
    best_.shortest = true;
    return best_;
  }

  // Whether the end of the run shows the violation in our eyes, too. Of a violation that only another analysis can see
  // nothing could be said.
  [[nodiscard]] bool recognised() {
    Node last = 0;
    if (!region_.add(best_.states.back(), last) || !expand(last)) return false;
    return region_.shows(last) || region_.fails(last);
  }

  // Raises least_ level by level. Returns whether there is still something to be gained.
  bool search_from_the_start() {
    allow(until_searched);
    const bool deadlock = best_.violation.kind == Violation::Kind::deadlock;
    bool met = region_.fails_at_start();
    std::vector<bool> seen;
    std::vector<Node> level, next;
    const auto visit = [&](Node node) {
      if (seen.size() < region_.size()) seen.resize(region_.size());
      if (seen[node]) return;
      seen[node] = true;
      next.push_back(node);
      met = met || (!deadlock && region_.shows(node));
    };
    for (const Node start : region_.starts()) visit(start);
    for (std::uint64_t depth = 0; !met && !next.empty(); ++depth) {
      least_ = deadlock ? depth : depth + 1;
      if (length_of(best_) <= least_) return false;
      level.swap(next);
      next.clear();
      for (const Node node : level) {
        if (!expand(node)) return true;
        met = met || region_.shows(node) || region_.fails(node);
        for (const Node successor : region_.successors(node)) visit(successor);
        if (met) break;
      }
    }
    take_shortest();
    return length_of(best_) > least_;
  }

  void leave_out_steps() {
    allow(until_left_out);
    std::optional<Counterexample> run = StepElimination<M>(model_, options_, [this] { return spend(); }).run(best_);
    if (run) best_ = std::move(*run);
  }

  void look_around() {
    for (int round = 1; round <= rounds && length_of(best_) > least_; ++round) {
      allow(until_left_out + (1 - until_left_out) * round / rounds);
      expand_around();
      take_shortest();
    }
  }

  void expand_around() {
    std::vector<Node> queue = place_best();
    std::vector<bool> queued(region_.size());
    for (const Node node : queue) queued[node] = true;
    for (std::size_t k = 0; k < queue.size(); ++k) {
      if (!expand(queue[k])) return;
      queued.resize(region_.size());
      for (const Node successor : region_.successors(queue[k])) {
        if (queued[successor]) continue;
        queued[successor] = true;
        queue.push_back(successor);
      }
    }
  }

  // The states of the best run in the region. They are linked, so that the run is in the region however few of its
  // states are expanded.
  std::vector<Node> place_best() {
    std::vector<Node> nodes;
    for (const StateBuffer& state : best_.states) {
      Node node = 0;
      if (!region_.add(state, node)) break;
      if (!nodes.empty()) region_.link(nodes.back(), node);
      nodes.push_back(node);
    }
    return nodes;
  }

  void take_shortest() {
    std::optional<Counterexample> run = region_.shortest_run();
    if (run && length_of(*run) < length_of(best_)) best_ = std::move(*run);
  }

  // From here on, this part of the whole effort may be spent.
  void allow(double part) {
    allowed_ = part;
    going_ = !out_of_memory_;
  }

  [[nodiscard]] bool expand(Node node) {
    if (region_.expanded(node)) return true;
    if (!spend()) return false;
    out_of_memory_ = !region_.expand(node);
    going_ = going_ && !out_of_memory_;
    return !out_of_memory_;
  }

  // The effort of one expansion, or false where no more is allowed.
  [[nodiscard]] bool spend() {
    if (!going_ || spent_ >= static_cast<std::uint64_t>(allowed_ * static_cast<double>(effort_.expansions)))
      return false;
    if (++spent_ % 16 == 0) going_ = elapsed() < allowed_ * effort_.seconds && effort_.go_on(region_.size());
    return true;
  }

  [[nodiscard]] double elapsed() const {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin_).count();
  }

  M& model_;
  const SearchOptions& options_;
  const ShorteningEffort& effort_;
  Region<M, S> region_;
  Counterexample best_;
  std::uint64_t least_ = 0;  // no run to the violation is shorter
  const std::chrono::steady_clock::time_point begin_ = std::chrono::steady_clock::now();
  double allowed_ = 1;
  std::uint64_t spent_ = 0;
  bool going_ = true;
  bool out_of_memory_ = false;
};

}  // namespace fathom
