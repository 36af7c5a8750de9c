#include "property/mu/witness.hpp"

#include <algorithm>
#include <unordered_map>

namespace fathom::mu {

namespace {

using Op = Equations::Op;
using Vertex = Solver::Vertex;
using State = Structure::State;

// A way on from a vertex in a proof: by a step, or within the state.
struct Way {
  std::optional<std::uint32_t> label;
  State state = 0;
  std::optional<Vertex> vertex;  // none: the atoms of the state decide
};

class Proof {
 public:
  Proof(Solver& solver, Player winner) : solver_(solver), winner_(winner) {}

  // Where the play can go: one way that the winner chose, or all that the loser has.
  std::vector<Way> ways(Vertex vertex) { return solver_.owner(vertex) == winner_ ? chosen(vertex) : all(vertex); }

  // The same without ways that need no steps at all: that they lead to the winner can be seen in the state itself.
  std::vector<Way> ways_with_steps(Vertex vertex) {
    std::vector<Way> result = ways(vertex);
    if (result.size() > 1) std::erase_if(result, [&](const Way& way) { return !way.label && !needs_steps(way, 0); });
    return result;
  }

 private:
  static constexpr int max_depth = 16;  // of conditions that are looked into

  [[nodiscard]] const Equations::Part& part_of(Vertex vertex) const {
    return solver_.equations().parts[solver_.node_of(vertex)];
  }

  static bool is_modal(Op op) { return op == Op::diamond || op == Op::box; }

  std::vector<Way> chosen(Vertex vertex) {
    const Equations::Part& part = part_of(vertex);
    const State here = solver_.state_of(vertex);
    const std::optional<Vertex> choice = solver_.choice(vertex);
    if (!is_modal(part.op)) return choice ? std::vector<Way>{{{}, here, choice}} : std::vector<Way>{};
    for (const Way& way : all(vertex))
      if (choice ? way.vertex == choice : !way.vertex && decides_for_winner(part.parts.front(), way.state))
        return {way};
    return {};
  }

  std::vector<Way> all(Vertex vertex) {
    const Equations::Part& part = part_of(vertex);
    const State here = solver_.state_of(vertex);
    std::vector<Way> result;
    if (!is_modal(part.op)) {
      for (const Equations::Node inner : part.parts)
        if (!is_static(inner)) result.push_back({{}, here, solver_.known_vertex(here, inner)});
      return result;
    }
    for (const Structure::Edge& edge : solver_.structure().edges(here))
      if (solver_.has_step(part.label, edge.label))
        result.push_back({edge.label, edge.target, vertex_at(edge.target, part.parts.front())});
    return result;
  }

  [[nodiscard]] bool is_static(Equations::Node node) const { return solver_.equations().parts[node].is_static; }

  std::optional<Vertex> vertex_at(State state, Equations::Node node) const {
    if (is_static(node)) return std::nullopt;
    return solver_.known_vertex(state, node);
  }

  bool decides_for_winner(Equations::Node node, State state) {
    return solver_.equations().holds(node, solver_.atoms_of(state)) == (winner_ == Player::prover);
  }

  bool needs_steps(const Way& way, int depth) {
    if (way.label || depth == max_depth) return true;
    if (!way.vertex) return false;
    return std::ranges::any_of(ways(*way.vertex), [&](const Way& next) { return needs_steps(next, depth + 1); });
  }

  Solver& solver_;
  Player winner_;
};

Player winner_of(Solver& solver) {
  return solver.is_won(solver.root()) ? Player::prover : Player::refuter;
}

}  // namespace

std::optional<LinearWitness> linear_witness(Solver& solver) {
  Proof proof(solver, winner_of(solver));
  LinearWitness result;
  std::unordered_map<Vertex, std::size_t> passed;
  Vertex vertex = solver.root();
  result.states.push_back(solver.state_of(vertex));
  for (;;) {
    const auto [before, is_new] = passed.try_emplace(vertex, result.labels.size());
    if (!is_new) {
      if (before->second < result.labels.size()) result.loop = before->second;
      return result;
    }
    const std::vector<Way> ways = proof.ways_with_steps(vertex);
    if (ways.size() > 1) return std::nullopt;
    if (ways.empty()) return result;
    if (ways.front().label) {
      result.labels.push_back(*ways.front().label);
      result.states.push_back(ways.front().state);
    }
    if (!ways.front().vertex) return result;
    vertex = *ways.front().vertex;
  }
}

FiniteStructure proof_structure(Solver& solver) {
  Proof proof(solver, winner_of(solver));
  std::vector<State> states;
  std::vector<std::vector<Structure::Edge>> edges;
  std::vector<std::optional<State>> numbers(solver.structure().states());
  const auto number = [&](State state) {
    if (numbers[state]) return *numbers[state];
    numbers[state] = static_cast<State>(states.size());
    states.push_back(state);
    edges.emplace_back();
    return *numbers[state];
  };
  std::vector<bool> seen(solver.vertices());
  seen[solver.root()] = true;
  std::vector<Vertex> open{solver.root()};
  for (std::size_t k = 0; k < open.size(); ++k) {
    const State here = number(solver.state_of(open[k]));
    for (const Way& way : proof.ways(open[k])) {
      const State there = number(way.state);
      if (way.label && std::ranges::count(edges[here], Structure::Edge{there, *way.label}) == 0)
        edges[here].push_back({there, *way.label});
      if (!way.vertex || seen[*way.vertex]) continue;
      seen[*way.vertex] = true;
      open.push_back(*way.vertex);
    }
  }
  FiniteStructure result;
  for (std::size_t k = 0; k < states.size(); ++k) {
    result.add_state(solver.structure().words(states[k]));
    for (const Structure::Edge& edge : edges[k]) result.add_edge(edge.target, edge.label);
  }
  for (std::uint32_t label = 0; label < solver.structure().labels(); ++label)
    result.add_label(solver.structure().label(label));
  result.add_initial(0);
  result.set_complete(false);
  return result;
}

}  // namespace fathom::mu
