#include "cli/step_costs.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <set>

#include "cli/quantities.hpp"
#include "cli/searches.hpp"
#include "cli/usage_error.hpp"
#include "support/text.hpp"

namespace fathom {

namespace {

constexpr Cost largest_cost = 1'000'000;

std::optional<Cost> cost_in(std::string_view text) {
  const std::optional<std::uint64_t> number = parse_count(text);
  return number && *number <= largest_cost ? std::optional(static_cast<Cost>(*number)) : std::nullopt;
}

class CostReader {
 public:
  CostReader(const ir::Program& program, Diagnostics& diagnostics)
      : sources_(*program.sources), edges_(program.edges()), diagnostics_(diagnostics), costs_(edges_.size(), 0) {
    note_inner_edges(program);
  }

  // A comment alone on its line is about what begins next, any other about what began last.
  void read(const Annotation& annotation) {
    const std::optional<Cost> cost = cost_in(sources_.text(annotation.value));
    if (!cost) {
      diagnostics_.error(
          "F613", annotation.value,
          fmt::format("a cost is a whole number up to {}, not `{}`", largest_cost, sources_.text(annotation.value)));
      return;
    }
    const std::optional<std::uint32_t> begin = place_meant(annotation);
    if (!begin) {
      diagnostics_.error("F614", annotation.value, "this cost belongs to no rule or statement").help =
          "put it on the line before one, or behind it on the same line";
      return;
    }
    for (std::size_t k = 0; k < edges_.size(); ++k)
      if (is_at(*edges_[k], annotation.value.file, *begin)) set(k, *cost, annotation.value);
  }

  // "tick=1, load=3", and "*=1" for all rules.
  void read_list(const std::string& list) {
    for (std::size_t begin = 0; begin <= list.size();) {
      const std::size_t comma = std::min(list.find(',', begin), list.size());
      read_item(std::string(trimmed(std::string_view(list).substr(begin, comma - begin))), list);
      begin = comma + 1;
    }
  }

  CostRequest result() {
    CostRequest request;
    request.least = costs_.empty() ? 0 : *std::ranges::min_element(costs_);
    request.of_edge = std::move(costs_);
    return request;
  }

 private:
  static bool is_at(const ir::Edge& edge, FileId file, std::uint32_t begin) {
    return edge.range.file == file && edge.range.begin == begin;
  }

  // A step is known by its first edge, and so is what it costs.
  void note_inner_edges(const ir::Program& program) {
    for (const ir::Component& component : program.components) {
      std::set<std::uint32_t> inside;  // locations at which a step goes on
      for (const auto& edge : component.edges)
        if (edge->control != ir::Control::release) inside.insert(edge->target);
      for (const auto& edge : component.edges) inner_.push_back(inside.contains(edge->source));
    }
  }

  // Its own, or the next one with something else than a comment.
  [[nodiscard]] std::uint32_t line_meant(const Annotation& annotation) const {
    const FileId file = annotation.value.file;
    std::uint32_t line = sources_.position(file, annotation.value.begin).line;
    if (!annotation.alone) return line;
    const std::uint32_t last = sources_.position(file, static_cast<std::uint32_t>(sources_.text(file).size())).line;
    const auto says_nothing = [&](std::uint32_t number) {
      const std::string text(trimmed(sources_.line(file, number)));
      return text.empty() || text.starts_with("--") || text.starts_with("//") || text.starts_with("/*");
    };
    do ++line;
    while (line < last && says_nothing(line));
    return line;
  }

  [[nodiscard]] std::optional<std::uint32_t> place_meant(const Annotation& annotation) const {
    const FileId file = annotation.value.file;
    const std::uint32_t at = annotation.value.begin;
    const std::uint32_t line = line_meant(annotation);
    std::optional<std::uint32_t> nearest;
    for (const ir::Edge* edge : edges_) {
      const std::uint32_t begin = edge->range.begin;
      if (edge->range.file != file || (annotation.alone ? begin < at : begin > at)) continue;
      if (sources_.position(file, begin).line != line) continue;
      if (!nearest || (annotation.alone ? begin < *nearest : begin > *nearest)) nearest = begin;
    }
    return nearest;
  }

  void set(std::size_t edge, Cost cost, SourceRange where) {
    if (inner_[edge] && cost > 0)
      diagnostics_.error("F615", where, "inside an atomic sequence a cost is not counted").help =
          "say at its first statement what the whole sequence costs";
    costs_[edge] = cost;
  }

  void read_item(const std::string& item, const std::string& list) {
    const std::size_t equals = item.rfind('=');
    if (equals == std::string::npos || equals == 0)
      throw UsageError(fmt::format("--cost wants RULE=N with commas between them, not `{}`", list));
    const std::string name(trimmed(std::string_view(item).substr(0, equals)));
    const std::optional<Cost> cost = cost_in(std::string(trimmed(std::string_view(item).substr(equals + 1))));
    if (!cost) throw UsageError(fmt::format("--cost: a cost is a whole number up to {}, not `{}`", largest_cost, item));
    bool found = false;
    std::vector<std::string> known;
    for (std::size_t k = 0; k < edges_.size(); ++k) {
      known.push_back(edges_[k]->name);
      if (name != "*" && edges_[k]->name != name) continue;
      costs_[k] = *cost;
      found = true;
    }
    if (!found) throw UsageError(fmt::format("--cost: the model has no rule `{}`{}", name, did_you_mean(name, known)));
  }

  const Sources& sources_;
  const std::vector<const ir::Edge*> edges_;
  Diagnostics& diagnostics_;
  std::vector<Cost> costs_;
  std::vector<bool> inner_;  // edges with which no step begins
};

}  // namespace

bool costs_matter(const std::vector<Annotation>& annotations, const CheckOptions& options) {
  const SearchEntry& search = entry_of(resolve_search(options.search));
  if (!options.costs.empty() && !search.takes_costs)
    throw UsageError(fmt::format(
        "the search `{}` does not look at costs: take dijkstra, astar or branch-and-bound, for example", search.name));
  const bool said = std::ranges::any_of(
      annotations, [](const Annotation& annotation) { return annotation.kind == Annotation::Kind::cost; });
  return search.takes_costs && (said || !options.costs.empty());
}

CostRequest read_costs(const ir::Program& program, const std::vector<Annotation>& annotations,
                       const CheckOptions& options, Diagnostics& diagnostics) {
  CostReader reader(program, diagnostics);
  for (const Annotation& annotation : annotations)
    if (annotation.kind == Annotation::Kind::cost) reader.read(annotation);
  for (const std::string& list : options.costs) reader.read_list(list);
  return reader.result();
}

}  // namespace fathom
