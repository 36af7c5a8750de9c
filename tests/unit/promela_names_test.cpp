#include "promela_testing.hpp"

namespace fathom::promela {
namespace {

TEST(PromelaNames, NumbersMtypesBackwards) {
  EXPECT_EQ(Parsed("mtype = { a, b }; mtype = { c d }; mtype:f = { x, y }; init { skip }").text().substr(0, 46),
            "mtype { b=1 a=2 d=3 c=4 }\nmtype:f { y=1 x=2 }\n");
}

TEST(PromelaNames, KeepsSiblingBlocksApart) {
  EXPECT_EQ(
      body("skip; { byte x; x = 1 } { int x = 5; x = 2 } byte x; x = 3"),
      "  1\n  block {\n    declare byte x#1\n    x#1 = 1\n  }\n  block {\n    declare int x#2 = 5\n    x#2 = 2\n  }\n"
      "  declare byte x\n  x = 3\n");
}

TEST(PromelaNames, InnerVariablesMustNotHideOuterOnes) {
  EXPECT_EQ(Parsed("byte x;\ninit { x = 1;\n{ int x; x = 2 }\nx = 3 }").complaints(), Complaints{"F431:3"});
}

TEST(PromelaNames, ABlockEndsItsVariables) {
  EXPECT_EQ(Parsed("init {\n{ byte x; x = 1 }\nx = 2 }").complaints(), Complaints{"F420:3"});
}

TEST(PromelaNames, TellsLeadingDeclarationsFromExecutedOnes) {
  const Parsed parsed("init { byte a = 1; byte b; a = 2; byte c; { byte d; skip } }");
  ASSERT_TRUE(parsed.model);
  const auto& variables = parsed.model->processes[0]->variables;
  EXPECT_TRUE(variables[0]->leading && variables[1]->leading);
  EXPECT_FALSE(variables[2]->leading || variables[3]->leading);
  EXPECT_EQ(parsed.model->processes[0]->body.size(), 3u);
  EXPECT_EQ(variables[3]->depth, 1u);
}

TEST(PromelaNames, ResolvesFieldsOfNestedStructures) {
  EXPECT_EQ(body("t[1].in.q[1] = t[0].a; t[0].in.c!1",
                 "typedef In { unsigned q : 3; chan c = [1] of { byte } } typedef T { byte a\n In in } T t[2];"),
            "rejected: `q` is no array and has no elements");
  EXPECT_EQ(body("t[1].in.q = t[0].a; t[0].in.c!1",
                 "typedef In { unsigned q : 3; chan c = [1] of { byte } } typedef T { byte a\n In in } T t[2];"),
            "  t[1].in.q = t[0].a\n  t[0].in.c!1\n");
}

TEST(PromelaNames, ExpandsInlinesTextually) {
  EXPECT_EQ(body("f(x + 1, x)", "byte x; inline f(a, b) { byte t; b = a * 2; t = b }\n"),
            "  inline f {\n    declare byte t#1\n    x = (x + (1 * 2))\n    t#1 = x\n  }\n");
  EXPECT_EQ(body("outer(x) outer(x)", "byte x; inline inner(p) { p++ }\ninline outer(q) { inner(q); q-- }\n"),
            "  inline outer {\n    inline inner {\n      x++\n    }\n    x--\n  }\n"
            "  inline outer {\n    inline inner {\n      x++\n    }\n    x--\n  }\n");
}

TEST(PromelaNames, InlinesReturnValues) {
  EXPECT_EQ(body("r = add(2, 3)", "byte r; inline add(a, b) { return a + b }\n"),
            "  inline add {\n    r = (2 + 3)\n  }\n");
  EXPECT_EQ(Parsed("byte r; inline f() {\nreturn 1 }\ninit { f() }").complaints(), Complaints{"F453:2"});
  EXPECT_EQ(Parsed("init { return 1 }").complaints(), Complaints{"F453:1"});
}

TEST(PromelaNames, GivesEveryUseOfAnInlineItsLabels) {
  const Parsed parsed("byte x; inline f() { skip; again: x++; goto again }\ninit { f(); f() }");
  ASSERT_TRUE(parsed.model) << parsed.text();
  const Sequence& steps = parsed.model->processes[0]->body;
  EXPECT_EQ(steps[0]->body[2]->label->target, steps[0]->body[1].get());
  EXPECT_EQ(steps[1]->body[2]->label->target, steps[1]->body[1].get());
}

TEST(PromelaNames, BreaksOutOfTheLoopAroundAnInline) {
  const Parsed parsed("inline out() { skip; break }\ninit { do :: out() od }");
  ASSERT_TRUE(parsed.model) << parsed.text();
  const Stmt& loop = *parsed.model->processes[0]->body[0];
  EXPECT_EQ(loop.options[0][0]->body[1]->target, &loop);
}

TEST(PromelaNames, FoldsConstantsForSizes) {
  const Parsed parsed(
      "#define N 2\nbyte n = 3; byte a[N * 3 - 1]; byte b[n]; chan c[2] = [N + 1] of { byte }; init { skip }");
  ASSERT_TRUE(parsed.model);
  EXPECT_EQ(parsed.model->globals[1]->length, 5u);
  EXPECT_EQ(parsed.model->globals[2]->length, 3u);
  EXPECT_EQ(parsed.model->globals[3]->channel->capacity, 3u);
  EXPECT_EQ(parsed.complaints(), Complaints{"F443:2"});
}

TEST(PromelaNames, TypesExpressions) {
  const Parsed parsed(
      "mtype = { a }; byte b; chan c; init { b = b; b == 1; b + 1; a; c == c; c!1 }\nchan d = [1] of { byte };");
  ASSERT_TRUE(parsed.model) << parsed.text();
  const Sequence& steps = parsed.model->processes[0]->body;
  EXPECT_EQ(steps[0]->b->type.kind, Type::Kind::byte);
  EXPECT_EQ(steps[1]->a->type.kind, Type::Kind::boolean);
  EXPECT_EQ(steps[2]->a->type.kind, Type::Kind::int_);
  EXPECT_EQ(steps[3]->a->type.kind, Type::Kind::mtype);
  EXPECT_EQ(steps[5]->a->type.kind, Type::Kind::chan);
}

}  // namespace
}  // namespace fathom::promela
