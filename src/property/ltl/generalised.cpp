#include "property/ltl/generalised.hpp"

#include <algorithm>
#include <limits>
#include <map>

#include "property/ltl/cubes.hpp"

namespace fathom::ltl {
namespace {

constexpr std::uint32_t unseen = std::numeric_limits<std::uint32_t>::max();

// Tarjan's algorithm with a stack of its own: an automaton can be one long chain.
class ComponentFinder {
 public:
  explicit ComponentFinder(const Generalised& automaton)
      : automaton_(automaton), index_(automaton.size(), unseen), low_(automaton.size(), 0) {
    result_.of.assign(automaton.size(), unseen);
  }

  Components run() {
    for (std::uint32_t state = 0; state < automaton_.size(); ++state)
      if (index_[state] == unseen) search(state);
    judge();
    return std::move(result_);
  }

 private:
  void search(std::uint32_t root) {
    enter(root);
    while (!calls_.empty()) {
      auto& [state, position] = calls_.back();
      if (position == automaton_.edges[state].size())
        leave();
      else
        follow(state, automaton_.edges[state][position++].target);
    }
  }

  void enter(std::uint32_t state) {
    index_[state] = low_[state] = counter_++;
    open_.push_back(state);
    calls_.emplace_back(state, 0);
  }

  void follow(std::uint32_t state, std::uint32_t target) {
    if (index_[target] == unseen)
      enter(target);
    else if (result_.of[target] == unseen)
      low_[state] = std::min(low_[state], index_[target]);
  }

  void leave() {
    const std::uint32_t state = calls_.back().first;
    calls_.pop_back();
    if (!calls_.empty()) low_[calls_.back().first] = std::min(low_[calls_.back().first], low_[state]);
    if (low_[state] != index_[state]) return;
    for (std::uint32_t member = unseen; member != state; open_.pop_back()) {
      member = open_.back();
      result_.of[member] = components_;
    }
    ++components_;
  }

  void judge() {
    std::vector<Marks> found(components_, 0);
    result_.cyclic.assign(components_, false);
    result_.accepting.assign(components_, false);
    for (std::uint32_t state = 0; state < automaton_.size(); ++state) {
      const std::uint32_t component = result_.of[state];
      for (const auto& edge : automaton_.edges[state]) {
        if (result_.of[edge.target] != component) continue;
        result_.cyclic[component] = true;
        found[component] |= edge.marks;
      }
    }
    for (std::uint32_t k = 0; k < components_; ++k)
      result_.accepting[k] = result_.cyclic[k] && found[k] == automaton_.all_marks();
  }

