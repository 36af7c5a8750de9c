#include "property/mu/parse.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>
#include <optional>

#include "property/mu/scanner.hpp"

namespace fathom::mu {

namespace {

using Kind = Formula::Kind;

// Small enough for the stack of everything that walks through formulas.
constexpr std::uint32_t max_nesting = 400;
constexpr std::uint32_t max_operators = 2000;

struct Infix {
  std::string_view sign;
  Kind kind;
  int binding;
};
constexpr std::array<Infix, 4> infixes{{{"<->", Kind::equivalence, 1},
                                        {"->", Kind::implication, 2},
                                        {"||", Kind::disjunction, 3},
                                        {"&&", Kind::conjunction, 4}}};

struct PathWord {
  std::string_view word;
  Formula::Path path;
  bool every;
};
constexpr std::array<PathWord, 6> path_words{{{"EX", Formula::Path::next, false},
                                              {"EF", Formula::Path::eventually, false},
                                              {"EG", Formula::Path::always, false},
                                              {"AX", Formula::Path::next, true},
                                              {"AF", Formula::Path::eventually, true},
                                              {"AG", Formula::Path::always, true}}};

class Parser {
 public:
  explicit Parser(std::string_view text) : in_(text) {}

  FormulaPtr run() {
    FormulaPtr formula = binary(1);
    in_.skip_space();
    if (!in_.ended()) in_.fail("an operator is missing here");
    return formula;
  }

 private:
  struct Deeper {
    explicit Deeper(Parser& parser) : parser_(parser) {
      if (++parser_.depth_ > max_nesting) parser_.in_.fail("the formula is nested too deeply");
    }
    ~Deeper() { --parser_.depth_; }
    Deeper(const Deeper&) = delete;
    Deeper& operator=(const Deeper&) = delete;
    Parser& parser_;
  };

  [[nodiscard]] const Infix* infix_at(std::size_t at) const {
    const auto found = std::ranges::find_if(infixes, [&](const Infix& infix) { return in_.has(at, infix.sign); });
    return found == infixes.end() ? nullptr : &*found;
  }

  [[nodiscard]] bool operand_ends_at(std::size_t at) const {
    at = in_.after_space(at);
    return at >= in_.end || std::string_view(")]}").find(in_.text[at]) != std::string_view::npos ||
           infix_at(at) != nullptr;
  }

  // Precedence climbing.
  FormulaPtr binary(int loosest) {
    const Deeper deeper(*this);
    in_.skip_space();
    const std::size_t begin = in_.at;
    FormulaPtr left = unary();
    for (;;) {
      in_.skip_space();
      const Infix* const infix = in_.ended() ? nullptr : infix_at(in_.at);
      if (infix == nullptr || infix->binding < loosest) return left;
      in_.at += infix->sign.size();
      if (++operators_ > max_operators) in_.fail("the formula has too many operators");
      const bool to_the_left = infix->kind == Kind::disjunction || infix->kind == Kind::conjunction;
      FormulaPtr right = binary(infix->binding + (to_the_left ? 1 : 0));
      left = node(infix->kind, begin, std::move(left), std::move(right));
    }
  }

  [[nodiscard]] bool begins_word(std::size_t at) const {
    return is_word_character(in_.text[at]) && (at == 0 || !is_word_character(in_.text[at - 1]));
  }

  // Whether a fixpoint or quantifier begins here: it takes everything to its right.
  [[nodiscard]] bool binds_at(std::size_t at) const {
    const std::string_view word = in_.word(at);
    if (word == "forall" || word == "exists") return quantifies_at(at + word.size());
    return (word == "mu" || word == "nu") && variable_and_dot(at + word.size());
  }

  [[nodiscard]] bool variable_and_dot(std::size_t at) const {
    const std::size_t name = in_.after_space(at);
    const std::string_view word = in_.word(name);
    return name > at && !word.empty() && in_.has(in_.after_space(name + word.size()), ".");
  }

  // Not Murphi's own `forall i: T do … end`.
  [[nodiscard]] bool quantifies_at(std::size_t at) const {
    const std::size_t name = in_.after_space(at);
    const std::size_t colon = in_.after_space(name + in_.word(name).size());
    if (in_.word(name).empty() || !in_.has(colon, ":") || in_.has(colon, ":=")) return false;
    for (std::size_t k = colon; k < in_.end && infix_at(k) == nullptr; ++k) {
      if (begins_word(k) && in_.word(k) == "do") return false;
      if (in_.text[k] == '.' && !in_.has(k, "..") && !(in_.text[k - 1] == '.')) return true;
    }
    return true;
  }

