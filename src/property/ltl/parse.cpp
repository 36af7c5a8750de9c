#include "property/ltl/parse.hpp"

#include <array>
#include <cctype>
#include <optional>

#include "property/ltl/formula.hpp"

namespace fathom::ltl {
namespace {

using Kind = ir::Ltl::Kind;

struct Spelling {
  std::string_view text;
  Kind kind;
};

constexpr std::array<Spelling, 9> before_operand{{{"[]", Kind::always},
                                                  {"always", Kind::always},
                                                  {"G", Kind::always},
                                                  {"<>", Kind::eventually},
                                                  {"eventually", Kind::eventually},
                                                  {"F", Kind::eventually},
                                                  {"next", Kind::next},
                                                  {"X", Kind::next},
                                                  {"!", Kind::negation}}};

// `<->` and `<=>` are looked for before `->`, and so on: a longer sign first.
constexpr std::array<Spelling, 20> between_operands{{{"<->", Kind::equivalence},   {"equivalent", Kind::equivalence},
                                                     {"->", Kind::implication},    {"implies", Kind::implication},
                                                     {"||", Kind::disjunction},    {"\\/", Kind::disjunction},
                                                     {"or", Kind::disjunction},    {"&&", Kind::conjunction},
                                                     {"/\\", Kind::conjunction},   {"and", Kind::conjunction},
                                                     {"stronguntil", Kind::until}, {"until", Kind::until},
                                                     {"U", Kind::until},           {"weakuntil", Kind::weak_until},
                                                     {"W", Kind::weak_until},      {"release", Kind::release},
                                                     {"V", Kind::release},         {"R", Kind::release},
                                                     {"releases", Kind::release},  {"weak_until", Kind::weak_until}}};

// Kept shallower than the deepest formula the translation takes, and shallow enough for the stack.
constexpr std::uint32_t max_nesting = Formulas::max_depth / 2;

bool is_word_character(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_';
}
bool is_space(char c) {
  return std::isspace(static_cast<unsigned char>(c)) != 0;
}

// How tightly an operator binds; all but two kinds associate to the right.
int binding(Kind kind) {
  switch (kind) {
    case Kind::equivalence:
      return 1;
    case Kind::implication:
      return 2;
    case Kind::disjunction:
      return 3;
    case Kind::conjunction:
      return 4;
    default:
      return 5;
  }
}

bool associates_to_the_left(Kind kind) {
  return kind == Kind::disjunction || kind == Kind::conjunction;
}

class Parser {
 public:
  Parser(std::string_view text, const AtomNumber& atom) : text_(text), atom_(atom) {}

  ir::LtlPtr run() {
    match_parentheses();
    ir::LtlPtr formula = binary(1);
    skip_space();
    if (at_ < text_.size()) fail(text_[at_] == ')' ? "this `)` closes nothing" : "an operator is missing here");
    return formula;
  }

 private:
  struct Deeper {
    explicit Deeper(Parser& parser) : parser_(parser) {
      if (++parser_.depth_ > max_nesting) parser_.fail("the formula is nested too deeply");
    }
    ~Deeper() { --parser_.depth_; }
    Deeper(const Deeper&) = delete;
    Deeper& operator=(const Deeper&) = delete;
    Parser& parser_;
  };

  [[noreturn]] void fail(const std::string& message) const { throw ParseError(at_, message); }

  void skip_space() {
    while (at_ < text_.size() && is_space(text_[at_])) ++at_;
  }

  template <std::size_t size>
  static const Spelling* spelling_at(std::string_view text, std::size_t at, const std::array<Spelling, size>& table) {
    for (const Spelling& spelling : table) {
      if (text.substr(at, spelling.text.size()) != spelling.text) continue;
      if (!is_word_character(spelling.text[0])) return &spelling;
      const std::size_t end = at + spelling.text.size();
      const bool begins = at == 0 || !is_word_character(text[at - 1]);
      if (begins && (end == text.size() || !is_word_character(text[end]))) return &spelling;
    }
    return nullptr;
  }

  [[nodiscard]] std::size_t after_space(std::size_t at) const {
    while (at < text_.size() && is_space(text_[at])) ++at;
    return at;
  }

  [[nodiscard]] const Spelling* prefix_at(std::size_t at) const {
    const Spelling* const spelling = spelling_at(text_, at, before_operand);
    if (spelling != nullptr && spelling->kind == Kind::negation) return negates_formula(at) ? spelling : nullptr;
    if (spelling == nullptr || !is_word_character(spelling->text[0])) return spelling;
    const std::size_t next = after_space(at + spelling->text.size());
    // A word before something that cannot begin an operand is a name of the model: `X = 1`.
    const bool operand =
        next < text_.size() && (is_word_character(text_[next]) || text_[next] == '(' || text_[next] == '{' ||
                                text_[next] == '!' || text_.substr(next, 2) == "[]" || text_.substr(next, 2) == "<>");
    return operand && spelling_at(text_, next, between_operands) == nullptr ? spelling : nullptr;
  }

