// The steps of a system of processes. Executors give micro steps, one edge each; a step of the system can be more:
//
//  - After an edge that keeps control its process goes on alone until an edge releases control or the process cannot go
//    on. Each way through is a step of its own, and the states in between are no states of the system.
//  - After an edge with `keep_first` it takes the first of its enabled edges, and it is a fault if there is none.
//  - Of the enabled edges of a process only some are there, by their ranks (ir::Edge::rank and what follows it).
//  - Of the components that can move only those of the largest priority may (ir::Component::priority). A process that
//    keeps control loses it to one of a larger priority, except inside a `keep_first` sequence.
//  - A component that must be deterministic and has a choice is noted (ir::Component::choice).
//  - `timeout` is true where nothing else is possible.
//
// The number of a step is that of its first edge, with the number of the way through above the lowest bits of the
// parameters. A way that comes back to where it was goes on for ever without a state of the system: it is no step,
// unless an assertion failed on it, which is then its fault. A way that is too long to be followed is a fault, and the
// last one that is looked for.
#pragma once

#include <deque>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "model/model.hpp"

namespace fathom {

// What the layer needs of an executor.
class MicroModel {
 public:
  virtual ~MicroModel() = default;
  virtual void micro_successors(StateView state, Batch& out) = 0;
  virtual void micro_successors_of(StateView state, std::uint32_t component, Batch& out) = 0;
  virtual Outcome micro_apply(std::uint64_t* state, InstanceId step) = 0;
  virtual void set_timeout(bool on) = 0;
};

// The edges of one step of the system, and where it ends.
struct MicroPath {
  struct Step {
    InstanceId instance{};
    bool joined = false;  // a trace shows it together with the one before (d_step)
  };
  std::vector<Step> steps;
  Outcome outcome;
  StateBuffer state;
};

class MacroSteps {
 public:
  // Throws EnvironmentError when the edges have more instances than can be numbered.
  MacroSteps(const ir::Program& program, MicroModel& micro);

  // As in the concept Model.
  void successors(StateView state, Batch& out);
  void enabled(StateView state, Batch& out);
  Outcome apply(StateBuffer& top, InstanceId step);
  // What happens inside one step of the system, which must be enabled.
  MicroPath micro_steps(StateView state, InstanceId step);
  // An edge on a way that goes on for ever, if one was met.
  [[nodiscard]] std::optional<std::uint32_t> endless_edge() const { return endless_edge_; }
  // Forgets what is no part of a state.
  void settle(std::uint64_t* state) const;

  static InstanceId first_micro_step(InstanceId step);
  static std::uint32_t way_of(InstanceId step);
  // Appends the steps as `enabled` of a Model gives them.
  static void push_without_states(const Batch& steps, Batch& out);

 private:
  struct EdgeFacts {
    ir::Control control = ir::Control::release;
    ir::SiteId blocked = ir::SiteId::none;
    ir::SiteId endless = ir::SiteId::none;
    std::uint32_t component = 0;  // whose edge it is
    std::uint32_t next = 0;       // who goes on after it
    std::int32_t rank = 0;
    std::int32_t accepting_rank = 0;
    std::uint32_t offer = 0;
    std::uint32_t first_of = 0;
    bool joint = false;

    [[nodiscard]] bool can_be_outranked() const { return rank != 0 || accepting_rank != 0 || first_of != 0; }
    [[nodiscard]] bool outranks(const EdgeFacts& other, bool earlier) const;
  };
  // Where a way through has come to.
  struct Position {
    std::uint32_t edge;  // the one taken last
    const std::uint64_t* state;
    ir::SiteId noted;  // the first assertion that failed on the way
  };
  struct ComponentFacts {
    const ir::Variable* priority = nullptr;
    ir::SiteId choice = ir::SiteId::none;
  };
  struct Visited {
    std::uint32_t component;
    std::uint64_t hash;
    const std::uint64_t* state;  // in the batch of choices it was one of
  };

  // One depth of choices: what can be chosen, and the state it is chosen in where a stretch without choices led there.
  struct Level {
    Batch choices;
    StateBuffer state, remembered;
  };
  enum class Stretch : std::uint8_t { parts, comes_back, too_long };

  [[nodiscard]] bool is_plain(const Batch& steps, std::uint32_t first) const;
  void push_ways(const Batch& steps, std::uint32_t k, Batch& out);

  // Calls end(state, outcome) for each way on from a position, until it says false.
  template <class End>
  bool go_on(const Position& at, End& end);
  template <class End>
  bool go_on_through_all(const Position& at, End& end);
  template <class End>
  bool go_on_from_choice(Level& level, const Position& at, End& end);
  template <class End>
  bool end_endless(const Position& at, End& end);
  template <class End>
  bool end_too_long(const Position& at, End& end);
  Stretch follow_stretch(Level& level, Position& at);
  void find_choices(const Position& at, Batch& choices);
  template <class End>
  bool go_on_with_first(const Position& at, End& end);
  template <class End>
  bool take(const Batch& steps, std::uint32_t k, ir::SiteId noted, End& end);

  [[nodiscard]] bool was_here(const Visited& here) const;
  void find_steps_of(std::uint32_t component, const std::uint64_t* state, Batch& out);
  void find_first_steps(StateView state, Batch& out);
  Outcome take_first(StateBuffer& state, InstanceId step);
  void drop_outranked(Batch& steps, std::uint32_t first);
  void drop_lower_priorities(StateView state, Batch& steps, std::uint32_t first);
  [[nodiscard]] std::uint64_t priority_of(std::uint32_t component, const std::uint64_t* state) const;
  [[nodiscard]] bool is_held_back(std::uint32_t component, const std::uint64_t* state);
  void note_choices(Batch& steps, std::uint32_t first) const;
  [[nodiscard]] ir::SiteId choice_at(const Batch& steps, std::uint32_t first, std::uint32_t k) const;
  [[nodiscard]] bool is_outranked(const Batch& steps, std::uint32_t first, std::uint32_t k) const;

  MicroModel& micro_;
  const std::uint32_t words_;
  bool uses_timeout_ = false;
  bool uses_ranks_ = false;
  bool uses_priorities_ = false;
  bool has_choices_ = false;
  std::vector<EdgeFacts> edges_;
  std::vector<ComponentFacts> components_;
  std::vector<std::pair<std::uint32_t, std::uint32_t>> hidden_;  // offset and bits

  Batch first_steps_;
  Batch scratch_;
  std::deque<Level> levels_;  // the choices along the way, by depth
  std::size_t depth_ = 0;
  std::vector<InstanceId> trail_;  // the edges taken on the way
  std::vector<Visited> visited_;   // the states on the way at which there was a choice
  bool endless_ = false;           // a way was found that never ends
  std::optional<std::uint32_t> endless_edge_;
};

}  // namespace fathom
