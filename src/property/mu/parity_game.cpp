#include "property/mu/parity_game.hpp"

#include <algorithm>

namespace fathom::mu {

ParityGame::Vertex ParityGame::add_vertex(Player owner, std::uint32_t priority) {
  Record record;
  record.priority = priority;
  record.owner = owner;
  vertices_.push_back(record);
  return size() - 1;
}

void ParityGame::add_edge(Vertex from, Vertex to) {
  Record& record = vertices_[from];
  const auto number = static_cast<std::uint32_t>(edges_.size());
  if (record.degree++ == 0) record.first_out = number;
  edges_.push_back({from, to, vertices_[to].first_in});
  vertices_[to].first_in = number;
}

Zielonka::Zielonka(const ParityGame& game)
    : game_(game),
      mark_(game.size(), 0),
      caught_(game.size(), 0),
      ways_out_(game.size(), 0),
      counted_(game.size(), 0),
      winner_(game.size(), Player::prover),
      choice_(game.size(), ParityGame::none) {}

void Zielonka::solve(const Vertices& part) {
  std::ranges::fill(mark_, 0);
  tokens_ = 0;
  solve_within(part);
}

Zielonka::Vertices Zielonka::attract(const Vertices& part, const Vertices& goal, Player player) {
  const std::uint32_t token = ++tokens_;
  mark(part, token);
  return attracted(token, goal, player);
}

// The second recursive call of the textbook is this loop, so that the depth is at most the number of priorities.
void Zielonka::solve_within(Vertices part) {
  while (!part.empty()) {
    const std::uint32_t token = ++tokens_;
    mark(part, token);
    const auto priority_of = [&](Vertex vertex) { return game_.priority(vertex); };
    const std::uint32_t highest = std::ranges::max(part, {}, priority_of), priority = priority_of(highest);
    const Player player = priority % 2 == 0 ? Player::prover : Player::refuter;
    Vertices top;
    std::ranges::copy_if(part, std::back_inserter(top), [&](Vertex vertex) { return priority_of(vertex) == priority; });
    attracted(token, top, player);
    const std::uint32_t attractor = attractors_;
    Vertices rest;
    std::ranges::copy_if(part, std::back_inserter(rest), [&](Vertex vertex) { return caught_[vertex] != attractor; });
    solve_within(rest);
    mark(rest, token);
    Vertices lost;
    std::ranges::copy_if(rest, std::back_inserter(lost), [&](Vertex vertex) { return winner_[vertex] != player; });
    if (lost.empty()) return win_all(part, token, player, priority);
    for (const Vertex vertex : attracted(token, lost, opponent(player))) winner_[vertex] = opponent(player);
    std::erase_if(part, [&](Vertex vertex) { return caught_[vertex] == attractors_; });
  }
}

// From a vertex of the highest priority its owner may go anywhere in the part.
void Zielonka::win_all(const Vertices& part, std::uint32_t token, Player player, std::uint32_t priority) {
  for (const Vertex vertex : part) {
    winner_[vertex] = player;
    if (game_.owner(vertex) != player || game_.priority(vertex) != priority) continue;
    game_.each_successor(vertex, [&](Vertex next) {
      if (mark_[next] == token) choice_[vertex] = next;
    });
  }
}

Zielonka::Vertices Zielonka::attracted(std::uint32_t token, const Vertices& goal, Player player) {
  const std::uint32_t attractor = ++attractors_;
  Vertices found = goal;
  for (const Vertex vertex : goal) caught_[vertex] = attractor;
  for (std::size_t k = 0; k < found.size(); ++k) {
    game_.each_predecessor(found[k], [&](Vertex before) {
      if (mark_[before] != token || caught_[before] == attractor) return;
      if (game_.owner(before) == player) {
        choice_[before] = found[k];
      } else {
        if (counted_[before] != attractor) {
          counted_[before] = attractor;
          ways_out_[before] = 0;
          game_.each_successor(before, [&](Vertex next) { ways_out_[before] += mark_[next] == token ? 1 : 0; });
        }
        if (--ways_out_[before] > 0) return;
      }
      caught_[before] = attractor;
      found.push_back(before);
    });
  }
  return found;
}

}  // namespace fathom::mu
