#include "property/ltl/simulation.hpp"

#include <algorithm>
#include <functional>
#include <map>
#include <tuple>

#include "property/ltl/cubes.hpp"

namespace fathom::ltl {
namespace {

// The relation is computed in time quadratic in the edges, in as many rounds as there are states at worst.
constexpr std::size_t max_edges = 3000;
constexpr std::uint32_t max_simulated_states = 500;

using Edge = Generalised::Edge;
using EdgeLists = std::vector<std::vector<Edge>>;

std::size_t edge_count(const Generalised& automaton) {
  std::size_t count = 0;
  for (const auto& edges : automaton.edges) count += edges.size();
  return count;
}

bool is_large(const Generalised& automaton) {
  return automaton.size() > max_simulated_states || edge_count(automaton) > max_edges;
}

// relation(q, r): r can do what q can.
class Relation {
 public:
  explicit Relation(std::uint32_t size) : size_(size), related_(std::size_t{size} * size, true) {}
  [[nodiscard]] bool operator()(std::uint32_t q, std::uint32_t r) const { return related_[std::size_t{q} * size_ + r]; }
  void separate(std::uint32_t q, std::uint32_t r) { related_[std::size_t{q} * size_ + r] = false; }
  [[nodiscard]] bool mutual(std::uint32_t q, std::uint32_t r) const { return (*this)(q, r) && (*this)(r, q); }
  [[nodiscard]] std::uint32_t size() const { return size_; }

