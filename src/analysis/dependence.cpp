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

}  // namespace

Dependence::Dependence(const ir::Program& program, const Cells& cells, const CellFacts& known,
                       const std::vector<bool>& watched)
    : actions_(program, cells, known, watched), cell_count_(cells.size()) {
  find_users();
  const std::vector<Action>& all = actions_.all();
  for (std::uint32_t k = 0; k < all.size(); ++k) {
    BitSet& row = conflicts_.emplace_back(conflicts_of(all[k]));
    row.reset(k);
    const BitSet candidates = row;
    candidates.for_each([&](std::size_t other) {
      if (exclude_each_other(all[k], all[other])) row.reset(other);
    });
    add_enabling(all[k]);
  }
}

void Dependence::find_users() {
  const std::vector<Action>& all = actions_.all();
  for (std::vector<BitSet>* users : {&readers_, &writers_, &appenders_, &takers_})
    users->assign(cell_count_, BitSet(all.size()));
  for (std::uint32_t k = 0; k < all.size(); ++k) {
    all[k].plain_reads.for_each([&](std::size_t cell) { readers_[cell].set(k); });
    all[k].plain_writes.for_each([&](std::size_t cell) { writers_[cell].set(k); });
    if (!all[k].queue) continue;
    auto& users = *all[k].queue == ir::QueueUse::Kind::append ? appenders_ : takers_;
    all[k].queue_cells.for_each([&](std::size_t cell) { users[cell].set(k); });
  }
}

BitSet Dependence::conflicts_of(const Action& action) const {
  BitSet result(actions_.all().size());
  action.plain_writes.for_each([&](std::size_t cell) {
    for (const auto* users : {&readers_, &writers_, &appenders_, &takers_}) result |= (*users)[cell];
  });
  action.plain_reads.for_each([&](std::size_t cell) {
    for (const auto* users : {&writers_, &appenders_, &takers_}) result |= (*users)[cell];
  });
  if (!action.queue) return result;
  const auto& same_end = *action.queue == ir::QueueUse::Kind::append ? appenders_ : takers_;
  action.queue_cells.for_each([&](std::size_t cell) {
    for (const auto* users : {&readers_, &writers_, &same_end}) result |= (*users)[cell];
  });
  return result;
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
BitSet Dependence::enabling_conjunct(const Condition& guard, std::size_t position) const {
  const Conjunct& conjunct = guard[position];
  BitSet result(actions_.all().size());
  if (conjunct.timeout) return result;
  result = conjunct.test ? enabling_test(*conjunct.test) : writers_of(conjunct.reads);
  if (conjunct.at_front_of_queue) {
    BitSet only_append = appenders_[conjunct.test->cell];
    only_append.subtract(writers_[conjunct.test->cell]);
    result.subtract(only_append);
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
  return result;
}

void Dependence::add_enabling(const Action& action) {
  std::vector<std::uint32_t>& numbers = enabling_.emplace_back();
  for (std::size_t k = 0; k < action.guard.size(); ++k)
    numbers.push_back(number_of(enabling_conjunct(action.guard, k)));
  numbers.push_back(number_of(writers_of(action.guard_reads)));
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
