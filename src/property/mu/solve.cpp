#include "property/mu/solve.hpp"

#include <algorithm>

#include "property/mu/action.hpp"

namespace fathom::mu {

namespace {

using Op = Equations::Op;

// A vertex more than this many is looked at before we ask whether to go on.
constexpr Solver::Vertex tick_distance = 4096;

bool is_disjunctive(Op op) {
  return op == Op::disjunction || op == Op::diamond;
}

}  // namespace

Solver::Solver(Structure& structure, const Equations& equations, AtomsOf atoms, SolveOptions options)
    : structure_(structure),
      equations_(equations),
      atoms_function_(std::move(atoms)),
      options_(std::move(options)),
      steps_of_(equations.actions.size()) {
  number_columns();
  add_vertex(0, Equations::falsity);
  for (const State state : structure_.initial()) vertex_of(state, equations_.root);
  last_root_ = open_roots_ = game_.size() - 1;
}

void Solver::number_columns() {
  constexpr auto none = static_cast<std::uint32_t>(-1);
  columns_.assign(equations_.parts.size(), none);
  std::vector<Equations::Node> reached{equations_.root};
  columns_[equations_.root] = static_cast<std::uint32_t>(width_++);
  for (std::size_t k = 0; k < reached.size(); ++k)
    for (const Equations::Node part : equations_.parts[reached[k]].parts) {
      if (equations_.parts[part].is_static || columns_[part] != none) continue;
      columns_[part] = static_cast<std::uint32_t>(width_++);
      reached.push_back(part);
    }
}

Player Solver::owner_of(Op op) const {
  return is_disjunctive(op) ? Player::prover : Player::refuter;
}

Solver::Vertex Solver::add_vertex(State state, Equations::Node node) {
  const Equations::Part& part = equations_.parts[node];
  positions_.push_back({state, node});
  fates_.push_back(Fate::open);
  undecided_.push_back(0);
  choices_.push_back(ParityGame::none);
  return game_.add_vertex(owner_of(part.op), part.priority);
}

Solver::Vertex Solver::vertex_of(State state, Equations::Node node) {
  const std::size_t at = slot(state, node);
  if (at >= numbers_.size()) {
    const std::size_t wanted = structure_.states() * width_;
    if (wanted > numbers_.capacity()) numbers_.reserve(std::max(wanted, 2 * numbers_.capacity()));
    numbers_.resize(std::max(wanted, at + 1), ParityGame::none);
  }
  if (numbers_[at] == ParityGame::none) numbers_[at] = add_vertex(state, node);
  return numbers_[at];
}

std::uint64_t Solver::bytes() const {
  const std::size_t vertex = sizeof(Position) + sizeof(Fate) + sizeof(std::uint32_t) + sizeof(Vertex);
  return game_.bytes() + positions_.capacity() * vertex + numbers_.capacity() * sizeof(Vertex) +
         atoms_.capacity() * sizeof(std::uint64_t);
}

std::optional<Solver::Vertex> Solver::choice(Vertex vertex) const {
  return choices_[vertex] == ParityGame::none ? std::nullopt : std::optional(choices_[vertex]);
}

std::uint64_t Solver::atoms_of(State state) {
  if (state >= atoms_.size()) {
    atoms_.resize(structure_.states());
    atoms_known_.resize(structure_.states());
  }
  if (!atoms_known_[state]) {
    atoms_[state] = atoms_function_(state);
    atoms_known_[state] = true;
  }
  return atoms_[state];
}

bool Solver::has_step(std::uint32_t action, std::uint32_t label) {
  std::vector<std::int8_t>& known = steps_of_[action];
  if (label >= known.size()) known.resize(structure_.labels(), -1);
  if (known[label] < 0) known[label] = mu::has_step(*equations_.actions[action], structure_.label(label)) ? 1 : 0;
  return known[label] == 1;
}

Answer Solver::solve() {
  explore();
  if (ending_ == Ending::finished && !all_decided()) settle();
  return answer();
}

void Solver::explore() {
  Vertex settle_at = 1024;
  while (next_ < game_.size()) {
    if (next_ % tick_distance == 0 && !may_go_on()) return;
    const Vertex vertex = next_++;
    if (fates_[vertex] == Fate::open) expand(vertex);
    if (!options_.local) continue;
    if (all_decided()) return;
    if (game_.size() < settle_at) continue;
    settle();
    settle_at = 2 * game_.size();
  }
}

bool Solver::may_go_on() {
  if (bytes() > options_.memory_limit || game_.size() >= ParityGame::none - tick_distance) ending_ = Ending::memory;
  if (ending_ == Ending::finished && !options_.tick(game_.size())) ending_ = Ending::stopped;
  return ending_ == Ending::finished;
}

void Solver::expand(Vertex vertex) {
  const State state = state_of(vertex);
  const Equations::Part& part = equations_.parts[node_of(vertex)];
  bool is_decided = false;
  switch (part.op) {
    case Op::conjunction:
    case Op::disjunction: {
      // What the state itself says is asked first: it may spare the rest.
      for (const bool wanted : {true, false})
        for (const Equations::Node inner : part.parts)
          if (!is_decided && equations_.parts[inner].is_static == wanted) is_decided = meet(vertex, state, inner);
      break;
    }
    case Op::diamond:
    case Op::box:
      is_decided = meet_steps(vertex, state, part);
      break;
    default:
      decide(vertex, equations_.holds(node_of(vertex), atoms_of(state)) ? Fate::won : Fate::lost);
      is_decided = true;
  }
  if (!is_decided && undecided_[vertex] == 0) decide(vertex, is_disjunctive(part.op) ? Fate::lost : Fate::won);
  hand_back_all();
}

bool Solver::meet_steps(Vertex vertex, State state, const Equations::Part& part) {
  for (const Structure::Edge& edge : structure_.edges(state))
    if (has_step(part.label, edge.label) && meet(vertex, edge.target, part.parts.front())) return true;
  if (structure_.closed(state)) return false;
  ++undecided_[vertex];
  game_.add_edge(vertex, unknown_vertex);
  return false;
}

bool Solver::meet(Vertex vertex, State state, Equations::Node node) {
  const Fate decisive = owner(vertex) == Player::prover ? Fate::won : Fate::lost;
  if (equations_.parts[node].is_static) {
    const Fate fate = equations_.holds(node, atoms_of(state)) ? Fate::won : Fate::lost;
    if (fate == decisive) decide(vertex, fate);
    return fate == decisive;
  }
  const Vertex next = vertex_of(state, node);
  if (fates_[next] == decisive) {
    choices_[vertex] = next;
    decide(vertex, decisive);
    return true;
  }
  if (fates_[next] != Fate::open) return false;
  ++undecided_[vertex];
  game_.add_edge(vertex, next);
  return false;
}

void Solver::decide(Vertex vertex, Fate fate) {
  fates_[vertex] = fate;
  decided_.push_back(vertex);
  if (vertex > last_root_) return;
  --open_roots_;
  violated_ |= fate == Fate::lost;
}

void Solver::hand_back_all() {
  while (!decided_.empty()) {
    const Vertex decided = decided_.back();
    decided_.pop_back();
    hand_back(decided);
  }
}

void Solver::hand_back(Vertex decided) {
  const Fate fate = fates_[decided];
  game_.each_predecessor(decided, [&](Vertex before) {
    if (fates_[before] != Fate::open) return;
    const Fate decisive = owner(before) == Player::prover ? Fate::won : Fate::lost;
    if (fate == decisive) {
      choices_[before] = decided;
      decide(before, fate);
    } else if (--undecided_[before] == 0) {
      decide(before, fate);
    }
  });
}

void Solver::settle() {
  std::vector<Vertex> open, frontier{unknown_vertex};
  for (Vertex vertex = 1; vertex < game_.size(); ++vertex) {
    if (fates_[vertex] != Fate::open) continue;
    (vertex < next_ ? open : frontier).push_back(vertex);
  }
  for (const Player player : {Player::prover, Player::refuter}) {
    settle_for(player, open, frontier);
    hand_back_all();
  }
}

// What lies beyond the frontier belongs to the other player here.
void Solver::settle_for(Player player, const std::vector<Vertex>& open, const std::vector<Vertex>& frontier) {
  std::vector<Vertex> known = open;
  known.insert(known.end(), frontier.begin(), frontier.end());
  std::erase_if(known, [&](Vertex vertex) { return fates_[vertex] != Fate::open; });
  Zielonka zielonka(game_);
  std::vector<bool> lost(game_.size(), false);
  for (const Vertex vertex : zielonka.attract(known, frontier, opponent(player))) lost[vertex] = true;
  std::erase_if(known, [&](Vertex vertex) { return lost[vertex]; });
  zielonka.solve(known);
  take(zielonka, known, player);
}

void Solver::take(const Zielonka& solved, const std::vector<Vertex>& part, Player player) {
  for (const Vertex vertex : part) {
    if (solved.winner(vertex) != player) continue;
    if (owner(vertex) == player) choices_[vertex] = solved.choice(vertex);
    decide(vertex, player == Player::prover ? Fate::won : Fate::lost);
  }
}

// The first start state that violates it, or the first of all where it holds.
Answer Solver::answer() {
  if (!violated_ && (open_roots_ > 0 || !options_.all_starts)) return Answer::unknown;
  root_ = last_root_ == 0 ? unknown_vertex : 1;
  while (violated_ && fates_[root_] != Fate::lost) ++root_;
  return violated_ ? Answer::violated : Answer::holds;
}

}  // namespace fathom::mu
