#include "analysis/agents.hpp"

#include <algorithm>
#include <numeric>

namespace fathom {

namespace {

using TypeKind = ir::Type::Kind;

// More agents than this are data: nobody runs ten thousand agents one by one.
constexpr std::uint64_t most_agents = 10'000;

bool is_number_of_a_loop(const ir::Type& type) {
  return &type == &ir::integer() || &type == &ir::natural();
}

// `i := 1 to 3` gives a parameter no type of its own; its values are those it runs through.
std::vector<std::int64_t> range_of(const ir::Parameter& parameter) {
  const ir::Type& type = *parameter.local->type;
  const bool by_domain = is_number_of_a_loop(type);
  const std::uint64_t count = by_domain ? parameter.domain.size() : type.cardinality();
  std::vector<std::int64_t> values;
  if (count > most_agents) return values;
  for (std::uint64_t k = 0; k < count; ++k) values.push_back(by_domain ? parameter.domain.at(k) : type.value(k + 1));
  return values;
}

bool may_be_agents(const ir::Type& type) {
  return type.kind == TypeKind::scalarset || type.kind == TypeKind::range ||
         (type.kind == TypeKind::unite && std::ranges::any_of(type.members, [](const ir::Type* member) {
            return member->kind == TypeKind::scalarset;
          }));
}

struct Candidate {
  const ir::Parameter* parameter = nullptr;
  std::vector<std::int64_t> values;
  std::size_t rules = 0;

  [[nodiscard]] bool is_scalarset() const { return parameter->local->type->kind == TypeKind::scalarset; }
};

}  // namespace

Agents::Agents(const ir::Program& program) {
  if (program.components.size() > 1) {
    are_components_ = true;
    values_.resize(program.components.size());
    std::iota(values_.begin(), values_.end(), 0);
    return;
  }
  std::vector<Candidate> candidates;
  for (const ir::Edge* edge : program.edges()) {
    if (edge->parameters.empty() || !may_be_agents(*edge->parameters.front().local->type)) continue;
    const ir::Parameter& outermost = edge->parameters.front();
    std::vector<std::int64_t> values = range_of(outermost);
    if (values.empty()) continue;
    auto found = std::ranges::find(candidates, values, &Candidate::values);
    if (found == candidates.end()) found = candidates.insert(found, {&outermost, std::move(values), 0});
    ++found->rules;
  }
  const auto best = std::ranges::max_element(candidates, [](const Candidate& a, const Candidate& b) {
    return std::pair(a.rules, a.is_scalarset()) < std::pair(b.rules, b.is_scalarset());
  });
  if (best == candidates.end()) return;
  const ir::Type* const type = best->parameter->local->type;
  if (!is_number_of_a_loop(*type)) type_ = type;
  values_ = std::move(best->values);
}

Agents::Agents(const ir::Program&, const ir::Type& type) : type_(&type) {
  for (std::uint64_t code = 1; code <= type.cardinality(); ++code) values_.push_back(type.value(code));
}

bool Agents::owns(const ir::Parameter& parameter) const {
  const ir::Type& type = *parameter.local->type;
  if (type_ != nullptr && type_->kind == TypeKind::unite && std::ranges::count(type_->members, &type) > 0) return true;
  return range_of(parameter) == values_;
}

std::vector<std::size_t> Agents::owning_parameters(const ir::Edge& edge) const {
  std::vector<std::size_t> owners;
  for (std::size_t k = 0; k < edge.parameters.size() && owners.size() < 2; ++k)
    if (!are_components_ && !values_.empty() && owns(edge.parameters[k])) owners.push_back(k);
  return owners;
}

std::uint32_t Agents::number(std::int64_t value) const {
  const auto found = std::ranges::find(values_, value);
  return found == values_.end() ? 0 : static_cast<std::uint32_t>(found - values_.begin()) + 1;
}

std::vector<const ir::Type*> agent_types(const ir::Program& program) {
  std::vector<const ir::Type*> types;
  for (const ir::Type& type : program.types)
    if (type.is_scalar() && !type.name.empty() && type.cardinality() <= most_agents) types.push_back(&type);
  return types;
}

}  // namespace fathom
