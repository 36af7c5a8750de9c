// Puts a whole native model together: routines first (emit_routines.cpp), then the entry points of the binary
// interface that loop over them (emit_drivers.cpp). Internal to src/native; emit.hpp is the way in.
//
// Guards and conditions return 0, 1 or 2 + site; bodies return 0, a site or FATHOM_BLOCKED.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "ir/program.hpp"
#include "native/emitter.hpp"

namespace fathom {

// Nested loops over parameter values, p<n> at position k<n>. `open` and `close` write text around level n, where the
// first n parameters are fixed; level 0 is outside all loops. `leaf` is told the number of the instance when the loops
// are written out, so that it can name code made for that instance.
struct InstanceNest {
  const std::vector<ir::Parameter>& parameters;
  bool unrolled = false;
  std::function<void(std::size_t level)> open = [](std::size_t) {};
  std::function<void(std::size_t level)> close = [](std::size_t) {};
  std::function<void(std::uint64_t instance)> leaf;

  void write(std::string& out, std::size_t level = 0, std::uint64_t instance = 0) const;
};

// Number of parameter combinations, of all parameters from `level` on.
std::uint64_t instances_from(const std::vector<ir::Parameter>& parameters, std::size_t level);
// ", p0, p1": the first `count` parameters as C arguments.
std::string parameter_arguments(std::size_t count);
// The instance number of fixed positions k0.., the rest 0.
std::string instance_number(const std::vector<ir::Parameter>& parameters, std::size_t fixed);
// Declares p<n> from its position k<n>.
std::string parameter_declaration(const ir::Parameter& parameter, std::size_t level);

class ModelWriter {
 public:
  explicit ModelWriter(const ir::Program& program);
  std::string write();

 private:
  // How an edge is generated.
  struct EdgePlan {
    const ir::Edge* edge = nullptr;
    const ir::Variable* location = nullptr;
    bool tests_location = false;  // in the guard; otherwise whoever asks for the guard has looked
    std::uint32_t component = 0;
    std::uint32_t next = 0;  // the component that goes on after it, where it keeps control
    std::uint32_t number = 0;
    std::uint64_t guard_nodes = 0;
    bool unrolled = false;
    std::vector<std::vector<const ir::Expr*>> guards = {};  // conjuncts by the number of parameters they need
    // The level at which the guard is false whatever the state is: the edge is there only for what faults before.
    std::optional<std::size_t> impossible = std::nullopt;
    bool dead = false;  // neither a step nor a fault can come of it
    [[nodiscard]] bool guarded(std::size_t level) const {
      return (level == 0 && tests_location) || level == impossible || !guards[level].empty();
    }
  };

  // The edges with which a component can leave a location.
  struct Departure {
    std::vector<const EdgePlan*> edges;
    [[nodiscard]] bool has_ranks() const;
    [[nodiscard]] bool is_a_set() const;  // the enabled ones fit into a word
    [[nodiscard]] std::uint64_t superiors(std::size_t k) const;
  };

  // A place in the middle of a step; `first`: only the first way on is taken from there.
  struct Stop {
    std::uint32_t component = 0;
    std::uint32_t location = 0;
    bool first = false;
    auto operator<=>(const Stop&) const = default;
  };

  void plan_edges();
  void plan_guard(EdgePlan& plan);
  static std::string change_location(const EdgePlan& plan);
  bool worth_unrolling(std::uint64_t instances, std::uint64_t nodes);

  // Routines.
  void write_functions();
  void write_user_call(const ir::Function& function);
  void write_guard(const EdgePlan& plan, std::size_t level);
  void write_body(const ir::Edge& edge, const std::string& name, const std::string& prologue, bool inlined);
  void write_take(const EdgePlan& plan);
  [[nodiscard]] std::string take_head(const EdgePlan& plan) const;
  [[nodiscard]] std::string end_of_take() const;
  void write_condition(const ir::Property& property, const ir::Expr& condition, const std::string& name);
  void write_quantified(const ir::Property& property, const ir::Expr& condition, const std::string& name,
                        bool universal);
  void write_settle();
  void write_normalisation(const ir::Type& type, const std::string& bit, std::string& out);

