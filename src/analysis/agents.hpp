// Who takes a step: the agents of a model and the owners of its rules.
//
// The agents of a network are its components, and a joint step belongs to both that take part. A Murphi model says it
// by its rulesets. The agents are then the values of one type, by default the scalarset or range that most rules have
// as the parameter of their outermost ruleset; the parameters of that type own a rule. Agents are numbered from 1 in
// the order of their values. Number 0 is nobody: rules without an owner are its own.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "ir/program.hpp"

namespace fathom {

class Agents {
 public:
  // Without agents: every rule is nobody's.
  Agents() = default;
  // The agents that the components or the rulesets suggest.
  explicit Agents(const ir::Program& program);
  // The values of a named type.
  Agents(const ir::Program& program, const ir::Type& type);

  // How many there are, nobody included.
  [[nodiscard]] std::uint32_t count() const { return static_cast<std::uint32_t>(values_.size()) + 1; }
  // Agent k + 1 is component k.
  [[nodiscard]] bool are_components() const { return are_components_; }
  // The type of the agents; null where they are the numbers of a `:=` ruleset, or where there are none.
  [[nodiscard]] const ir::Type* type() const { return type_; }
  // The parameters that own a rule, outermost first; two at most.
  [[nodiscard]] std::vector<std::size_t> owning_parameters(const ir::Edge& edge) const;
  // The agent with this value, or 0.
  [[nodiscard]] std::uint32_t number(std::int64_t value) const;

 private:
  [[nodiscard]] bool owns(const ir::Parameter& parameter) const;

  bool are_components_ = false;
  const ir::Type* type_ = nullptr;
  std::vector<std::int64_t> values_;
};

// The scalar types a user can name as the agents' type.
std::vector<const ir::Type*> agent_types(const ir::Program& program);

}  // namespace fathom
