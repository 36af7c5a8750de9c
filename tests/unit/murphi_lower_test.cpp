#include <gtest/gtest.h>

#include <algorithm>

#include "ir/instance.hpp"
#include "ir/print.hpp"
#include "ir/validate.hpp"
#include "lang/murphi/load.hpp"

namespace fathom::murphi {
namespace {

class LowerTest : public testing::Test {
 protected:
  // Loads a model; a sound program is validated on the way.
  const ir::Program* load(const std::string& text, Options options = {}) {
    diagnostics = {};
    loaded = murphi::load(sources, sources.add("test.m", text), options, diagnostics);
    if (loaded.program != nullptr) {
      EXPECT_EQ(ir::validate(*loaded.program), std::vector<std::string>{});
    }
    return loaded.program.get();
  }

  // The codes of all errors of a model that is wrapped in what every model needs.
  std::vector<std::string> errors(const std::string& declarations, const std::string& body = "", Options options = {}) {
    load("var zz: boolean; " + declarations + " startstate begin zz := true; end; rule begin zz := !zz; " + body +
             " end;",
         options);
    std::vector<std::string> codes;
    for (const Diagnostic& each : diagnostics.all())
      if (each.severity == Severity::error) codes.push_back(each.code);
    return codes;
  }

  static Options dialect(Dialect dialect) {
    Options options;
    options.dialect = dialect;
    return options;
  }

