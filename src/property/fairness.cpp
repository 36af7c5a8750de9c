#include "property/fairness.hpp"

#include <algorithm>
#include <string>

#include "support/errors.hpp"

namespace fathom {

namespace {

// Processes are told apart by their number, as in Spin: a number that is free is nobody, who cannot move.
std::size_t mark_of(const ir::Component& process) {
  return 1 + std::stoul(process.agent);
}

}  // namespace

Fairness::Fairness(const ir::Program& program, const RunRules& rules)
    : program_(program), model_(program), weak_(rules.fair) {
  model_.quiet(true);
  all_.set(0);
  const bool processes = std::ranges::none_of(program.components, [](const auto& c) { return c.agent.empty(); });
  if (processes) {
    find_processes();
    find_strong_processes(rules.strong);
  } else {
    find_rules();
    find_strong_rules(rules.strong);
  }
}

void Fairness::find_processes() {
  const bool meets = std::ranges::any_of(program_.components, [](const ir::Component& component) {
    return std::ranges::any_of(component.edges, [](const auto& edge) { return !edge->participants.empty(); });
  });
  for (const ir::Component& component : program_.components) {
    free_mark_ = std::max(free_mark_, mark_of(component) + 1);
    if (weak_) all_.set(mark_of(component));
    for (const auto& edge : component.edges) {
      EdgeFacts& facts = edges_.emplace_back();
      facts.goes_on = meets && edge->control != ir::Control::release;
      if (edge->participants.empty()) facts.marks.set(mark_of(component));
      for (const std::uint32_t number : edge->participants) facts.marks.set(mark_of(program_.components[number]));
    }
  }
}

void Fairness::find_rules() {
  const std::vector<const ir::Edge*> edges = program_.edges();
  edges_.resize(edges.size());
  if (!weak_) return;
  std::uint64_t instances = 0;
  for (const ir::Edge* edge : edges) instances += edge->instances();
  const bool by_instance = instances < max_marks;
  if (!by_instance && edges.size() >= max_marks) throw EnvironmentError("--fair: there are too many rules");
  for (std::size_t k = 0; k < edges.size(); ++k) {
    EdgeFacts& facts = edges_[k];
    facts.by_instance = by_instance;
    facts.first_mark = free_mark_;
    const std::size_t count = by_instance ? edges[k]->instances() : 1;
    for (std::size_t instance = 0; instance < count; ++instance) all_.set(free_mark_++);
    if (!by_instance) facts.marks.set(facts.first_mark);
  }
}

std::size_t Fairness::add_pair() {
  if (free_mark_ + 2 > max_marks) throw EnvironmentError("--strong-fair: there are too many rules or processes");
  pairs_.push_back({free_mark_, free_mark_ + 1});
  free_mark_ += 2;
  return pairs_.size() - 1;
}

// Behind the numbers of the processes come those of single statements. Of a sequence that is not interrupted the first
// one counts.
void Fairness::find_strong_processes(const std::vector<std::uint32_t>& units) {
  for (const std::uint32_t number : units) {
    const std::size_t pair = add_pair();
    if (number >= program_.components.size()) {
      edges_[number - program_.components.size()].pairs.push_back(pair);
      continue;
    }
    std::size_t edge_number = 0;
    for (std::uint32_t owner = 0; owner < program_.components.size(); ++owner)
      for (const auto& edge : program_.components[owner].edges) {
        const bool takes_part =
            edge->participants.empty() ? owner == number : std::ranges::count(edge->participants, number) > 0;
        if (takes_part) edges_[edge_number].pairs.push_back(pair);
        ++edge_number;
      }
  }
}

// Each instance of a rule has a claim of its own, as under weak fairness.
void Fairness::find_strong_rules(const std::vector<std::uint32_t>& edges) {
  const std::vector<const ir::Edge*> all = program_.edges();
  for (const std::uint32_t number : edges) {
    edges_[number].pair_by_instance = true;
    for (std::uint64_t k = 0; k < all[number]->instances(); ++k) edges_[number].pairs.push_back(add_pair());
  }
}

Marks Fairness::able(InstanceId step) const {
  const EdgeFacts& facts = edges_[edge_of(step)];
  return facts.by_instance ? Marks().set(facts.first_mark + parameters_of(step)) : facts.marks;
}

Marks Fairness::strongly_able(InstanceId step) const {
  const EdgeFacts& facts = edges_[edge_of(step)];
  Marks marks;
  if (facts.pair_by_instance) return marks.set(pairs_[facts.pairs[parameters_of(step)]].able);
  for (const std::size_t pair : facts.pairs) marks.set(pairs_[pair].able);
  return marks;
}

Marks Fairness::of_state(const Batch& steps) const {
  Marks marks = all_;
  Marks strong;
  for (std::uint32_t k = 0; k < steps.size(); ++k) {
    if (steps.outcome(k).is_blocked()) continue;
    marks &= ~able(steps.instance(k));
    strong |= strongly_able(steps.instance(k));
  }
  return marks | strong;
}

// The mark `moves` of a pair comes right behind `able`.
Marks Fairness::moving(StateView state, InstanceId step) {
  Marks marks = able(step) | strongly_able(step) << 1;
  if (!edges_[edge_of(step)].goes_on) return marks;
  for (const MicroPath::Step& part : model_.micro_steps(state, step).steps)
    marks |= able(part.instance) | strongly_able(part.instance) << 1;
  return marks;
}

}  // namespace fathom
