// The checked Promela tree: what the parser builds and the lowering reads. Names are resolved to declarations, inlines
// and macros are expanded, types are computed, and every node has its range in the user's text.
//
// One struct per syntactic category with a Kind, because Promela is small and a switch over kinds is the easiest code
// to read. Fields that a kind does not name are unused.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "lang/promela/origin.hpp"
#include "support/source.hpp"

namespace fathom::promela {

struct Expr;
struct Stmt;
struct Variable;
struct Process;
struct Typedef;
using ExprPtr = std::unique_ptr<Expr>;
using StmtPtr = std::unique_ptr<Stmt>;
using Sequence = std::vector<StmtPtr>;

struct MtypeSet;

struct MtypeConstant {
  std::string name;
  SourceRange range;
  const MtypeSet* set = nullptr;
  std::int32_t value = 0;  // 1 for the last name of a set's first list, upwards to its first, then the next list
};

struct MtypeSet {
  std::string name;                                       // empty: the set of plain `mtype`
  std::vector<std::unique_ptr<MtypeConstant>> constants;  // in the order of their values, from 1
};

struct Type {
  enum class Kind : std::uint8_t { bit, boolean, byte, short_int, int_, unsigned_int, mtype, chan, pid, user };
  Kind kind = Kind::int_;
  std::uint8_t bits = 32;         // unsigned_int: its width; else the width of the kind
  const MtypeSet* set = nullptr;  // mtype
  const Typedef* user = nullptr;  // user
  [[nodiscard]] bool is(Kind other) const { return kind == other; }
  bool operator==(const Type&) const = default;
};

// `[capacity] of { fields }`; capacity 0 is a rendezvous.
struct ChannelInit {
  SourceRange range;
  std::uint32_t capacity = 0;
  std::vector<Type> fields;  // as declared
  std::vector<Type> slots;   // user types replaced by their scalars: what a message really consists of
};

struct Variable {
  enum class Scope : std::uint8_t { global, parameter, local, field };
  std::string name;
  SourceRange range;  // of the name in the declaration
  OriginId origin{};
  Type type;
  bool is_array = false;
  std::uint32_t length = 1;
  ExprPtr value;                         // initialiser; for an array every element gets it
  std::vector<ExprPtr> values;           // `{1, 2, 3}`: element by element, the last one for the rest
  std::unique_ptr<ChannelInit> channel;  // of a chan, or of each element
  Scope scope = Scope::global;
  Process* process = nullptr;  // parameter, local
  std::uint32_t block = 0;     // local: number of its block in the process, 0 for the body
  std::uint32_t depth = 0;     // local: how many blocks are around it
  std::uint32_t index = 0;     // its position in the list that owns it
  bool hidden = false;
  bool show = false;
  bool local = false;
  // local: stands before the first statement of the process and is initialised when that is created. Others are
  // initialised by their Stmt::declaration each time it is passed.
  bool leading = false;
};

struct Typedef {
  std::string name;
  SourceRange range;
  std::vector<std::unique_ptr<Variable>> fields;
};

struct Label {
  std::string name;
  SourceRange range;
  Process* process = nullptr;
  const Stmt* target = nullptr;
  std::vector<std::uint32_t> blocks;  // numbers of the blocks around it, outermost first
  [[nodiscard]] bool is_end() const { return name.starts_with("end"); }
  [[nodiscard]] bool is_progress() const { return name.starts_with("progress"); }
  [[nodiscard]] bool is_accept() const { return name.starts_with("accept"); }
};

// C code of c_code, c_expr or c_decl.
struct CCode {
  std::string text;
  SourceRange range;        // with its braces
  std::string definitions;  // of the macros in both texts, as `#define` lines
  std::string condition;    // in brackets before it; "" for none
  SourceRange condition_range;
};

struct Expr {
  enum class Kind : std::uint8_t {
    number,          // value; also `true`, `false`, `skip` and characters
    mtype_constant,  // constant, value
    variable,        // variable
    element,         // a [ b ]
    field,           // a . variable
    wildcard,        // `_`, in a receive
    eval,            // eval(a), in a receive
    pid,             // _pid
    process_count,   // _nr_pr
    last,            // _last
    own_priority,    // _priority
    negate,
    logical_not,
    complement,  // a
    add,
    subtract,
    multiply,
    divide,
    modulo,
    shift_left,
    shift_right,
    bit_and,
    bit_or,
    bit_xor,
    equal,
    not_equal,
    less,
    less_equal,
    greater,
    greater_equal,
    logical_and,
    logical_or,   // a, b
    conditional,  // (a -> b : c)
    run,          // process, arguments (user types replaced by their scalars), value: priority, 0 if not given
    length,
    full,
    empty,
    not_full,
    not_empty,  // a: channel
    poll,       // a: channel, arguments, random
    timeout,
    non_progress,     // np_
    get_priority,     // a
    enabled,          // a
    pc_value,         // a
    remote_label,     // process [a] @ label; a null: the only process of that type
    remote_variable,  // process [a] : variable [b]; a, b may be null, and the variable for _pid
    embedded_c,       // code
  };
  Kind kind = Kind::number;
  SourceRange range;
  OriginId origin{};
  Type type;
  std::int32_t value = 0;
  bool random = false;  // poll: c??[..]
  bool parenthesised = false;
  bool has_probe = false;    // contains full, empty, nfull or nempty, which must not be negated or compared
  std::uint32_t height = 1;  // of this tree; bounded, so that recursive passes cannot exhaust the stack
  std::string text;          // name of what is resolved later (run, remote references)
  std::shared_ptr<const CCode> code;
  const MtypeConstant* constant = nullptr;
  const Variable* variable = nullptr;
  const Process* process = nullptr;
  const Label* label = nullptr;
  ExprPtr a, b, c;
  std::vector<ExprPtr> arguments;

