#include "lang/murphi/parser.hpp"

#include <gtest/gtest.h>

namespace fathom::murphi {
namespace {

struct Parsed {
  Sources sources;
  Diagnostics diagnostics;
  File file;

  explicit Parsed(const std::string& text, Dialect dialect = Dialect::cmurphi) {
    const FileId id = sources.add("a.m", text);
    file = parse(sources, id, dialect, diagnostics);
  }
  // "F012 3:1; F011 4:2"
  [[nodiscard]] std::string errors() const {
    std::string result;
    for (const Diagnostic& diagnostic : diagnostics.all()) {
      const std::string location = sources.location(diagnostic.range);
      result += (result.empty() ? "" : "; ") + diagnostic.code + " " + location.substr(location.find(':') + 1);
    }
    return result;
  }
  [[nodiscard]] const RuleItem& rule(std::size_t index = 0) const { return *file.items.at(index).rule; }
  [[nodiscard]] const Stmt& statement(std::size_t index = 0) const { return *rule().body.at(index); }
};

std::string shape(const Expr& expr);

std::string apply(const std::string& head, std::initializer_list<const ExprPtr*> parts) {
  std::string result = "(" + head;
  for (const ExprPtr* part : parts)
    if (*part) result += " " + shape(**part);
  return result + ")";
}

std::string sign(Expr::Kind kind) {
  using Kind = Expr::Kind;
  switch (kind) {
    case Kind::negate:
    case Kind::subtract:
      return "-";
    case Kind::logical_not:
      return "!";
    case Kind::complement:
      return "~";
    case Kind::add:
      return "+";
    case Kind::multiply:
      return "*";
    case Kind::divide:
      return "/";
    case Kind::modulo:
      return "%";
    case Kind::shift_left:
      return "<<";
    case Kind::shift_right:
      return ">>";
    case Kind::bit_xor:
      return "^";
    case Kind::equal:
      return "=";
    case Kind::not_equal:
      return "!=";
    case Kind::less:
      return "<";
    case Kind::less_equal:
      return "<=";
    case Kind::greater:
      return ">";
    case Kind::greater_equal:
      return ">=";
    case Kind::logical_and:
      return "&&";
    case Kind::logical_or:
      return "||";
    case Kind::implies:
      return "->";
    case Kind::and_or_bit_and:
      return "&";
    case Kind::or_or_bit_or:
      return "|";
    case Kind::conditional:
      return "?";
    case Kind::for_all:
      return "forall";
    case Kind::exists:
      return "exists";
    case Kind::is_undefined:
      return "isundefined";
    case Kind::is_member:
      return "ismember";
    case Kind::multiset_count:
      return "count";
    case Kind::index:
      return "[]";
    default:
      return "?";
  }
}

std::string shape(const Expr& expr) {
  switch (expr.kind) {
    case Expr::Kind::number:
      return std::to_string(expr.value);
    case Expr::Kind::name:
      return expr.text;
    case Expr::Kind::undefined_value:
      return "undefined";
    case Expr::Kind::field:
      return apply("." + expr.text, {&expr.a});
    case Expr::Kind::call: {
      std::string result = "(" + expr.text;
      for (const ExprPtr& argument : expr.arguments) result += " " + shape(*argument);
      return result + ")";
    }
    default:
      return apply(sign(expr.kind), {&expr.a, &expr.b, &expr.c});
  }
}

// The shape of an expression, or the errors it causes.
std::string expression(const std::string& text) {
  const Parsed parsed("invariant " + text);
  return parsed.diagnostics.failed() ? parsed.errors() : shape(*parsed.rule().guard);
}

// The errors that the statements of a rule cause, located in the first line after "rule begin ".
std::string body_errors(const std::string& text) {
  return Parsed("rule begin\n" + text + "\nend").errors();
}

TEST(MurphiParser, BindsOperatorsAsThePeersDo) {
  EXPECT_EQ(expression("!a = b"), "(! (= a b))");
  EXPECT_EQ(expression("!a & b"), "(& (! a) b)");
  EXPECT_EQ(expression("a | b & c -> d"), "(-> (| a (& b c)) d)");
  EXPECT_EQ(expression("a + b * c - d"), "(- (+ a (* b c)) d)");
  EXPECT_EQ(expression("a = b + 1 & c"), "(& (= a (+ b 1)) c)");
  EXPECT_EQ(expression("a || b && c | d ^ e & f"), "(|| a (&& b (| c (^ d (& e f)))))");
  EXPECT_EQ(expression("a << b + c < d"), "(< (<< a (+ b c)) d)");
  EXPECT_EQ(expression("-a * ~b"), "(* (- a) (~ b))");
  EXPECT_EQ(expression("a -> b ? c : d -> e"), "(? (-> a b) c (-> d e))");
  EXPECT_EQ(expression("a = !b = c"), "(= a (! (= b c)))");
  EXPECT_EQ(expression("a == b"), "(= a b)");
}

TEST(MurphiParser, WantsParenthesesWhereNothingAssociates) {
  EXPECT_EQ(expression("a -> b -> c"), "F016 1:18");
  EXPECT_EQ(expression("a = b = c"), "F016 1:17");
  EXPECT_EQ(expression("a ? b : c ? d : e"), "F016 1:21");
  EXPECT_EQ(expression("(a -> b) -> c"), "(-> (-> a b) c)");
}

TEST(MurphiParser, ReadsDesignatorsAndCalls) {
  EXPECT_EQ(expression("a.b[c].d"), "(.d ([] (.b a) c))");
  EXPECT_EQ(expression("f(x, y + 1).field = 2"), "(= (.field (f x (+ y 1))) 2)");
  EXPECT_EQ(expression("f()"), "(f)");
  EXPECT_EQ(expression("isundefined(a[1]) | ismember(a, T)"), "(| (isundefined ([] a 1)) (ismember a))");
  EXPECT_EQ(expression("MULTISETCOUNT(i: net, true) < 3"), "(< (count true) 3)");
}

TEST(MurphiParser, ReadsQuantifiersOfEveryForm) {
  const Parsed parsed("ruleset i: T; j := 0 to 9 by 3; k: 0..2; m: a[1].net do endruleset");
  ASSERT_EQ(parsed.errors(), "");
  const auto& quantifiers = parsed.rule().quantifiers;
  ASSERT_EQ(quantifiers.size(), 4U);
  EXPECT_EQ(quantifiers[0].type->kind, TypeExpr::Kind::name);
  EXPECT_EQ(shape(*quantifiers[1].step), "3");
  EXPECT_EQ(quantifiers[2].type->kind, TypeExpr::Kind::range);
  EXPECT_EQ(shape(*quantifiers[3].set), "(.net ([] a 1))");
  EXPECT_EQ(expression("forall i: T; j: T do i = j endforall"), "(forall (= i j))");
}

TEST(MurphiParser, BuildsLongConjunctionsAsShallowTrees) {
  std::string text = "invariant x";
  for (int i = 0; i < 100000; ++i) text += " & x";
  const Parsed parsed(text);
  ASSERT_EQ(parsed.errors(), "");
  EXPECT_LT(parsed.rule().guard->height, 20U);
}

TEST(MurphiParser, KeepsTheOrderOfLongConjunctions) {
  EXPECT_EQ(expression("a & b & c"), "(& (& a b) c)");
}

TEST(MurphiParser, ReadsEveryType) {
  const Parsed parsed(
      "type A: 0..N-1; B: enum {x, y,}; C: scalarset(3); D: union {B, C, enum {z}}; E: array [A] of array [C] of B;"
      "F: record a, b: A; c: B end; G: multiset [5] of F; H: real(6, 3); I: N; J: (N)..f(2);");
  ASSERT_EQ(parsed.errors(), "");
  using Kind = TypeExpr::Kind;
  const std::vector<Kind> kinds{Kind::range,  Kind::enumeration, Kind::scalarset, Kind::unite, Kind::array,
                                Kind::record, Kind::multiset,    Kind::real,      Kind::name,  Kind::range};
  ASSERT_EQ(parsed.file.items.size(), kinds.size());
  for (std::size_t i = 0; i < kinds.size(); ++i) EXPECT_EQ(parsed.file.items[i].declaration.type->kind, kinds[i]);
  EXPECT_EQ(parsed.file.items[5].declaration.type->fields.size(), 3U);
}

TEST(MurphiParser, SharesTheTypeOfAList) {
  const Parsed parsed("var a, b: 0..1; const M, N: 3;");
  ASSERT_EQ(parsed.file.items.size(), 4U);
  EXPECT_EQ(parsed.file.items[0].declaration.type, parsed.file.items[1].declaration.type);
  EXPECT_EQ(shape(*parsed.file.items[2].declaration.value), "3");
  EXPECT_EQ(shape(*parsed.file.items[3].declaration.value), "M");
}

TEST(MurphiParser, AcceptsSectionsInAnyOrderAndExtraSemicolons) {
  const Parsed parsed(
      ";var x: boolean; ;function f(y: boolean): boolean begin return y; end;;const N: 1;"
      "startstate begin x := true;; end;; rule begin end procedure p(var a, b: N..2; c: boolean;); end; type t: 0..1");
  EXPECT_EQ(parsed.errors(), "");
  EXPECT_EQ(parsed.file.items.size(), 7U);
}

TEST(MurphiParser, ReadsRulesWithAndWithoutTheirParts) {
  EXPECT_EQ(Parsed("rule end").errors(), "");
  EXPECT_EQ(Parsed("rule \"n\" x ==> y := 1 endrule").errors(), "");
  EXPECT_EQ(Parsed("rule x ==> var y: boolean; begin y := 1; end").errors(), "");
  EXPECT_EQ(Parsed("rule x ==> var y: boolean; y := 1; end").errors(), "");
  EXPECT_EQ(Parsed("rule if x then y := 1 end end").errors(), "");
  EXPECT_EQ(Parsed("alias a: b; c: d; do rule begin end end; choose i: net do rule begin end endchoose").errors(), "");
}

TEST(MurphiParser, ReadsPriorities) {
  const Parsed parsed("rule 5 \"n\" 1 = x ==> begin end; rule 7 begin end; rule 1 = x ==> begin end");
  ASSERT_EQ(parsed.errors(), "");
  EXPECT_EQ(shape(*parsed.rule(0).priority), "5");
  EXPECT_EQ(parsed.rule(0).name.text, "n");
  EXPECT_TRUE(parsed.rule(1).has_priority);
  EXPECT_FALSE(parsed.rule(2).has_priority);
}

TEST(MurphiParser, TakesTheNameOfAPropertyOnEitherSide) {
  const Parsed parsed("invariant \"a\" x; assert x \"b\"; cover x; liveness \"c\" x; assume x");
  ASSERT_EQ(parsed.errors(), "");
  EXPECT_EQ(parsed.rule(0).name.text, "a");
  EXPECT_EQ(parsed.rule(1).name.text, "b");
  EXPECT_EQ(parsed.rule(1).kind, RuleItem::Kind::invariant);
  EXPECT_EQ(parsed.rule(2).kind, RuleItem::Kind::cover);
}

TEST(MurphiParser, ReadsEveryStatement) {
  const Parsed parsed(
      "rule begin x := undefined; if a then elsif b then c(); else end; switch x case 1, 2: y := 1; else end;"
      "for i := 0 to 3 do end; while x do endwhile; alias a: b do end; p; p(1).q := 2; clear x; undefine x.y;"
      "error \"e\"; assert x \"m\"; assert \"m\" x; assume x; cover x; liveness x; put \"s\"; put x; return; return x;"
      "MultiSetAdd(e, m); MultisetRemove(i, m); multisetremovepred(i: m, true); end");
  ASSERT_EQ(parsed.errors(), "");
  using Kind = Stmt::Kind;
  const std::vector<Kind> kinds{Kind::assign,
                                Kind::branch,
                                Kind::choice,
                                Kind::loop_for,
                                Kind::loop_while,
                                Kind::alias,
                                Kind::call,
                                Kind::assign,
                                Kind::clear,
                                Kind::undefine,
                                Kind::error,
                                Kind::check,
                                Kind::check,
                                Kind::assume,
                                Kind::cover,
                                Kind::liveness,
                                Kind::put,
                                Kind::put,
                                Kind::give_back,
                                Kind::give_back,
                                Kind::multiset_add,
                                Kind::multiset_remove,
                                Kind::multiset_remove_if};
  ASSERT_EQ(parsed.rule().body.size(), kinds.size());
  for (std::size_t i = 0; i < kinds.size(); ++i) EXPECT_EQ(parsed.statement(i).kind, kinds[i]) << i;
  EXPECT_EQ(parsed.statement(1).clauses.size(), 3U);
  EXPECT_EQ(parsed.statement(2).clauses[0].tests.size(), 2U);
}

TEST(MurphiParser, LetsModelsUseTheOtherDialectsWordsAsNames) {
  EXPECT_EQ(
      Parsed("var cover: boolean; real, choose: 0..1; rule !cover & real = 1 ==> begin cover := true; end").errors(),
      "");
}

TEST(MurphiParser, ParsesExternalRoutines) {
  const Parsed parsed("externfun f(a: T): T \"f.h\"; externproc p(); rule begin end");
  ASSERT_EQ(parsed.errors(), "");
  EXPECT_TRUE(parsed.file.items.at(0).routine->external);
}

TEST(MurphiParser, RemembersNumbersAboveTheSignedRange) {
  EXPECT_TRUE(Parsed("const N: 0x8000000000000000;").file.beyond_signed);
  EXPECT_FALSE(Parsed("const N: 0x7fffffffffffffff;").file.beyond_signed);
}

TEST(MurphiParser, ReportsEachMistakeOnce) {
  EXPECT_EQ(body_errors("x = 1; y := 2;"), "F014 2:3");
  EXPECT_EQ(body_errors("if x := 1 then y := 2; end; z := 1;"), "F015 2:6");
  EXPECT_EQ(body_errors("y := 1 +; if x then end;"), "F010 2:9");
  EXPECT_EQ(body_errors("x := 1 y := 2;"), "F011 2:7");
  EXPECT_EQ(body_errors("if x thn y := 1; end;"), "F010 2:6");
  EXPECT_EQ(body_errors("while forall i: T do i = = 2 end do end;"), "F010 2:26");
  EXPECT_EQ(body_errors("for i: T then end;"), "F010 2:10");
  EXPECT_EQ(body_errors("if x then else elsif y then end;"), "F022 2:16");
}

TEST(MurphiParser, PointsToTheBlockThatIsStillOpen) {
  const Parsed parsed("rule begin\nif x then\nendrule;\nrule begin end");
  EXPECT_EQ(parsed.errors(), "F012 3:1");
  ASSERT_EQ(parsed.diagnostics.all()[0].notes.size(), 1U);
  EXPECT_EQ(parsed.sources.location(parsed.diagnostics.all()[0].notes[0].range), "a.m:2:1");
  EXPECT_EQ(Parsed("rule begin\nrule begin end").errors(), "F012 2:1");
  EXPECT_EQ(Parsed("rule begin for i: T do endif; end").errors(), "F012 1:24");
}

TEST(MurphiParser, SuggestsTheWordThatWasMeant) {
  const auto help = [](const std::string& text) { return Parsed(text).diagnostics.all().at(0).help; };
  EXPECT_EQ(help("var x: boolean; ruel \"a\" begin end"), "did you mean `rule`?");
  EXPECT_EQ(help("rule begin retrun 5; end"), "did you mean `return`?");
  EXPECT_EQ(help("rule x ==> beginy y[1] := 2; end"), "did you mean `begin`?");
  EXPECT_EQ(help("var x: arry [T] of T;"), "did you mean `array`?");
}

TEST(MurphiParser, RejectsWhatStandsInTheWrongPlace) {
  EXPECT_EQ(Parsed("ruleset i: T do function f(): T; begin end; rule begin end end").errors(), "F023 1:17");
  EXPECT_EQ(Parsed("end; rule begin end").errors(), "F013 1:1");
  EXPECT_EQ(Parsed("var x: boolean; )").errors(), "F010 1:17");
  EXPECT_EQ(Parsed("const N = 5; var x: boolean;").errors(), "F018 1:9");
}

TEST(MurphiParser, GivesUpOnDeepNestingInsteadOfCrashing) {
  const auto repeat = [](const std::string& text) {
    std::string result;
    for (int i = 0; i < 100000; ++i) result += text;
    return result;
  };
  for (const std::string& text :
       {"invariant " + repeat("("), "invariant " + repeat("!") + "x", "invariant 0 < 1" + repeat("+1"),
        "invariant x" + repeat("[1]"), "invariant " + repeat("f("), "rule begin " + repeat("if x then "),
        "var x: " + repeat("array [T] of ") + "T", repeat("ruleset i: T do "), "var x: " + repeat("record a: "),
        "invariant " + repeat("forall i: T do ")}) {
    const Parsed parsed(text);
    EXPECT_EQ(parsed.diagnostics.errors(), 1U);
    EXPECT_EQ(parsed.diagnostics.all().at(0).code, "F017");
  }
}

TEST(MurphiParser, SurvivesTextThatIsNoModel) {
  EXPECT_EQ(Parsed("").errors(), "");
  for (const char* text : {"\"", "/*", "rule", "var", "if", "ruleset i", "type t: record", "invariant", "(((",
                           "end end", "rule x ==>", "function", "switch case else", "alias x:", "\xff\xfe"}) {
    EXPECT_TRUE(Parsed(text).diagnostics.failed() || std::string(text) == "var") << text;
  }
}

}  // namespace
}  // namespace fathom::murphi
