#include "analysis/marks.hpp"

#include <algorithm>
#include <set>

#include "analysis/rule_effects.hpp"

namespace fathom {

namespace {

class MarkFinder {
 public:
  MarkFinder(const ir::Program& program, const StartFacts& starts)
      : program_(program), starts_(starts), rules_(program), edges_(program.edges()) {
    for (const ir::Edge* edge : edges_) effects_.push_back(rules_.effects(*edge));
  }

  std::vector<std::uint32_t> find(const std::vector<bool>& selected) {
    std::vector<Requirement> wanted, lost;
    for (std::size_t k = 0; k < program_.properties.size(); ++k) {
      const ir::Property& property = *program_.properties[k];
      if (!selected[k] || property.condition == nullptr) continue;
      const bool sought = property.kind == ir::Property::Kind::cover || property.kind == ir::Property::Kind::liveness;
      if (property.kind == ir::Property::Kind::assumption) continue;
      for (const Requirement& requirement : rules_.requirements(*property.condition, sought))
        wanted.push_back(requirement);
      add_what_can_get_lost(rules_.sure_requirements(*property.condition, sought), lost);
    }
    const std::set<std::uint32_t> first = begin(strongest(wanted));
    for (const Requirement& requirement : lost) restore(requirement);
    follow();
    // In a model whose violations are one step away there is nothing else to mark.
    const std::set<std::uint32_t>& result = marked_.empty() ? first : marked_;
    return {result.begin(), result.end()};
  }

 private:
  using Kind = Requirement::Kind;

  // Values that must come about say most; where a property names none, values that must go; else whatever it reads.
  [[nodiscard]] std::vector<Requirement> strongest(const std::vector<Requirement>& wanted) const {
    for (const Kind kind : {Kind::equals, Kind::differs, Kind::unknown}) {
      std::vector<Requirement> some;
      for (const Requirement& requirement : wanted)
        if (requirement.kind == kind && !holds_at_start(requirement)) some.push_back(requirement);
      if (std::ranges::any_of(some, [&](const Requirement& one) { return !writers(one).empty(); })) return some;
    }
    return {};
  }

  [[nodiscard]] bool holds_at_start(const Requirement& requirement) const {
    if (requirement.kind != Kind::equals) return false;
    return std::ranges::any_of(starts_.states,
                               [&](const auto& state) { return requirement.part.has_value(state, requirement.value); });
  }

  // The rules that do what is wanted are marked; those that can be taken at any time are returned.
  std::set<std::uint32_t> begin(const std::vector<Requirement>& wanted) {
    std::set<std::uint32_t> first;
    seen_ = wanted;
    for (const Requirement& requirement : wanted)
      for (const std::uint32_t edge : writers(requirement)) {
        if (starts_.enabled[edge])
          first.insert(edge);
        else
          mark(edge);
      }
    return first;
  }

  // A violation may need something that a start state has together with something that it has not.
  void add_what_can_get_lost(const std::vector<Requirement>& needed, std::vector<Requirement>& lost) const {
    const auto is_there = [&](const Requirement& requirement) { return holds_at_start(requirement); };
    if (std::ranges::all_of(needed, is_there)) return;
    std::ranges::copy_if(needed, std::back_inserter(lost), is_there);
  }

  // What is there at the start and gets lost on the way to the rest has to come back. The rules that bring it back are
  // marked, and those that undo what stands in their way: what got lost in the very same steps.
  void restore(const Requirement& requirement) {
    const std::vector<std::uint32_t> losers = losing(requirement);
    if (losers.empty() || std::ranges::count(seen_, requirement) > 0) return;
    seen_.push_back(requirement);
    for (const std::uint32_t edge : writers(requirement)) {
      if (starts_.enabled[edge]) continue;
      mark(edge);
      for (const Requirement& next : needs_of(edge))
        if (holds_at_start(next) &&
            std::ranges::any_of(losers, [&](std::uint32_t loser) { return loses(loser, next); }))
          restore(next);
    }
  }

  [[nodiscard]] std::vector<std::uint32_t> losing(const Requirement& requirement) const {
    std::vector<std::uint32_t> losers;
    for (std::uint32_t edge = 0; edge < edges_.size(); ++edge)
      if (loses(edge, requirement)) losers.push_back(edge);
    return losers;
  }

  [[nodiscard]] bool loses(std::uint32_t edge, const Requirement& requirement) const {
    return std::ranges::any_of(effects_[edge], [&](const Effect& effect) {
      return effect.part == requirement.part && std::ranges::any_of(effect.values, [&](std::int64_t value) {
               return value != ir::undefined && value != requirement.value;
             });
    });
  }

  void follow() {
    while (!open_.empty()) {
      const Requirement requirement = std::move(open_.back());
      open_.pop_back();
      const std::vector<std::uint32_t> edges = writers(requirement);
      // What can come about at any time holds nobody up, so there is no need to help it along.
      if (std::ranges::any_of(edges, [&](std::uint32_t edge) { return starts_.enabled[edge]; })) continue;
      for (const std::uint32_t edge : edges) mark(edge);
    }
  }

  void mark(std::uint32_t edge) {
    if (!marked_.insert(edge).second) return;
    const std::vector<Requirement> needs = needs_of(edge);
    for (const Requirement& next : needs) {
      const auto is_there = [&](const Requirement& other) { return other.part == next.part && holds_at_start(other); };
      if (std::ranges::any_of(needs, is_there) || std::ranges::count(seen_, next) > 0) continue;
      seen_.push_back(next);
      open_.push_back(next);
    }
  }

  // The values that the guard of a rule waits for.
  [[nodiscard]] std::vector<Requirement> needs_of(std::uint32_t edge) const {
    if (edges_[edge]->guard == nullptr) return {};
    std::vector<Requirement> needs = rules_.sure_alternatives(*edges_[edge]->guard, true);
    std::erase_if(needs, [](const Requirement& need) { return need.kind != Kind::equals; });
    return needs;
  }

  // The rules that surely can write what is required; where there is none, those that may.
  [[nodiscard]] std::vector<std::uint32_t> writers(const Requirement& requirement) const {
    std::vector<std::uint32_t> sure, possible;
    for (std::uint32_t edge = 0; edge < edges_.size(); ++edge) {
      const auto writes = [&](const Effect& effect) { return meets(effect, requirement); };
      const auto may_write = [&](const Effect& effect) {
        return effect.values.empty() && effect.part.overlaps(requirement.part);
      };
      if (std::ranges::any_of(effects_[edge], writes))
        sure.push_back(edge);
      else if (std::ranges::any_of(effects_[edge], may_write))
        possible.push_back(edge);
    }
    return sure.empty() ? possible : sure;
  }

  static bool meets(const Effect& effect, const Requirement& requirement) {
    if (!(effect.part == requirement.part) || effect.values.empty()) return false;
    return std::ranges::any_of(effect.values, [&](std::int64_t value) {
      if (value == ir::undefined) return false;
      return requirement.kind == Kind::unknown || (requirement.kind == Kind::equals) == (value == requirement.value);
    });
  }

  const ir::Program& program_;
  const StartFacts& starts_;
  RuleEffects rules_;
  std::vector<const ir::Edge*> edges_;
  std::vector<std::vector<Effect>> effects_;  // per edge
  std::set<std::uint32_t> marked_;
  std::vector<Requirement> open_;  // what marked rules wait for
  std::vector<Requirement> seen_;
};

}  // namespace

std::vector<std::uint32_t> derive_marks(const ir::Program& program, const std::vector<bool>& selected,
                                        const StartFacts& starts) {
  return MarkFinder(program, starts).find(selected);
}

}  // namespace fathom
