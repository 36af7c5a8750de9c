#include "lang/promela/claim_automaton.hpp"

#include <fmt/format.h>

namespace fathom::promela {

namespace {

// Nested choices in atomic sequences multiply.
constexpr std::size_t most_edges = 4096;

class ClaimAutomaton {
 public:
  ClaimAutomaton(const Process& process, const FlowGraph& graph, const AtomOf& atom_of, Diagnostics& diagnostics)
      : process_(process), graph_(graph), atom_of_(atom_of), diagnostics_(diagnostics) {}

  ir::Automaton run() {
    for (std::uint32_t place = 0; place < graph_.locations.size(); ++place) {
      const FlowLocation& location = graph_.locations[place];
      ir::Automaton::State& state = automaton_.states.emplace_back();
      state.name = fmt::format("{}:{}", process_.name, place);
      state.range = location.range;
      state.accepting = location.is_accept;
      state.end = place == graph_.last;
      if (!state.end) follow(place, {});
    }
    return std::move(automaton_);
  }

 private:
  // Adds the edges of a control point to the last state, or to the edge that led here inside an atomic sequence.
  void follow(std::uint32_t place, const ir::Automaton::Edge& so_far) {
    for (const std::uint32_t number : graph_.locations[place].edges) {
      const FlowEdge& flow = graph_.edges[number];
      if (flow.statement == nullptr) continue;
      if (automaton_.states.back().edges.size() > most_edges) return too_large();
      for (ir::Automaton::Edge edge : moves(flow, so_far)) add(flow, std::move(edge));
    }
  }

  void add(const FlowEdge& flow, ir::Automaton::Edge edge) {
    if ((edge.condition.positive & edge.condition.negative) != 0) return;
    if (flow.control != ir::Control::release && flow.target != graph_.last) return follow(flow.target, edge);
    edge.target = flow.target;
    edge.range = flow.statement->range;
    automaton_.states.back().edges.push_back(std::move(edge));
  }

  std::vector<ir::Automaton::Edge> moves(const FlowEdge& flow, ir::Automaton::Edge edge) {
    const Stmt& statement = *flow.statement;
    switch (statement.kind) {
      case Stmt::Kind::expression:
        return test(*statement.a, true, edge.condition) ? std::vector{edge} : std::vector<ir::Automaton::Edge>{};
      case Stmt::Kind::otherwise:
        return none_of_the_others(flow, edge.condition) ? std::vector{edge} : std::vector<ir::Automaton::Edge>{};
      case Stmt::Kind::assertion:
        edge.asserted = atom_of_(*statement.a);
        return {edge};
      case Stmt::Kind::jump:
      case Stmt::Kind::leave:
      case Stmt::Kind::print:
      case Stmt::Kind::print_mtype:
        return {edge};
      default:
        refuse(statement);
        return {};
    }
  }

  // False: the condition is constantly otherwise.
  bool test(const Expr& condition, bool wanted, ir::Cube& cube) {
    if (condition.is_constant()) return (condition.value != 0) == wanted;
    const std::uint64_t bit = std::uint64_t{1} << atom_of_(condition);
    (wanted ? cube.positive : cube.negative) |= bit;
    return true;
  }

  bool none_of_the_others(const FlowEdge& flow, ir::Cube& cube) {
    for (const std::uint32_t number : graph_.locations[flow.source].edges) {
      const FlowEdge& other = graph_.edges[number];
      if (other.statement == nullptr || other.statement->kind == Stmt::Kind::otherwise) continue;
      if (other.statement->kind != Stmt::Kind::expression) return false;  // it can always be taken
      if (!test(*other.statement->a, false, cube)) return false;
    }
    return true;
  }

  void refuse(const Stmt& statement) {
    diagnostics_.error("F508", statement.range, "a never claim can only observe: conditions and assertions").help =
        "count or remember in a process instead, and let the claim look at its variables";
  }

  void too_large() {
    if (!diagnostics_.failed())
      diagnostics_.error("F507", process_.name_range,
                         "the atomic sequences of this never claim have too many branches");
  }

  const Process& process_;
  const FlowGraph& graph_;
  const AtomOf& atom_of_;
  Diagnostics& diagnostics_;
  ir::Automaton automaton_;
};

}  // namespace

ir::Automaton claim_automaton(const Process& process, const FlowGraph& graph, const AtomOf& atom_of,
                              Diagnostics& diagnostics) {
  return ClaimAutomaton(process, graph, atom_of, diagnostics).run();
}

}  // namespace fathom::promela