  // Before an atom, `!` may bind tighter than what follows in the atom (`!x & y`), so it is left to the atom.
  [[nodiscard]] bool negates_formula(std::size_t at) const {
    while (at < text_.size() && text_[at] == '!') at = after_space(at + 1);
    return at < text_.size() && (text_[at] == '{' || begins_group(at) || prefix_at(at) != nullptr);
  }

  [[nodiscard]] bool begins_group(std::size_t at) const {
    return text_[at] == '(' && operators_before_[closing_[at]] > operators_before_[at];
  }

  // Where each opening sign is closed, so that nested groups are looked at once. Strings and comments of the model's
  // language do not matter: conditions on states have none.
  void match_parentheses() {
    std::vector<std::size_t> open;
    closing_.assign(text_.size(), std::string_view::npos);
    for (std::size_t i = 0; i < text_.size(); ++i) {
      const char c = text_[i];
      if (c == '(' || c == '[' || c == '{') open.push_back(i);
      if (c != ')' && c != ']' && c != '}') continue;
      at_ = i;
      if (open.empty()) fail(std::string("this `") + c + "` closes nothing");
      const char wanted = text_[open.back()] == '(' ? ')' : text_[open.back()] == '[' ? ']' : '}';
      if (c != wanted) fail(std::string("`") + wanted + "` is expected here");
      closing_[open.back()] = i;
      open.pop_back();
    }
    if (!open.empty()) {
      at_ = open.back();
      fail(std::string("this `") + text_[at_] + "` is never closed");
    }
    at_ = 0;
    count_operators();
  }

  // operators_before_[i]: how many operators of LTL begin before i. `!` is none here, and braces hide what is in them.
  void count_operators() {
    operators_before_.assign(text_.size() + 1, 0);
    std::size_t hidden_until = 0;
    for (std::size_t i = 0; i < text_.size(); ++i) {
      if (text_[i] == '{' && i >= hidden_until) hidden_until = closing_[i];
      operators_before_[i + 1] = operators_before_[i] + (i >= hidden_until && operator_begins(i) ? 1 : 0);
    }
  }

  // Single letters count as well if they stand alone, as in `(p U q)`, but not in `(U = 1)`: there they are names.
  [[nodiscard]] bool operator_begins(std::size_t i) const {
    if (text_.substr(i, 2) == "[]" || text_.substr(i, 2) == "<>") return true;
    const Spelling* const between = spelling_at(text_, i, between_operands);
    if (between != nullptr) return !is_word_character(between->text[0]) || stands_between_operands(i, *between);
    const Spelling* const before = spelling_at(text_, i, before_operand);
    if (before == nullptr || before->kind == Kind::negation) return false;
    std::size_t next = i + before->text.size();
    while (next < text_.size() && is_space(text_[next])) ++next;
    return next < text_.size() && (is_word_character(text_[next]) || text_[next] == '(' || text_[next] == '{');
  }

  [[nodiscard]] bool stands_between_operands(std::size_t i, const Spelling& spelling) const {
    std::size_t before = i;
    while (before > 0 && is_space(text_[before - 1])) --before;
    std::size_t after = i + spelling.text.size();
    while (after < text_.size() && is_space(text_[after])) ++after;
    if (before == 0 || after == text_.size()) return false;
    const char left = text_[before - 1], right = text_[after];
    const bool ends = is_word_character(left) || left == ')' || left == ']' || left == '}';
    return ends && (is_word_character(right) || right == '(' || right == '{' || right == '!' ||
                    text_.substr(after, 2) == "[]" || text_.substr(after, 2) == "<>" || right == '-');
  }

  [[nodiscard]] const Spelling* infix_here() const {
    const Spelling* const spelling = spelling_at(text_, at_, between_operands);
    if (spelling == nullptr || !is_word_character(spelling->text[0])) return spelling;
    return stands_between_operands(at_, *spelling) ? spelling : nullptr;
  }

  // Precedence climbing.
  ir::LtlPtr binary(int loosest) {
    const Deeper deeper(*this);
    ir::LtlPtr left = unary();
    for (;;) {
      skip_space();
      const Spelling* const spelling = at_ < text_.size() ? infix_here() : nullptr;
      if (spelling == nullptr || binding(spelling->kind) < loosest) return left;
      at_ += spelling->text.size();
      const bool to_the_left = associates_to_the_left(spelling->kind);
      ir::LtlPtr right = binary(binding(spelling->kind) + (to_the_left ? 1 : 0));
      if (++chain_ > max_operators) fail("the formula has too many operators");
      left = node(spelling->kind, std::move(left), std::move(right));
    }
  }

