// Labels and the jumps to them. A process may use the same label in several blocks; a jump goes to the one in its own
// block, else to one in a block around it, else to the only one elsewhere.
#include <fmt/format.h>

#include <algorithm>

#include "lang/promela/grammar.hpp"

namespace fathom::promela {

namespace {

bool is_prefix(const std::vector<std::uint32_t>& prefix, const std::vector<std::uint32_t>& path) {
  return prefix.size() <= path.size() && std::equal(prefix.begin(), prefix.end(), path.begin());
}

}  // namespace

void Grammar::declare_label(const Name& name, Label*& out) {
  const auto blocks = names_.blocks();
  for (const auto& other : process_->labels)
    if (other->name == name.text && is_prefix(other->blocks, blocks))
      report("F432", name.range, fmt::format("label `{}` is declared twice", name.text), name.origin)
          .notes.push_back({other->range, "the other one"});
  if (const Variable* const variable = names_.find_variable(name.text))
    report("F433", name.range, fmt::format("label `{}` has the name of a variable", name.text), name.origin)
        .notes.push_back({variable->range, "the variable"});
  if (const std::string use = names_.other_use(name.text); !use.empty())
    report("F433", name.range, fmt::format("label `{}` has the name of a {}", name.text, use), name.origin);
  process_->labels.push_back(std::make_unique<Label>());
  out = process_->labels.back().get();
  out->name = name.text;
  out->range = name.range;
  out->process = process_;
  out->blocks = blocks;
  label_steps_.emplace_back(out, step_);
}

const Label* Grammar::find_label(const Process& process, const Stmt& jump) const {
  const Label* around = nullptr;
  const Label* elsewhere = nullptr;
  for (const auto& label : process.labels) {
    if (label->name != jump.label_name) continue;
    if (label->blocks == jump.blocks) return label.get();
    if (is_prefix(label->blocks, jump.blocks)) {
      if (around == nullptr) around = label.get();
    } else {
      elsewhere = label.get();
    }
  }
  return around != nullptr ? around : elsewhere;
}

void Grammar::resolve_labels(Process& process) {
  for (const Jump& jump : jumps_) {
    Stmt& statement = *jump.statement;
    statement.label = find_label(process, statement);
    if (statement.label == nullptr) {
      if (recovered_) continue;  // it may stand in a part that could not be read
      std::vector<std::string> known;
      for (const auto& label : process.labels) known.push_back(label->name);
      report("F426", statement.label_range, fmt::format("unknown label `{}`", statement.label_name), statement.origin)
          .help = did_you_mean(statement.label_name, known);
      continue;
    }
    const bool chosen_blindly = !is_prefix(statement.label->blocks, statement.blocks);
    const auto same_name = [&](const auto& label) { return label->name == statement.label_name; };
    if (chosen_blindly && std::ranges::count_if(process.labels, same_name) > 1)
      report(
          "F426", statement.label_range,
          fmt::format("several blocks have a label `{}`, and none of them is around this jump", statement.label_name),
          statement.origin);
    const auto target = std::ranges::find(label_steps_, statement.label, &std::pair<Label*, std::uint32_t>::first);
    check_step_crossing(jump, target->second);
  }
}

void Grammar::check_step_crossing(const Jump& jump, std::uint32_t target_step) {
  if (jump.step == target_step) return;
  const Stmt& statement = *jump.statement;
  report("F454", statement.label_range,
         jump.step == 0 ? "a jump cannot lead into a d_step" : "a jump cannot leave a d_step", statement.origin)
      .notes.push_back({statement.label->range, "the label"});
}

}  // namespace fathom::promela
