// The guidance of a program: marks per rule and owners per step, as tables, and conditions of marks evaluated by the
// interpreter.
#pragma once

#include <memory>
#include <vector>

#include "analysis/agents.hpp"
#include "model/interpreted.hpp"
#include "search/guidance.hpp"

namespace fathom {

// Which rules are marked, by the numbers of their edges. The condition of a mark is the guard of an edge of
// `conditions`, a program of the same state and with the same parameters as the rule, or else the last property of one
// of `questions`, programs of the same state.
struct RuleMarks {
  static constexpr std::uint32_t always = UINT32_MAX;

  struct Mark {
    std::uint32_t edge = 0;
    std::uint32_t condition = always;
    std::uint32_t question = always;
  };
  std::vector<Mark> all;
  const ir::Program* conditions = nullptr;
  std::vector<const ir::Program*> questions;
};

class ProgramGuidance final : public Guidance {
 public:
  ProgramGuidance(const ir::Program& program, const Agents& agents, const RuleMarks& marks);
  ProgramGuidance(const ProgramGuidance& other);

  [[nodiscard]] std::unique_ptr<Guidance> for_another_thread() const override;
  // A condition that cannot be evaluated, because something it reads is undefined, does not hold.
  [[nodiscard]] bool marked(InstanceId step, StateView state) const override;
  [[nodiscard]] Owners owners(InstanceId step) const override;
  [[nodiscard]] Agent agents() const override { return agents_; }

 private:
  // The agent behind one parameter: agent_of[(number of the instance / stride) % size].
  struct Owner {
    std::uint32_t stride = 1;
    std::uint32_t size = 1;
    std::uint32_t first = 0;  // in agent_of_
  };
  struct EdgeOwners {
    Owner first, second;
  };
  struct EdgeMark {
    bool always = false;
    std::vector<std::uint32_t> conditions;
    std::vector<std::uint32_t> questions;
  };

  [[nodiscard]] EdgeOwners components_of(const ir::Edge& edge, std::uint32_t component);
  [[nodiscard]] EdgeOwners parameters_of_type(const ir::Edge& edge, const Agents& agents);
  [[nodiscard]] Owner owner(const ir::Edge& edge, std::size_t parameter, const Agents& agents);
  [[nodiscard]] bool holds(std::uint32_t condition, InstanceId step, StateView state) const;
  [[nodiscard]] bool is_answered_by(std::uint32_t question, StateView state) const;

  Agent agents_;
  std::vector<Agent> agent_of_;
  std::vector<EdgeOwners> owners_;  // per edge
  std::vector<EdgeMark> marks_;     // per edge
  std::unique_ptr<InterpretedModel> conditions_;
  std::vector<const ir::Program*> questions_;
};

}  // namespace fathom
