// The intermediate representation: a network of components with locations and edges, the only language that analyses,
// executors and searches know. A Murphi model is one component with one location; every rule is an edge.
//
// Nodes are plain structs owned by the Program's arenas and linked by pointers; a finished Program is immutable.
// Everything that can go wrong at run time has a Site, so a fault is one small number wherever it happens.
#pragma once

#include <cstdint>
#include <deque>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "ir/claim.hpp"
#include "ir/type.hpp"
#include "ir/user_code.hpp"
#include "support/source.hpp"

namespace fathom::ir {

struct Expr;
struct Stmt;
struct Function;

// Calls may nest this deep; a deeper one is a fault of the model, not a crash of ours.
inline constexpr std::uint32_t recursion_limit = 2000;

// Where processes come and go, there can be so many at a time: to create one more is a fault.
inline constexpr std::uint32_t max_processes = 255;

// ---- Faults -------------------------------------------------------------------------------------------------------

enum class FaultKind : std::uint8_t {
  undefined_read,
  out_of_range,  // a value written to a variable, passed or returned that its type does not contain
  bad_index,
  division_by_zero,
  overflow,  // 64-bit arithmetic
  bad_shift,
  bad_step,  // a `for` with step 0
  loop_limit,
  recursion_limit,
  no_return,  // a function ended without a value
  multiset_full,
  bad_slot,   // a multiset slot that holds nothing
  assertion,  // a failed assert
  error_statement,
  blocked,            // a deterministic sequence could not go on
  endless,            // a sequence in which control is kept does not come to an end
  unplanned_process,  // a process was created for which the program has no component
  bad_channel,        // a channel variable that holds no channel, or one of another shape
  nondeterminism,     // a process that must have no choice has one
  event,              // what happened is not what the model's trace allows
  misuse,             // anything else; the text of the site says what
};

// 0 is "no fault"; Program::sites[0] is a placeholder.
enum class SiteId : std::uint32_t { none = 0 };

struct Site {
  FaultKind kind = FaultKind::undefined_read;
  SourceRange range;
  std::string text;  // assertion, error_statement: the user's message; others: the source text of the culprit
};

// ---- Storage ------------------------------------------------------------------------------------------------------

struct Variable {
  std::string name;
  const Type* type = nullptr;
  std::uint32_t offset = 0;  // in bits, in the packed state
  SourceRange range;
  bool hidden = false;  // no part of a state: its bits are zero whenever a step of the system is over
};

// A name inside a routine. Registers hold an unpacked scalar (or `undefined`); frame locals are packed bits in the
// routine's own frame; references point at packed bits elsewhere (`var` parameters and aliases).
struct Local {
  enum class Storage : std::uint8_t { in_register, frame, reference };
  std::string name;
  const Type* type = nullptr;
  Storage storage = Storage::in_register;
  std::uint32_t slot = 0;  // number of the register or reference, or the bit offset in the frame
  SourceRange range;
};

// One step from a place into a part of it.
struct PathStep {
  enum class Kind : std::uint8_t { field, index, slot };  // slot: the element in a slot of a multiset
  Kind kind = Kind::field;
  std::uint32_t field = 0;      // field: number in container->fields
  const Expr* index = nullptr;  // index, slot: slots are numbered from 0
  SiteId site = SiteId::none;   // index: bad_index; slot: bad_slot (out of bounds or empty)
  const Type* container = nullptr;
};

// Something that has a value in memory. The base is a global variable, a local, or the aggregate result of a call,
// which is evaluated first and left in the frame local `local`.
struct Place {
  const Variable* variable = nullptr;  // global, if set
  const Local* local = nullptr;        // else this
  const Expr* call = nullptr;          // evaluated into `local` first, if set
  std::vector<PathStep> path;
  const Type* type = nullptr;  // of the place itself, after the path
  SourceRange range;
};

inline bool is_register(const Place& place) {
  return place.variable == nullptr && place.local->storage == Local::Storage::in_register;
}

// ---- Expressions --------------------------------------------------------------------------------------------------

// The values a quantifier runs through: all of a scalar type, or from..to in steps (either direction, both ends
// included), evaluated once on entry.
struct Domain {
  const Type* type = nullptr;
  const Expr* from = nullptr;
  const Expr* to = nullptr;
  const Expr* step = nullptr;  // null: 1
  SiteId site = SiteId::none;  // bad_step
};

struct Binding {
  const Local* local = nullptr;  // a register
  Domain domain;
};

// An argument is a value for a scalar parameter, otherwise a place: bound for a `var` parameter, copied for an
// aggregate by value. A scalar value outside the parameter's type is a fault at `site` (out_of_range).
struct Argument {
  const Expr* value = nullptr;
  const Place* place = nullptr;
  SiteId site = SiteId::none;
};

struct Call {
  const Function* callee = nullptr;
  std::vector<Argument> arguments;
};

struct Expr {
  enum class Kind : std::uint8_t {
    constant,           // value
    read,               // place (scalar); faults when undefined
    read_or_undefined,  // place (scalar); yields `undefined`; only as source of assign, argument, result or put, and as
                        // operand of equal and not_equal, where undefined equals itself alone
    undefined_value,    // the literal `undefined`; only as source of assign, argument or result
    is_undefined,       // place (scalar)
    same,
    different,  // place, other: aggregates of one type compared bit by bit
    negate,
    complement,
    logical_not,  // a
    add,
    subtract,
    multiply,
    divide,
    modulo,  // a, b
    shift_left,
    shift_right,
    bit_and,
    bit_or,
    bit_xor,  // a, b
    equal,
    not_equal,
    less,
    less_equal,
    greater,
    greater_equal,  // a, b
    logical_and,
    logical_or,
    implies,      // a, b; short circuit
    conditional,  // a ? b : c
    for_all,
    exists,          // binding, a
    call,            // call; scalar result
    is_member,       // a, tested: does the type `tested` contain the value
    timeout,         // no step of the whole program is possible while this is false
    slot_filled,     // place (multiset), a: is slot a occupied; false out of bounds
    multiset_count,  // place (multiset), binding (domain unused: all filled slots), a (predicate)
  };
  Kind kind = Kind::constant;
  const Type* type = nullptr;
  SourceRange range;
  SiteId site = SiteId::none;
  std::int64_t value = 0;
  const Expr* a = nullptr;
  const Expr* b = nullptr;
  const Expr* c = nullptr;
  const Place* place = nullptr;
  const Place* other = nullptr;
  const Binding* binding = nullptr;
  const Call* call = nullptr;
  const Type* tested = nullptr;
};

// Yields what a place holds, whether or not it must be defined.
inline bool is_plain_read(const Expr& expr) {
  return expr.kind == Expr::Kind::read || expr.kind == Expr::Kind::read_or_undefined;
}

inline bool is_constant(const Expr* expr) {
  return expr != nullptr && expr->kind == Expr::Kind::constant;
}

inline bool is_comparison(Expr::Kind kind) {
  return kind >= Expr::Kind::equal && kind <= Expr::Kind::greater_equal;
}

// ---- Statements ---------------------------------------------------------------------------------------------------

using Block = std::vector<const Stmt*>;

struct Branch {
  const Expr* condition = nullptr;  // null: else
  Block body;
};

struct Stmt {
  enum class Kind : std::uint8_t {
    assign,              // place (scalar) := value; site: out_of_range
    copy,                // place := source, aggregates of one type
    undefine,            // place, any type
    clear,               // place: every scalar leaf gets its smallest value, multisets become empty
    branch,              // branches, first true one
    loop_while,          // value, body; site: loop_limit
    loop_for,            // binding, body
    call,                // call (result dropped)
    give_back,           // return value (scalar), source (aggregate) or nothing; site: out_of_range
    fail,                // site: error_statement
    check,               // value must hold; site: assertion
    check_and_go_on,     // the same, but the step goes on: the violation is noted beside its successor
    assume,              // value, or the step is dropped without trace
    cover,               // value; counts a hit of property number `property`
    put_text,            // text
    put_value,           // text (the expression as written) and value, or place of any type
    bind,                // local (a reference) := place
    multiset_add,        // place (multiset); value, or source for an aggregate element; site: multiset_full
    multiset_remove,     // place (multiset), value: the slot; site: bad_slot
    multiset_remove_if,  // place (multiset), binding over its filled slots, value: predicate
  };
  Kind kind = Kind::assign;
  SourceRange range;
  SiteId site = SiteId::none;
  const Place* place = nullptr;
  const Place* source = nullptr;
  const Expr* value = nullptr;
  const Local* local = nullptr;
  const Binding* binding = nullptr;
  const Call* call = nullptr;
  std::uint32_t property = 0;
  std::string text;
  std::vector<Branch> branches;
  Block body;
};

// Code with its own registers, references and frame. Parameters come first among the locals.
struct Routine {
  std::deque<Local> locals;
  std::uint32_t registers = 0;
  std::uint32_t references = 0;
  std::uint32_t frame_bits = 0;
  Block body;
};

struct Function {
  std::string name;
  std::vector<const Local*> parameters;  // by value: register or frame; `var`: reference
  const Type* result = nullptr;          // null: a procedure
  const Local* result_local = nullptr;   // aggregate result: the frame local that receives it
  SiteId no_return = SiteId::none;
  SiteId recursion = SiteId::none;
  Routine routine;
  SourceRange range;
  // Set: the number of a use in Program::user_code. Instead of the body, which is empty, C code of the user's is
  // executed. It may read and write every variable that is no location; `no_return` is its fault.
  std::optional<std::uint32_t> user_code;
};

// ---- The network --------------------------------------------------------------------------------------------------

// Constant values a rule parameter takes, in order: segments from..to in steps (a union has one per member).
struct ParameterDomain {
  struct Segment {
    std::int64_t from = 0, to = -1, step = 1;
    [[nodiscard]] std::uint64_t size() const;
  };
  std::vector<Segment> segments;
  [[nodiscard]] std::uint64_t size() const;
  [[nodiscard]] std::int64_t at(std::uint64_t position) const;
};

struct Parameter {
  const Local* local = nullptr;  // a register; its type is what the values print as
  ParameterDomain domain;
};

// An edge that synchronises is never taken alone but together with one edge of the other side, of another component,
// whose port has the same value. Both guards and both ports are evaluated in the state before the step; then both
// locations change, the offering body runs, and after it the accepting one. compose.hpp makes such pairs into edges.
// Values travel from the offering to the accepting side: before the accepting guard is evaluated, its `received`
// registers are set to the offered values, and its port, guard and body may read them. Only sides with equally many
// values meet.
struct Synchronisation {
  enum class Side : std::uint8_t { offers, accepts };
  Side side = Side::offers;
  const Expr* port = nullptr;               // scalar; may use the parameters and locals of the edge
  std::vector<const Expr*> values = {};     // offers: evaluated in the state before the step
  std::vector<const Local*> received = {};  // accepts: registers of the edge; a machine type cuts the value to size
};

// What happens after a step. `keep`: the process goes on alone as long as it can, and only where it cannot, or where a
// step releases control, is the state a state of the system (Promela's atomic); each way to get there is a step of its
// own. `keep_first`: the same, but it takes the first of its enabled edges, and it is a fault if there is none
// (d_step).
enum class Control : std::uint8_t { release, keep, keep_first };

// An edge that appends one message to a queue, or that takes or looks at the first message (that fits) of one, and
// does nothing else with it. In a state where both are possible, an append and a take commute. A queue is a record
// whose first field is its length.
struct QueueUse {
  enum class Kind : std::uint8_t { append, take };
  Kind kind = Kind::append;
  std::vector<const Place*> queues = {};  // it is one of these; which one, their indices decide
};

struct Edge {
  // The parameters of a step are numbered with 32 bits.
  static constexpr std::uint64_t max_instances = std::uint64_t{1} << 32;