  FormulaPtr unary() {
    const Deeper deeper(*this);
    in_.skip_space();
    const std::size_t begin = in_.at;
    if (in_.ended() || std::string_view(")]}").find(in_.peek()) != std::string_view::npos || infix_at(begin))
      in_.fail("an operand is missing here");
    if (in_.peek() == '!' && negates_formula(begin)) return negation();
    if (in_.peek() == '<') return modality(Kind::diamond, "<", ">");
    if (in_.peek() == '[') return modality(Kind::box, "[", "]");
    if (in_.peek() == '{') return braced();
    if (in_.peek() == '(' && operand_ends_at(in_.behind_closing(begin))) return group();
    if (const std::string_view word = in_.word(begin); !word.empty())
      if (FormulaPtr read = of_word(word)) return read;
    return bare_condition();
  }

  FormulaPtr of_word(std::string_view word) {
    const std::size_t behind = in_.at + word.size();
    if (binds_at(in_.at)) return word == "mu" || word == "nu" ? fixpoint(word) : quantifier(word);
    if ((word == "true" || word == "false") && operand_ends_at(behind)) return constant(word);
    for (const PathWord& entry : path_words)
      if (entry.word == word && begins_operand(in_.after_space(behind))) return path(entry);
    if (word == "E" || word == "A") return quantified_runs(word == "A", in_.after_space(behind));
    return std::ranges::count(variables_, word) > 0 && operand_ends_at(behind) ? variable(word) : nullptr;
  }

  [[nodiscard]] bool begins_operand(std::size_t at) const {
    return at < in_.end && (is_word_character(in_.text[at]) || std::string_view("({[<!").find(in_.text[at]) < 5) &&
           infix_at(at) == nullptr && !in_.has(at, "!=") && !in_.has(at, "<=");
  }

  // Before a condition without braces `!` may bind tighter than what follows in it, so it is left to the condition.
  [[nodiscard]] bool negates_formula(std::size_t at) const {
    while (in_.has(at, "!")) at = in_.after_space(at + 1);
    if (at >= in_.end) return true;
    const char c = in_.text[at];
    if (c == '{' || c == '<' || c == '[') return true;
    if (c == '(') return operand_ends_at(in_.behind_closing(at));
    const std::string_view word = in_.word(at);
    if (word.empty()) return true;
    if (binds_at(at) || operand_ends_at(at + word.size())) return true;
    const std::size_t next = in_.after_space(at + word.size());
    if (word == "E" || word == "A") return in_.has(next, "[") || in_.has(next, "(");
    return std::ranges::any_of(path_words, [&](const PathWord& entry) { return entry.word == word; });
  }

  FormulaPtr negation() {
    const std::size_t begin = in_.at++;
    return node(Kind::negation, begin, unary());
  }

  FormulaPtr modality(Kind kind, std::string_view opening, std::string_view closing) {
    const std::size_t begin = in_.at;
    in_.take(opening);
    if (in_.take(closing))
      Scanner::fail(begin, kind == Kind::box ? "`[]` is an operator of LTL: say AG, [true*], or A([] …) for all runs"
                                             : "`<>` is an operator of LTL: say EF, <true*>, or E(<> …) for some run");
    Formula formula;
    formula.kind = kind;
    formula.steps = parse_steps(in_);
    in_.expect(closing, fmt::format("`{}` is expected here", closing));
    formula.a = unary();
    return finish(std::move(formula), begin);
  }

  FormulaPtr fixpoint(std::string_view word) {
    Formula formula;
    const std::size_t begin = in_.at;
    formula.kind = word == "mu" ? Kind::least : Kind::greatest;
    formula.name = bound_name(word);
    in_.expect(".", "`.` is expected here");
    variables_.push_back(formula.name);
    formula.a = binary(1);
    variables_.pop_back();
    return finish(std::move(formula), begin);
  }

  FormulaPtr quantifier(std::string_view word) {
    Formula formula;
    const std::size_t begin = in_.at;
    formula.kind = word == "forall" ? Kind::for_all : Kind::exists;
    formula.name = bound_name(word);
    in_.expect(":", "`:` and a range or a type are expected here");
    formula.domain = domain();
    in_.expect(".", "`.` is expected here, behind the range or type");
    formula.a = binary(1);
    return finish(std::move(formula), begin);
  }

  std::string bound_name(std::string_view word) {
    in_.at += word.size();
    in_.skip_space();
    const std::string name(in_.word(in_.at));
    in_.at += name.size();
    return name;
  }

