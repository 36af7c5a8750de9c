#include "lang/promela/load.hpp"

#include <algorithm>

#include "lang/promela/expressions.hpp"
#include "lang/promela/parse.hpp"
#include "lang/promela/spin_numbers.hpp"
#include "lang/promela/visibility.hpp"

namespace fathom::promela {

namespace {

Claims claims_of(const ParsedModel& tree) {
  Claims claims;
  for (const LtlProperty& property : tree.properties) claims.formulas.push_back(property.name);
  for (const auto& process : tree.processes) {
    if (process->kind == Process::Kind::never) claims.never = true;
    claims.accept_labels |= std::ranges::any_of(process->labels, [](const auto& label) { return label->is_accept(); });
  }
  return claims;
}

// Spin's simulator reads characters where a model receives from a channel of this name, which has no initialiser. Here
// it is a channel that holds them all from the beginning.
std::string connect_input(ParsedModel& tree, const std::function<std::string()>& read) {
  for (const auto& global : tree.globals) {
    if (global->name != "STDIN" || !global->type.is(Type::Kind::chan) || global->channel || global->value) continue;
    std::string input = read();
    global->channel = std::make_unique<ChannelInit>();
    global->channel->range = global->range;
    global->channel->capacity = std::max<std::uint32_t>(1, static_cast<std::uint32_t>(input.size()));
    global->channel->fields = global->channel->slots = {basic_type(Type::Kind::byte)};
    return input;
  }
  return "";
}

}  // namespace

Model::Model(Sources& sources, FileId file, const Options& options, const LowerOptions& lowering,
             Diagnostics& diagnostics)
    : sources_(sources),
      file_(file),
      options_(options),
      lowering_(lowering),
      tree_(parse(sources, file, options, diagnostics)) {
  if (tree_ == nullptr) return;
  if (options.input) lowering_.input = connect_input(*tree_, options.input);
  // C code can look at every variable and at every step.
  if (visibility(*tree_, lowering.claims, false).everything) lowering_.optimise = false;
  claims_ = claims_of(*tree_);
  plan_ = initial_plan(*tree_);
}

Model::~Model() = default;

ir::NumberedStatements Model::spin_numbers() const {
  return promela::spin_numbers(*tree_);
}

std::unique_ptr<ir::Program> Model::program(Diagnostics& diagnostics) {
  if (tree_ == nullptr) return nullptr;
  Lowered lowered = lower(*tree_, plan_, lowering_, sources_, file_, diagnostics);
  unplanned_ = std::move(lowered.unplanned);
  outputs_ = std::move(lowered.outputs);
  return std::move(lowered.program);
}

Lowered Model::as_written(Diagnostics& diagnostics) const {
  LowerOptions plain = lowering_;
  plain.optimise = false;
  return lower(*tree_, plan_, plain, sources_, file_, diagnostics);
}

bool Model::extend_plan(const std::vector<std::uint64_t>& faults) {
  const std::size_t before = plan_.size();
  for (const Unplanned& missing : unplanned_) {
    const auto site = static_cast<std::size_t>(missing.site);
    if (site < faults.size() && faults[site] > 0) extend(plan_, *missing.process, missing.pid);
  }
  return plan_.size() > before;
}

}  // namespace fathom::promela
