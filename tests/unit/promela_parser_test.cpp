#include "promela_testing.hpp"

namespace fathom::promela {
namespace {

TEST(PromelaParser, ReadsPrecedencesLikeSpin) {
  const std::string globals = "int a, b, c;";
  EXPECT_EQ(body("a + b * c == a << 2 && !b || c", globals), "  ((((a + (b * c)) == (a << 2)) && !b) || c)\n");
  EXPECT_EQ(body("a | b ^ c & a", globals), "  (a | (b ^ (c & a)))\n");
  EXPECT_EQ(body("a - b - c", globals), "  ((a - b) - c)\n");
  EXPECT_EQ(body("-a * ~b", globals), "  (-a * ~b)\n");
  EXPECT_EQ(body("a = (a > 2 -> 3 : 4) + 1", globals), "  a = (((a > 2) -> 3 : 4) + 1)\n");
}

TEST(PromelaParser, ReadsLineBreaksAsSemicolonsWhereSpinDoes) {
  const std::string globals = "byte x, y; chan c = [1] of { byte };\n";
  EXPECT_EQ(body("x = 1\ny = x\n-y\nx++\nskip\n", globals), "  x = 1\n  y = x\n  -y\n  x++\n  1\n");
  EXPECT_EQ(body("if\n:: x == 1\n-> y = 2\n:: else\nfi\nx = 3", globals),
            "  if\n  :: {\n    (x == 1)\n    y = 2\n  }\n  :: {\n    else\n  }\n  x = 3\n");
  EXPECT_EQ(body("c!x\n(y == 1)", globals), "  c!x\n  (y == 1)\n");
  EXPECT_EQ(body("x = (y +\n 1)", globals), "  x = (y + 1)\n");
  EXPECT_EQ(body("x = y +\n 1", globals), "  x = (y + 1)\n");
}

TEST(PromelaParser, NeedsNoSemicolonBehindBracesAndElse) {
  EXPECT_EQ(body("atomic { x = 1 } x = 2; if :: else x = 3 fi", "byte x;"),
            "  atomic {\n    x = 1\n  }\n  x = 2\n  if\n  :: {\n    else\n    x = 3\n  }\n");
  EXPECT_EQ(body("skip;;; skip;-> skip;"), "  1\n  1\n  1\n");
}

TEST(PromelaParser, NeedsOneElsewhere) {
  EXPECT_EQ(Parsed("byte x; init { x = 1 x = 2 }").complaints(), Complaints{"F011:1"});
  EXPECT_EQ(Parsed("byte x; init { do :: break od x = 2 }").complaints(), Complaints{"F011:1"});
  EXPECT_EQ(Parsed("init { ; skip }").complaints(), Complaints{"F010:1"});
  EXPECT_EQ(Parsed("init { }").complaints(), Complaints{"F010:1"});
}

TEST(PromelaParser, ReadsMessages) {
  const std::string globals = "chan c = [2] of { byte, byte }; byte x, y; mtype = { ack };";
  EXPECT_EQ(body("c!1(2); c!!x,y; c?x(y); c?(x, y); c??ack,eval(x + 1); c?<x,_>; c??"
                 "<-1,y>",
                 globals),
            "  c!1, 2\n  c!!x, y\n  c?x, y\n  c?x, y\n  c??ack, eval((x + 1))\n  c?<x, _>\n  c??"
            "<-1, y>\n");
  EXPECT_EQ(body("c?[x,ack] && !c??[1,2]; len(c) > 1; nfull(c) || empty(c)", globals),
            "  (c?[x, ack] && !c??[1, 2])\n  (len(c) > 1)\n  (nfull(c) || empty(c))\n");
}

TEST(PromelaParser, ReplacesStructuresInMessagesByTheirScalars) {
  const std::string globals = "typedef In { byte q[2] } typedef T { byte a; In in } T t; chan c = [1] of { T };";
  EXPECT_EQ(body("c!t; c?t", globals), "  c!t.a, t.in.q[0], t.in.q[1]\n  c?t.a, t.in.q[0], t.in.q[1]\n");
  const Parsed parsed(globals + "init { skip }");
  ASSERT_TRUE(parsed.model);
  EXPECT_EQ(parsed.model->globals[1]->channel->slots.size(), 3u);
}

TEST(PromelaParser, ReadsProcesses) {
  const Parsed parsed(
      "byte g;\n"
      "active [3] proctype A() priority 4 provided (g == 0 && _pid > 0) { skip }\n"
      "D_proctype B(byte a, b; chan c) { c!a }\n"
      "chan q = [0] of { byte };\n"
      "init { run B(1, 2, q); g = run B(3, 4, q) priority 7 }\n"
      "never { skip } never again { skip }\n");
  ASSERT_TRUE(parsed.model) << parsed.text();
  const auto& processes = parsed.model->processes;
  EXPECT_EQ(processes[0]->active, 3u);
  EXPECT_EQ(processes[0]->priority, 4);
  EXPECT_TRUE(processes[0]->provided);
  EXPECT_TRUE(processes[1]->deterministic);
  EXPECT_EQ(processes[1]->parameters.size(), 3u);
  EXPECT_EQ(processes[2]->body[1]->b->value, 7);
  EXPECT_EQ(processes[2]->body[1]->b->process, processes[1].get());
  EXPECT_EQ(processes[3]->name, "never_0");
  EXPECT_EQ(processes[4]->name, "again");
}

TEST(PromelaParser, ReadsLoopsAndEscapes) {
  EXPECT_EQ(body("for (i : 1 .. 3) { skip } for (i in a) { skip }\n select (i : 0 .. 9)", "byte i; byte a[4];"),
            "  for i : 1 .. 3 {\n    1\n  }\n  for i in a {\n    1\n  }\n  select i : 0 .. 9\n");
  EXPECT_EQ(body("{ skip; { skip } unless { timeout } } unless { false }"),
            "  unless {\n    block {\n      1\n      unless {\n        block {\n          1\n        }\n      }\n"
            "      escape {\n        block {\n          timeout\n        }\n      }\n    }\n  }\n"
            "  escape {\n    block {\n      0\n    }\n  }\n");
  EXPECT_EQ(body("do :: break od\nunless skip"),
            "  unless {\n    do\n    :: {\n      break\n    }\n  }\n  escape {\n    1\n  }\n");
}

TEST(PromelaParser, ResolvesLabels) {
  const Parsed parsed("init { a: b: skip; goto end1; { skip; a2: goto a2 }; end1: }");
  ASSERT_TRUE(parsed.model) << parsed.text();
  const Process& init = *parsed.model->processes[0];
  EXPECT_EQ(init.body[0]->labels.size(), 2u);
  EXPECT_EQ(init.body[1]->label->target, init.body[3].get());
  EXPECT_TRUE(init.body[1]->label->is_end());
  EXPECT_FALSE(init.body[0]->labels[0]->is_end());
}

TEST(PromelaParser, ResolvesRemoteReferences) {
  const Parsed parsed(
      "proctype P() { byte v[2]; l: v[0] = 1 }\n"
      "init { run P(); P[1]@l; P@l; P[1]:v[0] == 1 }\n");
  ASSERT_TRUE(parsed.model) << parsed.text();
  const Process& init = *parsed.model->processes[1];
  EXPECT_EQ(init.body[1]->a->label, parsed.model->processes[0]->labels[0].get());
  EXPECT_EQ(init.body[2]->a->a, nullptr);
  EXPECT_EQ(init.body[3]->a->a->variable->name, "v");
}

TEST(PromelaParser, ReadsFormulas) {
  const auto formula = [](const std::string& text) {
    const Parsed parsed("ltl p { " + text + " } byte a, b; active proctype P() { l: skip }");
    return parsed.model ? print(*parsed.model->properties[0].formula) : parsed.text();
  };
  EXPECT_EQ(formula("[] (a == 1 -> <> !(b == 2))"), "[] ((a == 1) -> <> ! (b == 2))");
  EXPECT_EQ(formula("a -> b -> a"), "((a -> b) -> a)");
  EXPECT_EQ(formula("a U b U a && b"), "(((a U b) U a) && b)");
  EXPECT_EQ(formula("[] ! a U b"), "([] ! a U b)");
  EXPECT_EQ(formula("always eventually (a > 0) implies next (a W b)"), "([] <> (a > 0) -> X (a W b))");
  EXPECT_EQ(formula("a /\\ b \\/ a <-> (b release a)"), "(((a && b) || a) <-> (b V a))");
  EXPECT_EQ(formula("[] P@l && a + 1 == b;"), "([] P@l && ((a + 1) == b))");
  EXPECT_EQ(formula("<> a == 2").substr(0, 8), "rejected");
}

TEST(PromelaParser, NamesFormulasAndClaims) {
  const Parsed parsed("ltl { [] true } ltl q { <> true } ltl { true } init { skip }");
  ASSERT_TRUE(parsed.model);
  EXPECT_EQ(parsed.model->properties[0].name, "ltl_0");
  EXPECT_EQ(parsed.model->properties[1].name, "q");
  EXPECT_EQ(parsed.model->properties[2].name, "ltl_1");
}

TEST(PromelaParser, KeepsEmbeddedC) {
  const Parsed parsed(
      "c_decl { int t; /* } */ }; c_state \"int q\" \"Global\"\nc_track \"&q\" \"sizeof(int)\"\n"
      "init { c_code { now.x = '}'; \"}\" }; c_expr { x == 1 } }");
  ASSERT_TRUE(parsed.model) << parsed.text();
  EXPECT_EQ(parsed.model->embedded.size(), 3u);
  EXPECT_EQ(parsed.model->embedded[1].texts[1], "Global");
  EXPECT_EQ(parsed.model->processes[0]->body[0]->code->text, " now.x = '}'; \"}\" ");
  EXPECT_EQ(parsed.model->processes[0]->body[1]->a->kind, Expr::Kind::embedded_c);
}

TEST(PromelaParser, KeepsConditionsAndMacrosOfEmbeddedC) {
  const Parsed parsed(
      "#define N 4\n#define NEXT(v) ((v) + N)\n#define OTHER 1\n"
      "init { c_code [now.a[0] < 2] { now.x = NEXT(now.x); } }");
  ASSERT_TRUE(parsed.model) << parsed.text();
  const CCode& code = *parsed.model->processes[0]->body[0]->code;
  EXPECT_EQ(code.condition, "now.a[0] < 2");
  EXPECT_EQ(code.definitions, "#define NEXT(v)  ((v) + N)\n#define N  4\n");
}

TEST(PromelaParser, ReadsTheRarerThings) {
  EXPECT_EQ(
      body("set_priority(0, 3); x = get_priority(_pid); _priority = 2; _ = 5; x = 'a' + _nr_pr; printm(x)", "byte x;"),
      "  set_priority(0, 3)\n  x = get_priority(_pid)\n  _priority = 2\n  _ = 5\n  x = (97 + _nr_pr)\n  printm(x)\n");
  EXPECT_EQ(body("printf(\"%d\\n\", x,\n x + 1); assert x == 1 -> skip", "byte x;"),
            "  printf(\"%d\\n\", x, (x + 1))\n  assert (x == 1)\n  1\n");
  EXPECT_EQ(body("xr c; xs c; c?1", "chan c = [1] of { byte };"), "  xr c\n  xs c\n  c?1\n");
  EXPECT_TRUE(Parsed("chan c = [1] of { byte }; trace { do :: c!1 :: c?_ od } init { skip }").model);
}

TEST(PromelaParser, KeepsTheTextOfAStatementForTraces) {
  const Parsed parsed(
      "#define WAIT(v) (v == 1)\n"
      "byte x; inline put(a, b) { a = b  + 1 }\n"
      "init { WAIT(x); put(x, 3); x =\n   2 }");
  ASSERT_TRUE(parsed.model);
  const Sequence& steps = parsed.model->processes[0]->body;
  EXPECT_EQ(steps[0]->source, "(x == 1)");
  EXPECT_EQ(parsed.sources.text(steps[0]->range), "WAIT(x)");
  EXPECT_EQ(steps[1]->source, "put(x, 3)");
  EXPECT_EQ(steps[1]->body[0]->source, "x = 3 + 1");
  EXPECT_EQ(parsed.sources.text(steps[1]->body[0]->range), "a = b  + 1");
  EXPECT_EQ(steps[2]->source, "x = 2");
}

TEST(PromelaParser, SurvivesDeepNesting) {
  const std::string many(5000, '(');
  EXPECT_EQ(Parsed("init { " + many + "1 }").complaints(), Complaints{"F017:1"});
  std::string blocks;
  for (int i = 0; i < 5000; ++i) blocks += "{ ";
  EXPECT_EQ(Parsed("init { " + blocks + "skip }").complaints(), Complaints{"F017:1"});
  std::string sum = "x = 1";
  for (int i = 0; i < 5000; ++i) sum += " + 1";
  EXPECT_EQ(Parsed("int x; init { " + sum + " }").complaints(), Complaints{"F017:1"});
}

}  // namespace
}  // namespace fathom::promela