  Domain domain() {
    Domain result;
    in_.skip_space();
    if (const std::optional<std::int64_t> first = number()) {
      result.first = *first;
      in_.expect("..", "`..` is expected here");
      in_.skip_space();
      const std::optional<std::int64_t> last = number();
      if (!last) in_.fail("a number is expected here");
      result.last = *last;
      return result;
    }
    result.type = in_.word(in_.at);
    if (result.type.empty()) in_.fail("a range such as 0..3, or a type of the model, is expected here");
    in_.at += result.type.size();
    return result;
  }

  std::optional<std::int64_t> number() {
    std::int64_t value = 0;
    const char* const first = in_.text.data() + in_.at;
    const auto [behind, error] = std::from_chars(first, in_.text.data() + in_.end, value);
    if (error == std::errc::result_out_of_range) in_.fail("this number is too large");
    if (error != std::errc()) return std::nullopt;
    in_.at += static_cast<std::size_t>(behind - first);
    return value;
  }

  FormulaPtr constant(std::string_view word) {
    const std::size_t begin = in_.at;
    in_.at += word.size();
    return node(word == "true" ? Kind::truth : Kind::falsity, begin);
  }

  FormulaPtr path(const PathWord& entry) {
    Formula formula;
    const std::size_t begin = in_.at;
    in_.at += entry.word.size();
    formula.kind = Kind::path;
    formula.path = entry.path;
    formula.every = entry.every;
    formula.a = unary();
    return finish(std::move(formula), begin);
  }

  // E[f U g], E(ltl) and the same with A; null for a condition that begins with such a name.
  FormulaPtr quantified_runs(bool every, std::size_t opening) {
    if (in_.has(opening, "(")) return runs(every, opening);
    if (!in_.has(opening, "[")) return nullptr;
    const std::optional<std::size_t> until = until_inside(opening);
    return until ? path_until(every, opening, *until) : nullptr;
  }

  [[nodiscard]] std::optional<std::size_t> until_inside(std::size_t opening) const {
    for (std::size_t k = opening + 1; k + 1 < in_.behind_closing(opening); ++k) {
      if (std::string_view("([{\"").find(in_.text[k]) < 4) k = in_.behind_closing(k) - 1;
      if (begins_word(k) && in_.word(k) == "U") return k;
    }
    return std::nullopt;
  }

  FormulaPtr path_until(bool every, std::size_t opening, std::size_t until) {
    Formula formula;
    const std::size_t begin = in_.at;
    formula.kind = Kind::path;
    formula.path = Formula::Path::until;
    formula.every = every;
    formula.a = inside(opening + 1, until);
    formula.b = inside(until + 1, in_.behind_closing(opening) - 1);
    in_.at = in_.behind_closing(opening);
    return finish(std::move(formula), begin);
  }

  FormulaPtr inside(std::size_t begin, std::size_t end) {
    const std::size_t whole = std::exchange(in_.end, end);
    in_.at = begin;
    FormulaPtr formula = binary(1);
    in_.skip_space();
    if (!in_.ended()) in_.fail("an operator is missing here");
    in_.end = whole;
    return formula;
  }

  FormulaPtr runs(bool every, std::size_t opening) {
    Formula formula;
    const std::size_t begin = in_.at;
    const std::size_t closing = in_.behind_closing(opening) - 1;
    const std::string_view text = in_.text.substr(opening + 1, closing - opening - 1);
    formula.kind = Kind::runs;
    formula.every = every;
    const auto atom = [&](std::string_view written, std::size_t offset) {
      return add_condition(formula, written, opening + 1 + offset);
    };
    try {
      formula.ltl = ltl::parse(text, atom);
    } catch (const ParseError& error) {
      Scanner::fail(opening + 1 + error.offset, error.what());
    }
    in_.at = closing + 1;
    return finish(std::move(formula), begin);
  }

  static std::uint32_t add_condition(Formula& formula, std::string_view written, std::size_t begin) {
    const auto known = std::ranges::find(formula.conditions, written, &Condition::text);
    if (known == formula.conditions.end())
      formula.conditions.push_back({std::string(written), {begin, begin + written.size()}});
    else
      return static_cast<std::uint32_t>(known - formula.conditions.begin());
    return static_cast<std::uint32_t>(formula.conditions.size() - 1);
  }

  FormulaPtr variable(std::string_view word) {
    Formula formula;
    const std::size_t begin = in_.at;
    formula.kind = Kind::variable;
    formula.name = word;
    in_.at += word.size();
    return finish(std::move(formula), begin);
  }

