#include "trace/verify_formula.hpp"

#include <map>

#include "property/mu/solve.hpp"

namespace fathom {

namespace {

class Surroundings {
 public:
  Surroundings(const std::vector<StateBuffer>& run, std::uint32_t claim, InterpretedModel& model)
      : model_(model), labels_(model.program()) {
    for (const StateBuffer& state : run) number(state);
    inside_ = states_.size();
    std::vector<std::vector<Structure::Edge>> edges;
    for (std::size_t k = 0; k < inside_; ++k) edges.push_back(steps_from(StateBuffer(states_[k])));
    for (std::size_t k = 0; k < states_.size(); ++k) {
      graph_.add_state();
      for (const Structure::Edge& edge : k < inside_ ? edges[k] : std::vector<Structure::Edge>())
        graph_.add_edge(edge.target, edge.label);
      add_atoms(states_[k], claim);
    }
    for (std::uint32_t label = 0; label < labels_.size(); ++label) graph_.add_label(labels_[label]);
  }

  // Whether the formula certainly holds, or certainly does not, in the first state. The definition takes time that
  // grows with the square of the length, so a very long run is left to the game, on this small structure.
  bool decides(const mu::Formula& formula, bool holds) {
    mu::Evaluator::Set closed(states_.size(), false);
    for (std::size_t k = 0; k < inside_; ++k) closed[k] = true;
    const auto atoms = [this](Structure::State state) { return atoms_[state]; };
    if (inside_ > long_run) {
      graph_.set_complete(false);
      graph_.set_closed(std::move(closed));
      graph_.add_initial(0);
      const mu::Equations equations = mu::equations_of(formula);
      return mu::Solver(graph_, equations, atoms).solve() == (holds ? mu::Answer::holds : mu::Answer::violated);
    }
    mu::Evaluator evaluator(graph_, atoms, std::move(closed));
    using Bound = mu::Evaluator::Bound;
    return evaluator.states_of(formula, holds ? Bound::certain : Bound::possible).front() == holds;
  }

 private:
  static constexpr std::size_t long_run = 2000;

  Structure::State number(const StateBuffer& state) {
    const auto [known, is_new] = numbers_.try_emplace(state, static_cast<Structure::State>(states_.size()));
    if (is_new) states_.push_back(state);
    return known->second;
  }

  std::vector<Structure::Edge> steps_from(const StateBuffer& state) {
    Batch steps;
    model_.successors(state, steps);
    std::vector<Structure::Edge> edges;
    for (std::uint32_t k = 0; k < steps.size(); ++k) {
      if (!steps.outcome(k).has_successor()) continue;
      const StateView next = steps.state(k);
      edges.push_back({number(StateBuffer(next.begin(), next.end())), labels_.number(steps.instance(k))});
    }
    return edges;
  }

  // Outside the run a condition that goes wrong is one that nobody asked for.
  void add_atoms(const StateBuffer& state, std::uint32_t claim) {
    AtomValues values;
    if (model_.atoms(state, claim, values) != ir::SiteId::none && atoms_.size() < inside_)
      throw ReplayError("a condition of the formula fails on the way");
    atoms_.push_back(values.holding);
  }

  InterpretedModel& model_;
  StepLabels labels_;
  std::map<StateBuffer, Structure::State> numbers_;
  std::vector<StateBuffer> states_;  // those of the run first
  std::size_t inside_ = 0;
  std::vector<std::uint64_t> atoms_;
  FiniteStructure graph_;
};

}  // namespace

void verify_formula(const ConcreteRun& run, const std::vector<StateBuffer>& states, InterpretedModel& model) {
  const std::uint32_t claim = run.violation.property;
  if (!Surroundings(states, claim, model).decides(*model.program().claims[claim].mu_formula, run.is_witness))
    throw ReplayError("the run does not decide the formula");
}

}  // namespace fathom
