#include "reduction/partial_order.hpp"

#include <algorithm>

#include "model/defined_cells.hpp"
#include "model/macro_steps.hpp"
#include "support/sealed_file.hpp"

namespace fathom {

namespace {

// After this many expansions it must have turned out that the reduction is worth its time: of each hundred steps it
// leaves out so many at least, and more where many actions have to be looked at for each state.
constexpr std::uint64_t trial = 20'000;
constexpr std::uint64_t least_share = 2;
constexpr std::uint64_t actions_per_share = 20;

}  // namespace

PartialOrder::PartialOrder(const ir::Program& program, const std::vector<bool>& selected)
    : program_(program),
      has_macro_steps_(ir::has_macro_steps(program)),
      cells_(program),
      defined_(defined_cells_of(program, cells_)),
      selected_(selected),
      watched_(watched_properties()),
      has_atoms_(has_atoms()),
      steady_(find_steady_cells(program, cells_)),
      general_(make_tables({}, {})),
      is_changer_(program.edges().size()),
      is_removal_(removals()) {
  for (const std::uint32_t edge : steady_.changers) is_changer_[edge] = true;
}

// Watches look for one value of their condition only, so what can change an atom is told by its cells alone.
BitSet PartialOrder::visible_actions(const Actions& actions, const CellFacts& known) const {
  BitSet visible(actions.all().size());
  BitSet atoms(cells_.size());
  const TouchFinder finder(program_, cells_, known);
  bool everything = false;
  for (std::size_t k = 0; k < program_.properties.size(); ++k) {
    const ir::Property& property = *program_.properties[k];
    if (property.kind != ir::Property::Kind::atom || !selected_[k]) continue;
    const Touches touches = finder.of(*property.condition, {});
    everything |= touches.unfollowed;
    atoms |= touches.reads;
  }
  for (std::size_t k = 0; k < actions.steps(); ++k) {
    const Touches& touches = actions.all()[k].touches;
    if (everything || touches.writes.intersects(atoms)) visible.set(k);
  }
  return visible;
}

std::string PartialOrder::refusal() const {
  const std::string reason = why_not_reducible(program_);
  return reason.empty() ? general_.dependence->actions().refusal() : reason;
}

// Every condition is evaluated in every state, so one that was not selected can still go wrong.
std::vector<bool> PartialOrder::watched_properties() const {
  const TouchFinder finder(program_, cells_, {{}, defined_});
  std::vector<bool> watched;
  for (std::size_t k = 0; k < program_.properties.size(); ++k) {
    const ir::Property& property = *program_.properties[k];
    const bool evaluated = property.kind == ir::Property::Kind::invariant || property.kind == ir::Property::Kind::cover;
    const bool is_atom = property.kind == ir::Property::Kind::atom && selected_[k];
    watched.push_back(is_atom || (evaluated && property.condition != nullptr &&
                                  (selected_[k] || finder.may_fault(*property.condition, {}))));
  }
  return watched;
}

bool PartialOrder::has_atoms() const {
  for (std::size_t k = 0; k < program_.properties.size(); ++k)
    if (selected_[k] && program_.properties[k]->kind == ir::Property::Kind::atom) return true;
  return false;
}

// The tables hold as long as no changer is taken, so every set contains all of them.
PartialOrder::Tables PartialOrder::make_tables(CellValues values, const std::vector<std::uint32_t>& changers) const {
  Tables tables;
  const CellFacts known{std::move(values), defined_};
  tables.dependence = std::make_unique<Dependence>(program_, cells_, known, watched_);
  const Actions& actions = tables.dependence->actions();
  BitSet always(actions.all().size());
  const std::vector<const ir::Edge*> edges = program_.edges();
  for (const std::uint32_t edge : changers)
    for (std::uint64_t k = 0; k < edges[edge]->instances(); ++k)
      always.set(actions.number(edge, static_cast<std::uint32_t>(k)));
  tables.sets = std::make_unique<StubbornSets>(program_, cells_, *tables.dependence, std::move(always),
                                               visible_actions(actions, known));
  return tables;
}

const PartialOrder::Tables& PartialOrder::add_tables(const Values& values) {
  CellValues known;
  for (std::size_t k = 0; k < values.size(); ++k) known[steady_.cells[k]] = values[k];
  return tables_.emplace(values, make_tables(std::move(known), steady_.changers)).first->second;
}

// Which valuations have tables is decided when they are met for the first time, and for good.
const PartialOrder::Tables& PartialOrder::tables_for(StateView state) {
  if (steady_.cells.empty() || creates_) return general_;
  values_.clear();
  for (const std::uint32_t cell : steady_.cells) values_.push_back(cells_[cell].value(state));
  if (last_tables_ != nullptr && values_ == last_values_) return *last_tables_;
  const auto found = tables_.find(values_);
  if (found == tables_.end() && tables_.size() == max_tables) return general_;
  last_tables_ = found == tables_.end() ? &add_tables(values_) : &found->second;
  last_values_ = values_;
  return *last_tables_;
}

void PartialOrder::write(SealedWriter& out) const {
  out.number(tables_.size());
  for (const auto& [values, tables] : tables_) out.list({values.begin(), values.end()});
}

void PartialOrder::read(SealedReader& in) {
  for (std::uint64_t left = in.number(); left > 0; --left) {
    const std::vector<std::uint64_t> values = in.list();
    add_tables({values.begin(), values.end()});
  }
}

// False where some step goes wrong already.
bool PartialOrder::find_steps(const Batch& steps, std::uint32_t first, std::uint32_t end) {
  steps_.clear();
  creates_ = false;
  for (std::uint32_t k = first; k < end; ++k) {
    if (!steps.outcome(k).has_successor()) return false;
    const InstanceId step = steps.instance(k);
    steps_.push_back(has_macro_steps_ ? MacroSteps::first_micro_step(step) : step);
    creates_ = creates_ || is_changer_[edge_of(steps_.back())];
  }
  return true;
}

// Nobody but a step that creates a process notices.
std::vector<bool> PartialOrder::removals() const {
  std::vector<bool> result;
  if (program_.anonymous_count == nullptr) return result;
  for (const ir::Component& component : program_.components)
    for (const auto& edge : component.edges) result.push_back(removes(component, *edge));
  return result;
}

bool PartialOrder::removes(const ir::Component& component, const ir::Edge& edge) const {
  if (component.location == nullptr || edge.control != ir::Control::release || !edge.participants.empty()) return false;
  const Touches touches = TouchFinder(program_, cells_, {{}, defined_}).of(edge.routine.body, {});
  const auto found = touches.written.find(*cells_.at(component.location->offset));
  return !touches.unfollowed && found != touches.written.end() && !found->second.anything &&
         found->second.values == std::vector{ir::undefined};
}

void PartialOrder::remove_ended(bool wanted) {
  removes_ended_ = wanted && std::ranges::count(is_removal_, true) > 0;
}

std::uint64_t PartialOrder::processes(StateView state) const {
  return static_cast<std::uint64_t>(cells_[*cells_.at(program_.anonymous_count->offset)].value(state));
}

// Only the youngest process can go, so there is one such step at most.
bool PartialOrder::select_removal(std::uint32_t first, std::vector<std::uint32_t>& chosen) const {
  if (!removes_ended_) return false;
  const auto found = std::ranges::find_if(steps_, [this](InstanceId step) { return is_removal_[edge_of(step)]; });
  if (found == steps_.end()) return false;
  chosen.assign(1, first + static_cast<std::uint32_t>(found - steps_.begin()));
  return true;
}

// False where some step is only possible because nothing else is.
bool PartialOrder::find_actions(const Actions& actions) {
  actions_.clear();
  for (const InstanceId step : steps_) {
    actions_.push_back(actions.number(edge_of(step), parameters_of(step)));
    if (actions.all()[actions_.back()].waits_for_timeout) return false;
  }
  return true;
}

// A run that stays where it is for ever is one that an atom may tell from others.
void PartialOrder::find_idle(StateView state, const Batch& steps, std::uint32_t first, std::uint32_t end) {
  idle_.assign(end - first, false);
  if (has_atoms_) return;
  for (std::uint32_t k = first; k < end; ++k) idle_[k - first] = std::ranges::equal(state, steps.state(k));
}

bool PartialOrder::select(StateView state, const Batch& steps, std::uint32_t first, std::uint32_t end,
                          std::vector<std::uint32_t>& chosen) {
  ++asked_;
  offered_ += end - first;
  if (end - first < 2 || !find_steps(steps, first, end)) return false;
  if (select_removal(first, chosen)) {
    left_out_ += end - first - 1;
    return true;
  }
  const Tables& tables = tables_for(state);
  if (!find_actions(tables.dependence->actions())) return false;
  const std::uint64_t before = tables.sets->effort();
  find_idle(state, steps, first, end);
  const bool found = tables.sets->find(state, actions_, idle_, kept_);
  effort_ += tables.sets->effort() - before;
  if (!found) return false;
  chosen.clear();
  for (std::uint32_t k = first; k < end; ++k)
    if (kept_[k - first]) chosen.push_back(k);
  left_out_ += end - first - chosen.size();
  return true;
}

bool PartialOrder::pays() {
  if (asked_ < trial) return true;
  const std::uint64_t share = least_share + effort_ / asked_ / actions_per_share;
  return left_out_ * 100 >= offered_ * share;
}

void PartialOrderOnDemand::write(SealedWriter& out) const {
  if (reduction_ != nullptr)
    reduction_->write(out);
  else
    out.number(0);
}

void PartialOrderOnDemand::read(SealedReader& in) {
  static_cast<void>(is_sound());
  reduction_->read(in);
}

bool PartialOrderOnDemand::is_sound() {
  if (reduction_ == nullptr && !refused_) {
    reduction_ = std::make_unique<PartialOrder>(program_, selected_);
    refused_ = !reduction_->refusal().empty();
  }
  return !refused_;
}

}  // namespace fathom
