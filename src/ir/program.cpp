#include "ir/program.hpp"

#include <algorithm>
#include <limits>

namespace fathom::ir {

namespace {

// Saturating, because the number of instances of an edge is compared with a limit and must not wrap around.
std::uint64_t product(std::uint64_t a, std::uint64_t b) {
  std::uint64_t result = 0;
  return __builtin_mul_overflow(a, b, &result) ? std::numeric_limits<std::uint64_t>::max() : result;
}

}  // namespace

std::uint64_t ParameterDomain::Segment::size() const {
  if (step == 0 || (step > 0 ? from > to : from < to)) return 0;
  const auto low = static_cast<std::uint64_t>(step > 0 ? from : to);
  const auto high = static_cast<std::uint64_t>(step > 0 ? to : from);
  const std::uint64_t stride = step > 0 ? static_cast<std::uint64_t>(step) : -static_cast<std::uint64_t>(step);
  return (high - low) / stride + 1;
}

std::uint64_t ParameterDomain::size() const {
  std::uint64_t count = 0;
  for (const Segment& segment : segments) count += segment.size();
  return count;
}

std::int64_t ParameterDomain::at(std::uint64_t position) const {
  for (const Segment& segment : segments) {
    if (position < segment.size())
      return static_cast<std::int64_t>(static_cast<std::uint64_t>(segment.from) +
                                       position * static_cast<std::uint64_t>(segment.step));
    position -= segment.size();
  }
  return undefined;
}

std::uint64_t Edge::instances() const {
  std::uint64_t count = 1;
  for (const Parameter& parameter : parameters) count = product(count, parameter.domain.size());
  return count;
}

std::vector<const Edge*> Program::edges() const {
  std::vector<const Edge*> all;
  for (const Component& component : components)
    for (const auto& edge : component.edges) all.push_back(edge.get());
  return all;
}

bool has_macro_steps(const Program& program) {
  const std::vector<const Edge*> edges = program.edges();
  const auto is_special = [](const Edge* edge) {
    return edge->control != Control::release || edge->rank != 0 || edge->accepting_rank != 0 || edge->first_of != 0;
  };
  const auto is_restricted = [](const Component& component) {
    return component.priority != nullptr || component.choice != SiteId::none;
  };
  const auto is_timeout = [](const Expr& expr) { return expr.kind == Expr::Kind::timeout; };
  return std::ranges::any_of(edges, is_special) || std::ranges::any_of(program.exprs, is_timeout) ||
         std::ranges::any_of(program.components, is_restricted) ||
         std::ranges::any_of(program.variables, [](const Variable& variable) { return variable.hidden; });
}

std::optional<std::uint32_t> valid_end_of(const Program& program) {
  for (std::uint32_t k = 0; k < program.properties.size(); ++k)
    if (program.properties[k]->kind == Property::Kind::valid_end) return k;
  return std::nullopt;
}

}  // namespace fathom::ir
