#include "ir/natural.hpp"

#include "support/natural.h"

namespace fathom::ir {

namespace {

using Operation = int (*)(std::int64_t, std::int64_t, std::int64_t*);

Operation operation(Expr::Kind kind) {
  switch (kind) {
    case Expr::Kind::add:
      return fathom_natural_add;
    case Expr::Kind::subtract:
      return fathom_natural_subtract;
    case Expr::Kind::multiply:
      return fathom_natural_multiply;
    case Expr::Kind::divide:
      return fathom_natural_divide;
    case Expr::Kind::modulo:
      return fathom_natural_modulo;
    case Expr::Kind::shift_left:
      return fathom_natural_shift_left;
    case Expr::Kind::shift_right:
      return fathom_natural_shift_right;
    case Expr::Kind::bit_and:
      return fathom_natural_bit_and;
    case Expr::Kind::bit_or:
      return fathom_natural_bit_or;
    case Expr::Kind::bit_xor:
      return fathom_natural_bit_xor;
    default:
      return nullptr;
  }
}

}  // namespace

std::optional<std::int64_t> calculate_natural(Expr::Kind kind, std::int64_t a, std::int64_t b) {
  const Operation calculate = operation(kind);
  std::int64_t result = undefined;
  if (calculate == nullptr || calculate(a, b, &result) != 0 || result == undefined) return std::nullopt;
  return result;
}

}  // namespace fathom::ir
