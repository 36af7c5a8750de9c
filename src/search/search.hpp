// What every search is given and what it returns. The searches themselves are one file each beside this one.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "model/model.hpp"
#include "reduction/canonicaliser.hpp"
#include "reduction/reduction.hpp"
#include "support/counters.hpp"

namespace fathom {

enum class DeadlockMode : std::uint8_t { off, stuck, stuttering };
enum class Order : std::uint8_t { declared, reverse, random };

struct Progress {
  std::uint64_t states = 0;
  std::uint64_t transitions = 0;
  std::uint64_t depth = 0;
  std::uint64_t queue = 0;  // states discovered and not yet expanded
  std::uint64_t bytes = 0;  // store and queue
  const char* phase = "search";
};

// How many edges, properties and fault sites the model numbers.
struct Shape {
  std::size_t edges = 0;
  std::size_t properties = 0;
  std::size_t sites = 1;
};

// How a search sees to it that a reduction puts nothing off for ever. All but `sound` exist for tests that show what
// goes wrong without it.
enum class Proviso : std::uint8_t { sound, none, level_is_open };

struct SearchOptions {
  Shape shape;
  DeadlockMode deadlock = DeadlockMode::stuttering;
  // The valid_end property of a program that has one: then a deadlock is a state without steps in which it does not
  // hold, unless deadlocks are not looked for at all.
  std::optional<std::uint32_t> valid_end;
  bool assertions = true;  // false: failed assertions after which a step goes on are ignored
  Order order = Order::declared;
  std::uint64_t seed = 1;
  std::uint64_t max_errors = 1;
  std::optional<std::uint64_t> max_depth;
  std::uint64_t max_nodes = UINT64_MAX;  // of a product: after so many a search for cycles gives up as incomplete,
  std::function<std::uint64_t(std::uint64_t nodes)> raise_max_nodes = {};  // unless this gives it more
  std::uint64_t memory_limit = UINT64_MAX;                                 // bytes for store and queue
  std::optional<double> seconds;           // all that there are: for what is made before a search; `tick` ends it
  std::vector<bool> selected;              // per Program property: violations of others are ignored
  bool check_states = true;                // false: the model states neither invariants nor covers
  Canonicaliser* canonicaliser = nullptr;  // null: no symmetry
  unsigned threads = 1;                    // for searches that can use several
  bool deterministic = false;              // the trace must not depend on what the threads do
  Reduction* reduction = nullptr;          // null: every step is taken; not every search looks at it
  Proviso proviso = Proviso::sound;
  // Called often (every few thousand expansions); false ends the search. The callee does its own timing.
  std::function<bool(const Progress&)> tick = [](const Progress&) { return true; };
};

struct Violation {
  // cycle: a run that a claim forbids goes round for ever; claim_end, claim_assertion: a never claim has come to its
  // end, or to an assertion of its own that does not hold. mu_formula: a formula of the μ-calculus does not hold in the
  // start state, and the run shows it.
  enum class Kind : std::uint8_t {
    invariant,
    fault,
    deadlock,
    liveness,
    cover,
    cycle,
    claim_end,
    claim_assertion,
    mu_formula
  };
  Kind kind = Kind::invariant;
  std::uint32_t property = 0;          // invariant, liveness, cover; the number of a claim
  ir::SiteId site = ir::SiteId::none;  // fault
};

// A run that shows a violation. Under symmetry the states are representatives; trace/concretise.hpp makes it concrete.
struct Counterexample {
  Violation violation;
  std::vector<StateBuffer> states;         // start state first; empty when a start state itself faults
  std::optional<InstanceId> failing_step;  // a fault inside a step from the last state (or inside this start edge)
  bool shortest = false;
  double within = 0;  // it is at most so many times as long as a shortest one; 0: nothing is known
  // Where it matters which steps led from state to state, these; otherwise empty, and any that fit will do.
  std::vector<InstanceId> steps = {};
  // A cycle: the last state is this one again, and so it goes on. If it is the last one itself, the run ends there, and
  // the violation shows while it stays there.
  std::optional<std::size_t> loop = {};
};

// How a search ended. `bound`: everything inside the bound the user asked for was covered, and something lies beyond
// it. `incomplete`: it came to its end, but a search of this kind may leave states out; `Scope::gap` says why.
enum class Ending : std::uint8_t { exhausted, bound, incomplete, error_limit, time_or_user, memory_limit, disk_full };

// What is known to be covered when that is not everything.
struct Scope {
  std::optional<std::uint64_t> depth;     // every state within so many steps of a start state was checked
  std::optional<std::uint64_t> switches;  // every run with at most so many switches between agents was checked
  std::string gap;
};

// How a search that bounds the breadth chose among the states of its levels.
struct BreadthStatistics {
  std::uint64_t states = 0;  // of the structure that it kept
  std::uint64_t levels = 0;
  std::uint64_t narrowed = 0;   // levels at which states were passed over
  std::uint64_t redrawn = 0;    // choices that were drawn again, because a state would have lost all its successors
  std::uint64_t fallbacks = 0;  // choices that are not uniform
};

// What the numbers of states and dead ends are of a search that came to its end.
enum class Counting : std::uint8_t {
  once,        // each was counted once
  with_again,  // some were counted again: the search forgets states
  held         // states: the most that were held at a time; dead ends as before
};

struct SearchStatistics {
  std::uint64_t states = 0;
  Counting counting = Counting::once;
  std::uint64_t transitions = 0;
  std::uint64_t depth = 0;
  std::uint64_t revisits = 0;
  std::uint64_t errors = 0;
  std::uint64_t reduced = 0;  // states of which not every step was taken
  std::uint64_t most_processes =
      0;                          // that can be there at a time: a bound, where processes that end are removed at once
  std::uint64_t dead_ends = 0;    // states that were not expanded: nothing can go wrong behind them
  std::uint64_t store_bytes = 0;  // all memory of the search: store, queue, and the two below
  std::uint64_t stack_bytes = 0;  // of a depth-first search, at its largest
  std::uint64_t frontier_bytes = 0;  // of a bounded search, at its largest
  std::uint64_t disk_bytes = 0;      // at their largest
  std::uint32_t threads = 1;         // that worked on it
  std::optional<BreadthStatistics> breadth = {};
};

struct SearchResult {
  Ending ending = Ending::exhausted;
  Scope scope;
  bool exact = true;                // false: the store may have taken two states for one
  double omission_probability = 0;  // when not exact
  SearchStatistics statistics;
  Counters fired;                         // per edge
  std::vector<std::uint64_t> violations;  // per Program property
  std::vector<std::uint64_t> faults;      // per Program site
  std::uint64_t deadlocks = 0;
  bool covers_model = true;            // false: a claim kept the search from steps of the model
  std::uint64_t claim_violations = 0;  // of the one claim that was checked
  std::optional<Counterexample> first;
  std::vector<std::string> warnings;  // about what the search found out on its way
  // Of a formula of the μ-calculus: a run that shows that it holds, where a single run can, and what else there is to
  // say about how it was decided.
  std::optional<Counterexample> witness;
  std::string remark;
};

}  // namespace fathom