  std::string name;
  SourceRange range;
  std::vector<Parameter> parameters;  // outermost first
  const Expr* guard = nullptr;        // null: always enabled
  Routine routine;                    // guard and body share its locals; body runs when the edge is taken
  std::int64_t priority = 0;          // only enabled edges of the smallest number may be taken
  std::uint32_t source = 0;           // locations of the component
  std::uint32_t target = 0;
  // Of the enabled edges of one component, joint ones in which it offers among them, only those of the smallest rank
  // may be taken (`unless`, and `else` beside an offer; a rank above 0, which is that of an `else`, gives way only to
  // ranks below 0 and to edges that stand before it). What a component could accept plays no part in that, as in
  // Spin; but of several ways in which one component could accept one offer only those of the smallest rank are there.
  std::int32_t rank = 0;            // of a joint edge: the offering side's
  std::int32_t accepting_rank = 0;  // of a joint edge: the accepting side's
  // Of the enabled edges of one component that have the same number here, unless it is 0, only the first may be taken:
  // a choice at the entry of a d_step.
  std::uint32_t first_of = 0;
  Control control = Control::release;  // of a joint edge: it is the accepting process that goes on
  SiteId blocked = SiteId::none;       // keep_first: where the fault lies if the process cannot go on
  SiteId endless = SiteId::none;       // keep, keep_first: where it lies if it goes on for too long
  std::optional<Synchronisation> synchronisation;
  std::optional<QueueUse> queue;
  std::vector<std::uint32_t> participants;  // components of a joint step, the offering one first; else empty
  std::uint32_t offer = 0;                  // of a joint edge: which offering edge of the component it was made of

