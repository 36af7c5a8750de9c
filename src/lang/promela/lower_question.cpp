// An expression that somebody asks about a state from outside of all processes.
#include "lang/promela/lowering.hpp"
#include "lang/promela/walk.hpp"

namespace fathom::promela {

std::unique_ptr<ir::Program> lower_with_question(const ParsedModel& model, const Expr& question, const Plan& plan,
                                                 const LowerOptions& options, const Sources& sources, FileId file,
                                                 Diagnostics& diagnostics) {
  return Lowering(model, plan, options, sources, file, diagnostics).run_with(question);
}

std::unique_ptr<ir::Program> Lowering::run_with(const Expr& question) {
  for_each_expression(question, [&](const Expr& part) { refuse_in_question(part); });
  std::unique_ptr<ir::Program> program = run().program;
  if (program == nullptr) return nullptr;
  program_ = std::move(program);
  program_->anonymous_count = nullptr;  // it may ask for one of the processes
  auto property = std::make_unique<ir::Property>();
  property->kind = ir::Property::Kind::atom;
  property->name = "question";
  property->range = question.range;
  routine_ = &property->routine;
  slot_ = nullptr;
  property->condition = value(question);
  ir::Builder::lay_out(property->routine);
  program_->properties.push_back(std::move(property));
  return std::move(program_);
}

void Lowering::refuse_in_question(const Expr& syntax) {
  using Kind = Expr::Kind;
  if (syntax.kind == Kind::embedded_c) refuse_embedded(syntax.range);
  if (syntax.kind == Kind::pid || syntax.kind == Kind::own_priority)
    diagnostics_.error("F520", syntax.range, "this has a value inside a process only");
  if (syntax.kind == Kind::last || syntax.kind == Kind::enabled || syntax.kind == Kind::pc_value)
    diagnostics_.error("F520", syntax.range, "this cannot be asked of a state");
  if (is_dropped(syntax))
    diagnostics_.error("F520", syntax.range, "nothing in the model reads this variable, so it was left out").help =
        "with --no-optimise it is there";
  if (syntax.kind == Expr::Kind::run) diagnostics_.error("F520", syntax.range, "a question cannot create a process");
}

}  // namespace fathom::promela
