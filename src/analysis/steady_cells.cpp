#include "analysis/steady_cells.hpp"

#include <algorithm>
#include <optional>
#include <set>

#include "analysis/touches.hpp"

namespace fathom {

namespace {

class Finder {
 public:
  Finder(const ir::Program& program, const Cells& cells) : program_(program), cells_(cells) {
    const TouchFinder finder(program, cells, {{}, BitSet(cells.size())});
    for (std::uint32_t number = 0; number < program.components.size(); ++number)
      for (const auto& edge : program.components[number].edges) {
        Touches touches = finder.of(edge->routine.body, {});
        if (edge->guard != nullptr) touches.add(finder.of(*edge->guard, {}));
        unfollowed_ |= touches.unfollowed;
        participants_.push_back(edge->participants.empty() ? std::vector{number} : edge->participants);
        edges_.push_back(std::move(touches));
      }
  }

  SteadyCells run() {
    if (unfollowed_) return {};
    BitSet used(cells_.size());
    for (const Touches& edge : edges_) used |= edge.indices;
    SteadyCells result;
    std::set<std::uint32_t> changers;
    used.for_each([&](std::size_t cell) {
      const auto found = changers_of(static_cast<std::uint32_t>(cell));
      if (!found) return;
      result.cells.push_back(static_cast<std::uint32_t>(cell));
      changers.insert(found->begin(), found->end());
    });
    result.changers.assign(changers.begin(), changers.end());
    return result;
  }

 private:
  [[nodiscard]] bool takes_part(std::uint32_t edge, std::uint32_t component) const {
    return std::ranges::count(participants_[edge], component) > 0;
  }

  [[nodiscard]] std::optional<std::uint32_t> location_cell(std::uint32_t component) const {
    const ir::Variable* const location = program_.components[component].location;
    return location == nullptr ? std::nullopt : cells_.at(location->offset);
  }

  // Whether the component is gone after the edge.
  [[nodiscard]] bool ends(std::uint32_t edge, std::uint32_t component) const {
    const auto cell = location_cell(component);
    if (!cell || !takes_part(edge, component)) return false;
    const auto written = edges_[edge].written.find(*cell);
    return written != edges_[edge].written.end() && std::ranges::count(written->second.values, ir::undefined) > 0;
  }

  // Nothing if the cell is not steady.
  [[nodiscard]] std::optional<std::vector<std::uint32_t>> changers_of(std::uint32_t cell) const {
    std::vector<std::uint32_t> writers;
    for (std::uint32_t edge = 0; edge < edges_.size(); ++edge)
      if (edges_[edge].writes.test(cell)) writers.push_back(edge);
    if (writers.empty()) return writers;
    for (std::uint32_t component = 0; component < program_.components.size(); ++component) {
      std::vector<std::uint32_t> others = writers;
      std::erase_if(others, [&](std::uint32_t edge) { return ends(edge, component); });
      if (creates_in_all(others, component) && is_private(cell, component, others)) return others;
    }
    return std::nullopt;
  }

  // Whether each of the edges may create the component. One that only moves the component in a joint step does not. An
  // edge of the component itself may seem to, as far as its code can tell.
  [[nodiscard]] bool creates_in_all(const std::vector<std::uint32_t>& edges, std::uint32_t component) const {
    const auto cell = location_cell(component);
    return cell && std::ranges::all_of(edges, [&](std::uint32_t edge) {
             const bool moves = participants_[edge].size() > 1 && takes_part(edge, component);
             return edges_[edge].writes.test(*cell) && !moves;
           });
  }

  // Whether nobody looks at the cell while the component is not there.
  [[nodiscard]] bool is_private(std::uint32_t cell, std::uint32_t component,
                                const std::vector<std::uint32_t>& creators) const {
    for (std::uint32_t edge = 0; edge < edges_.size(); ++edge) {
      if (!edges_[edge].reads.test(cell) || takes_part(edge, component)) continue;
      if (std::ranges::count(creators, edge) == 0) return false;
    }
    return true;
  }

  const ir::Program& program_;
  const Cells& cells_;
  std::vector<Touches> edges_;
  std::vector<std::vector<std::uint32_t>> participants_;
  bool unfollowed_ = false;
};

}  // namespace

SteadyCells find_steady_cells(const ir::Program& program, const Cells& cells) {
  return Finder(program, cells).run();
}

}  // namespace fathom