  [[nodiscard]] std::uint64_t instances() const;
};

struct Component {
  std::string name;
  std::vector<std::string> locations;
  const Variable* location = nullptr;  // holds the current location; null when there is only one
  // A process that is created and removed: its location is undefined while it is not there.
  bool present_at_start = true;
  SiteId choice = SiteId::none;  // noted when it has a choice; none: it may have one
  // Holds its priority: of the components that can move only those of the largest one may. Null: all are equal.
  const Variable* priority = nullptr;
  std::string agent;  // how traces call it, "2" for the process with that number; "" for a component without a name
  std::vector<std::unique_ptr<Edge>> edges;
};

struct Property {
  // valid_end: in a state without steps in which this holds, the program has ended as it should. atom: a condition that
  // claims are made of; by itself it is no property.
  enum class Kind : std::uint8_t { invariant, assumption, cover, liveness, valid_end, atom };
  Kind kind = Kind::invariant;
  std::string name;  // an unnamed one is called "Invariant 2", by its kind and position
  SourceRange range;
  std::vector<Parameter> parameters;  // invariant, assumption: for all; cover: for some. Liveness has none: expanded
  const Expr* condition = nullptr;    // null: a cover statement, counted by the statement itself
  // For an invariant of the shape  forall* (a -> b): whether some instance of a holds (over the same parameters).
  // An invariant whose antecedent never held was never really tested.
  const Expr* antecedent = nullptr;
  Routine routine;  // locals of the expressions
};

struct Program {
  std::string name;      // of the model file
  std::string language;  // "murphi" or "promela"
  const Sources* sources = nullptr;