  using Codes = std::vector<std::string>;
  Sources sources;
  Diagnostics diagnostics;
  Loaded loaded;
};

TEST_F(LowerTest, OneMistakeIsOneMessage) {
  EXPECT_EQ(errors("var x: 0..3;", "x := y + 1;"), Codes{"F100"});
  EXPECT_EQ(errors("var x: Unknown;", "x := 1; x.f := x[2];"), Codes{"F101"});
  EXPECT_EQ(errors("const N: M; var x: 0..N;", "x := N;"), Codes{"F100"});
  EXPECT_EQ(errors("function f(a: T): boolean; begin return a; end;", "zz := f(3, 4);"), Codes{"F101"});
}

TEST_F(LowerTest, AMistakeAroundSeveralRulesIsReportedOnce) {
  EXPECT_EQ(errors("ruleset i: Unknown do rule begin zz := i; end; rule begin zz := i; end; end;"), Codes{"F101"});
}

TEST_F(LowerTest, NearMissesAreSuggested) {
  errors("var counter: 0..3;", "countr := 1;");
  EXPECT_EQ(diagnostics.all().front().help, "did you mean `counter`?");
  errors("type t: record value: 0..3; end; var r: t;", "r.valu := 1;");
  EXPECT_EQ(diagnostics.all().front().help, "did you mean `value`?");
}

TEST_F(LowerTest, DuplicatesPointAtTheFirstDeclaration) {
  EXPECT_EQ(errors("var x: 0..3; x: boolean;"), Codes{"F104"});
  EXPECT_EQ(diagnostics.all().front().notes.size(), 1u);
  EXPECT_EQ(errors("type t: enum {A, B}; u: enum {B};"), Codes{"F104"});
  EXPECT_EQ(errors("type t: record a: 0..1; a: boolean; end;"), Codes{"F107"});
}

TEST_F(LowerTest, InnerNamesMayHideOuterOnes) {
  EXPECT_EQ(errors("type t: 0..1; function f(t: boolean): t; begin return t ? 1 : 0; end;"), Codes{});
  EXPECT_EQ(errors("type boolean: 0..1;", "", dialect(Dialect::rumur)), Codes{"F105"});
}

TEST_F(LowerTest, OperandsMustFit) {
  EXPECT_EQ(errors("type e: enum {A, B}; var x: e;", "x := A + 1;"), Codes{"F120"});
  EXPECT_EQ(errors("var x: 0..3;", "if x then end;"), Codes{"F121"});
  EXPECT_EQ(errors("type e: enum {A, B}; var x: e;", "if x = 1 then end;"), Codes{"F122"});
  EXPECT_EQ(errors("type s: scalarset(2); t: scalarset(2); var x: s; y: t;", "x := y;"), Codes{"F123"});
  EXPECT_EQ(errors("var x: array [0..1] of boolean;", "x[true] := true;"), Codes{"F127"});
  EXPECT_EQ(errors("var x: 0..1;", "if x = undefined then end;"), Codes{"F129"});
}

TEST_F(LowerTest, UnionsGoWithTheirMembers) {
  const std::string types = "type h: scalarset(2); e: enum {A, B}; u: union {h, e}; var x: u; y: h; z: 0..1;";
  EXPECT_EQ(errors(types, "x := A; x := y; y := x; if x = y then end; if ismember(x, h) then end;"), Codes{});
  EXPECT_EQ(errors(types, "x := z;"), Codes{"F123"});
}

TEST_F(LowerTest, ReadOnlyThingsStaySo) {
  EXPECT_EQ(errors("procedure p(a: boolean); begin a := true; end;"), Codes{"F141"});
  EXPECT_EQ(errors("", "for i: boolean do i := true; end;"), Codes{"F141"});
  EXPECT_EQ(errors("procedure p(var a: boolean); begin a := true; end;", "for i: boolean do p(i); end;"),
            Codes{"F143"});
  EXPECT_EQ(errors("const N: 2;", "N := 3;"), Codes{"F140"});
}

TEST_F(LowerTest, GuardsMustNotChangeTheState) {
  EXPECT_EQ(errors("function f(): boolean; begin zz := true; return true; end; rule f() ==> begin zz := false; end;"),
            Codes{"F146"});
  const std::string by_reference =
      "function f(var a: boolean): boolean; begin a := true; return a; end;"
      "function g(var b: boolean): boolean; begin return f(b); end;";
  EXPECT_EQ(errors(by_reference + "invariant g(zz);"), Codes{"F146"});
  EXPECT_EQ(errors("function f(var a: boolean): boolean; begin return a; end; invariant f(zz) | !f(zz);"), Codes{});
}

TEST_F(LowerTest, ARecursiveWriteThroughAnotherParameterIsSeen) {
  EXPECT_EQ(errors("function f(var a: boolean; var b: boolean; n: 0..3): boolean; begin "
                   "  b := true; if n > 0 then return f(b, a, n - 1); end; return true; end;"
                   "function g(var a: boolean): boolean; var c: boolean; begin return f(a, c, 1); end;"
                   "invariant g(zz);"),
            Codes{"F146"});
}

TEST_F(LowerTest, DialectsDifferInLoopsThatRunTheWrongWay) {
  EXPECT_EQ(errors("", "for i := 10 to 0 do end;", dialect(Dialect::rumur)), Codes{"F151"});
  EXPECT_EQ(errors("", "for i := 10 to 0 do end;", dialect(Dialect::cmurphi)), Codes{});
  EXPECT_EQ(errors("", "for i := 0 to 10 by 0 do end;"), Codes{"F150"});
}

TEST_F(LowerTest, TooManyInstancesAreRefused) {
  EXPECT_EQ(errors("ruleset i: 0..99999; j: 0..99999 do rule begin zz := true; end; end;"), Codes{"F153"});
}

TEST_F(LowerTest, ConstantsMustHaveAValue) {
  EXPECT_EQ(errors("const N: 1 / 0;"), Codes{"F111"});
  EXPECT_EQ(errors("const N: 9223372036854775807 + 1;"), Codes{"F111"});
  EXPECT_EQ(errors("var x: 0..zz;"), Codes{"F110"});
  EXPECT_EQ(errors("type t: 3..2;"), Codes{"F112"});
}

TEST_F(LowerTest, WhatIsMissingSaysSo) {
  load("var x: boolean; rule begin x := true; end;");
  EXPECT_EQ(diagnostics.all().front().code, "F180");
}

TEST_F(LowerTest, OneLargeNumberMakesAllNumbersUnsigned) {
  const ir::Program* const program = load(
      "const N: 3; M: 18446744073709551614 - N; var x: N..M; y: 4..7; startstate begin x := 1 + 2; y := 4; end;"
      "ruleset i := 1 to 5 by 2 do rule x > M / 2 ==> begin x := i; end; end;",
      {Dialect::cmurphi, {{"N", 2}}});
  ASSERT_NE(program, nullptr);
  EXPECT_EQ(ir::print(*program->variables[0].type), "2..18446744073709551612");
  EXPECT_EQ(program->variables[1].type->bits, 3u);
  EXPECT_EQ(ir::print(*program->starts[0]->routine.body[0]->value), "3");
  EXPECT_EQ(ir::print(*program->edges()[0]->guard), "(x > 9223372036854775806)");
  EXPECT_EQ(
      ir::show_parameters(program->edges()[0]->parameters, ir::parameter_values(program->edges()[0]->parameters, 2)),
      "i: 5");
}

TEST_F(LowerTest, UnsignedNumbersEndSomewhere) {
  const std::string large = "var x: 0..18446744073709551614; m: multiset [2] of boolean;";
  EXPECT_EQ(errors(large), Codes{});
  EXPECT_EQ(errors("var x: 0..18446744073709551615;"), Codes{"F111"});
  EXPECT_EQ(errors(large + "const N: 18446744073709551614 + 1;"), Codes{"F111"});
  EXPECT_EQ(errors(large + "const N: 1 - 2;"), Codes{"F111"});
  EXPECT_EQ(errors(large, "x := -1;"), Codes{"F111"});
  EXPECT_EQ(errors(large, "x := ~x;"), Codes{"F111"});
  EXPECT_EQ(errors(large, "for i := 0 to 3 by x do end;"), Codes{"F110"});
  EXPECT_EQ(errors(large + "type s: scalarset(18446744073709551614);"), Codes{"F111"});
  EXPECT_EQ(errors(large + "choose i: m do rule i = 1 ==> begin end; end;"), Codes{"F122"});
  EXPECT_EQ(errors(large + "const N: 3;", "", {Dialect::cmurphi, {{"N", -1}}}), Codes{"F118"});
}

TEST_F(LowerTest, ConstantsCanBeReplaced) {
  Options options;
  options.constants = {{"N", 5}};
  const ir::Program* const program = load(
      "const N: 2; M: N + 1; var x: array [1..M] of boolean; startstate begin x[1] := true; end; "
      "rule begin x[1] := !x[1]; end;",
      options);
  ASSERT_NE(program, nullptr);
  EXPECT_EQ(program->variables.front().type->index->hi, 6);
  options.constants = {{"K", 5}};
  EXPECT_EQ(errors("const N: 2;", "", options), Codes{});
  EXPECT_EQ(loaded.unknown_constants, std::vector<std::string>{"K"});
}

TEST_F(LowerTest, DialectsDifferInCopiesOfUndefinedValues) {
  const std::string model = "var a, b: 0..3; startstate begin a := b; end; rule begin a := 1; end;";
  EXPECT_EQ(load(model)->starts.front()->routine.body.front()->value->kind, ir::Expr::Kind::read_or_undefined);
  EXPECT_EQ(load(model, dialect(Dialect::rumur))->starts.front()->routine.body.front()->value->kind,
            ir::Expr::Kind::read);
}

TEST_F(LowerTest, AnAliasWithAMovingIndexIsBound) {
  const ir::Program* const program = load(
      "var a: array [0..3] of 0..3; i: 0..3; startstate begin i := 0; clear a; end;"
      "rule begin alias x: a[i]; y: a[2] do i := 1; x := 2; y := 3; end; end;");
  ASSERT_NE(program, nullptr);
  const ir::Block& body = program->edges().front()->routine.body;
  ASSERT_EQ(body.size(), 4u);
  EXPECT_EQ(body[0]->kind, ir::Stmt::Kind::bind);
  EXPECT_EQ(body[3]->place->variable->name, "a");
}

TEST_F(LowerTest, ALocalPassedByReferenceLeavesItsRegister) {
  const ir::Program* const program = load(
      "var x: boolean; procedure p(var a: boolean); begin a := true; end;"
      "startstate begin x := true; end; rule var l, m: boolean; begin p(l); m := l; x := m; end;");
  ASSERT_NE(program, nullptr);
  const ir::Routine& routine = program->edges().front()->routine;
  EXPECT_EQ(routine.locals[0].storage, ir::Local::Storage::frame);
  EXPECT_EQ(routine.locals[1].storage, ir::Local::Storage::in_register);
}

TEST_F(LowerTest, ChooseAsksFirstWhetherTheSlotIsFilled) {
  const ir::Program* const program = load(
      "var m: multiset [3] of 0..1; n: array [boolean] of multiset [2] of boolean;"
      "startstate begin undefine m; undefine n; end;"
      "choose i: m do rule m[i] = 1 ==> begin MultiSetRemove(i, m); end; end;"
      "ruleset b: boolean do choose j: n[b] do rule n[b][j] ==> begin MultiSetAdd(1, m); end; end; end;");
  ASSERT_NE(program, nullptr);
  EXPECT_EQ(ir::print(*program->edges()[0]->guard), "(filled(m, i) & (m{i} = 1))");
  EXPECT_EQ(ir::print(*program->edges()[1]->guard), "(filled(n[b], j) & n[b]{j})");
  EXPECT_EQ(program->edges()[1]->instances(), 4u);
}

TEST_F(LowerTest, SlotsBelongToTheirMultiset) {
  const std::string sets = "var m: multiset [2] of 0..1; n: multiset [3] of 0..1;";
  EXPECT_EQ(errors(sets + "choose i: m do rule n[i] = 1 ==> begin end; end;"), Codes{"F161"});
  EXPECT_EQ(errors(sets, "MultiSetRemove(0, m);"), Codes{"F161"});
}

TEST_F(LowerTest, InvariantsKnowWhenTheyAreTested) {
  const ir::Program* const program = load(
      "type t: 0..1; var a: array [t] of boolean; startstate begin clear a; end; rule begin a[0] := true; end;"
      "invariant \"one\" forall i: t do forall j: t do i != j -> (a[i] -> !a[j]) end end;"
      "ruleset i: t do invariant a[i] -> a[1 - i]; end; invariant !a[1];");
  ASSERT_NE(program, nullptr);
  ASSERT_EQ(program->properties.size(), 3u);
  EXPECT_EQ(ir::print(*program->properties[0]->antecedent), "(exists i: t do (exists j: t do ((i != j) & a[i])))");
  EXPECT_EQ(ir::print(*program->properties[1]->antecedent), "a[i]");
  EXPECT_EQ(program->properties[1]->name, "Invariant 2");
  EXPECT_EQ(program->properties[2]->antecedent, nullptr);
}

TEST_F(LowerTest, LivenessIsExpanded) {
  const ir::Program* const program = load(
      "var x: 0..2; startstate begin x := 0; end; rule begin x := 1; end;"
      "ruleset y: 0..2 do liveness \"x is y\" x = y end");
  ASSERT_NE(program, nullptr);
  ASSERT_EQ(program->properties.size(), 3u);
  EXPECT_EQ(program->properties[2]->name, "x is y, y: 2");
  EXPECT_EQ(ir::print(*program->properties[2]->condition), "(x = 2)");
}

}  // namespace
}  // namespace fathom::murphi
