// C code in a model: blocks of it, and the calls that execute them for a process.
#include <fmt/format.h>

#include <algorithm>

#include "lang/promela/embedded_text.hpp"
#include "lang/promela/lowering.hpp"

namespace fathom::promela {

using Form = ir::UserObject::Form;

void Lowering::call_c_code(const ir::Function& function, ir::Block& out) {
  ir::Stmt& stmt = build_.stmt(ir::Stmt::Kind::call, function.range);
  stmt.call = build_.call({&function, {}});
  out.push_back(&stmt);
}

const ir::Expr* Lowering::c_value(const Expr& syntax) {
  const ir::Function& function = c_function(*syntax.code, true);
  ir::Expr& expr = build_.expr(ir::Expr::Kind::call, function.result, syntax.range);
  expr.call = build_.call({&function, {}});
  return &expr;
}

// One function per block and process that executes it.
const ir::Function& Lowering::c_function(const CCode& code, bool is_value) {
  const ir::Function*& known = c_functions_[{&code, slot_}];
  if (known != nullptr) return *known;
  const auto [block, is_new] =
      c_blocks_.try_emplace({&code, slot_ != nullptr ? slot_->process : nullptr}, program_->user_code->blocks.size());
  if (is_new) {
    ir::UserBlock& added = program_->user_code->blocks.emplace_back();
    added.kind = is_value ? ir::UserBlock::Kind::value : ir::UserBlock::Kind::statements;
    added.body = located(sources_, code.text, code.range, code.definitions);
    if (!code.condition.empty())
      added.condition = located(sources_, code.condition, code.condition_range, code.definitions);
    if (slot_ != nullptr) {
      added.process_type = c_process_type(*slot_->process);
      added.process_name = c_process_name(*slot_->process);
    }
  }
  known = &add_c_function(block->second, code.range, code.condition);
  return *known;
}

const ir::Function& Lowering::add_c_function(std::uint32_t block, SourceRange range, const std::string& condition) {
  ir::UserCode& code = *program_->user_code;
  auto function = std::make_unique<ir::Function>();
  function->name = fmt::format("C code {}", code.uses.size());
  function->range = range;
  if (code.blocks[block].kind == ir::UserBlock::Kind::value) function->result = &ir::machine_int();
  const std::string why = condition.empty() ? "C code called `uerror`"
                                            : fmt::format("the condition `{}` of C code does not hold", condition);
  function->no_return = function->recursion = build_.site(ir::FaultKind::misuse, range, why);
  function->user_code = static_cast<std::uint32_t>(code.uses.size());
  code.uses.push_back(c_use(block));
  program_->functions.push_back(std::move(function));
  return *program_->functions.back();
}

ir::UserUse Lowering::c_use(std::uint32_t block) const {
  ir::UserUse use;
  use.block = block;
  if (slot_ == nullptr) return use;
  use.setup = fmt::format("fathom_process._pid = {};\n", slot_->pid);
  const auto offset = [&](std::uint32_t field) {
    return slot_->locals->offset + slot_->locals->type->fields[field].offset;
  };
  for (const Variable* local : c_locals(*slot_->process)) {
    const std::uint32_t field = slot_->fields.at(local);
    use.process.push_back(
        {Form::value, "fathom_process." + local->name, slot_->locals->type->fields[field].type, offset(field)});
  }
  for (const auto& [state, field] : slot_->c_fields)
    use.process.push_back(c_object(*state, "fathom_process", *slot_->locals->type->fields[field].type, offset(field)));
  return use;
}

// Completes the initial state: the first values of what c_state declares for all processes.
const ir::Function& Lowering::c_start() {
  ir::UserBlock& block = program_->user_code->blocks.emplace_back();
  block.kind = ir::UserBlock::Kind::start;
  for (const CState& state : c_states_) {
    if (state.first.empty() || state.scope == CState::Scope::local) continue;
    const char* const owner = state.scope == CState::Scope::global ? "now." : "";
    block.body += located(sources_, fmt::format("{}{} = {};", owner, state.name, state.first), state.syntax->range);
  }
  return add_c_function(static_cast<std::uint32_t>(program_->user_code->blocks.size() - 1), {file_, 0, 0}, "");
}

// What a new process of this type executes before anything else; null where there is nothing to do.
const CCode* Lowering::c_first_values(const Process& process) {
  if (const auto found = c_first_values_.find(&process); found != c_first_values_.end()) return &found->second;
  CCode code;
  code.range = process.name_range;
  for (const CState& state : c_states_) {
    if (state.scope != CState::Scope::local || state.process != process.name || state.first.empty()) continue;
    code.range = state.syntax->range;
    code.text += fmt::format("{}->{} = {}; ", c_process_name(process), state.name, state.first);
  }
  return code.text.empty() ? nullptr : &c_first_values_.emplace(&process, std::move(code)).first->second;
}

}  // namespace fathom::promela
