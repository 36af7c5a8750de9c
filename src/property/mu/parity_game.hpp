// Parity games and Zielonka's recursive algorithm (TCS 200, 1998; in the form of McNaughton, 1993). Two players, the
// prover and the refuter, move a token along edges; the owner of a vertex chooses. Whoever cannot move loses, and of a
// play without end the largest priority that comes again and again decides: even for the prover, odd for the refuter.
#pragma once

#include <cstdint>
#include <vector>

namespace fathom::mu {

enum class Player : bool { prover, refuter };
constexpr Player opponent(Player player) {
  return player == Player::prover ? Player::refuter : Player::prover;
}

class ParityGame {
 public:
  using Vertex = std::uint32_t;
  static constexpr std::uint32_t none = UINT32_MAX;

  Vertex add_vertex(Player owner, std::uint32_t priority);
  // The edges of a vertex are added one after the other, before those of another one.
  void add_edge(Vertex from, Vertex to);

  [[nodiscard]] std::uint32_t size() const { return static_cast<std::uint32_t>(vertices_.size()); }
  [[nodiscard]] Player owner(Vertex vertex) const { return vertices_[vertex].owner; }
  [[nodiscard]] std::uint32_t priority(Vertex vertex) const { return vertices_[vertex].priority; }
  [[nodiscard]] std::uint64_t bytes() const {
    return vertices_.capacity() * sizeof(Record) + edges_.capacity() * sizeof(Edge);
  }

  template <class Visit>
  void each_successor(Vertex vertex, Visit visit) const {
    const Record& record = vertices_[vertex];
    for (std::uint32_t k = 0; k < record.degree; ++k) visit(edges_[record.first_out + k].target);
  }
  template <class Visit>
  void each_predecessor(Vertex vertex, Visit visit) const {
    for (std::uint32_t k = vertices_[vertex].first_in; k != none; k = edges_[k].next_in) visit(edges_[k].source);
  }

 private:
  struct Record {
    std::uint32_t first_out = 0;
    std::uint32_t degree = 0;
    std::uint32_t first_in = none;
    std::uint32_t priority : 31 = 0;
    Player owner : 1 = Player::prover;
  };
  struct Edge {
    Vertex source;
    Vertex target;
    std::uint32_t next_in;  // of the same target
  };

  std::vector<Record> vertices_;
  std::vector<Edge> edges_;
};

// Solves the part of a game that consists of some vertices, each of which has a successor among them.
class Zielonka {
 public:
  using Vertex = ParityGame::Vertex;
  using Vertices = std::vector<Vertex>;

  explicit Zielonka(const ParityGame& game);

  void solve(const Vertices& part);

  // Of a vertex that was solved; the choice is that of its owner where the owner wins.
  [[nodiscard]] Player winner(Vertex vertex) const { return winner_[vertex]; }
  [[nodiscard]] Vertex choice(Vertex vertex) const { return choice_[vertex]; }

  // The vertices of the part from which a player can force the token into `goal`, which belongs to them.
  Vertices attract(const Vertices& part, const Vertices& goal, Player player);

 private:
  void solve_within(Vertices part);
  Vertices attracted(std::uint32_t token, const Vertices& goal, Player player);
  void mark(const Vertices& part, std::uint32_t token) {
    for (const Vertex vertex : part) mark_[vertex] = token;
  }
  void win_all(const Vertices& part, std::uint32_t token, Player player, std::uint32_t priority);

  const ParityGame& game_;
  std::vector<std::uint32_t> mark_;    // the part a vertex is in at the moment
  std::vector<std::uint32_t> caught_;  // by the attractor with this number
  std::vector<std::uint32_t> ways_out_, counted_;
  std::vector<Player> winner_;
  std::vector<Vertex> choice_;
  std::uint32_t tokens_ = 0;
  std::uint32_t attractors_ = 0;
};

}  // namespace fathom::mu
