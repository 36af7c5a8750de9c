// An open list that asks several rules which entry is next. One estimate alone leads into plateaus and dead valleys;
// rules that know nothing of it lead out of them again. Each entry is in the queues of all rules and leaves by the one
// whose turn it is:
//
// - alternation: the rules take turns, one queue per evaluator (Röger, Helmert: The More, the Merrier, ICAPS 2010);
// - type-based: one of the rules takes a state of a random type, a type being a cost and an estimate (Xie, Müller,
//   Holte, Imai: Type-based Exploration with Multiple Search Queues, AAAI 2014);
// - epsilon-greedy: now and then a random entry comes first (Valenzano, Sturtevant, Schaeffer, Xie, ICAPS 2014).
#pragma once

#include <map>
#include <memory>
#include <random>
#include <utility>
#include <vector>

#include "open/bucket_list.hpp"
#include "open/open_list.hpp"
#include "support/plain_list.hpp"

namespace fathom {

using Slot = std::uint32_t;  // the number of an entry of a mixed list

template <CostAlgebra A>
class SelectionRule {
 public:
  virtual ~SelectionRule() = default;
  virtual void push(const Standing<A>& standing, Slot slot) = 0;
  virtual Slot pop() = 0;
  [[nodiscard]] virtual std::uint64_t bytes() const = 0;
};

// The lowest of one estimate.
template <CostAlgebra A>
class ByEstimate final : public SelectionRule<A> {
 public:
  explicit ByEstimate(std::size_t evaluator) : evaluator_(evaluator) {}
  void push(const Standing<A>& standing, Slot slot) override { list_.push(standing.estimates[evaluator_], slot); }
  Slot pop() override { return list_.pop(); }
  [[nodiscard]] std::uint64_t bytes() const override { return list_.bytes(); }

 private:
  std::size_t evaluator_;
  BucketList<Slot> list_;
};

// A random entry of a random type. With `one_type`, all are of the same: a random entry.
template <CostAlgebra A>
class ByType final : public SelectionRule<A> {
 public:
  ByType(bool one_type, std::uint64_t seed) : one_type_(one_type), random_(seed) {}

  void push(const Standing<A>& standing, Slot slot) override {
    const Type type = one_type_ ? Type{} : Type{standing.cost, standing.estimates.front()};
    const auto [known, fresh] = numbers_.try_emplace(type, types_.size());
    if (fresh) types_.push_back({type, {}});
    types_[known->second].slots.push_back(slot);
    ++size_;
  }

  Slot pop() override {
    const std::size_t number = random_() % types_.size();
    PlainList<Slot>& slots = types_[number].slots;
    std::swap(slots[random_() % slots.size()], slots.back());
    const Slot slot = slots.back();
    slots.pop_back();
    --size_;
    if (slots.empty()) forget(number);
    return slot;
  }

  [[nodiscard]] std::uint64_t bytes() const override {
    return size_ * sizeof(Slot) + types_.size() * (sizeof(OfType) + 8 * sizeof(void*));
  }

 private:
  using Type = std::pair<typename A::Value, std::uint32_t>;
  struct OfType {
    Type type;
    PlainList<Slot> slots;
  };

  void forget(std::size_t number) {
    numbers_.erase(types_[number].type);
    if (number + 1 < types_.size()) {
      types_[number] = std::move(types_.back());
      numbers_[types_[number].type] = number;
    }
    types_.pop_back();
  }

  const bool one_type_;
  std::mt19937_64 random_;
  std::map<Type, std::size_t> numbers_;
  std::vector<OfType> types_;
  std::uint64_t size_ = 0;
};

template <CostAlgebra A, class Entry>
class MixedList final : public OpenList<A, Entry> {
 public:
  using Rules = std::vector<std::unique_ptr<SelectionRule<A>>>;

  // The rules take turns.
  explicit MixedList(Rules rules) : rules_(std::move(rules)) {}
  // The second of two rules has its turn with this probability.
  MixedList(Rules rules, double probability, std::uint64_t seed)
      : rules_(std::move(rules)), probability_(probability), random_(seed) {}

  void push(const Standing<A>& standing, Entry entry) override {
    const Slot slot = place(entry);
    for (const auto& rule : rules_) rule->push(standing, slot);
    ++size_;
  }

  // What another rule has taken already is passed over.
  Entry pop() override {
    SelectionRule<A>& rule = *rules_[next_rule()];
    for (;;) {
      const Slot slot = rule.pop();
      Item& item = items_[slot];
      const bool taken = std::exchange(item.taken, true);
      if (--item.queues == 0) free_.push_back(slot);
      if (taken) continue;
      --size_;
      return item.entry;
    }
  }

  [[nodiscard]] std::uint64_t size() const override { return size_; }
  [[nodiscard]] std::uint64_t bytes() const override {
    std::uint64_t total = items_.bytes() + free_.bytes();
    for (const auto& rule : rules_) total += rule->bytes();
    return total;
  }

 private:
  struct Item {
    Entry entry;
    std::uint8_t queues;  // in which it still is
    bool taken;
  };

  Slot place(Entry entry) {
    const Item item{entry, static_cast<std::uint8_t>(rules_.size()), false};
    if (free_.empty()) {
      items_.push_back(item);
      return static_cast<Slot>(items_.size() - 1);
    }
    const Slot slot = free_.back();
    free_.pop_back();
    items_[slot] = item;
    return slot;
  }

  std::size_t next_rule() {
    if (probability_ == 0) return turn_++ % rules_.size();
    return std::uniform_real_distribution<double>()(random_) < probability_ ? 1 : 0;
  }

  Rules rules_;
  double probability_ = 0;
  std::mt19937_64 random_;
  std::size_t turn_ = 0;
  PlainList<Item> items_;
  PlainList<Slot> free_;
  std::uint64_t size_ = 0;
};

}  // namespace fathom
