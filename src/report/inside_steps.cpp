#include "report/inside_steps.hpp"

#include <set>
#include <utility>

namespace fathom {

namespace {

class InsideSteps {
 public:
  explicit InsideSteps(const ir::Program& program) : program_(program) {
    for (std::uint32_t number = 0; number < program.components.size(); ++number) {
      first_.push_back(static_cast<std::uint32_t>(owners_.size()));
      owners_.resize(owners_.size() + program.components[number].edges.size(), number);
    }
    taken_.resize(owners_.size());
  }

  std::vector<bool> run(std::span<const std::uint64_t> fired) {
    for (std::uint32_t edge = 0; edge < owners_.size(); ++edge)
      if (fired[edge] > 0) go_on(edge);
    while (!pending_.empty()) {
      const auto [component, location] = pending_.back();
      pending_.pop_back();
      leave(component, location);
    }
    return std::move(taken_);
  }

 private:
  // After a joint edge the accepting side goes on, wherever it came to.
  void go_on(std::uint32_t number) {
    const ir::Edge& edge = *program_.components[owners_[number]].edges[number - first_[owners_[number]]];
    if (edge.control == ir::Control::release) return;
    if (edge.participants.empty()) return arrive(owners_[number], edge.target);
    const std::uint32_t next = edge.participants.back();
    for (std::uint32_t k = 0; k < program_.components[next].locations.size(); ++k) arrive(next, k);
  }

  void arrive(std::uint32_t component, std::uint32_t location) {
    if (seen_.emplace(component, location).second) pending_.emplace_back(component, location);
  }

  void leave(std::uint32_t component, std::uint32_t location) {
    const auto& edges = program_.components[component].edges;
    for (std::uint32_t k = 0; k < edges.size(); ++k) {
      if (edges[k]->source != location) continue;
      taken_[first_[component] + k] = true;
      go_on(first_[component] + k);
    }
  }

  const ir::Program& program_;
  std::vector<std::uint32_t> first_;   // per component, the number of its first edge
  std::vector<std::uint32_t> owners_;  // per edge, its component
  std::vector<bool> taken_;
  std::set<std::pair<std::uint32_t, std::uint32_t>> seen_;
  std::vector<std::pair<std::uint32_t, std::uint32_t>> pending_;
};

}  // namespace

std::vector<bool> taken_inside_steps(const ir::Program& program, std::span<const std::uint64_t> fired) {
  return InsideSteps(program).run(fired);
}

}  // namespace fathom