  // Drivers.
  void write_initial();
  void write_successors();
  void write_enabled();
  void write_steps(const std::string& name, bool fires);
  void write_edge_steps(const EdgePlan& plan, bool fires);
  // The same where components have locations: see emit_dispatch.cpp.
  void write_dispatched_steps(const std::string& name, bool fires);
  void write_whole_steps(const std::string& name);
  std::string write_component_steps(const std::string& name, bool fires, std::uint32_t component,
                                    std::int64_t priority);
  void write_location_steps(const std::string& name, bool fires, const std::vector<const EdgePlan*>& leaving);
  [[nodiscard]] std::vector<std::int64_t> priorities() const;
  void write_fire(const EdgePlan& plan);
  [[nodiscard]] std::string fire_body(const EdgePlan& plan, const std::string& instance,
                                      const std::string& values) const;
  [[nodiscard]] std::string take_text(const EdgePlan& plan, const std::string& instance,
                                      const std::string& values) const;
  [[nodiscard]] std::string fire_call(const EdgePlan& plan, std::uint64_t instance) const;
  [[nodiscard]] std::string enabled_step(const EdgePlan& plan) const;
  [[nodiscard]] std::size_t end_of_piece(std::size_t begin) const;
  void write_guard_nest(const EdgePlan& plan, bool unrolled, const std::function<std::string(std::uint64_t)>& action);
  void write_take_entry();
  [[nodiscard]] std::uint64_t most_steps() const;
  [[nodiscard]] std::string make_room() const;
  void write_check();
  void write_live();
  void write_atoms();
  void write_table();

  // Steps of several edges: see emit_walks.cpp.
  void write_follows();
  void write_straight_ways();
  [[nodiscard]] std::set<std::pair<std::uint32_t, std::uint32_t>> resting_places() const;
  [[nodiscard]] std::optional<std::vector<const EdgePlan*>> straight_way(const EdgePlan& plan) const;
  [[nodiscard]] std::string straight_text(const EdgePlan& plan, const std::vector<const EdgePlan*>& way) const;
  [[nodiscard]] std::string forget_text() const;
  void write_begin_of_step();
  void write_end_of_step();
  void write_ranked_steps(const Departure& leaving);
  static std::string follow_head(const EdgePlan& plan);
  static std::string follow_call(const EdgePlan& plan);
  std::string follow_text(const EdgePlan& plan);
  std::string go_on_statement(const EdgePlan& plan);
  static std::string stop_name(const Stop& stop);
  [[nodiscard]] std::string go_on_text(const Stop& stop) const;
  static std::string set_text(const Stop& stop, const Departure& leaving);
  [[nodiscard]] std::string choice_text(const Stop& stop, const Departure& leaving) const;
  static std::string enabled_set_text(const Departure& leaving);
  [[nodiscard]] Departure departure(std::uint32_t component, std::uint32_t location) const;
  [[nodiscard]] std::optional<std::uint32_t> location_after(const EdgePlan& plan) const;

  // Up to this many words, states are worked on in local arrays.
  static constexpr std::uint32_t max_local_words = 8;
  [[nodiscard]] bool copies_state() const { return words_ <= max_local_words; }
  // `uint64_t s[..]` as a local copy of `state`, which the compiler keeps in registers; long states are used in place.
  [[nodiscard]] std::string local_state() const;

  const ir::Program& program_;
  const bool dispatched_;  // steps are found by the locations of the components
  const bool has_macro_steps_;
  const bool notes_;  // assertions may fail and let the step go on
  const bool uses_timeout_;
  const bool walks_;  // steps of several edges are followed to their end by the code itself
  Emitter emitter_;
  std::uint32_t words_;
  std::uint64_t unroll_budget_;
  std::uint32_t room_ = 1;  // steps for which there is room whenever an edge is taken; 1: room is made when it is taken
  std::vector<EdgePlan> edges_;  // in the order in which they are tried: by priority
  std::set<Stop> stops_;
  std::set<std::uint32_t> straight_;  // numbers of the edges with which a step without choices begins
  std::string out_;
};

}  // namespace fathom