  ir::LtlPtr unary() {
    const Deeper deeper(*this);
    skip_space();
    if (at_ == text_.size()) fail("an operand is missing here");
    if (const Spelling* const spelling = prefix_at(at_)) {
      at_ += spelling->text.size();
      return node(spelling->kind, unary(), nullptr);
    }
    if (begins_group(at_)) return group();
    if (text_[at_] == '{') return braced_atom();
    return bare_atom();
  }

  ir::LtlPtr group() {
    const std::size_t end = closing_[at_];
    ++at_;
    ir::LtlPtr inner = binary(1);
    skip_space();
    if (at_ != end) fail("an operator or `)` is expected here");
    ++at_;
    return inner;
  }

  ir::LtlPtr braced_atom() {
    const std::size_t begin = at_ + 1;
    at_ = closing_[at_];
    ir::LtlPtr result = atom(begin, at_);
    ++at_;
    return result;
  }

  ir::LtlPtr bare_atom() {
    const std::size_t begin = at_;
    while (at_ < text_.size() && !bare_atom_ends()) {
      const bool opens = text_[at_] == '(' || text_[at_] == '[';
      at_ = opens ? closing_[at_] + 1 : at_ + 1;
    }
    return atom(begin, at_);
  }

  [[nodiscard]] bool bare_atom_ends() const {
    const char c = text_[at_];
    return c == ')' || c == '{' || c == '}' || c == ']' || text_.substr(at_, 2) == "[]" ||
           text_.substr(at_, 2) == "<>" || infix_here() != nullptr;
  }

  void strip(std::size_t& begin, std::size_t& end) const {
    while (begin < end && is_space(text_[begin])) ++begin;
    while (end > begin && is_space(text_[end - 1])) --end;
  }

  // `(p)` and `({p})` are the same atom as `p`.
  ir::LtlPtr atom(std::size_t begin, std::size_t end) {
    const Deeper deeper(*this);
    strip(begin, end);
    while (begin < end && (text_[begin] == '(' || text_[begin] == '{') && closing_[begin] + 1 == end)
      strip(++begin, --end);
    if (begin == end) fail("an operand is missing here");
    if (text_[begin] == '!' && is_designator(begin + 1, end))
      return node(Kind::negation, atom(begin + 1, end), nullptr);
    const std::string_view text = text_.substr(begin, end - begin);
    if (text == "true") return node(Kind::truth, nullptr, nullptr);
    if (text == "false") return node(Kind::falsity, nullptr, nullptr);
    ir::LtlPtr result = node(Kind::atom, nullptr, nullptr);
    result->atom = atom_(text, begin);
    return result;
  }

  // A name with its indices, fields and arguments, or something in parentheses: what `!` before it negates as a whole.
  // Further `!` may precede it.
  [[nodiscard]] bool is_designator(std::size_t begin, std::size_t end) const {
    while (begin < end && (is_space(text_[begin]) || text_[begin] == '!')) ++begin;
    const bool parenthesised = begin < end && text_[begin] == '(';
    if (parenthesised) return closing_[begin] + 1 == end;
    if (begin == end || !is_word_character(text_[begin])) return false;
    while (begin < end &&
           (is_word_character(text_[begin]) || text_[begin] == '.' || text_[begin] == '[' || text_[begin] == '('))
      begin = text_[begin] == '[' || text_[begin] == '(' ? closing_[begin] + 1 : begin + 1;
    return begin == end;
  }

  static ir::LtlPtr node(Kind kind, ir::LtlPtr a, ir::LtlPtr b) {
    auto result = std::make_unique<ir::Ltl>();
    result->kind = kind;
    result->a = std::move(a);
    result->b = std::move(b);
    return result;
  }

  // A chain `a && b && c …` nests to the left without nesting in the text, and the tree must not get deeper than what
  // the translation takes.
  static constexpr std::uint32_t max_operators = Formulas::max_depth / 2;

  std::string_view text_;
  const AtomNumber& atom_;
  std::size_t at_ = 0;
  std::uint32_t depth_ = 0;
  std::uint32_t chain_ = 0;
  std::vector<std::size_t> closing_;
  std::vector<std::uint32_t> operators_before_;
};

}  // namespace

ir::LtlPtr parse(std::string_view text, const AtomNumber& atom) {
  return Parser(text, atom).run();
}

}  // namespace fathom::ltl
