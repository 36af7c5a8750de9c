#include "analysis/dependence.hpp"

#include <algorithm>

namespace fathom {

namespace {

// Two lists of facts that give one cell different values.
bool exclude_each_other(const Action& a, const Action& b) {
  auto x = a.facts.begin();
  auto y = b.facts.begin();
  while (x != a.facts.end() && y != b.facts.end()) {
    if (x->first == y->first && x->second != y->second) return true;
    if (x->first < y->first)
      ++x;
    else
      ++y;
  }
  return false;
}

// How many sets of conflicts are kept for steps with parts.
constexpr std::size_t max_rows = 8192;

}  // namespace

Dependence::Dependence(const ir::Program& program, const Cells& cells, const CellFacts& known,
                       const std::vector<bool>& watched)
    : actions_(program, cells, known, watched),
      cell_count_(cells.size()),
      conflicts_(actions_.steps()),
      spare_rows_(max_rows) {
  find_users();
  for (std::uint32_t step = 0; step < actions_.steps(); ++step)
    if (!actions_.all()[step].splits.empty()) split_.push_back(step);
  for (const Action& action : actions_.all()) add_enabling(action);
}

void Dependence::find_users() {
  for (std::vector<BitSet>* users : {&writers_, &appenders_, &takers_, &strict_readers_, &testers_})
    users->assign(cell_count_, BitSet(actions_.all().size()));
  for (std::uint32_t k = 0; k < actions_.all().size(); ++k) add_user(k);
}

void Dependence::add_user(std::uint32_t number) {
  const Action& action = actions_.all()[number];
  action.plain_writes.for_each([&](std::size_t cell) { writers_[cell].set(number); });
  action.strict_reads.for_each([&](std::size_t cell) { strict_readers_[cell].set(number); });
  for (const CellTest& test : action.tests) testers_[test.cell].set(number);
  action.appends.for_each([&](std::size_t cell) { appenders_[cell].set(number); });
  action.takes.for_each([&](std::size_t cell) { takers_[cell].set(number); });
}

// A step that is split has many faces, but in a state only one of them. Beyond a number of tables all are taken for
// one.
const BitSet& Dependence::conflicts(std::uint32_t step, std::span<const std::uint64_t> state) {
  const Action& action = actions_.all()[step];
  std::vector<std::unique_ptr<BitSet>>& rows = conflicts_[step];
  const std::size_t number = 1 + actions_.values_in(action, state);
  const bool exact = !action.splits.empty() && (spare_rows_ > 0 || (number < rows.size() && rows[number] != nullptr));
  const std::size_t at = exact ? number : 0;
  if (at >= rows.size()) rows.resize(at + 1);
  if (rows[at] != nullptr) return *rows[at];
  if (exact) --spare_rows_;
  rows[at] = std::make_unique<BitSet>(conflicts_of(exact ? actions_.exactly(step, state) : action));
  return *rows[at];
}

BitSet Dependence::conflicts_of(const Action& action) const {
  const std::vector<Action>& all = actions_.all();
  BitSet result(all.size());
  action.plain_writes.for_each([&](std::size_t cell) {
    for (const auto* users : {&strict_readers_, &writers_, &appenders_, &takers_}) result |= (*users)[cell];
    add_disabled(action, cell, result);
  });
  action.strict_reads.for_each([&](std::size_t cell) {
    for (const auto* users : {&writers_, &appenders_, &takers_}) result |= (*users)[cell];
  });
  for (const CellTest& test : action.tests) add_disabling(test, result);
  const auto add_same_end = [&](std::size_t cell, const std::vector<BitSet>& same_end) {
    for (const auto* users : {&strict_readers_, &writers_, &same_end}) result |= (*users)[cell];
    add_disabled(action, cell, result);
  };
  action.appends.for_each([&](std::size_t cell) { add_same_end(cell, appenders_); });
  action.takes.for_each([&](std::size_t cell) { add_same_end(cell, takers_); });
  const BitSet candidates = result;
  candidates.for_each([&](std::size_t other) {
    if (all[other].whole == action.whole || exclude_each_other(action, all[other])) result.reset(other);
  });
  prefer_parts(result);
  return result;
}

// Adds those that may become impossible when the action writes the cell.
void Dependence::add_disabled(const Action& writer, std::size_t cell, BitSet& result) const {
  const auto written = writer.touches.written.find(static_cast<std::uint32_t>(cell));
  testers_[cell].for_each([&](std::size_t other) {
    for (const CellTest& test : actions_.all()[other].tests)
      if (test.cell == cell && (written == writer.touches.written.end() || test.can_be_made_false_by(written->second)))
        result.set(other);
  });
}

void Dependence::add_disabling(const CellTest& test, BitSet& result) const {
  BitSet cell(cell_count_);
  cell.set(test.cell);
  writers_of(cell).for_each([&](std::size_t other) {
    const auto& written = actions_.all()[other].touches.written;
    const auto what = written.find(test.cell);
    if (what == written.end() || test.can_be_made_false_by(what->second)) result.set(other);
  });
}

// An action stands for all of its parts. Where some cell leaves fewer than all of them, these are enough.
void Dependence::prefer_parts(BitSet& set) const {
  for (const std::uint32_t step : split_) {
    const Split* best = nullptr;
    std::uint32_t fewest = 1, of = 1;  // the smallest share of the parts
    for (const Split& split : actions_.all()[step].splits) {
      std::uint32_t count = 0;
      for (std::uint32_t k = 0; k < split.codes; ++k) count += set.test(split.first_part + k) ? 1 : 0;
      if (count * of >= fewest * split.codes) continue;
      fewest = count;
      of = split.codes;
      best = &split;
    }
    const bool needed = set.test(step);
    for (const Split& split : actions_.all()[step].splits)
      for (std::uint32_t k = 0; k < split.codes && (&split != best || !needed); ++k) set.reset(split.first_part + k);
    if (best != nullptr) set.reset(step);
  }
}

BitSet Dependence::writers_of(const BitSet& cells) const {
  BitSet result(actions_.all().size());
  cells.for_each([&](std::size_t cell) {
    for (const auto* users : {&writers_, &appenders_, &takers_}) result |= (*users)[cell];
  });
  return result;
}

BitSet Dependence::enabling_test(const CellTest& test) const {
  BitSet cell(cell_count_);
  cell.set(test.cell);
  BitSet result = writers_of(cell);
  const BitSet candidates = result;
  candidates.for_each([&](std::size_t action) {
    const auto& written = actions_.all()[action].touches.written;
    const auto what = written.find(test.cell);
    if (what == written.end() || !test.can_be_made_true_by(what->second)) result.reset(action);
  });
  return result;
}

// An earlier conjunct that comes to fail in a fault makes the guard as a whole go wrong. While the action is in a state
// in which the program is not stuck, nothing but an action that is possible can make it stuck, so `timeout` is left to
// those: a stubborn set has one of them.
BitSet Dependence::enabling_conjunct(const Action& action, std::size_t position) const {
  const Condition& guard = action.guard;
  const Conjunct& conjunct = guard[position];
  BitSet result(actions_.all().size());
  if (conjunct.timeout) return result;
  result = conjunct.test ? enabling_test(*conjunct.test) : writers_of(conjunct.reads);
  if (conjunct.at_front_of_queue) {
    BitSet only_append = appenders_[conjunct.test->cell];
    only_append.subtract(writers_[conjunct.test->cell]);
    result.subtract(only_append);
  }
  if (const auto found = action.alternatives.find(position); found != action.alternatives.end()) {
    result.clear();
    for (const std::uint32_t alternative : found->second) result.set(alternative);
  }
  for (std::size_t k = 0; k < position; ++k) {
    if (!guard[k].may_fault) continue;
    if (guard[k].test) {
      CellTest undefined = *guard[k].test;
      undefined.relation = CellTest::Relation::equal;
      undefined.value = ir::undefined;
      result |= enabling_test(undefined);
    } else {
      result |= writers_of(guard[k].reads);
    }
  }
  prefer_parts(result);
  return result;
}

void Dependence::add_enabling(const Action& action) {
  std::vector<std::uint32_t>& numbers = enabling_.emplace_back();
  for (std::size_t k = 0; k < action.guard.size(); ++k) numbers.push_back(number_of(enabling_conjunct(action, k)));
  BitSet any = writers_of(action.guard_reads);
  prefer_parts(any);
  numbers.push_back(number_of(std::move(any)));
}

std::uint32_t Dependence::number_of(BitSet set) {
  const auto [found, fresh] = numbers_.try_emplace(set, static_cast<std::uint32_t>(sets_.size()));
  if (fresh) sets_.push_back(std::move(set));
  return found->second;
}

std::string why_not_reducible(const ir::Program& program) {
  const std::vector<const ir::Edge*> edges = program.edges();
  const auto other_priority = [&](const ir::Edge* edge) { return edge->priority != edges.front()->priority; };
  if (std::ranges::any_of(edges, other_priority))
    return "steps have priorities, so that whether one may be taken depends on all others";
  const auto assumes = [](const ir::Stmt& stmt) { return stmt.kind == ir::Stmt::Kind::assume; };
  const auto is_assumption = [](const auto& property) { return property->kind == ir::Property::Kind::assumption; };
  if (std::ranges::any_of(program.stmts, assumes) || std::ranges::any_of(program.properties, is_assumption))
    return "assumptions drop states, and with them the other orders of the steps that lead there";
  if (program.user_code != nullptr) return "C code of the model's own can read and write everything";
  return "";
}

}  // namespace fathom