 private:
  std::uint32_t size_;
  std::vector<bool> related_;
};

// Whether the marks of an edge have to be answered by those of an edge of the other state.
using MarksMatter = std::function<bool(std::uint32_t q, std::uint32_t r)>;

bool answered(const Edge& edge, const std::vector<Edge>& answers, const Relation& relation, bool marks_matter) {
  std::vector<Cube> matching;
  for (const Edge& answer : answers)
    if ((!marks_matter || (edge.marks & ~answer.marks) == 0) && relation(edge.target, answer.target))
      matching.push_back(answer.condition);
  return covered(edge.condition, matching);
}

// Takes pairs out until each that is left is justified by others that are left.
void refine(Relation& relation, const EdgeLists& edges, const MarksMatter& marks_matter) {
  for (bool changed = true; changed;) {
    changed = false;
    for (std::uint32_t q = 0; q < relation.size(); ++q)
      for (std::uint32_t r = 0; r < relation.size(); ++r) {
        if (q == r || !relation(q, r)) continue;
        const auto is_answered = [&](const Edge& edge) {
          return answered(edge, edges[r], relation, marks_matter(q, r));
        };
        if (std::all_of(edges[q].begin(), edges[q].end(), is_answered)) continue;
        relation.separate(q, r);
        changed = true;
      }
  }
}

bool always(std::uint32_t, std::uint32_t) {
  return true;
}

Relation forward_relation(const Generalised& automaton, const MarksMatter& marks_matter = always) {
  Relation relation(automaton.size());
  refine(relation, automaton.edges, marks_matter);
  return relation;
}

bool accepting_state(const Generalised& automaton, std::uint32_t state) {
  return !automaton.edges[state].empty() && automaton.edges[state][0].marks != 0;
}

Relation backward_relation(const Generalised& automaton, Acceptance acceptance) {
  EdgeLists reversed(automaton.size());
  for (std::uint32_t state = 0; state < automaton.size(); ++state)
    for (const Edge& edge : automaton.edges[state])
      reversed[edge.target].push_back({state, edge.condition, edge.marks});
  Relation relation(automaton.size());
  for (std::uint32_t q = 0; q < automaton.size(); ++q)
    for (std::uint32_t r = 0; r < automaton.size(); ++r) {
      const bool flags_differ =
          acceptance == Acceptance::on_states && accepting_state(automaton, q) && !accepting_state(automaton, r);
      if (q != r && (q == automaton.initial || flags_differ)) relation.separate(q, r);
    }
  refine(relation, reversed, always);
  return relation;
}

std::vector<std::uint32_t> representatives(const Relation& relation) {
  std::vector<std::uint32_t> result(relation.size());
  for (std::uint32_t q = 0; q < relation.size(); ++q) {
    result[q] = q;
    for (std::uint32_t r = 0; r < q; ++r)
      if (relation.mutual(q, r)) {
        result[q] = result[r];
        break;
      }
  }
  return result;
}

void redirect(Generalised& automaton, const std::vector<std::uint32_t>& representative) {
  automaton.initial = representative[automaton.initial];
  for (auto& edges : automaton.edges)
    for (Edge& edge : edges) edge.target = representative[edge.target];
}

// An edge goes if edges to better states, or with better marks to the same state, take all its letters.
void drop_worse_edges(Generalised& automaton, const Relation& relation) {
  for (auto& edges : automaton.edges) {
    const auto better = [&](const Edge& a, const Edge& b) {
      const bool no_worse = (b.marks & ~a.marks) == 0 && relation(b.target, a.target);
      return no_worse && (a.target != b.target || a.marks != b.marks) &&
             !(a.marks == b.marks && relation(a.target, b.target));
    };
    std::vector<Edge> kept;
    for (const Edge& edge : edges) {
      std::vector<Cube> others;
      for (const Edge& other : edges)
        if (better(other, edge)) others.push_back(other.condition);
      if (!covered(edge.condition, others)) kept.push_back(edge);
    }
    edges = std::move(kept);
  }
}

Generalised forward_quotient(Generalised automaton, Acceptance acceptance) {
  const Relation relation = forward_relation(automaton);
  redirect(automaton, representatives(relation));
  drop_worse_edges(automaton, relation);
  return trimmed(automaton, acceptance);
}

// States that the same words reach become one with the edges of all.
Generalised backward_quotient(Generalised automaton, Acceptance acceptance) {
  const std::vector<std::uint32_t> representative = representatives(backward_relation(automaton, acceptance));
  for (std::uint32_t state = 0; state < automaton.size(); ++state) {
    if (representative[state] == state) continue;
    auto& into = automaton.edges[representative[state]];
    into.insert(into.end(), automaton.edges[state].begin(), automaton.edges[state].end());
  }
  redirect(automaton, representative);
  return trimmed(automaton, acceptance);
}

// Two states of the same language, the first of which the second cannot reach: edges to the first can go to the
// second, because that closes no new circle and each run is redirected only finitely often. For equal languages it is
// enough that acceptance is answered in the long run, so a state on no circle owes and needs no mark.
Generalised shortcut_components(Generalised automaton, Acceptance acceptance) {
  const Components components = components_of(automaton);
  const auto on_circle = [&](std::uint32_t state) { return components.cyclic[components.of[state]]; };
  const Relation relation =
      forward_relation(automaton, [&](std::uint32_t q, std::uint32_t r) { return on_circle(q) && on_circle(r); });
  std::vector<std::uint32_t> replacement(automaton.size());
  for (std::uint32_t q = 0; q < automaton.size(); ++q) {
    replacement[q] = q;
    for (std::uint32_t r = 0; r < automaton.size(); ++r)
      if (components.of[r] < components.of[replacement[q]] && relation.mutual(q, r)) replacement[q] = r;
  }
  redirect(automaton, replacement);
  return trimmed(automaton, acceptance);
}

// States with the same edges are one. This is cheap, and is repeated because it makes further edges the same.
Generalised merge_same(Generalised automaton, Acceptance acceptance) {
  for (std::uint32_t size = 0; size != automaton.size();) {
    size = automaton.size();
    std::map<std::vector<std::tuple<std::uint32_t, std::uint64_t, std::uint64_t, Marks>>, std::uint32_t> first;
    std::vector<std::uint32_t> representative(size);
    for (std::uint32_t state = 0; state < size; ++state) {
      std::vector<std::tuple<std::uint32_t, std::uint64_t, std::uint64_t, Marks>> key;
      for (const Edge& edge : automaton.edges[state])
        key.emplace_back(edge.target, edge.condition.positive, edge.condition.negative, edge.marks);
      std::sort(key.begin(), key.end());
      representative[state] = first.emplace(std::move(key), state).first->second;
    }
    redirect(automaton, representative);
    automaton = trimmed(automaton, acceptance);
  }
  return automaton;
}

}  // namespace

Generalised simulation_reduced(const Generalised& automaton, Acceptance acceptance) {
  Generalised result = merge_same(trimmed(automaton, acceptance), acceptance);
  for (std::size_t before = 0; before != result.size() + edge_count(result);) {
    if (is_large(result)) break;
    before = result.size() + edge_count(result);
    result = forward_quotient(std::move(result), acceptance);
    result = backward_quotient(std::move(result), acceptance);
    result = shortcut_components(std::move(result), acceptance);
  }
  return result;
}

void prefer_better_edges(Generalised& automaton) {
  if (is_large(automaton)) return;
  const Relation relation = forward_relation(automaton);
  for (auto& edges : automaton.edges) {
    for (Edge& edge : edges) {
      for (const Edge& other : edges) {
        const bool better =
            other.target != edge.target && relation(edge.target, other.target) && !relation(other.target, edge.target);
        if (!better) continue;
        const std::uint64_t extra = (other.condition.positive & ~edge.condition.positive) |
                                    (other.condition.negative & ~edge.condition.negative);
        if (disjoint(edge.condition, other.condition) || (extra & (extra - 1)) != 0) continue;
        edge.condition.positive |= other.condition.negative & extra;
        edge.condition.negative |= other.condition.positive & extra;
      }
    }
  }
}

}  // namespace fathom::ltl