  std::deque<Type> types;
  std::deque<Variable> variables;
  std::deque<std::unique_ptr<Function>> functions;
  std::deque<Component> components;
  std::vector<std::unique_ptr<Edge>> starts;  // bodies run on the all-undefined state
  std::vector<std::unique_ptr<Property>> properties;
  std::vector<Claim> claims;
  std::vector<Site> sites = std::vector<Site>(1);
  std::uint32_t state_bits = 0;
  std::uint64_t loop_limit = 1000;
  std::shared_ptr<UserCode> user_code;  // null in nearly every program
  // Holds how many processes there are, where nothing else depends on their numbers: when one is removed that has come
  // to its end, and which numbers others get that are created, makes no difference. Null: it may make one.
  const Variable* anonymous_count = nullptr;

  // Arenas.
  std::deque<Expr> exprs;
  std::deque<Stmt> stmts;
  std::deque<Place> places;
  std::deque<Binding> bindings;
  std::deque<Call> calls;
  std::deque<Routine> drafts;  // keep the locals of expressions that were lowered only to be checked

  [[nodiscard]] const Site& site(SiteId id) const { return sites[static_cast<std::size_t>(id)]; }
  // Edges of all components in one numbering: the edge part of an InstanceId.
  [[nodiscard]] std::vector<const Edge*> edges() const;
};

// Whether a step of the system can be more than one edge, or depend on what else is enabled: then executors have the
// layer of model/macro_steps.hpp above them.
bool has_macro_steps(const Program& program);

// The number of the valid_end property, if there is one.
std::optional<std::uint32_t> valid_end_of(const Program& program);

}  // namespace fathom::ir
