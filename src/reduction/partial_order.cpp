#include "reduction/partial_order.hpp"

#include <algorithm>

#include "model/defined_cells.hpp"
#include "model/macro_steps.hpp"

namespace fathom {

namespace {

// After this many expansions at least one in `worthwhile` must have been reduced.
constexpr std::uint64_t trial = 20'000;
constexpr std::uint64_t worthwhile = 33;

}  // namespace

PartialOrder::PartialOrder(const ir::Program& program, const std::vector<bool>& selected)
    : program_(program),
      has_macro_steps_(ir::has_macro_steps(program)),
      cells_(program),
      defined_(defined_cells_of(program, cells_)),
      watched_(watched_properties(selected)),
      steady_(find_steady_cells(program, cells_)),
      general_(make_tables({}, {})),
      is_changer_(program.edges().size()) {
  for (const std::uint32_t edge : steady_.changers) is_changer_[edge] = true;
  find_visible(selected);
}

// Watches look for one value of their condition only, so what can change an atom is told by its cells alone.
void PartialOrder::find_visible(const std::vector<bool>& selected) {
  const Actions& actions = general_.dependence->actions();
  is_visible_.assign(actions.all().size(), false);
  BitSet atoms(cells_.size());
  const TouchFinder finder(program_, cells_, {{}, defined_});
  bool any = false;
  for (std::size_t k = 0; k < program_.properties.size(); ++k) {
    const ir::Property& property = *program_.properties[k];
    if (property.kind != ir::Property::Kind::atom || !selected[k]) continue;
    any = true;
    const Touches touches = finder.of(*property.condition, {});
    if (touches.unfollowed) is_visible_.assign(actions.all().size(), true);
    atoms |= touches.reads;
  }
  if (!any) return;
  for (std::size_t k = 0; k < actions.steps(); ++k) {
    const Touches& touches = actions.all()[k].touches;
    if (touches.unfollowed || touches.writes.intersects(atoms)) is_visible_[k] = true;
  }
}

std::string PartialOrder::refusal() const {
  const std::string reason = why_not_reducible(program_);
  return reason.empty() ? general_.dependence->actions().refusal() : reason;
}

// Every condition is evaluated in every state, so one that was not selected can still go wrong.
std::vector<bool> PartialOrder::watched_properties(const std::vector<bool>& selected) const {
  const TouchFinder finder(program_, cells_, {{}, defined_});
  std::vector<bool> watched;
  for (std::size_t k = 0; k < program_.properties.size(); ++k) {
    const ir::Property& property = *program_.properties[k];
    const bool evaluated = property.kind == ir::Property::Kind::invariant || property.kind == ir::Property::Kind::cover;
    const bool is_atom = property.kind == ir::Property::Kind::atom && selected[k];
    watched.push_back(is_atom || (evaluated && property.condition != nullptr &&
                                  (selected[k] || finder.may_fault(*property.condition, {}))));
  }
  return watched;
}

// The tables hold as long as no changer is taken, so every set contains all of them.
PartialOrder::Tables PartialOrder::make_tables(std::map<std::uint32_t, std::int64_t> values,
                                               const std::vector<std::uint32_t>& changers) const {
  Tables tables;
  const CellFacts known{std::move(values), defined_};
  tables.dependence = std::make_unique<Dependence>(program_, cells_, known, watched_);
  const Actions& actions = tables.dependence->actions();
  BitSet always(actions.all().size());
  const std::vector<const ir::Edge*> edges = program_.edges();
  for (const std::uint32_t edge : changers)
    for (std::uint64_t k = 0; k < edges[edge]->instances(); ++k)
      always.set(actions.number(edge, static_cast<std::uint32_t>(k)));
  tables.sets = std::make_unique<StubbornSets>(program_, cells_, *tables.dependence, std::move(always));
  return tables;
}

StubbornSets& PartialOrder::sets_for(StateView state) {
  if (steady_.cells.empty() || creates_) return *general_.sets;
  values_.clear();
  for (const std::uint32_t cell : steady_.cells) values_.push_back(cells_[cell].value(state));
  auto found = tables_.find(values_);
  if (found == tables_.end()) {
    if (tables_.size() == max_tables) return *general_.sets;
    std::map<std::uint32_t, std::int64_t> known;
    for (std::size_t k = 0; k < values_.size(); ++k) known[steady_.cells[k]] = values_[k];
    found = tables_.emplace(values_, make_tables(std::move(known), steady_.changers)).first;
  }
  return *found->second.sets;
}

// False where some step goes wrong already, or is only possible because nothing else is.
bool PartialOrder::find_actions(const Batch& steps, std::uint32_t first, std::uint32_t end) {
  const Actions& actions = general_.dependence->actions();
  actions_.clear();
  creates_ = false;
  for (std::uint32_t k = first; k < end; ++k) {
    if (!steps.outcome(k).has_successor()) return false;
    InstanceId step = steps.instance(k);
    if (has_macro_steps_) step = MacroSteps::first_micro_step(step);
    actions_.push_back(actions.number(edge_of(step), parameters_of(step)));
    if (actions.all()[actions_.back()].waits_for_timeout) return false;
    creates_ = creates_ || is_changer_[edge_of(step)];
  }
  return true;
}

bool PartialOrder::select(StateView state, const Batch& steps, std::uint32_t first, std::uint32_t end,
                          std::vector<std::uint32_t>& chosen) {
  ++asked_;
  if (end - first < 2 || !find_actions(steps, first, end)) return false;
  if (!sets_for(state).find(state, actions_, kept_)) return false;
  chosen.clear();
  for (std::uint32_t k = first; k < end; ++k) {
    if (!kept_[k - first]) continue;
    if (is_visible_[actions_[k - first]]) return false;
    chosen.push_back(k);
  }
  ++reduced_;
  return true;
}

bool PartialOrder::pays() {
  return asked_ < trial || reduced_ * worthwhile >= asked_;
}

}  // namespace fathom