  const Generalised& automaton_;
  Components result_;
  std::vector<std::uint32_t> index_, low_, open_;
  std::vector<std::pair<std::uint32_t, std::size_t>> calls_;
  std::uint32_t counter_ = 0, components_ = 0;
};

// Components from which an accepting one is reached; edges lead to smaller numbers, so one pass in order is enough.
std::vector<bool> useful_components(const Generalised& automaton, const Components& components) {
  std::vector<std::vector<std::uint32_t>> members(components.size());
  for (std::uint32_t state = 0; state < automaton.size(); ++state) members[components.of[state]].push_back(state);
  std::vector<bool> useful = components.accepting;
  for (std::uint32_t k = 0; k < components.size(); ++k)
    for (const std::uint32_t state : members[k])
      for (const auto& edge : automaton.edges[state])
        if (useful[components.of[edge.target]]) useful[k] = true;
  return useful;
}

// Numbers the useful states in the order in which a breadth-first search from the initial one meets them.
std::vector<std::uint32_t> order_of(const Generalised& automaton, const Components& components) {
  const std::vector<bool> useful = useful_components(automaton, components);
  std::vector<bool> seen(automaton.size(), false);
  std::vector<std::uint32_t> order{automaton.initial};
  seen[automaton.initial] = true;
  for (std::size_t next = 0; next < order.size(); ++next)
    for (const auto& edge : automaton.edges[order[next]])
      if (useful[components.of[edge.target]] && !seen[edge.target]) {
        seen[edge.target] = true;
        order.push_back(edge.target);
      }
  return order;
}

// A mark that is on every edge on which another one is adds nothing. One mark stays, even if all edges of accepting
// components have it: it tells the other components apart.
void drop_useless_marks(Generalised& automaton, const Components& components) {
  std::vector<Marks> with(automaton.mark_count, automaton.all_marks());  // marks present wherever this one is
  for (std::uint32_t state = 0; state < automaton.size(); ++state)
    for (const auto& edge : automaton.edges[state]) {
      const std::uint32_t component = components.of[state];
      if (component != components.of[edge.target] || !components.accepting[component]) continue;
      for (std::uint32_t mark = 0; mark < automaton.mark_count; ++mark)
        if ((edge.marks >> mark & 1) != 0) with[mark] &= edge.marks;
    }
  std::vector<std::uint32_t> kept;
  Marks dropped = 0;
  for (std::uint32_t mark = 0; mark < automaton.mark_count; ++mark) {
    for (std::uint32_t other = 0; other < automaton.mark_count; ++other) {
      const bool implied = other != mark && (with[other] >> mark & 1) != 0 && (dropped >> other & 1) == 0;
      if (implied) dropped |= Marks{1} << mark;
    }
    if ((dropped >> mark & 1) == 0) kept.push_back(mark);
  }
  for (auto& edges : automaton.edges)
    for (auto& edge : edges) {
      Marks marks = 0;
      for (std::size_t k = 0; k < kept.size(); ++k) marks |= (edge.marks >> kept[k] & 1) << k;
      edge.marks = marks;
    }
  automaton.mark_count = static_cast<std::uint32_t>(kept.size());
}

Generalised without_useless_states(const Generalised& automaton) {
  const Components components = components_of(automaton);
  const std::vector<bool> useful = useful_components(automaton, components);
  const std::vector<std::uint32_t> order = order_of(automaton, components);
  std::vector<std::uint32_t> number(automaton.size(), unseen);
  for (std::uint32_t k = 0; k < order.size(); ++k) number[order[k]] = k;
  Generalised result;
  result.mark_count = automaton.mark_count;
  for (const std::uint32_t state : order) {
    auto& edges = result.edges.emplace_back();
    for (auto edge : automaton.edges[state]) {
      if (!useful[components.of[edge.target]]) continue;
      edge.target = number[edge.target];
      edges.push_back(edge);
    }
  }
  return result;
}

void clear_marks_outside(Generalised& automaton, const Components& components) {
  for (std::uint32_t state = 0; state < automaton.size(); ++state)
    for (auto& edge : automaton.edges[state]) {
      const std::uint32_t component = components.of[edge.target];
      if (component != components.of[state] || !components.accepting[component]) edge.marks = 0;
    }
}

// Components with a circle through states without marks only.
std::vector<bool> with_rejected_circle(const Generalised& automaton, const Components& components) {
  Generalised rest = automaton;
  for (std::uint32_t state = 0; state < rest.size(); ++state)
    std::erase_if(rest.edges[state], [&](const Generalised::Edge& edge) {
      return edge.marks != 0 || components.of[edge.target] != components.of[state];
    });
  const Components inner = components_of(rest);
  std::vector<bool> result(components.size(), false);
  for (std::uint32_t state = 0; state < rest.size(); ++state)
    if (inner.cyclic[inner.of[state]]) result[components.of[state]] = true;
  return result;
}

void settle_flags(Generalised& automaton, const Components& components) {
  const std::vector<bool> mixed = with_rejected_circle(automaton, components);
  for (std::uint32_t state = 0; state < automaton.size(); ++state) {
    const std::uint32_t component = components.of[state];
    for (auto& edge : automaton.edges[state])
      edge.marks = components.accepting[component] && (edge.marks != 0 || !mixed[component]) ? 1 : 0;
  }
}

}  // namespace

Components components_of(const Generalised& automaton) {
  return ComponentFinder(automaton).run();
}

Generalised trimmed(const Generalised& automaton, Acceptance acceptance) {
  Generalised result = without_useless_states(automaton);
  const Components components = components_of(result);
  if (acceptance == Acceptance::on_states) {
    settle_flags(result, components);
  } else {
    clear_marks_outside(result, components);
    drop_useless_marks(result, components);
  }
  tidy_edges(result);
  return result;
}

void tidy_edges(Generalised& automaton) {
  for (auto& edges : automaton.edges) {
    std::map<std::pair<std::uint32_t, Marks>, std::vector<ir::Cube>> groups;
    for (const auto& edge : edges) groups[{edge.target, edge.marks}].push_back(edge.condition);
    std::vector<Generalised::Edge> tidy;
    for (auto& [key, cubes] : groups)
      for (const ir::Cube& cube : minimised(std::move(cubes))) tidy.push_back({key.first, cube, key.second});
    edges = std::move(tidy);
  }
}

}  // namespace fathom::ltl
