// Decides whether a formula holds in the start states of a structure, by the parity game between a prover and a
// refuter: its vertices are pairs of a state and a part of the formula (Stirling, CONCUR 1995).
//
// The game is built breadth-first from the start states, and only as far as needed: a state is expanded when a modality
// is asked of it, what is decided is handed back at once to what depends on it, and every time the game has doubled it
// is solved as far as it is known. What lies beyond counts against whoever would need it. The same holds for steps that
// a structure which is only a part of a model may lack: an answer from a part is good for the whole.
#pragma once

#include <functional>
#include <optional>
#include <vector>

#include "property/mu/equations.hpp"
#include "property/mu/evaluate.hpp"
#include "property/mu/parity_game.hpp"
#include "property/structure.hpp"

namespace fathom::mu {

enum class Answer : std::uint8_t { holds, violated, unknown };

struct SolveOptions {
  bool local = true;                        // false: the whole game is built first
  bool all_starts = true;                   // false: the structure lacks a start state, and nothing "holds"
  std::uint64_t memory_limit = UINT64_MAX;  // bytes for the game
  // Called now and then with the number of vertices; false ends the work.
  std::function<bool(std::uint64_t)> tick = [](std::uint64_t) { return true; };
};

class Solver {
 public:
  using Vertex = ParityGame::Vertex;
  using State = Structure::State;
  enum class Ending : std::uint8_t { finished, stopped, memory };

  Solver(Structure& structure, const Equations& equations, AtomsOf atoms, SolveOptions options = {});

  // Whether the formula holds in every start state. Unknown: not enough of the structure is there, or see ending().
  Answer solve();
  [[nodiscard]] Ending ending() const { return ending_; }
  [[nodiscard]] std::uint64_t vertices() const { return game_.size(); }
  [[nodiscard]] std::uint64_t bytes() const;

  // For those who read how it was decided; see witness.hpp.
  [[nodiscard]] const Equations& equations() const { return equations_; }
  [[nodiscard]] Structure& structure() const { return structure_; }
  // The start vertex that decides the answer.
  [[nodiscard]] Vertex root() const { return root_; }
  [[nodiscard]] State state_of(Vertex vertex) const { return positions_[vertex].state; }
  [[nodiscard]] Equations::Node node_of(Vertex vertex) const { return positions_[vertex].node; }
  [[nodiscard]] Player owner(Vertex vertex) const { return game_.owner(vertex); }
  // Whether the prover wins from a vertex that is decided.
  [[nodiscard]] bool is_won(Vertex vertex) const { return fates_[vertex] == Fate::won; }
  // Where the owner goes to win; none: its own state, or a step into a state whose atoms decide, shows it.
  [[nodiscard]] std::optional<Vertex> choice(Vertex vertex) const;
  // The vertex of a pair that the game has.
  [[nodiscard]] Vertex known_vertex(State state, Equations::Node node) const { return numbers_[slot(state, node)]; }
  bool has_step(std::uint32_t action, std::uint32_t label);
  [[nodiscard]] std::uint64_t atoms_of(State state);

 private:
  enum class Fate : std::uint8_t { open, won, lost };
  struct Position {
    State state;
    Equations::Node node;
  };
  static constexpr Vertex unknown_vertex = 0;  // where the steps lead that we do not see

  [[nodiscard]] std::size_t slot(State state, Equations::Node node) const {
    return std::size_t{state} * width_ + columns_[node];
  }
  Vertex vertex_of(State state, Equations::Node node);
  Vertex add_vertex(State state, Equations::Node node);
  [[nodiscard]] Player owner_of(Equations::Op op) const;

  void number_columns();
  void explore();
  void expand(Vertex vertex);
  // A successor of a vertex that is being expanded. True: it decides the vertex.
  bool meet(Vertex vertex, State state, Equations::Node node);
  bool meet_steps(Vertex vertex, State state, const Equations::Part& part);
  void decide(Vertex vertex, Fate fate);
  void hand_back(Vertex decided);
  void hand_back_all();
  [[nodiscard]] bool may_go_on();
  [[nodiscard]] bool all_decided() const { return violated_ || open_roots_ == 0; }

  void settle();
  void settle_for(Player player, const std::vector<Vertex>& open, const std::vector<Vertex>& frontier);
  void take(const Zielonka& solved, const std::vector<Vertex>& part, Player player);
  Answer answer();

  Structure& structure_;
  const Equations& equations_;
  AtomsOf atoms_function_;
  SolveOptions options_;
  ParityGame game_;
  std::vector<Position> positions_;
  std::vector<std::uint32_t> columns_;  // of the nodes that are no mere matter of atoms
  std::size_t width_ = 0;
  std::vector<Vertex> numbers_;  // by state and column
  std::vector<Fate> fates_;
  std::vector<std::uint32_t> undecided_;  // successors
  std::vector<Vertex> choices_;
  Vertex last_root_ = 0;  // the start vertices come first
  Vertex open_roots_ = 0;
  bool violated_ = false;
  std::vector<Vertex> decided_;  // to be handed back
  Vertex next_ = 1;              // to be expanded; those after it are not yet
  Vertex root_ = unknown_vertex;
  std::vector<std::uint64_t> atoms_;
  std::vector<bool> atoms_known_;
  std::vector<std::vector<std::int8_t>> steps_of_;  // per set of steps and label: -1 not known yet
  Ending ending_ = Ending::finished;
};

}  // namespace fathom::mu
