// Copies code of one routine into another. Locals get a copy in the target when they are first met; nodes are copied,
// sites and functions are shared. The caller lays out the target (Builder::lay_out) when everything is in it.
#pragma once

#include <unordered_map>

#include "ir/program.hpp"

namespace fathom::ir {

class Cloner {
 public:
  Cloner(Program& program, Routine& target) : program_(program), target_(target) {}

  Parameter parameter(const Parameter& parameter);
  const Local* local(const Local* local);
  // From here on a read of the local becomes the expression, which is code of the target; until that is ended.
  void substitute(const Local* local, const Expr* value) { substitutes_[local] = value; }
  void end_substitution();
  // Null stays null. A node that is used twice is copied once.
  const Expr* expr(const Expr* expr);
  // The copied body and then `rest`, which is code of the target. A `return` in the body runs `rest` before it leaves,
  // because it ends the body and not what follows.
  Block sequence(const Block& body, const Block& rest);

 private:
  [[nodiscard]] const Expr* substitute_for(const Expr& expr) const;
  const Place* place(const Place* place);
  const Binding* binding(const Binding* binding);
  const Call* call(const Call* call);
  Block block(const Block& body, const Block& before_return);
  const Stmt* stmt(const Stmt& stmt, const Block& before_return);

  Program& program_;
  Routine& target_;
  std::unordered_map<const Local*, const Local*> locals_;
  std::unordered_map<const Expr*, const Expr*> exprs_;
  std::unordered_map<const Local*, const Expr*> substitutes_;
};

}  // namespace fathom::ir
