// Small models as text, and the exact distances to violations in their whole graphs: what estimates are compared with.
#pragma once

#include <algorithm>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "heuristic/goals.hpp"
#include "ir/compose.hpp"
#include "lang/murphi/load.hpp"
#include "lang/promela/load.hpp"
#include "model/interpreted.hpp"
#include "random_networks.hpp"

namespace fathom {

inline constexpr std::size_t largest = 1500;  // states; models with more are left out
inline constexpr std::uint32_t unreached = UINT32_MAX;

struct Loaded {
  Sources sources;
  Diagnostics diagnostics;
  std::unique_ptr<promela::Model> promela;
  std::unique_ptr<ir::Program> program;
  std::string text;

  static std::unique_ptr<Loaded> of_promela(const std::string& text) {
    auto result = std::make_unique<Loaded>();
    result->text = text;
    const FileId file = result->sources.add("random.pml", text);
    result->promela = std::make_unique<promela::Model>(result->sources, file, promela::Options{},
                                                       promela::LowerOptions{}, result->diagnostics);
    if (!result->promela->parsed()) return result;
    result->program = result->promela->program(result->diagnostics);
    if (result->program != nullptr) ir::compose(*result->program, result->diagnostics);
    return result;
  }
  static std::unique_ptr<Loaded> of_murphi(const std::string& text) {
    auto result = std::make_unique<Loaded>();
    result->text = text;
    const FileId file = result->sources.add("random.m", text);
    result->program = murphi::load(result->sources, file, {}, result->diagnostics).program;
    return result;
  }
};

inline Goals goals_for(const ir::Program& program, bool deadlock, bool stuttering) {
  const auto valid_end = ir::valid_end_of(program);
  return {.program = program,
          .selected = std::vector<bool>(program.properties.size(), true),
          .assertions = true,
          .deadlock = deadlock,
          .stuttering = stuttering && !valid_end,
          .valid_end = valid_end};
}

// The reachable states with their steps, and how far each of them is from what a search would report.
class Graph {
 public:
  Graph(const Goals& goals, InterpretedModel& model) : goals_(goals), model_(model) {
    model.quiet(true);
    Batch starts;
    model.initial(starts);
    for (std::uint32_t k = 0; k < starts.size(); ++k)
      if (starts.outcome(k).has_successor()) add(starts.state(k));
    for (std::size_t k = 0; k < states_.size() && states_.size() <= largest; ++k) expand(k);
  }

  [[nodiscard]] bool is_small() const { return states_.size() <= largest; }
  [[nodiscard]] const std::vector<StateBuffer>& states() const { return states_; }
  [[nodiscard]] const std::vector<std::vector<std::size_t>>& steps() const { return steps_; }

  // Steps to the nearest violation, the failing one included.
  [[nodiscard]] std::vector<std::uint32_t> to_violations() const { return distances(ends_); }
  [[nodiscard]] std::vector<std::uint32_t> to_state(std::size_t target) const {
    std::vector<std::uint32_t> ends(states_.size(), unreached);
    ends[target] = 0;
    return distances(ends);
  }

 private:
  std::size_t add(StateView state) {
    StateBuffer copy(state.begin(), state.end());
    const auto [found, fresh] = numbers_.try_emplace(copy, states_.size());
    if (fresh) states_.push_back(std::move(copy));
    return found->second;
  }

  void expand(std::size_t number) {
    const StateBuffer state = states_[number];
    Batch batch;
    model_.successors(state, batch);
    std::uint32_t end = is_violated(state) ? 0 : unreached;
    bool moves = false;
    std::vector<std::size_t> next;
    for (std::uint32_t k = 0; k < batch.size(); ++k) {
      if (batch.outcome(k).is_fault()) end = std::min(end, 1U);
      moves = moves || batch.outcome(k).is_fault() || !std::ranges::equal(batch.state(k), StateView(state));
      if (batch.outcome(k).has_successor()) next.push_back(add(batch.state(k)));
    }
    if (is_deadlock(state, !batch.empty(), moves)) end = 0;
    ends_.push_back(end);
    steps_.push_back(std::move(next));
  }

  [[nodiscard]] bool is_violated(StateView state) {
    StateCheck check;
    model_.check(state, check);
    return check.result != StateCheck::Result::fine;
  }

  [[nodiscard]] bool is_deadlock(StateView state, bool enabled, bool moves) {
    if (!goals_.deadlock) return false;
    if (!goals_.valid_end) return goals_.stuttering ? !moves : !enabled;
    std::vector<std::uint64_t> holding((goals_.program.properties.size() + 63) / 64);
    model_.live(state, holding.data());
    return !enabled && ((holding[*goals_.valid_end / 64] >> (*goals_.valid_end % 64)) & 1) == 0;
  }

  [[nodiscard]] std::vector<std::uint32_t> distances(std::vector<std::uint32_t> distance) const {
    for (bool changed = true; changed;) {
      changed = false;
      for (std::size_t k = 0; k < states_.size(); ++k)
        for (const std::size_t next : steps_[k])
          if (distance[next] != unreached && distance[next] + 1 < distance[k]) {
            distance[k] = distance[next] + 1;
            changed = true;
          }
    }
    return distance;
  }

  const Goals& goals_;
  InterpretedModel& model_;
  std::vector<StateBuffer> states_;
  std::map<StateBuffer, std::size_t> numbers_;
  std::vector<std::vector<std::size_t>> steps_;
  std::vector<std::uint32_t> ends_;
};

struct Case {
  std::unique_ptr<Loaded> loaded;
  Goals goals;
};

// Random models of both languages by turns, with deadlocks looked for in all ways.
inline std::optional<Case> random_case(int seed) {
  auto loaded = seed % 2 == 0 ? Loaded::of_promela(RandomPromela(static_cast<std::uint64_t>(seed)).text())
                              : Loaded::of_murphi(RandomMurphi(static_cast<std::uint64_t>(seed)).text());
  if (loaded->program == nullptr) return std::nullopt;
  const Goals goals = goals_for(*loaded->program, seed % 3 != 0, seed % 5 < 3);
  return Case{std::move(loaded), goals};
}

}  // namespace fathom
