#include "lang/promela/lower.hpp"

#include <fmt/format.h>

#include "lang/promela/lowering.hpp"
#include "lang/promela/process_numbers.hpp"
#include "support/text.hpp"

namespace fathom::promela {

Lowered lower(const ParsedModel& model, const Plan& plan, const LowerOptions& options, const Sources& sources,
              FileId file, Diagnostics& diagnostics) {
  return Lowering(model, plan, options, sources, file, diagnostics).run();
}

Lowering::Lowering(const ParsedModel& model, const Plan& plan, const LowerOptions& options, const Sources& sources,
                   FileId file, Diagnostics& diagnostics)
    : model_(model),
      plan_(plan),
      options_(options),
      sources_(sources),
      file_(file),
      diagnostics_(diagnostics),
      program_(std::make_unique<ir::Program>()),
      build_(*program_),
      uses_(channel_uses(model)),
      seen_(visibility(model, options.claims, options.optimise)) {
  program_->name = sources.path(file);
  program_->language = "promela";
  program_->sources = &sources;
  write_site_ = build_.site(ir::FaultKind::out_of_range, {file, 0, 0}, "");
}

Lowered Lowering::run() {
  if (survey()) return {};
  declare_globals();
  declare_slots();
  declare_c_objects();
  declare_channels();
  if (failed_ || diagnostics_.failed()) return {};
  for (Slot& slot : slots_) declare_slot(slot);
  declare_events();
  lower_start();
  for (std::size_t k = 0; k < slots_.size(); ++k) lower_edges(slots_[k], program_->components[k]);
  // Functions are asked for while edges are lowered, and may ask for each other.
  for (std::size_t done = 0; done < run_functions_.size();) {
    const auto asked = run_functions_;
    for (const auto& [process, function] : asked)
      if (function->routine.body.empty()) fill_run_function(*process, *function);
    done = asked.size();
  }
  lower_valid_end();
  if (options_.claims) lower_claims();
  if (failed_ || diagnostics_.failed()) return {};
  if (!numbers_matter(model_)) program_->anonymous_count = process_count_;
  return {std::move(program_), std::move(unplanned_), std::move(outputs_)};
}

std::string Lowering::quote(SourceRange range) const {
  return one_line(sources_.text(range));
}

void Lowering::fail_on_size(SourceRange range, const std::string& what) {
  if (!failed_)
    diagnostics_.error("F503", range,
                       fmt::format("with {} a state would be larger than {} bits", what, ir::Builder::max_bits));
  failed_ = true;
}

const ir::Variable* Lowering::variable(const std::string& name, const ir::Type* type, SourceRange range, bool hidden) {
  const ir::Variable* const result = build_.variable(name, type, range);
  if (result == nullptr) fail_on_size(range, fmt::format("`{}`", name));
  if (result != nullptr) program_->variables.back().hidden = hidden;
  return result;
}

void Lowering::declare_globals() {
  const SourceRange nowhere{file_, 0, 0};
  process_count_ = variable("_nr_pr", build_.separate(build_.machine(8, false)), nowhere);
  if (mentions_last_) last_ = variable("_last", build_.separate(build_.machine(8, false)), nowhere);
  for (const auto& global : model_.globals) {
    if (has_no_place(*global)) continue;
    const ir::Type* const type = type_of(*global);
    if (type == nullptr) return;
    globals_[global.get()] = variable(global->name, type, global->range, global->hidden);
  }
}

void Lowering::lower_start() {
  auto start = std::make_unique<ir::Edge>();
  start->name = "initial state";
  start->range = {file_, 0, 0};
  routine_ = &start->routine;
  slot_ = nullptr;
  ir::Block& body = start->routine.body;
  for (const auto& global : model_.globals) initialise(nullptr, *global, body);
  fill_input(body);
  if (has_c_code_) call_c_code(c_start(), body);
  std::uint32_t count = 0;
  for (const Slot& slot : slots_) {
    if (!slot.initial) continue;
    ++count;
    slot_ = &slot;
    initialise_locals(slot, body);
    if (slot.priority != nullptr) assign(at(*slot.priority), constant(slot.process->priority, start->range), body);
  }
  assign(at(*process_count_), constant(count, start->range), body);
  start_events(body);
  ir::Builder::lay_out(start->routine);
  program_->starts.push_back(std::move(start));
}

// Every process that is there has come to its end, or to a place where it may wait forever.
void Lowering::lower_valid_end() {
  auto property = std::make_unique<ir::Property>();
  property->kind = ir::Property::Kind::valid_end;
  property->name = "valid end state";
  property->range = {file_, 0, 0};
  routine_ = &property->routine;
  const ir::Expr* all = nullptr;
  for (const Slot& slot : slots_) {
    const ir::Expr* fine = negation(is_present(slot, property->range), property->range);
    for (std::uint32_t k = 0; k < slot.graph->locations.size(); ++k)
      if (slot.graph->locations[k].is_end) fine = either(fine, is_at(slot, k, property->range));
    all = both(all, fine);
  }
  all = both(all, events_completed(property->range));
  property->condition = all != nullptr ? all : truth(true, property->range);
  ir::Builder::lay_out(property->routine);
  program_->properties.push_back(std::move(property));
}

}  // namespace fathom::promela
