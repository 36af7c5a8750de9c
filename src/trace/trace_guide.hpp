// A written trace as a guide through a model that may have changed since. A step fits if it has the same rule or
// statement, parameters and processes; if the model has no such rule any more, one with another name fits that does the
// same, or whose text differs in names only. Among those that fit, the one with the recorded changes is the best.
#pragma once

#include <optional>
#include <set>
#include <string>

#include "trace/execution.hpp"
#include "trace/follow.hpp"
#include "trace/trace.hpp"

namespace fathom {

class TraceGuide final : public Guide {
 public:
  // All of them must outlive the guide.
  TraceGuide(const Trace& record, InterpretedModel& model, const Describer& describer);

  [[nodiscard]] std::size_t length() const override { return record_.steps.size(); }
  std::vector<InstanceId> starts() override;
  std::vector<Fitting> fitting(StateView state, std::size_t position) override;

 private:
  // How well steps fit; larger is better, and the first number decides.
  using Grade = std::pair<int, int>;

  [[nodiscard]] std::optional<Grade> compare_path(StateView state, InstanceId step, std::size_t position,
                                                  std::size_t& entries);
  [[nodiscard]] std::optional<Grade> compare(const TraceStep& recorded, const TraceStep& found) const;
  [[nodiscard]] bool is_known(const std::string& rule) const { return rules_.contains(rule); }

  const Trace& record_;
  InterpretedModel& model_;
  const Describer& describer_;
  std::set<std::string> rules_;  // of the model
  Execution scratch_;
  Batch batch_;
};

// Whether two texts differ in identifiers only, and consistently: `x = x + 1` and `y = y + 1`, but not `x = y + 1`.
bool differ_in_names_only(const std::string& a, const std::string& b);

}  // namespace fathom
