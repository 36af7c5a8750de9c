// Properties of runs: ltl formulas, never claims, and what the accept and progress labels of processes ask for.
#include <fmt/format.h>

#include <algorithm>

#include "lang/promela/claim_automaton.hpp"
#include "lang/promela/lowering.hpp"
#include "lang/promela/print.hpp"
#include "lang/promela/walk.hpp"

namespace fathom::promela {

namespace {

ir::Ltl::Kind kind_of(Ltl::Kind kind) {
  switch (kind) {
    case Ltl::Kind::atom:
      return ir::Ltl::Kind::atom;
    case Ltl::Kind::negation:
      return ir::Ltl::Kind::negation;
    case Ltl::Kind::next:
      return ir::Ltl::Kind::next;
    case Ltl::Kind::always:
      return ir::Ltl::Kind::always;
    case Ltl::Kind::eventually:
      return ir::Ltl::Kind::eventually;
    case Ltl::Kind::conjunction:
      return ir::Ltl::Kind::conjunction;
    case Ltl::Kind::disjunction:
      return ir::Ltl::Kind::disjunction;
    case Ltl::Kind::implication:
      return ir::Ltl::Kind::implication;
    case Ltl::Kind::equivalence:
      return ir::Ltl::Kind::equivalence;
    case Ltl::Kind::until:
      return ir::Ltl::Kind::until;
    case Ltl::Kind::weak_until:
      return ir::Ltl::Kind::weak_until;
    case Ltl::Kind::release:
      return ir::Ltl::Kind::release;
  }
  return ir::Ltl::Kind::atom;
}

}  // namespace

void Lowering::lower_claims() {
  slot_ = nullptr;
  for (const LtlProperty& property : model_.properties) lower_formula(property);
  const bool accepting = has_labels(&FlowLocation::is_accept);
  bool never = false;
  for (const auto& process : model_.processes) {
    if (process->kind != Process::Kind::never) continue;
    const bool given = sources_.path(process->name_range.file) == "--automaton";
    never |= !given;
    lower_never(*process, accepting && !given);
  }
  if (accepting && !never) lower_label_claim(ir::Claim::Kind::accept_labels, "accept labels");
  if (!slots_.empty()) lower_label_claim(ir::Claim::Kind::non_progress, "progress");
}

ir::Claim& Lowering::open_claim(ir::Claim::Kind kind, const std::string& name, SourceRange range) {
  ir::Claim& claim = program_->claims.emplace_back();
  claim.kind = kind;
  claim.name = name;
  claim.range = range;
  claim_atoms_.clear();
  return claim;
}

void Lowering::lower_formula(const LtlProperty& property) {
  ir::Claim& claim = open_claim(ir::Claim::Kind::ltl, property.name, property.range);
  claim.formula = formula(*property.formula, claim);
}

ir::LtlPtr Lowering::formula(const Ltl& syntax, ir::Claim& claim) {
  auto result = std::make_unique<ir::Ltl>();
  result->kind = kind_of(syntax.kind);
  if (syntax.expression) result->atom = atom(*syntax.expression, claim);
  if (syntax.a) result->a = formula(*syntax.a, claim);
  if (syntax.b) result->b = formula(*syntax.b, claim);
  return result;
}

// Atoms that read alike are one: the automaton must not believe that one could hold without the other.
std::uint32_t Lowering::atom(const Expr& syntax, ir::Claim& claim) {
  const std::string text = print(syntax);
  if (const auto known = claim_atoms_.find(text); known != claim_atoms_.end()) return known->second;
  const auto number = claim_atoms_[text] =
      add_atom(claim, quote(syntax.range), syntax.range, [&] { return condition(syntax); });
  return number;
}

std::uint32_t Lowering::add_atom(ir::Claim& claim, const std::string& name, SourceRange range,
                                 const std::function<const ir::Expr*()>& condition) {
  if (claim.atoms.size() == ir::max_atoms) {
    if (!failed_)
      diagnostics_.error("F509", range, fmt::format("a claim can have at most {} different conditions", ir::max_atoms));
    failed_ = true;
    return 0;
  }
  auto property = std::make_unique<ir::Property>();
  property->kind = ir::Property::Kind::atom;
  property->name = name;
  property->range = range;
  routine_ = &property->routine;
  property->condition = condition();
  if (!ir::Builder::lay_out(property->routine)) fail_on_size(range, "these registers");
  claim.atoms.push_back(static_cast<std::uint32_t>(program_->properties.size()));
  program_->properties.push_back(std::move(property));
  return static_cast<std::uint32_t>(claim.atoms.size() - 1);
}

void Lowering::lower_never(const Process& process, bool accepting) {
  const FlowGraph* const graph = graph_of(process);
  if (graph == nullptr) {
    failed_ = true;
    return;
  }
  ir::Claim& claim = open_claim(ir::Claim::Kind::never, process.name, process.name_range);
  const AtomOf atom_of = [&](const Expr& syntax) { return atom(syntax, claim); };
  claim.automaton = claim_automaton(process, *graph, atom_of, diagnostics_);
  if (accepting) claim.acceptance = label_atom(claim, "accept label", &FlowLocation::is_accept);
}

void Lowering::lower_label_claim(ir::Claim::Kind kind, const char* name) {
  ir::Claim& claim = open_claim(kind, name, {file_, 0, 0});
  const bool progress = kind == ir::Claim::Kind::non_progress;
  const std::uint32_t atom = label_atom(claim, name, progress ? &FlowLocation::is_progress : &FlowLocation::is_accept);
  (progress ? claim.progress : claim.acceptance) = atom;
}

bool Lowering::has_labels(bool FlowLocation::*label) const {
  return std::ranges::any_of(slots_, [&](const Slot& slot) {
    return std::ranges::any_of(slot.graph->locations, [&](const FlowLocation& place) { return place.*label; });
  });
}

// Some process is at a control point with such a label.
const ir::Expr* Lowering::is_at_label(bool FlowLocation::*label, SourceRange range) {
  const ir::Expr* some = truth(false, range);
  for (const Slot& slot : slots_)
    for (std::uint32_t k = 0; k < slot.graph->locations.size(); ++k)
      if (slot.graph->locations[k].*label) some = either(some, is_at(slot, k, range));
  return some;
}

std::uint32_t Lowering::label_atom(ir::Claim& claim, const char* name, bool FlowLocation::*label) {
  const SourceRange nowhere{file_, 0, 0};
  return add_atom(claim, name, nowhere, [&] { return is_at_label(label, nowhere); });
}

}  // namespace fathom::promela
