// Small knowledge about types and expressions that parser and checks share.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "lang/promela/ast.hpp"

namespace fathom::promela {

// The value of an expression over constants, with the 32-bit arithmetic of Promela. Nothing when something in it is not
// constant, or it divides by zero.
std::optional<std::int32_t> fold(const Expr& expression);

Type basic_type(Type::Kind kind);
// "byte", "unsigned : 3", "mtype:fruit", the name of a typedef.
std::string to_string(const Type& type);

ExprPtr make_number(std::int32_t value, SourceRange range, OriginId origin);
// A variable, an element or a field of it, with its type.
ExprPtr make_variable(const Variable& variable, SourceRange range, OriginId origin);
ExprPtr make_element(ExprPtr array, ExprPtr index, SourceRange range);
ExprPtr make_field(ExprPtr record, const Variable& field, SourceRange range);
ExprPtr clone(const Expr& expression);

// The variable or field whose declaration gives a designator its type, and whether all its indices are given.
const Variable& declaration_of(const Expr& designator);
bool is_whole_array(const Expr& designator);
// The variable a designator starts with.
const Variable& root_of(const Expr& designator);

// The scalars of a value of this type in the order in which messages carry them. Arrays of structures cannot be sent:
// then `array_field` is the field that is one.
std::vector<Type> scalars_of(const Type& type, const Variable** array_field);
// A structure as the list of designators of its scalars; anything else as itself.
std::vector<ExprPtr> scalars_of(ExprPtr designator);
// The same for a parameter of a proctype: what `run` passes.
std::vector<Type> parameter_slots(const Process& process);

}  // namespace fathom::promela
