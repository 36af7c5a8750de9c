// A model that is just a directed graph, for testing searches against plain graph algorithms. A state is one word, or
// several to exercise longer states; node k is stored as k + 1, spread over the words.
#pragma once

#include <algorithm>
#include <random>
#include <set>
#include <vector>

#include "model/model.hpp"
#include "search/guidance.hpp"
#include "search/search.hpp"

namespace fathom {

struct ToyGraph {
  std::uint32_t words = 1;
  std::vector<std::uint32_t> starts;
  std::vector<std::vector<std::uint32_t>> successors_of;
  std::set<std::uint32_t> bad;                               // violate property 0
  std::set<std::pair<std::uint32_t, std::uint32_t>> faulty;  // edges (node, position) that end in a fault at site 1

  [[nodiscard]] std::uint32_t size() const { return static_cast<std::uint32_t>(successors_of.size()); }
};

inline ToyGraph random_graph(std::mt19937& random, std::uint32_t nodes, double degree, std::uint32_t words = 1) {
  ToyGraph graph;
  graph.words = words;
  graph.successors_of.resize(nodes);
  std::poisson_distribution<std::uint32_t> out(degree);
  for (auto& successors : graph.successors_of)
    for (std::uint32_t k = out(random); k > 0; --k) successors.push_back(random() % nodes);
  graph.starts = {static_cast<std::uint32_t>(random() % nodes), static_cast<std::uint32_t>(random() % nodes)};
  return graph;
}

class ToyModel {
 public:
  explicit ToyModel(const ToyGraph& graph) : graph_(graph) {}

  static std::uint32_t node_of(StateView state) { return static_cast<std::uint32_t>(state[0] - 1); }

  [[nodiscard]] std::uint32_t state_words() const { return graph_.words; }
  void initial(Batch& out) {
    for (std::uint32_t k = 0; k < graph_.starts.size(); ++k) append(out, make_instance(0, k), graph_.starts[k], {});
  }
  void successors(StateView state, Batch& out) {
    const std::uint32_t node = node_of(state);
    for (std::uint32_t k = 0; k < graph_.successors_of[node].size(); ++k)
      append(out, make_instance(0, k), graph_.successors_of[node][k], outcome(node, k));
  }
  void enabled(StateView state, Batch& out) {
    for (std::uint32_t k = 0; k < graph_.successors_of[node_of(state)].size(); ++k)
      out.push(make_instance(0, k), Outcome{}, 0);
  }
  Outcome apply(StateBuffer& top, InstanceId step, Undo& undo) {
    const std::uint32_t node = node_of(top);
    const StateBuffer before = top;
    write(graph_.successors_of[node][parameters_of(step)], top.data());
    undo.words.clear();
    for (std::uint32_t k = 0; k < top.size(); ++k)
      if (top[k] != before[k]) undo.words.push_back({k, before[k]});
    return outcome(node, parameters_of(step));
  }
  void undo(StateBuffer& top, const Undo& undo) {
    for (const Undo::Word& word : undo.words) top[word.index] = word.old;
  }
  void check(StateView state, StateCheck& findings) {
    const bool bad = graph_.bad.contains(node_of(state));
    findings.result = bad ? StateCheck::Result::violated : StateCheck::Result::fine;
    findings.violated.assign(1, bad ? 1 : 0);
  }
  ir::SiteId live(StateView, std::uint64_t*) { return ir::SiteId::none; }
  ir::SiteId atoms(StateView, std::uint32_t, AtomValues&) { return ir::SiteId::none; }
  void quiet(bool) {}

 private:
  [[nodiscard]] Outcome outcome(std::uint32_t node, std::uint32_t k) const {
    return graph_.faulty.contains({node, k}) ? Outcome{ir::SiteId{1}} : Outcome{};
  }
  void write(std::uint32_t node, std::uint64_t* state) const {
    for (std::uint32_t w = 0; w < graph_.words; ++w) state[w] = (node + 1) * (w == 0 ? 1 : 0x9e3779b97f4a7c15ULL + w);
  }
  void append(Batch& out, InstanceId instance, std::uint32_t node, Outcome outcome) {
    write(node, out.spare(graph_.words));
    out.push(instance, outcome, graph_.words);
  }

  const ToyGraph& graph_;
};

static_assert(Model<ToyModel>);

// Whether these states, of a model whose states are nodes of the graph, are one after the other from a start on.
template <class M = ToyModel>
bool is_path(const ToyGraph& graph, const std::vector<StateBuffer>& states) {
  const auto node = [&](std::size_t k) { return M::node_of(states[k]); };
  if (std::ranges::find(graph.starts, node(0)) == graph.starts.end()) return false;
  for (std::size_t k = 0; k + 1 < states.size(); ++k)
    if (std::ranges::count(graph.successors_of[node(k)], node(k + 1)) == 0) return false;
  return true;
}

// Who takes the steps of a graph and which of them are marked. A step is known by its position alone, so all edges at
// one position have the same owners.
class ToyGuidance final : public Guidance {
 public:
  Agent agent_count = 1;
  std::vector<Owners> owners_of;                            // by position
  std::set<std::pair<std::uint32_t, std::uint32_t>> marks;  // edges (node, position)

  [[nodiscard]] std::unique_ptr<Guidance> for_another_thread() const override {
    return std::make_unique<ToyGuidance>(*this);
  }
  [[nodiscard]] bool marked(InstanceId step, StateView state) const override {
    return marks.contains({ToyModel::node_of(state), parameters_of(step)});
  }
  [[nodiscard]] Owners owners(InstanceId step) const override { return owners_of[parameters_of(step)]; }
  [[nodiscard]] Agent agents() const override { return agent_count; }
};

inline ToyGuidance random_guidance(std::mt19937& random, const ToyGraph& graph) {
  ToyGuidance guidance;
  guidance.agent_count = 1 + random() % 5;
  const std::uint32_t share = random() % 5;  // of marked steps: none, a fourth, …, all
  for (std::uint32_t node = 0; node < graph.size(); ++node)
    for (std::uint32_t k = 0; k < graph.successors_of[node].size(); ++k) {
      if (random() % 4 < share) guidance.marks.insert({node, k});
      if (k < guidance.owners_of.size()) continue;
      const Agent first = random() % guidance.agent_count;
      const Agent other = random() % guidance.agent_count;
      guidance.owners_of.push_back({first, random() % 4 == 0 ? other : first});
    }
  return guidance;
}

inline SearchOptions toy_options() {
  SearchOptions options;
  options.shape = {1, 1, 2};
  options.selected = {true};
  options.deadlock = DeadlockMode::off;
  options.memory_limit = std::uint64_t{1} << 28;
  return options;
}

}  // namespace fathom
