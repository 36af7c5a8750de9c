// What the body of a `for` loop reads and writes: places with aliases, `var` parameters and by-value parameters traced
// back to what they stand for, and calls followed.
#pragma once

#include <map>
#include <set>
#include <utility>
#include <vector>

#include "ir/program.hpp"

namespace fathom {

// What the names of a routine stand for in the call at hand. Depth 0 is the routine of an edge or a property.
struct Environment {
  using Value = std::pair<const ir::Expr*, const Environment*>;
  using Reference = std::pair<const ir::Place*, const Environment*>;

  const Environment* caller = nullptr;
  const ir::Function* function = nullptr;
  unsigned depth = 0;
  std::map<const ir::Local*, Value> values;
  std::map<const ir::Local*, Reference> references;
};

Environment enter(const ir::Call& call, const Environment& caller);
// Whether the function is being executed already, so that its body cannot be followed to the end.
bool is_running(const Environment& environment, const ir::Function& function);

struct AccessStep {
  enum class Kind : std::uint8_t { field, loop_variable, constant, other };
  Kind kind = Kind::other;
  std::int64_t number = 0;  // field, constant
};

struct Access {
  // All kinds but `read` change the place; two changes of one kind, other than plain writes, commute.
  enum class Kind : std::uint8_t { read, write, same_value, increase, decrease, conjoin, disjoin, insert, remove };
  Kind kind = Kind::read;
  const ir::Variable* variable = nullptr;
  const ir::Local* local = nullptr;  // of the routine that has the loop; null for a global
  std::vector<AccessStep> path;
  const ir::Stmt* statement = nullptr;  // of a change
  unsigned call = 0;                    // tells executions of the same statement in different calls apart
  unsigned block = 0;                   // number of the innermost block around it
  SourceRange range;
};

struct LoopEffects {
  std::vector<Access> accesses;          // in the order of execution
  std::vector<unsigned> parent_block;    // per block; the body of the loop is block 0, its own parent
  std::vector<const ir::Stmt*> returns;  // out of the routine that has the loop
  bool returns_vary = false;             // a returned value may differ from one iteration to the other
  bool unknown = false;                  // something could not be followed

  [[nodiscard]] bool encloses(unsigned outer, unsigned inner) const;
};

// How a program uses its locals.
struct LocalUses {
  explicit LocalUses(const ir::Program& program);

  std::set<const ir::Local*> assigned;  // some statement writes it, or lends it to a `var` parameter
  std::map<const ir::Local*, std::vector<const ir::Place*>> reads;
};

// The environment is that of the routine at the loop; aliases bound in the body are entered into it.
LoopEffects effects_of(const ir::Stmt& loop, Environment& environment, const LocalUses& uses);

}  // namespace fathom
