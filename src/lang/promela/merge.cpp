#include "lang/promela/merge.hpp"

#include <algorithm>

#include "lang/promela/expressions.hpp"

namespace fathom::promela {

namespace {

class Merger {
 public:
  Merger(FlowGraph& graph, const Visibility& seen)
      : graph_(graph), seen_(seen), labelled_(graph.locations.size()), passed_(graph.locations.size()) {}

  void run() {
    find_labels();
    const auto count = static_cast<std::uint32_t>(graph_.locations.size());
    for (std::uint32_t place = 0; place < count; ++place) passed_[place] = can_be_passed(place);
    progress_.assign(count, Progress::untouched);
    for (std::uint32_t place = 0; place < count; ++place) break_cycles(place);
    for (FlowEdge& edge : graph_.edges)
      if (goes_on(edge)) edge.control = ir::Control::keep;
  }

 private:
  enum class Progress : std::uint8_t { untouched, under_way, done };

  void find_labels() {
    for (const auto& [label, place] : graph_.labels)
      if (seen_.labels.contains(label)) labelled_[place] = true;
    for (std::size_t place = 0; place < labelled_.size(); ++place) {
      const FlowLocation& location = graph_.locations[place];
      if (seen_.marks && (location.is_accept || location.is_progress)) labelled_[place] = true;
    }
  }

  [[nodiscard]] bool can_be_passed(std::uint32_t place) const {
    const auto& edges = graph_.locations[place].edges;
    if (labelled_[place] || !std::ranges::all_of(edges, [&](std::uint32_t each) { return is_unseen(each); }))
      return false;
    return edges.size() == 1 ||
           std::ranges::all_of(edges, [&](std::uint32_t each) { return is_condition(*graph_.edges[each].statement); });
  }

  static bool is_condition(const Stmt& statement) {
    return statement.kind == Stmt::Kind::otherwise ||
           (statement.kind == Stmt::Kind::expression && !fold(*statement.a).value_or(0));
  }

  [[nodiscard]] bool is_unseen(std::uint32_t number) const {
    const FlowEdge& edge = graph_.edges[number];
    return edge.statement != nullptr && edge.control == ir::Control::release && edge.rank >= 0 && edge.first_of == 0 &&
           !labelled_[edge.target] && concerns_own(*edge.statement);
  }

  [[nodiscard]] bool concerns_own(const Stmt& statement) const {
    switch (statement.kind) {
      case Stmt::Kind::assign:
      case Stmt::Kind::increment:
      case Stmt::Kind::decrement:
        if (does_nothing(statement, seen_)) return true;
        [[fallthrough]];
      case Stmt::Kind::expression:
      case Stmt::Kind::assertion:
        return depends_on_own(*statement.a, seen_) && (!statement.b || depends_on_own(*statement.b, seen_));
      case Stmt::Kind::print:
      case Stmt::Kind::print_mtype:
      case Stmt::Kind::jump:
      case Stmt::Kind::leave:
      case Stmt::Kind::otherwise:
        return true;
      default:
        return false;
    }
  }

  // Of each cycle of such control points one is kept: the one at which a walk along the edges closes it.
  void break_cycles(std::uint32_t start) {
    struct Visit {
      std::uint32_t place;
      std::size_t next;
    };
    if (!passed_[start] || progress_[start] != Progress::untouched) return;
    std::vector<Visit> way{{start, 0}};
    progress_[start] = Progress::under_way;
    while (!way.empty()) {
      auto& [place, next] = way.back();
      const auto& edges = graph_.locations[place].edges;
      if (next == edges.size()) {
        progress_[place] = Progress::done;
        way.pop_back();
        continue;
      }
      const std::uint32_t target = graph_.edges[edges[next++]].target;
      if (progress_[target] == Progress::under_way) passed_[target] = false;
      if (!passed_[target] || progress_[target] != Progress::untouched) continue;
      progress_[target] = Progress::under_way;
      way.push_back({target, 0});
    }
  }

  [[nodiscard]] bool goes_on(const FlowEdge& edge) const {
    return edge.statement != nullptr && edge.control == ir::Control::release &&
           edge.statement->kind != Stmt::Kind::assertion && passed_[edge.target];
  }

  FlowGraph& graph_;
  const Visibility& seen_;
  std::vector<bool> labelled_;
  std::vector<bool> passed_;
  std::vector<Progress> progress_;
};

}  // namespace

void merge_statements(FlowGraph& graph, const Process& process, const Visibility& seen) {
  if (!seen.steps && !seen.everything && !process.provided) Merger(graph, seen).run();
}

}  // namespace fathom::promela
