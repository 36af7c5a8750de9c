// Formulas in negation normal form, each kept once: equal formulas have equal numbers. Every formula is made by a
// function that simplifies, so that a formula in the pool is as small as the rules of simplify.cpp get it. "Eventually
// a" is `true U a`, "always a" is `false R a`, and "a weakly until b" is `b R (a or b)`.
#pragma once

#include <cstdint>
#include <map>
#include <stdexcept>
#include <tuple>
#include <unordered_map>
#include <vector>

#include "ir/claim.hpp"

namespace fathom::ltl {

// The formula is beyond what we are willing to work out: too deep, too many parts, or an automaton too large.
struct LimitError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

using Formula = std::uint32_t;  // a number in the pool

enum class Op : std::uint8_t { falsity, truth, literal, next, conjunction, disjunction, until, release };

struct Node {
  Op op = Op::falsity;
  bool negated = false;             // literal
  std::uint32_t atom = 0;           // literal
  std::vector<Formula> parts = {};  // sorted in a conjunction and a disjunction
  std::uint32_t size = 1;           // operators and literals
  bool eventual = false;            // it holds if it holds at some later time
  bool universal = false;           // if it holds, it holds at every later time
};

// Each rule has a dual, in which conjunction and disjunction, until and release, true and false, implied and implying,
// eventual and universal change places. We write the rule once and say which of the two is meant.
enum class Side : bool { plain, dual };

class Formulas {
 public:
  static constexpr Formula falsity = 0;
  static constexpr Formula truth = 1;
  static constexpr std::uint32_t max_depth = 1000;

  // Whether G(a U b) becomes GF b and G(a or b), and F(a R b) likewise. Sometimes one is smaller in the end and
  // sometimes the other.
  enum class Splitting : bool { off, on };
  explicit Formulas(Splitting splitting = Splitting::on);

  // Throws LimitError for a formula deeper than max_depth.
  Formula from(const ir::Ltl& formula, bool negated = false);

  Formula literal(std::uint32_t atom, bool negated);
  Formula next(Formula a);
  Formula both(Formula a, Formula b) { return join(Side::dual, {a, b}); }
  Formula either(Formula a, Formula b) { return join(Side::plain, {a, b}); }
  Formula until(Formula a, Formula b) { return temporal(Side::plain, a, b); }
  Formula release(Formula a, Formula b) { return temporal(Side::dual, a, b); }
  Formula negate(Formula a);

  // Whether a implies b by rules on their structure; false means "not known".
  bool implies(Formula a, Formula b);

  [[nodiscard]] const Node& operator[](Formula a) const { return nodes_[a]; }
  [[nodiscard]] Op op(Formula a) const { return nodes_[a].op; }
  [[nodiscard]] std::size_t size() const { return nodes_.size(); }

 private:
  using Parts = std::vector<Formula>;

  Formula from(const ir::Ltl& formula, bool negated, std::uint32_t depth);
  Formula from_binary(const ir::Ltl& formula, bool negated, std::uint32_t depth);
  Formula intern(Node node);
  void classify(Node& node) const;

  Formula join(Side side, Parts parts);
  bool flatten(Side side, Parts& parts) const;
  bool drop_weaker(Side side, Parts& parts);
  bool shorten_parts(Side side, Parts& parts);
  bool merge_pair(Side side, Parts& parts);
  Formula merged(Side side, Formula a, Formula b);

  Formula temporal(Side side, Formula a, Formula b);
  Formula temporal_in_temporal(Side side, Formula a, Formula b);
  Formula split_right(Side side, Formula a, Formula b);

  bool implies_by_structure(Formula a, Formula b);
  bool implies_by_left(Formula a, Formula b);
  bool implies_by_right(Formula a, Formula b);
  bool implies_by_both(Formula a, Formula b);
  bool implies_on(Side side, Formula a, Formula b) { return side == Side::plain ? implies(a, b) : implies(b, a); }

  [[nodiscard]] bool eventual_on(Side side, Formula a) const {
    return side == Side::plain ? nodes_[a].eventual : nodes_[a].universal;
  }
  [[nodiscard]] bool lasting(Formula a) const { return nodes_[a].eventual && nodes_[a].universal; }

  bool splits_;
  std::vector<Node> nodes_;
  std::map<std::tuple<Op, bool, std::uint32_t, Parts>, Formula> numbers_;
  std::unordered_map<Formula, Formula> negations_;
  std::unordered_map<std::uint64_t, bool> implications_;
};

}  // namespace fathom::ltl
