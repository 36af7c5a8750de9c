// The Murphi syntax tree: what the parser builds and the checker reads. It keeps everything as written, with ranges;
// names are resolved and types computed by lower.hpp, which turns the tree into ir.
//
// One struct per syntactic category with a Kind, because Murphi is small and a switch over kinds is the easiest code to
// read. Fields that a kind does not name are unused.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "support/source.hpp"

namespace fathom::murphi {

struct Expr;
struct Stmt;
struct TypeExpr;
using ExprPtr = std::unique_ptr<Expr>;
using StmtPtr = std::unique_ptr<Stmt>;
using TypePtr = std::unique_ptr<TypeExpr>;

struct Name {
  std::string text;
  SourceRange range;
};

// `i: T`, or `i := from to to [by step]`, or (multisets) `i: designator`, which the parser cannot tell from a type name
// and leaves in `type` (a named type) or, where it is a longer designator, in `set`.
struct Quantifier {
  Name name;
  TypePtr type;
  ExprPtr from, to, step;
  ExprPtr set;
  SourceRange range;
};

struct Expr {
  enum class Kind : std::uint8_t {
    number,           // value
    name,             // text
    string,           // text (only where a message is allowed)
    undefined_value,  // undefined
    field,            // a . text
    index,            // a [ b ]
    call,             // text ( arguments )
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
    logical_or,
    implies,  // a, b
    // `&` and `|` between Booleans are logical; between numbers (Rumur) they are bitwise: the checker decides.
    and_or_bit_and,
    or_or_bit_or,  // a, b
    conditional,   // a ? b : c
    for_all,
    exists,          // quantifiers, a
    is_undefined,    // a
    is_member,       // a, type
    multiset_count,  // quantifiers[0] (index: multiset), a
  };
  Kind kind = Kind::number;
  SourceRange range;
  SourceRange name_range;  // of text, for field and call
  std::uint64_t value = 0;
  std::uint32_t height = 1;  // of this tree; the parser bounds it so that recursive passes cannot exhaust the stack
  std::string text;
  ExprPtr a, b, c;
  std::vector<ExprPtr> arguments;
  std::vector<Quantifier> quantifiers;
  TypePtr type;
  bool parenthesised = false;
};

struct Declaration;

struct TypeExpr {
  enum class Kind : std::uint8_t { name, range, enumeration, scalarset, unite, array, record, multiset, real };
  Kind kind = Kind::name;
  SourceRange range;
  Name name;                        // name
  ExprPtr low, high;                // range; scalarset: low is the size; multiset: low is the capacity
  std::vector<Name> values;         // enumeration
  std::vector<TypePtr> members;     // union
  TypePtr index, element;           // array, multiset (element)
  std::vector<Declaration> fields;  // record: var-like declarations
};

// One declared name (lists `a, b: T` become one declaration each, sharing the type by `type_of` the first).
struct Declaration {
  enum class Kind : std::uint8_t { constant, type, variable };
  Kind kind = Kind::variable;
  Name name;
  std::shared_ptr<TypeExpr> type;  // type, variable; shared inside one list
  ExprPtr value;                   // constant
};

struct AliasBinding {
  Name name;
  ExprPtr target;
};

struct Clause {                // of if and switch
  std::vector<ExprPtr> tests;  // if: one; switch: the case values; empty: else
  std::vector<StmtPtr> body;
  SourceRange range;
};

struct Stmt {
  enum class Kind : std::uint8_t {
    assign,      // a := b
    branch,      // clauses
    choice,      // switch a, clauses
    loop_for,    // quantifiers[0], body
    loop_while,  // a, body
    alias,       // aliases, body
    call,        // a (an Expr::call, or a bare name: a procedure without arguments)
    clear,
    undefine,  // a
    error,     // text
    check,     // assert a, text
    assume,
    cover,               // a, text
    liveness,            // a: only as a property; the checker rejects it as a statement
    put,                 // a, or text if a is null
    give_back,           // return [a]
    multiset_add,        // a: element, b: multiset
    multiset_remove,     // a: index, b: multiset
    multiset_remove_if,  // quantifiers[0], a: predicate
  };
  Kind kind = Kind::assign;
  SourceRange range;
  ExprPtr a, b;
  std::string text;
  bool has_text = false;
  std::vector<Quantifier> quantifiers;
  std::vector<Clause> clauses;
  std::vector<AliasBinding> aliases;
  std::vector<StmtPtr> body;
};

struct FormalParameter {
  Name name;
  std::shared_ptr<TypeExpr> type;
  bool by_reference = false;
};

struct Routine {  // function or procedure
  Name name;
  std::vector<FormalParameter> parameters;
  TypePtr result;  // null: procedure
  std::vector<Declaration> declarations;
  std::vector<StmtPtr> body;
  bool external = false;  // externfun/externproc: parsed so that we can say "not supported yet"
  SourceRange range;
};

struct RuleItem {
  enum class Kind : std::uint8_t {
    simple,   // rule: guard (may be null), declarations, body
    start,    // startstate
    ruleset,  // quantifiers, items
    choose,   // quantifiers (index: multiset), items
    alias,    // aliases, items
    invariant,
    assumption,
    cover,
    liveness,  // guard is the condition
  };
  Kind kind = Kind::simple;
  SourceRange range;
  Name name;  // the string, without quotes; empty range: none was given
  bool has_priority = false;
  ExprPtr priority;  // rule <priority>
  ExprPtr guard;
  std::vector<Declaration> declarations;
  std::vector<StmtPtr> body;
  std::vector<Quantifier> quantifiers;
  std::vector<AliasBinding> aliases;
  std::vector<std::unique_ptr<RuleItem>> items;
};

// Top-level parts in source order, since Rumur allows sections in any order and names must be declared before use.
struct Item {
  enum class Kind : std::uint8_t { declaration, routine, rule };
  Kind kind = Kind::declaration;
  Declaration declaration;
  std::unique_ptr<Routine> routine;
  std::unique_ptr<RuleItem> rule;
};

struct File {
  std::vector<Item> items;
  bool beyond_signed = false;  // some number in the text is 2^63 or more
};

}  // namespace fathom::murphi
