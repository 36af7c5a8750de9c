// What a guided search knows about steps beyond the model itself: which of them matter (marks) and whose they are
// (agents). Marks come from the user, from flows or from the property; agents from the model (docs/flows.md).
#pragma once

#include <cstdint>
#include <memory>

#include "model/model.hpp"

namespace fathom {

// Agents are numbered from 0. Agent 0 is nobody in particular: the steps without an owner belong to it.
using Agent = std::uint32_t;

// Whose a step is. A step between two agents belongs to both; otherwise the two are equal.
struct Owners {
  Agent first = 0;
  Agent second = 0;
  [[nodiscard]] bool include(Agent agent) const { return agent == first || agent == second; }
  bool operator==(const Owners&) const = default;
};

// An object serves one thread.
class Guidance {
 public:
  virtual ~Guidance() = default;
  [[nodiscard]] virtual std::unique_ptr<Guidance> for_another_thread() const = 0;
  // Whether a step that is enabled in this state is a marked one.
  [[nodiscard]] virtual bool marked(InstanceId step, StateView state) const = 0;
  [[nodiscard]] virtual Owners owners(InstanceId step) const = 0;
  // How many agents there are, agent 0 included.
  [[nodiscard]] virtual Agent agents() const = 0;
};

}  // namespace fathom
