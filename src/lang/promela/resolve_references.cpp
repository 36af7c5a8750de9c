// What may be named before it is known: the proctype of a `run`, and labels and variables of other processes.
#include <fmt/format.h>

#include <algorithm>

#include "lang/promela/expressions.hpp"
#include "lang/promela/grammar.hpp"

namespace fathom::promela {

namespace {

std::vector<std::string> proctype_names(const ParsedModel& model) {
  std::vector<std::string> result;
  for (const auto& process : model.processes)
    if (process->kind == Process::Kind::proctype) result.push_back(process->name);
  return result;
}

// References keep "process\nmember" in their text until they are resolved.
std::pair<std::string, std::string> parts(const std::string& text) {
  const std::size_t split = text.find('\n');
  return {text.substr(0, split), text.substr(split + 1)};
}

}  // namespace

void Grammar::resolve_runs() {
  for (Expr* run : runs_) resolve_run(*run);
}

void Grammar::resolve_run(Expr& run) {
  run.process = model_.find_proctype(run.text);
  if (run.process == nullptr && damaged_) return;
  if (run.process == nullptr) {
    report("F427", run.range, fmt::format("unknown proctype `{}`", run.text), run.origin).help =
        did_you_mean(run.text, proctype_names(model_));
    return;
  }
  const auto slots = parameter_slots(*run.process);
  if (slots.size() != run.arguments.size()) {
    report("F464", run.range,
           fmt::format("proctype `{}` takes {} argument{}, not {}", run.text, slots.size(),
                       slots.size() == 1 ? "" : "s", run.arguments.size()),
           run.origin)
        .notes.push_back({run.process->name_range, "defined here"});
    return;
  }
  for (std::size_t i = 0; i < slots.size(); ++i) {
    const Expr& argument = *run.arguments[i];
    if (slots[i].is(Type::Kind::chan) && argument.is_constant())
      warn("F465", argument.range, "this parameter is a channel, the argument is a number", argument.origin);
  }
}

void Grammar::resolve_remotes() {
  for (Expr* reference : remotes_) {
    const auto [process, member] = parts(reference->text);
    reference->process = model_.find_proctype(process);
    if (reference->process == nullptr) {
      report("F427", reference->range, fmt::format("unknown proctype `{}`", process), reference->origin).help =
          did_you_mean(process, proctype_names(model_));
    } else if (reference->kind == Expr::Kind::remote_label) {
      resolve_remote_label(*reference);
    } else {
      resolve_remote_variable(*reference);
    }
  }
  remotes_.clear();
}

void Grammar::resolve_remote_label(Expr& reference) {
  const auto [process, member] = parts(reference.text);
  std::vector<std::string> known;
  for (const auto& label : reference.process->labels) {
    if (label->name == member && reference.label == nullptr) reference.label = label.get();
    known.push_back(label->name);
  }
  reference.text = member;
  if (reference.label != nullptr || damaged_) return;
  report("F426", reference.range, fmt::format("proctype `{}` has no label `{}`", process, member), reference.origin)
      .help = did_you_mean(member, known);
}

void Grammar::resolve_remote_variable(Expr& reference) {
  const auto [process, member] = parts(reference.text);
  if (member == "_pid" && !reference.b) {
    reference.text = member;
    return;
  }
  std::vector<std::string> known;
  for (const auto& variable : reference.process->variables) {
    if (variable->name == member && reference.variable == nullptr) reference.variable = variable.get();
    known.push_back(variable->name);
  }
  reference.text = member;
  if (reference.variable == nullptr && damaged_) return;
  if (reference.variable == nullptr) {
    report("F428", reference.range, fmt::format("proctype `{}` has no variable `{}`", process, member),
           reference.origin)
        .help = did_you_mean(member, known);
    return;
  }
  reference.type = reference.variable->type;
  if (!reference.variable->is_array && reference.b)
    report("F448", reference.range, fmt::format("`{}` is no array and has no elements", member), reference.origin);
  if (reference.variable->is_array && !reference.b)
    report("F449", reference.range, fmt::format("array `{}` needs an index here", member), reference.origin);
  if (reference.type.is(Type::Kind::user))
    report("F450", reference.range, fmt::format("`{}` is a structure and cannot be read from outside", member),
           reference.origin);
}

}  // namespace fathom::promela
