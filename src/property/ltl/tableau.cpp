#include "property/ltl/tableau.hpp"

#include <algorithm>
#include <map>
#include <set>

#include "property/ltl/cubes.hpp"

namespace fathom::ltl {
namespace {

using Set = std::vector<Formula>;  // sorted; the conjunction of its members

// One way to satisfy a formula now: the atoms must be so, the formulas of `next` must hold at the next time, and the
// untils of `promised` are put off to then.
struct Term {
  Cube now;
  Set next;
  Marks promised = 0;
};
using Terms = std::vector<Term>;

bool includes(const Set& large, const Set& small) {
  return std::includes(large.begin(), large.end(), small.begin(), small.end());
}

// Whether `better` asks for no more than `worse` does, so that the second can go.
bool dominates(const Term& better, const Term& worse) {
  return covers(better.now, worse.now) && (better.promised & ~worse.promised) == 0 && includes(worse.next, better.next);
}

class Tableau {
 public:
  Tableau(Formulas& formulas, std::uint32_t max_states) : formulas_(formulas), max_states_(max_states) {}

  Generalised run(Formula formula) {
    automaton_.initial = number_of(reduced(members(formula)));
    for (std::size_t state = 0; state < sets_.size(); ++state) {
      const Set set = sets_[state];
      std::vector<Generalised::Edge> edges;
      for (const Term& term : expanded(set)) edges.push_back({number_of(reduced(term.next)), term.now, term.promised});
      automaton_.edges.push_back(std::move(edges));
    }
    automaton_.mark_count = static_cast<std::uint32_t>(untils_.size());
    for (auto& edges : automaton_.edges)
      for (auto& edge : edges) edge.marks = automaton_.all_marks() & ~edge.marks;
    return std::move(automaton_);
  }

 private:
  static constexpr std::uint64_t max_work = 50'000'000;  // comparisons of terms: about a second

  void work(std::uint64_t amount) {
    work_ += amount;
    if (work_ > max_work) throw LimitError("the automaton of the formula would be too large");
  }

  Set members(Formula formula) const {
    if (formula == Formulas::truth) return {};
    if (formulas_.op(formula) == Op::conjunction) return formulas_[formula].parts;
    return {formula};
  }

  std::uint32_t number_of(const Set& set) {
    const auto [place, is_new] = numbers_.emplace(set, static_cast<std::uint32_t>(sets_.size()));
    if (is_new) sets_.push_back(set);
    if (sets_.size() > max_states_) throw LimitError("the automaton of the formula would have too many states");
    return place->second;
  }

  void add(Terms& terms, Term term) {
    work(terms.size() + 1);
    for (const Term& other : terms)
      if (dominates(other, term)) return;
    std::erase_if(terms, [&](const Term& other) { return dominates(term, other); });
    terms.push_back(std::move(term));
  }

  Terms product(const Terms& left, const Terms& right) {
    Terms result;
    for (const Term& a : left)
      for (const Term& b : right) {
        const std::optional<Cube> now = intersection(a.now, b.now);
        if (!now) continue;
        Term term{*now, {}, a.promised | b.promised};
        std::set_union(a.next.begin(), a.next.end(), b.next.begin(), b.next.end(), std::back_inserter(term.next));
        add(result, std::move(term));
      }
    return result;
  }

  Terms sum(Terms left, const Terms& right) {
    for (const Term& term : right) add(left, term);
    return left;
  }

  const Terms& expansion(Formula formula) {
    const auto known = expansions_.find(formula);
    if (known != expansions_.end()) return known->second;
    Terms terms = expand(formula);
    return expansions_.emplace(formula, std::move(terms)).first->second;
  }

  Terms expand(Formula formula) {
    const Node& node = formulas_[formula];
    switch (node.op) {
      case Op::falsity:
        return {};
      case Op::truth:
        return {Term{}};
      case Op::literal: {
        const std::uint64_t atom = std::uint64_t{1} << node.atom;
        return {Term{node.negated ? Cube{0, atom} : Cube{atom, 0}, {}, 0}};
      }
      case Op::next:
        return {Term{{}, members(node.parts[0]), 0}};
      case Op::conjunction: {
        Terms terms{Term{}};
        for (const Formula part : node.parts) terms = product(terms, expansion(part));
        return terms;
      }
      case Op::disjunction: {
        Terms terms;
        for (const Formula part : node.parts) terms = sum(std::move(terms), expansion(part));
        return terms;
      }
      case Op::until: {
        const Terms put_off{Term{{}, {formula}, mark_of(formula)}};
        return sum(expansion(node.parts[1]), product(expansion(node.parts[0]), put_off));
      }
      case Op::release: {
        const Terms go_on{Term{{}, {formula}, 0}};
        return product(expansion(node.parts[1]), sum(expansion(node.parts[0]), go_on));
      }
    }
    return {};
  }

