#include "property/mu/scanner.hpp"

namespace fathom::mu {

namespace {

class StepsParser {
 public:
  explicit StepsParser(Scanner& in) : in_(in) {}

  RegularPtr choice() {
    if (++depth_ > max_nesting) in_.fail("the steps are nested too deeply");
    RegularPtr left = sequence();
    while (in_.take("|")) {
      RegularPtr right = sequence();
      left = is_set(left) && is_set(right) ? of_action(joined(Action::Kind::either, left->action, right->action))
                                           : joined(Regular::Kind::choice, std::move(left), std::move(right));
    }
    --depth_;
    return left;
  }

 private:
  static constexpr int max_nesting = 200;

  RegularPtr sequence() {
    RegularPtr left = intersection();
    while (in_.take(".")) left = joined(Regular::Kind::sequence, left, intersection());
    return left;
  }

  RegularPtr intersection() {
    RegularPtr left = repetition();
    for (;;) {
      in_.skip_space();
      const std::size_t sign = in_.at;
      if (!in_.take("&")) return left;
      in_.take("&");
      const RegularPtr right = repetition();
      if (!is_set(left) || !is_set(right)) Scanner::fail(sign, "`&` stands between two sets of steps, not sequences");
      left = of_action(joined(Action::Kind::both, left->action, right->action));
    }
  }

  RegularPtr repetition() {
    RegularPtr inner = primary();
    for (;;) {
      if (in_.take("*")) {
        inner = repeated(Regular::Kind::star, std::move(inner));
      } else if (in_.take("+")) {
        inner = repeated(Regular::Kind::plus, std::move(inner));
      } else {
        return inner;
      }
    }
  }

  RegularPtr primary() {
    in_.skip_space();
    const std::size_t begin = in_.at;
    if (in_.take("(")) {
      RegularPtr inner = choice();
      in_.expect(")", "`)` is expected here");
      return inner;
    }
    if (in_.take("!")) return complement(begin);
    return of_action(set(begin));
  }

  RegularPtr complement(std::size_t begin) {
    if (++depth_ > max_nesting) in_.fail("the steps are nested too deeply");
    const RegularPtr inner = primary();
    --depth_;
    if (!is_set(inner)) Scanner::fail(begin, "`!` stands before a set of steps, not a sequence");
    Action all_others;
    all_others.kind = Action::Kind::complement;
    all_others.a = inner->action;
    all_others.span = {begin, in_.at};
    return of_action(std::make_shared<const Action>(std::move(all_others)));
  }

  ActionPtr set(std::size_t begin) {
    Action action;
    const std::string_view word = in_.word(begin);
    if (in_.peek() == '"') {
      action.quoted = true;
      action.name = quoted();
    } else if (word.empty()) {
      in_.fail("a step is expected here: a name, a text in quotes, `true` or `(`");
    } else {
      in_.at += word.size();
      action.name = word;
    }
    action.kind = Action::Kind::named;
    if (word == "true" || word == "_") action.kind = Action::Kind::any;
    if (word == "false") action.kind = Action::Kind::none;
    if (action.kind != Action::Kind::named) action.name.clear();
    if (action.kind == Action::Kind::named && in_.peek() == '(') arguments(action);
    action.span = {begin, in_.at};
    return std::make_shared<const Action>(std::move(action));
  }

  std::string quoted() {
    const std::size_t last = in_.behind_closing(in_.at) - 1;
    if (last >= in_.end) in_.fail("this quote is never closed");
    std::string text;
    for (++in_.at; in_.at < last; ++in_.at) {
      // `\*` is a star that stands for itself, and is told apart when names are compared.
      if (in_.text[in_.at] == '\\' && in_.at + 1 < last && in_.text[in_.at + 1] != '*') ++in_.at;
      text += in_.text[in_.at];
    }
    ++in_.at;
    return text;
  }

  void arguments(Action& action) {
    const std::size_t last = in_.behind_closing(in_.at) - 1;
    action.has_arguments = true;
    for (++in_.at;; ++in_.at) {
      in_.skip_space();
      std::size_t behind = in_.at;
      while (behind < last && in_.text[behind] != ',') ++behind;
      std::size_t stop = behind;
      while (stop > in_.at && in_.text[stop - 1] == ' ') --stop;
      if (stop == in_.at) in_.fail("a value or `_` is expected here");
      action.arguments.emplace_back(in_.text.substr(in_.at, stop - in_.at));
      in_.at = behind;
      if (behind == last) break;
    }
    ++in_.at;
  }

  static bool is_set(const RegularPtr& steps) { return steps->kind == Regular::Kind::action; }

  static RegularPtr of_action(ActionPtr action) {
    Regular steps;
    steps.action = std::move(action);
    return std::make_shared<const Regular>(std::move(steps));
  }

  static ActionPtr joined(Action::Kind kind, ActionPtr a, ActionPtr b) {
    Action action;
    action.kind = kind;
    action.span = {a->span.begin, b->span.end};
    action.a = std::move(a);
    action.b = std::move(b);
    return std::make_shared<const Action>(std::move(action));
  }

  static RegularPtr joined(Regular::Kind kind, RegularPtr a, RegularPtr b) {
    return std::make_shared<const Regular>(Regular{kind, nullptr, std::move(a), std::move(b)});
  }

  static RegularPtr repeated(Regular::Kind kind, RegularPtr a) { return joined(kind, std::move(a), nullptr); }

  Scanner& in_;
  int depth_ = 0;
};

}  // namespace

RegularPtr parse_steps(Scanner& in) {
  return StepsParser(in).choice();
}

}  // namespace fathom::mu
