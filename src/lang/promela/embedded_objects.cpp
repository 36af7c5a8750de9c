// C code in a model: the variables it declares and the objects it asks to be part of the state.
#include <fmt/format.h>

#include <algorithm>

#include "lang/promela/embedded_text.hpp"
#include "lang/promela/lowering.hpp"

namespace fathom::promela {

using Form = ir::UserObject::Form;

namespace {

std::string size_of(const CState& state) {
  return state.scope == CState::Scope::global
             ? fmt::format("sizeof(now.{})", state.name)
             : fmt::format("sizeof(((struct fathom_process_{} *)0)->{})", state.process, state.name);
}

// "trk" for "&trk": how traces call a tracked object.
std::string tracked_name(const std::string& pointer) {
  const std::size_t begin = pointer.find_first_not_of(" &");
  return begin == std::string::npos ? pointer : pointer.substr(begin, pointer.find_last_not_of(' ') - begin + 1);
}

}  // namespace

void Lowering::declare_c_objects() {
  if (!has_c_code_) return;
  read_c_states();
  if (diagnostics_.failed()) return;
  program_->user_code = std::make_shared<ir::UserCode>();
  ir::UserCode& code = *program_->user_code;
  code.declarations = c_declarations(model_, c_states_, sources_);
  if (!measure_c_objects()) return;
  code.globals.push_back({Form::constant, "now._nr_pr", process_count_->type, process_count_->offset});
  for (const Variable* global : c_globals(model_)) {
    const ir::Variable& variable = *globals_.at(global);
    code.globals.push_back({Form::value, "now." + global->name, variable.type, variable.offset});
  }
  for (const CState& state : c_states_) declare_c_global(state);
  for (const EmbeddedC& unit : model_.embedded) declare_tracked(unit);
}

void Lowering::read_c_states() {
  for (const EmbeddedC& unit : model_.embedded) {
    if (unit.kind != EmbeddedC::Kind::state) continue;
    std::string problem;
    auto state = read_c_state(unit, problem);
    const bool strange = state && state->scope == CState::Scope::local &&
                         model_.find_proctype(state->process) == nullptr && state->process != "init";
    if (strange) problem = fmt::format("there is no proctype `{}`", state->process);
    if (!problem.empty()) {
      diagnostics_.error("F511", unit.range, problem);
    } else {
      c_states_.push_back(std::move(*state));
    }
  }
}

// Only a C compiler knows how large an object is.
bool Lowering::measure_c_objects() {
  std::vector<std::string> sizes;
  for (const CState& state : c_states_)
    if (state.bits == 0 && state.scope != CState::Scope::hidden) sizes.push_back(size_of(state));
  for (const EmbeddedC& unit : model_.embedded)
    if (unit.kind == EmbeddedC::Kind::track) sizes.push_back(located(sources_, unit.texts[1], unit.range));
  if (sizes.empty()) return true;
  const auto measured = options_.sizes(*program_->user_code, sizes, diagnostics_);
  if (!measured) return false;
  auto next = measured->begin();
  for (const CState& state : c_states_)
    if (state.bits == 0 && state.scope != CState::Scope::hidden) c_sizes_[state.syntax] = *next++;
  for (const EmbeddedC& unit : model_.embedded)
    if (unit.kind == EmbeddedC::Kind::track) c_sizes_[&unit] = *next++;
  return true;
}

// The bytes of an object of C. Null: there are none, or too many, which is reported.
const ir::Type* Lowering::bytes_of(const EmbeddedC& syntax) {
  const std::uint64_t size = c_sizes_.at(&syntax);
  if (size == 0) return nullptr;
  if (size > ir::Builder::max_bits / 8) {
    fail_on_size(syntax.range, "this object");
    return nullptr;
  }
  return array_of(static_cast<std::uint32_t>(size), build_.machine(8, false), syntax.range);
}

const ir::Type* Lowering::type_of(const CState& state) {
  return state.bits != 0 ? build_.machine(state.bits, state.is_signed) : bytes_of(*state.syntax);
}

ir::UserObject Lowering::c_object(const CState& state, const std::string& owner, const ir::Type& type,
                                  std::uint32_t offset) {
  const bool plain = state.bits != 0;
  return {plain ? Form::value : Form::bytes, fmt::format("{}{}.{}", plain ? "" : "&", owner, state.name), &type,
          offset};
}

void Lowering::declare_c_global(const CState& state) {
  if (state.scope != CState::Scope::global) return;
  const ir::Type* const type = type_of(state);
  const ir::Variable* const kept = type == nullptr ? nullptr : variable(state.name, type, state.syntax->range);
  if (kept != nullptr) program_->user_code->globals.push_back(c_object(state, "now", *type, kept->offset));
}

void Lowering::declare_tracked(const EmbeddedC& unit) {
  if (unit.kind != EmbeddedC::Kind::track) return;
  const ir::Type* const type = bytes_of(unit);
  const ir::Variable* const kept = type == nullptr ? nullptr : variable(tracked_name(unit.texts[0]), type, unit.range);
  if (kept == nullptr) return;
  const std::string pointer = located(sources_, unit.texts[0], unit.range);
  program_->user_code->tracked.push_back({Form::bytes, "\n" + pointer, type, kept->offset});
}

// What c_state adds to the variables of a process.
void Lowering::add_c_fields(Slot& slot, std::vector<ir::Field>& fields) {
  for (const CState& state : c_states_) {
    if (state.scope != CState::Scope::local || state.process != slot.process->name) continue;
    const ir::Type* const type = type_of(state);
    if (type == nullptr) continue;
    slot.c_fields[&state] = static_cast<std::uint32_t>(fields.size());
    fields.push_back({state.name, type});
  }
}

}  // namespace fathom::promela
