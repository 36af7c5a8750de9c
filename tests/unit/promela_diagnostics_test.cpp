#include "promela_testing.hpp"

namespace fathom::promela {
namespace {

struct Case {
  const char* text;
  Complaints expected;
};

// Each of these is rejected, or warned of, by Spin 6.5.2 as well.
const Case cases[] = {
    {"init { x = 1 }", {"F420:1"}},
    {"init { c?x }", {"F420:1"}},
    {"init { word x; x = 1; x = 2 }", {"F421:1"}},
    {"byte x;\nint x; init { skip }", {"F430:2"}},
    {"proctype P(byte x) {\nbyte x; x = 1 } init { run P(1) }", {"F430:2"}},
    {"byte P;\nactive proctype P() { skip }", {"F430:2"}},
    {"mtype = { a };\nbyte a; init { skip }", {"F430:2"}},
    {"mtype = { a };\nmtype = { b, a }; init { skip }", {"F430:2"}},
    {"inline f() { skip }\nbyte f; init { f() }", {"F430:2"}},
    {"typedef T { byte a; byte a } init { skip }", {"F430:1"}},
    {"typedef T { T a } init { skip }", {"F421:1"}},
    {"init { skip } ltl p { true }\nltl p { false }", {"F430:2"}},
    {"proctype P(byte x) { skip }\ninit { run P() }", {"F464:2"}},
    {"proctype P(byte x) { skip }\ninit { run P(1, 2) }", {"F464:2"}},
    {"proctype P(byte x = 3) { skip } init { run P(1) }", {"F411:1"}},
    {"proctype P(byte x[3]) { skip } init { run P(1) }", {"F445:1"}},
    {"init { run Q() }", {"F427:1"}},
    {"byte x; init { x = run P() }\nproctype P() { !run P() }", {"F462:2"}},
    {"chan c = [1] of { byte }; active proctype P() { c!run P() }", {"F462:1"}},
    {"active proctype P() { byte x = run P(); skip }", {"F466:1"}},
    {"init { break }", {"F452:1"}},
    {"init { goto l }", {"F426:1"}},
    {"init { a: skip;\na: skip }", {"F432:2"}},
    {"byte x; init { x: skip }", {"F433:1"}},
    {"init { l: byte x; skip }", {"F451:1"}},
    {"init { goto in; d_step { skip; in: skip } }", {"F454:1"}},
    {"init { do :: d_step { skip; break } od }", {"F454:1"}},
    {"init { { a: skip } }", {"F455:1"}},
    {"init { if :: a: skip fi }", {"F455:1"}},
    {"init { a: skip unless skip }", {"F455:1"}},
    {"init { skip unless a: skip }", {"F455:1"}},
    {"init { do :: else -> break :: else -> skip od }", {"F472:1"}},
    {"chan c = [1] of { byte }; init { if :: c?1 :: else fi }", {"F473:1"}},
    {"byte i; init { for (i : 3 .. 1) { skip } }", {"F456:1"}},
    {"byte i; init { select (i : 3 .. 1) }", {"F456:1"}},
    {"byte i; init { for (i in i) { skip } }", {"F456:1"}},
    {"typedef T { byte a } T t; chan c = [2] of { byte }; init { for (t in c) { skip } }", {"F456:1"}},
    {"init { _pid = 3 }", {"F425:1"}},
    {"byte x; init { x = _ }", {"F424:1"}},
    {"unsigned x; init { skip }", {"F441:1"}},
    {"unsigned x : 40; init { skip }", {"F441:1"}},
    {"byte x : 4; init { skip }", {"F441:1"}},
    {"chan c = [1] of { unsigned }; init { skip }", {"F441:1"}},
    {"hidden bit b; init { skip }", {"F447:1"}},
    {"hidden bool b; init { skip }", {"F447:1"}},
    {"init { hidden byte b; b = 1 }", {"F447:1"}},
    {"typedef T { byte i } T t; init { for (t.i : 0 .. 1) { skip } }", {"F456:1"}},
    {"typedef T { byte i } T t; init { select (t.i : 0 .. 1) }", {"F456:1"}},
    {"byte t; inline f() { byte t; t = 1 } init { f() }", {"F431:1"}},
    {"chan c = [1] of { byte }; trace { c??1 } init { c!1 }", {"F469:1"}},
    {"byte a[0]; init { skip }", {"F442:1"}},
    {"byte x; byte a[x]; init { skip }", {"F443:1"}},
    {"active [300] proctype P() { skip }", {"F446:1"}},
    {"init priority 300 { skip }", {"F446:1"}},
    {"chan c; init { c = 5 }", {"F440:1"}},
    {"chan c; byte x; init { x = c + 1 }", {"F440:1"}},
    {"chan c; init { c++ }", {"F440:1"}},
    {"byte c = [1] of { byte }; init { skip }", {"F440:1"}},
    {"byte c = { 1, 2 }; init { skip }", {"F440:1"}},
    {"mtype:s = { a }; mtype:t = { b }; mtype:s x = b; init { x = b }", {"F440:1", "F440:1"}},
    {"byte x; init { x!1 }", {"F440:1"}},
    {"chan c = [1] of { byte }; byte x; init { xr x }", {"F440:1"}},
    {"chan c = [1] of { byte }; init { c!1,2 }", {"F467:1"}},
    {"chan c = [1] of { byte }; byte x; init { c?x,x }", {"F461:1"}},
    {"chan c = [1] of { byte }; proctype A() { xr c; c?1 }\nproctype B() { xr c; c?1 } init { skip }", {"F468:2"}},
    {"typedef A { byte x } typedef T { A a[2] } T t; chan c = [1] of { T }; init { skip }", {"F445:1"}},
    {"typedef T { byte a } T t; init { t.z = 1 }", {"F423:1"}},
    {"byte t; init { t.a = 1 }", {"F423:1"}},
    {"typedef T { byte a } T t; init { t = 1 }", {"F450:1"}},
    {"byte a[2]; init { a = 1 }", {"F449:1"}},
    {"byte a; init { a[1] = 1 }", {"F448:1"}},
    {"byte a[2][3]; init { skip }", {"F412:1"}},
    {"init { mtype = { a }; skip }", {"F411:1"}},
    {"byte x; init { (x == 1 -> x = 2) }", {"F415:1"}},
    {"byte x; init { x = 0x10 }", {"F005:1"}},
    {"inline f(a) { f(a) }\ninit { f(1) }", {"F457:1"}},
    {"inline f(a) { skip }\ninit { f(1, 2) }", {"F404:2"}},
    {"init { g(1) }", {"F420:1"}},
    {"byte x; never { x = 1 } init { skip }", {"F458:1"}},
    {"chan c = [1] of { byte }; never { c?1 } init { skip }", {"F458:1"}},
    {"never { byte y; skip } init { skip }", {"F458:1"}},
    {"init { np_ }", {"F474:1"}},
    {"init { enabled(0) }", {"F474:1"}},
    {"trace { skip } init { skip }", {"F469:1"}},
    {"proctype P(byte x) provided (x) { skip } init { run P(1) }", {"F459:1"}},
    {"proctype P() { skip }", {"F470:1"}},
    {"proctype P() { l: skip } init { P[0]@m }", {"F426:1"}},
    {"init { @ }", {"F010:1"}},
    {"init { x $ y }", {"F001:1", "F421:1"}},
    {"init { skip", {"F012:1"}},
    {"init { if :: skip }", {"F012:1"}},
    {"init { do :: skip fi }\ninit { skip }", {"F012:1"}},
    {"}", {"F013:1"}},
    {"/* open", {"F003:1"}},
};

TEST(PromelaDiagnostics, FindsTheMistakesSpinFinds) {
  for (const Case& one : cases) EXPECT_EQ(Parsed(one.text).complaints(), one.expected) << one.text;
}

TEST(PromelaDiagnostics, AcceptsWhatSpinAccepts) {
  for (const char* text : {
           "byte x active proctype P() { skip }",
           "init { skip } init { skip }",
           "active [0] proctype P() { skip } init { skip }",
           "active proctype P(byte x) { skip }",
           "chan c; byte x; init { x = c; c = x }",
           "chan c, d; init { if :: c == d :: c != d fi; c = d }",
           "init { mtype:z a; skip }",
           "byte x; init { d_step { goto a; a: skip } }",
           "byte x; init { do :: atomic { x = 1; break } od; goto l; atomic { skip; l: skip } }",
           "init { goto l; { skip; l: skip } }",
           "init { l: do :: break od unless { skip } }",
           "chan STDIN; byte x; init { STDIN?x }",
           "typedef T { byte a; byte b } proctype P(T t) { t.a = 1 } init { T x; run P(x) }",
           "inline f(a) { a = 1 }\nbyte x, y; init { f(x) f(y) y = 2 }",
           "byte x; init { do :: x==0; :: x == 1; od }",
           "byte x; init { if :: atomic { else -> x = 1 } :: x == 1 fi }",
           "typedef T { chan c } T t; init { t.c = 0 }",
       }) {
    const Parsed parsed(text);
    EXPECT_TRUE(parsed.model) << text << "\n" << parsed.text();
    EXPECT_TRUE(parsed.complaints().empty()) << text;
  }
}

TEST(PromelaDiagnostics, SuggestsNamesThatAreClose) {
  const Parsed parsed("byte counter; init { conter = 1 }");
  ASSERT_EQ(parsed.diagnostics.all().size(), 1u);
  EXPECT_EQ(parsed.diagnostics.all()[0].help, "did you mean `counter`?");
  EXPECT_EQ(Parsed("proctype Worker() { skip } init { run Wroker() }").diagnostics.all()[0].help,
            "did you mean `Worker`?");
  EXPECT_EQ(Parsed("init { start: skip; goto strat }").diagnostics.all()[0].help, "did you mean `start`?");
  EXPECT_EQ(Parsed("init { atomc { skip } }").diagnostics.all()[0].help, "did you mean `atomic`?");
}

TEST(PromelaDiagnostics, PointsIntoTheUseOfAMacroAndNamesIt) {
  const Parsed parsed("#define inc(v) v = v + step\nbyte x;\ninit {\n  inc(x)\n}");
  ASSERT_EQ(parsed.complaints(), Complaints{"F420:4"});
  const Diagnostic& error = parsed.diagnostics.all()[0];
  EXPECT_EQ(parsed.sources.text(error.range), "inc(x)");
  ASSERT_EQ(error.notes.size(), 1u);
  EXPECT_EQ(error.notes[0].message, "in expansion of macro `inc`");
}

TEST(PromelaDiagnostics, PointsIntoAnInlineAndAtItsUse) {
  const Parsed parsed("byte x;\ninline set(v) {\n  v = unknown\n}\ninit {\n  set(x);\n  set(y)\n}");
  ASSERT_EQ(parsed.complaints(), (Complaints{"F420:3", "F420:7"}));
  const Diagnostic& first = parsed.diagnostics.all()[0];
  ASSERT_EQ(first.notes.size(), 1u);
  EXPECT_EQ(first.notes[0].message, "in this use of inline `set`");
  EXPECT_EQ(parsed.sources.position(first.notes[0].range.file, first.notes[0].range.begin).line, 6u);
}

TEST(PromelaDiagnostics, GoesOnBehindAMistake) {
  const Parsed parsed(
      "byte x;\n"
      "active proctype A() {\n"
      "  x = ;\n"
      "  y = 1;\n"
      "  if\n"
      "  :: x == -> x = 2\n"
      "  :: z = 3\n"
      "  fi;\n"
      "  x = 5\n"
      "}\n"
      "active proctype B() { w = 1 }\n");
  EXPECT_EQ(parsed.complaints(), (Complaints{"F010:3", "F420:4", "F010:6", "F420:7", "F420:11"}));
}

TEST(PromelaDiagnostics, SaysAtMostTwenty) {
  std::string text = "init {\n";
  for (int i = 0; i < 50; ++i) text += "unknown" + std::to_string(i) + "a = 1;\n";
  const Parsed parsed(text + "skip }");
  EXPECT_EQ(parsed.diagnostics.all().size(), Diagnostics::limit);
  EXPECT_EQ(parsed.diagnostics.errors(), 50u);
}

TEST(PromelaDiagnostics, RendersWithoutFault) {
  const Parsed parsed("#define M(a) a a\ninit { M(x y z) }\n\tltl { <> x == 1 }");
  for (const Diagnostic& diagnostic : parsed.diagnostics.all())
    EXPECT_FALSE(render(diagnostic, parsed.sources, false).empty());
}

}  // namespace
}  // namespace fathom::promela