  [[nodiscard]] bool is_constant() const { return kind == Kind::number || kind == Kind::mtype_constant; }
  [[nodiscard]] bool is_designator() const {
    return kind == Kind::variable || kind == Kind::element || kind == Kind::field;
  }
};

struct Stmt {
  enum class Kind : std::uint8_t {
    expression,  // a
    assign,      // a = b
    increment,
    decrement,     // a
    send,          // a: channel, arguments, sorted
    receive,       // a: channel, arguments (designator: store, constant or eval: match, wildcard), random, copy
    assertion,     // a
    print,         // text: the format, arguments
    print_mtype,   // a
    set_priority,  // a: pid, b
    jump,          // goto label
    leave,         // break; label is null, target is the loop
    otherwise,     // else
    choice,        // if: options
    repetition,    // do: options
    for_range,     // for (a : b .. c) body
    for_each,      // for (a in b) body: b is an array, or a channel of one user type, which is that of a
    select,        // select (a : b .. c)
    atomic,
    deterministic,  // d_step: body
    block,          // body; an expanded inline is one, with inline_name
    unless,         // body, escape
    declaration,    // variables that are initialised here
    exclusive_receive,
    exclusive_send,  // arguments: channels
    embedded_c,      // code
  };
  Kind kind = Kind::expression;
  SourceRange range;
  OriginId origin{};
  std::string source;  // what a trace prints: the statement on one line, macros and inlines expanded
  std::vector<Label*> labels;
  ExprPtr a, b, c;
  bool sorted = false;  // c!!m
  bool random = false;  // c??m
  bool copy = false;    // c?<m>
  std::vector<ExprPtr> arguments;
  std::string text;
  std::shared_ptr<const CCode> code;
  std::string label_name;  // jump
  SourceRange label_range;
  const Label* label = nullptr;
  const Stmt* target = nullptr;       // leave
  std::vector<std::uint32_t> blocks;  // jump: numbers of the blocks around it, outermost first
  std::vector<Sequence> options;      // choice, repetition
  Sequence body, escape;
  std::uint32_t block_number = 0;  // atomic, deterministic, block, for: the scope its braces open
  std::string inline_name;         // block
  std::vector<const Variable*> variables;
};

struct Process {
  enum class Kind : std::uint8_t { proctype, init, never, trace, notrace };
  Kind kind = Kind::proctype;
  std::string name;  // "init" for init; "never_0" and so on for claims without a name
  SourceRange range;
  SourceRange name_range;
  bool deterministic = false;  // D_proctype
  std::uint32_t active = 0;    // how many there are at the start, in textual order of the model
  std::int32_t priority = 1;
  bool has_priority = false;
  ExprPtr provided;
  std::vector<Variable*> parameters;
  std::vector<std::unique_ptr<Variable>> variables;  // parameters first, then all locals in textual order
  std::vector<std::unique_ptr<Label>> labels;
  Sequence body;
  SourceRange closing;  // of the `}`: where its end state lies
};

struct Ltl {
  enum class Kind : std::uint8_t {
    atom,  // expression
    negation,
    next,
    always,
    eventually,  // a
    conjunction,
    disjunction,
    implication,
    equivalence,
    until,
    weak_until,
    release,  // a, b
  };
  Kind kind = Kind::atom;
  SourceRange range;
  OriginId origin{};
  std::uint32_t height = 1;
  ExprPtr expression;
  std::unique_ptr<Ltl> a, b;
};
using LtlPtr = std::unique_ptr<Ltl>;

struct LtlProperty {
  std::string name;  // "ltl_0" and so on without one
  bool named = false;
  SourceRange range;
  LtlPtr formula;
};

// c_decl, c_code outside processes, c_state and c_track.
struct EmbeddedC {
  enum class Kind : std::uint8_t { declarations, code, state, track };
  Kind kind = Kind::declarations;
  SourceRange range;
  CCode code;                      // declarations, code
  std::vector<std::string> texts;  // the strings of c_state and c_track
};

struct ParsedModel {
  std::vector<std::unique_ptr<MtypeSet>> mtypes;  // only sets that have a declaration, or that a variable names
  std::vector<std::unique_ptr<Typedef>> typedefs;
  std::vector<std::unique_ptr<Variable>> globals;
  std::vector<std::unique_ptr<Process>> processes;  // in textual order: pids of the initial ones follow it
  std::vector<LtlProperty> properties;
  std::vector<EmbeddedC> embedded;
  Origins origins;

  [[nodiscard]] const Process* find_proctype(std::string_view name) const;
};

}  // namespace fathom::promela
