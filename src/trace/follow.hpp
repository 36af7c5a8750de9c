// Finds a run of the model that follows a record of one, whose steps need not name those of this model exactly. Where
// several steps fit we try the best first and come back to the others if it leads nowhere.
#pragma once

#include <vector>

#include "model/interpreted.hpp"

namespace fathom {

// A step of the system that fits the record, and how many entries of the record it is.
struct Fitting {
  InstanceId step{};
  std::size_t entries = 0;
};

// A record of a run: what it says about the steps at each of its positions.
class Guide {
 public:
  virtual ~Guide() = default;
  [[nodiscard]] virtual std::size_t length() const = 0;
  // Best first.
  virtual std::vector<InstanceId> starts() = 0;
  virtual std::vector<Fitting> fitting(StateView state, std::size_t position) = 0;
  // Whether a run that used up the record ends as it should.
  virtual bool is_end(StateView) { return true; }
  // The search goes along a step, and back.
  virtual void enter(StateView, std::size_t, const Fitting&) {}
  virtual void leave() {}
  // Whether what fits also depends on the way by which a state was reached.
  [[nodiscard]] virtual bool depends_on_the_way() const { return false; }
};

struct Followed {
  bool complete = false;
  bool gave_up = false;  // too many ways to try them all
  InstanceId start{};
  std::vector<InstanceId> steps;       // of the longest run that was found
  std::vector<std::size_t> positions;  // in the record, before each of its steps
  std::size_t position = 0;            // how far in the record it goes
  StateBuffer state;                   // where it ends, unless its last step fails
};

Followed follow(InterpretedModel& model, Guide& guide);

}  // namespace fathom
