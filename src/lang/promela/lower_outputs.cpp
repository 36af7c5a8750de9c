// printf and printm: what they print is kept beside the program, because searches do not execute them.
#include <algorithm>

#include "lang/promela/lowering.hpp"
#include "lang/promela/walk.hpp"

namespace fathom::promela {

// What is printed of a variable that the program does not have is known to the model as it is written only.
void Lowering::note_output(const Stmt& syntax, const ir::Edge& edge) {
  bool dropped = false;
  for_each_expression(syntax, [&](const Expr& part) { dropped |= is_dropped(part); });
  if (dropped) return;
  ir::Output output;
  if (syntax.kind == Stmt::Kind::print) {
    output.format = syntax.text;
    for (const ExprPtr& argument : syntax.arguments) output.arguments.push_back(printed(*argument));
  } else if (syntax.kind == Stmt::Kind::print_mtype) {
    output.format = "%e";
    output.arguments.push_back(printed(*syntax.a));
  } else {
    return;
  }
  outputs_.emplace(&edge, std::move(output));
}

// %e prints a name of the value's own set, or of the set of plain `mtype` where the value is just a number.
ir::Output::Argument Lowering::printed(const Expr& syntax) {
  Type type = syntax.type;
  if (!type.is(Type::Kind::mtype) || type.set == nullptr) {
    const auto plain = std::ranges::find_if(model_.mtypes, [](const auto& set) { return set->name.empty(); });
    type.kind = Type::Kind::mtype;
    type.set = plain == model_.mtypes.end() ? nullptr : plain->get();
  }
  return {number(syntax), scalar_type(type)};
}

}  // namespace fathom::promela