  FormulaPtr group() {
    const std::size_t behind = in_.behind_closing(in_.at);
    ++in_.at;
    FormulaPtr inner = binary(1);
    in_.skip_space();
    if (in_.at + 1 != behind) in_.fail("an operator or `)` is expected here");
    in_.at = behind;
    return inner;
  }

  FormulaPtr braced() {
    const std::size_t begin = in_.at + 1;
    in_.at = in_.behind_closing(in_.at);
    return condition(begin, in_.at - 1);
  }

  FormulaPtr bare_condition() {
    const std::size_t begin = in_.at;
    while (!in_.ended() && in_.peek() != '{' && !operand_ends_at(in_.at)) {
      const bool opens = std::string_view("([\"").find(in_.peek()) < 3;
      if (begins_word(in_.at)) refuse_variable(in_.at);
      in_.at = opens ? in_.behind_closing(in_.at) : in_.at + 1;
    }
    return condition(begin, in_.at);
  }

  void refuse_variable(std::size_t at) const {
    for (const std::string& variable : variables_)
      if (variable == in_.word(at))
        Scanner::fail(at, "`" + variable +
                              "` is the variable of a fixpoint: between formulas stand && and ||, and a condition on "
                              "states that uses such a name goes in braces");
  }

  FormulaPtr condition(std::size_t begin, std::size_t end) {
    begin = in_.after_space(begin);
    while (end > begin && std::isspace(static_cast<unsigned char>(in_.text[end - 1])) != 0) --end;
    if (begin >= end) Scanner::fail(begin, "a condition is missing here");
    Formula formula;
    formula.kind = Kind::atom;
    formula.conditions.push_back({std::string(in_.text.substr(begin, end - begin)), {begin, end}});
    formula.span = {begin, end};
    return std::make_shared<const Formula>(std::move(formula));
  }

  FormulaPtr node(Kind kind, std::size_t begin, FormulaPtr a = nullptr, FormulaPtr b = nullptr) {
    Formula formula;
    formula.kind = kind;
    formula.a = std::move(a);
    formula.b = std::move(b);
    return finish(std::move(formula), begin);
  }

  FormulaPtr finish(Formula formula, std::size_t begin) {
    formula.span = {begin, in_.at};
    return std::make_shared<const Formula>(std::move(formula));
  }

  Scanner in_;
  std::uint32_t depth_ = 0;
  std::uint32_t operators_ = 0;
  std::vector<std::string> variables_;  // of the fixpoints around
};

// Makes sure that the variable of a fixpoint stands under an even number of negations: only then is there a fixpoint.
class Monotony {
 public:
  void check(const Formula& formula, bool negated) {
    switch (formula.kind) {
      case Kind::variable:
        return check_variable(formula, negated);
      case Kind::negation:
        return check(*formula.a, !negated);
      case Kind::implication:
        check(*formula.a, !negated);
        return check(*formula.b, negated);
      case Kind::equivalence:
        return check_equivalence(formula, negated);
      case Kind::least:
      case Kind::greatest:
        variables_.push_back({formula.name, negated, both_sides_});
        check(*formula.a, negated);
        variables_.pop_back();
        return;
      default:
        if (formula.a != nullptr) check(*formula.a, negated);
        if (formula.b != nullptr) check(*formula.b, negated);
    }
  }

 private:
  struct Variable {
    std::string name;
    bool negated;              // where it is bound
    std::uint32_t both_sides;  // equivalences around that
  };

  // f <-> g says f -> g and g -> f: everything in it counts both ways.
  void check_equivalence(const Formula& formula, bool negated) {
    ++both_sides_;
    check(*formula.a, negated);
    check(*formula.b, negated);
    --both_sides_;
  }

  void check_variable(const Formula& formula, bool negated) {
    const auto known = std::find_if(variables_.rbegin(), variables_.rend(),
                                    [&](const Variable& variable) { return variable.name == formula.name; });
    if (known->both_sides != both_sides_)
      Scanner::fail(formula.span.begin, "`" + formula.name +
                                            "` stands inside `<->` here, where it counts as negated as well: its "
                                            "fixpoint would have no meaning");
    if (known->negated != negated)
      Scanner::fail(formula.span.begin, "`" + formula.name +
                                            "` stands under an odd number of negations here (the left of `->` counts "
                                            "as one): its fixpoint would have no meaning");
  }

  std::vector<Variable> variables_;
  std::uint32_t both_sides_ = 0;
};

}  // namespace

FormulaPtr parse(std::string_view text) {
  FormulaPtr formula = Parser(text).run();
  Monotony().check(*formula, false);
  return formula;
}

}  // namespace fathom::mu
