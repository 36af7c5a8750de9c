#include "heuristic/projected_steps.hpp"

#include <algorithm>
#include <bit>

#include "state/bits.h"

namespace fathom {

// ---- Keys -----------------------------------------------------------------------------------------------------------

std::size_t KeyNumbers::slot_of(std::uint64_t key) const {
  std::uint64_t hash = key * 0x9e3779b97f4a7c15U;
  hash ^= hash >> 29;
  std::size_t slot = hash & (slots_.size() - 1);
  while (slots_[slot] != none && keys_[slots_[slot]] != key) slot = (slot + 1) & (slots_.size() - 1);
  return slot;
}

void KeyNumbers::grow() {
  slots_.assign(slots_.size() * 2, none);
  for (std::uint32_t number = 0; number < keys_.size(); ++number) slots_[slot_of(keys_[number])] = number;
}

std::pair<std::uint32_t, bool> KeyNumbers::add(std::uint64_t key) {
  if (keys_.size() * 2 >= slots_.size()) grow();
  const std::size_t slot = slot_of(key);
  if (slots_[slot] != none) return {slots_[slot], false};
  slots_[slot] = static_cast<std::uint32_t>(keys_.size());
  keys_.push_back(key);
  return {slots_[slot], true};
}

std::uint32_t KeyNumbers::find(std::uint64_t key) const {
  return slots_[slot_of(key)];
}

bool Projection::has_room_for(const Cells& cells, std::uint32_t cell) const {
  return bits() + cells[cell].type->bits <= max_key_bits;
}

void Projection::add(const Cells& cells, std::uint32_t cell) {
  fields_.push_back({cell, cells[cell].offset, cells[cell].type->bits, bits()});
}

void Projection::remove_last() {
  fields_.pop_back();
}

const Projection::Field* Projection::field_of(std::uint32_t cell) const {
  const auto found = std::ranges::find(fields_, cell, &Field::cell);
  return found == fields_.end() ? nullptr : &*found;
}

std::uint64_t Projection::key_of(StateView state) const {
  std::uint64_t key = 0;
  for (const Field& field : fields_) key |= fathom_get(state.data(), field.offset, field.bits) << field.shift;
  return key;
}

void ByPlace::add(const PlaceInKey& place, std::uint32_t thing) {
  if (place.mask == 0) {
    anywhere_.push_back(thing);
    return;
  }
  auto process = std::ranges::find(processes_, place.mask, &Process::mask);
  if (process == processes_.end()) process = processes_.insert(process, {place.mask});
  const std::uint64_t code = place.code >> std::countr_zero(place.mask);
  if (code >= process->things.size()) process->things.resize(code + 1);
  process->things[code].push_back(thing);
}

// ---- Questions, and what was answered -------------------------------------------------------------------------------

ProjectedSteps::ProjectedSteps(MaySteps& steps, const ModelFacts& facts, const std::vector<std::uint32_t>& blocked)
    : steps_(steps), facts_(facts), blocked_(blocked), places_(steps.instances().size()) {
  memos_.resize(steps.instances().size() + steps.state_violations().size() + blocked.size() + 1);
  for (Memo& memo : memos_) memo.looked_at = memo.written = BitSet(facts.cells.size());
  find_places();
}

void ProjectedSteps::add(std::uint32_t cell) {
  projection_.add(facts_.cells, cell);
  forget_what_concerns(cell);
  find_places();
}

void ProjectedSteps::remove_last() {
  const std::uint32_t cell = projection_.fields().back().cell;
  projection_.remove_last();
  forget_what_concerns(cell);
  find_places();
}

void ProjectedSteps::find_places() {
  for (std::uint32_t k = 0; k < places_.size(); ++k) {
    places_[k] = {};
    const auto place = steps_.place_of(steps_.instances()[k]);
    const Projection::Field* const field = place ? projection_.field_of(place->first) : nullptr;
    if (field != nullptr) places_[k] = {field->mask(), place->second << field->shift};
  }
  blocked_by_place_ = {};
  for (std::uint32_t k = 0; k < blocked_.size(); ++k) blocked_by_place_.add(places_[blocked_[k]], k);
}

void ProjectedSteps::forget_what_concerns(std::uint32_t cell) {
  for (Memo& memo : memos_) {
    if (memo.looked_at.test(cell) || memo.written.test(cell)) forget_effects(memo);
  }
}

void ProjectedSteps::forget_effects(Memo& memo) {
  memo.mask = mask_of(memo.looked_at);
  memo.contexts = {};
  memo.effects.clear();
  memo.number_of_last = KeyNumbers::none;
}

std::uint64_t ProjectedSteps::mask_of(const BitSet& cells) const {
  std::uint64_t mask = 0;
  for (const Projection::Field& field : projection_.fields())
    if (cells.test(field.cell)) mask |= field.mask();
  return mask;
}

template <class Ask>
const ProjectedSteps::Effect& ProjectedSteps::recall(Memo& memo, std::uint64_t key, Ask ask) {
  if (memo.number_of_last == KeyNumbers::none || memo.last != (key & memo.mask)) {
    memo.last = key & memo.mask;
    memo.number_of_last = memo.contexts.find(memo.last);
  }
  if (memo.number_of_last != KeyNumbers::none) return memo.effects[memo.number_of_last];
  if (ThreadClock::now() > deadline_) return anything_;
  Effect effect;
  load(key);
  steps_.watch();
  ask(effect);
  for (const std::uint32_t cell : steps_.looked_at()) memo.looked_at.set(cell);
  if (mask_of(memo.looked_at) != memo.mask) forget_effects(memo);
  memo.contexts.add(key & memo.mask);
  return memo.effects.emplace_back(std::move(effect));
}

void ProjectedSteps::load(std::uint64_t key) {
  steps_.forget_all();
  for (const Projection::Field& field : projection_.fields())
    steps_.know(field.cell, (key & field.mask()) >> field.shift);
}

const ProjectedSteps::Effect& ProjectedSteps::step(std::uint32_t instance, std::uint64_t key) {
  return recall(memos_[instance], key, [&](Effect& effect) { take(instance, effect); });
}

bool ProjectedSteps::may_violate(std::size_t violation, std::uint64_t key) {
  Memo& memo = memos_[steps_.instances().size() + violation];
  return recall(memo, key,
                [&](Effect& effect) { effect.fails = steps_.may_violate(steps_.state_violations()[violation]); })
      .fails;
}

// An instance that is surely possible is enough for the answer, and it looks at few cells.
bool ProjectedSteps::may_be_blocked(std::uint64_t key) {
  Memo* const memos = memos_.data() + steps_.instances().size() + steps_.state_violations().size();
  bool moves = false;
  blocked_by_place_.each_at(key, [&](std::uint32_t k) {
    if (moves) return;
    const MaySteps::Instance& instance = steps_.instances()[blocked_[k]];
    const auto ask = [&](Effect& effect) { effect.fails = !steps_.is_surely_possible(instance); };
    moves = !recall(memos[k], key, ask).fails;
  });
  if (moves) return false;
  return recall(memos_.back(), key, [&](Effect& effect) { effect.fails = steps_.may_be_blocked(blocked_); }).fails;
}

// ---- Steps ----------------------------------------------------------------------------------------------------------

void ProjectedSteps::take(std::uint32_t instance, Effect& effect) {
  bool lost = false;
  const MayStep step = steps_.take(steps_.instances()[instance], [&](const std::vector<CellSet>& cells) {
    lost = !add_results(cells, memos_[instance].written, effect.results) || lost;
  });
  effect.fails = step.fails;
  effect.unknown = step.unknown || lost;
  std::ranges::sort(effect.results);
  effect.results.erase(std::unique(effect.results.begin(), effect.results.end()), effect.results.end());
}

bool ProjectedSteps::codes_of(const CellSet& set, std::vector<std::uint64_t>& codes) {
  codes.clear();
  if (set.is_small()) {
    for (std::uint64_t left = set.codes(); left != 0; left &= left - 1)
      codes.push_back(static_cast<std::uint64_t>(std::countr_zero(left)));
    return true;
  }
  const ValueSet values = set.values();
  if (values.undefined) codes.push_back(0);
  if (!values.has_numbers()) return true;
  if (static_cast<std::uint64_t>(values.hi) - static_cast<std::uint64_t>(values.lo) >= max_results) return false;
  for (std::int64_t value = values.lo; value <= values.hi; ++value) codes.push_back(set.type()->code(value));
  return true;
}

// The states that agree with what a path has led to.
bool ProjectedSteps::add_results(const std::vector<CellSet>& cells, BitSet& all_written,
                                 std::vector<Result>& results) const {
  std::vector<const Projection::Field*> written;
  steps_.each_written([&](std::uint32_t cell) {
    all_written.set(cell);
    const Projection::Field* const field = projection_.field_of(cell);
    if (field != nullptr && std::ranges::count(written, field) == 0) written.push_back(field);
  });
  std::vector<Result> found{{}};
  std::vector<std::uint64_t> codes;
  for (const Projection::Field* field : written) {
    if (!codes_of(cells[field->cell], codes) || found.size() * codes.size() > max_results) return false;
    if (codes.empty()) return true;  // a path that cannot be
    const std::size_t before = found.size();
    for (std::size_t c = 1; c < codes.size(); ++c)
      for (std::size_t j = 0; j < before; ++j)
        found.push_back({found[j].written | field->mask(), found[j].values | (codes[c] << field->shift)});
    for (std::size_t j = 0; j < before; ++j) {
      found[j].written |= field->mask();
      found[j].values |= codes.front() << field->shift;
    }
  }
  results.insert(results.end(), found.begin(), found.end());
  return true;
}

}  // namespace fathom