  Marks mark_of(Formula until) {
    if (untils_.size() == max_marks) throw LimitError("the formula has more than 64 different untils");
    untils_.push_back(until);
    return Marks{1} << (untils_.size() - 1);
  }

  Terms expanded(const Set& set) {
    Terms terms{Term{}};
    for (const Formula member : set) terms = product(terms, expansion(member));
    Terms result;
    for (Term& term : terms) {
      keep_kept_promises(term);
      add(result, std::move(term));
    }
    return result;
  }

  // An until that a term puts off although the term brings its goal about is not put off (Gastin and Oddoux).
  void keep_kept_promises(Term& term) {
    for (std::size_t mark = 0; mark < untils_.size(); ++mark) {
      const Marks bit = Marks{1} << mark;
      if ((term.promised & bit) == 0) continue;
      Term fulfilled = term;
      fulfilled.promised &= ~bit;
      for (const Term& goal : expansion(formulas_[untils_[mark]].parts[1]))
        if (dominates(goal, fulfilled)) {
          term = fulfilled;
          break;
        }
    }
  }

  // The set without members that follow from others. What a release demands at once it demands again from the state
  // where it stands, so its conjuncts can go; nothing is lost, not even a promise. A member that another one implies
  // can go as well, as long as the reasons are not circular: that a run with the right marks satisfies an until is
  // proved from its parts and from the formula it was left out for, and that proof must have an end. `needs_` remembers
  // which formula was left out for which, and we refuse a reason that would close a circle.
  Set reduced(const Set& set) {
    Set kept;
    for (const Formula member : set) {
      const auto redundant = [&](Formula other) { return other != member && demands(other, member); };
      if (std::none_of(set.begin(), set.end(), redundant)) kept.push_back(member);
    }
    for (std::size_t i = 0; i < kept.size();) {
      const auto redundant = [&](const Formula& other) { return other != kept[i] && may_stand_for(other, kept[i]); };
      if (std::any_of(kept.begin(), kept.end(), redundant))
        kept.erase(kept.begin() + static_cast<std::ptrdiff_t>(i));
      else
        ++i;
    }
    return kept;
  }

  // Whether the expansion of `formula` always contains that of `part`.
  bool demands(Formula formula, Formula part) const {
    if (formula == part) return true;
    const Node& node = formulas_[formula];
    if (node.op == Op::release) return demands(node.parts[1], part);
    if (node.op != Op::conjunction) return false;
    return std::any_of(node.parts.begin(), node.parts.end(), [&](Formula inner) { return demands(inner, part); });
  }

  bool may_stand_for(Formula reason, Formula left_out) {
    if (!formulas_.implies(reason, left_out)) return false;
    std::set<Formula>& reasons = needs_[left_out];
    if (reasons.count(reason) != 0) return true;
    std::set<Formula> seen;
    if (depends(reason, left_out, seen)) return false;
    needs_[left_out].insert(reason);
    return true;
  }

  bool depends(Formula formula, Formula on, std::set<Formula>& seen) {
    if (formula == on) return true;
    if (!seen.insert(formula).second) return false;
    for (const Formula part : formulas_[formula].parts)
      if (depends(part, on, seen)) return true;
    for (const Formula reason : needs_[formula])
      if (depends(reason, on, seen)) return true;
    return false;
  }

  Formulas& formulas_;
  std::uint32_t max_states_;
  std::uint64_t work_ = 0;
  Generalised automaton_;
  std::map<Set, std::uint32_t> numbers_;
  std::vector<Set> sets_;
  std::map<Formula, Terms> expansions_;
  std::map<Formula, std::set<Formula>> needs_;
  std::vector<Formula> untils_;
};

}  // namespace

Generalised tableau(Formulas& formulas, Formula formula, std::uint32_t max_states) {
  if (formula == Formulas::falsity) return {.edges = {{}}, .initial = 0, .mark_count = 0};
  return Tableau(formulas, max_states).run(formula);
}

}  // namespace fathom::ltl
