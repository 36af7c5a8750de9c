// Which scalarsets may be permuted, judged on small Murphi texts.
#include "analysis/symmetry.hpp"

#include <gtest/gtest.h>

#include "lang/murphi/load.hpp"

namespace fathom {
namespace {

struct Verdict {
  bool safe = false;
  std::string code;  // of the first warning
};

// A model around the body of one rule, which may use the scalarset and the variables declared here.
Verdict judge(const std::string& body, const std::string& more = "") {
  static const std::string head = R"(
type
  pid: scalarset(3);
  item: record who: pid; count: 0..9; end;
var
  a: array [pid] of 0..9;
  b: array [pid] of boolean;
  next: array [pid] of pid;
  items: array [pid] of item;
  bag: multiset [9] of pid;
  flag: boolean;
  sum: 0..90;
  last: pid;
)";
  Sources sources;
  const FileId file = sources.add("model.m", head + more + "\nruleset p: pid do rule true ==> " + body +
                                                 " end end; startstate begin flag := false; end; invariant true;");
  Diagnostics diagnostics;
  const auto loaded = murphi::load(sources, file, {}, diagnostics);
  if (!loaded.program) {
    ADD_FAILURE() << render(diagnostics.all().front(), sources, false);
    return {};
  }
  const SymmetryAnalysis analysis = analyse_symmetry(*loaded.program);
  return {analysis.safe.size() == 1, analysis.warnings.empty() ? "" : analysis.warnings.front().code};
}

void expect_safe(const std::string& body, const std::string& more = "") {
  const Verdict verdict = judge(body, more);
  EXPECT_TRUE(verdict.safe) << body;
  EXPECT_EQ(verdict.code, "") << body;
}

void expect_unsafe(const std::string& code, const std::string& body, const std::string& more = "") {
  const Verdict verdict = judge(body, more);
  EXPECT_FALSE(verdict.safe) << body;
  EXPECT_EQ(verdict.code, code) << body;
}

TEST(SymmetryAnalysis, AcceptsLoopsThatStayInTheirOwnRow) {
  expect_safe("begin for i: pid do a[i] := 0; b[i] := a[i] = 1; end;");
  expect_safe("begin for i: pid do for j: pid do if i = j then items[j].count := 1; end; end; end;");
  expect_safe("begin for i: pid do alias row: items[i] do row.count := a[i]; undefine row.who; end; end;");
}

TEST(SymmetryAnalysis, RejectsLoopsThatReadWhatOtherIterationsWrite) {
  expect_unsafe("F300", "begin for i: pid do a[i] := a[next[i]]; end;");
  expect_unsafe("F300", "begin for i: pid do if !flag then flag := b[i]; end; end;");
  expect_unsafe("F300",
                "begin for i: pid do alias row: items[next[i]] do row.count := a[i]; items[i].count := 0; end; end;");
}

TEST(SymmetryAnalysis, RejectsLoopsInWhichTheLastOneWins) {
  expect_unsafe("F300", "begin for i: pid do last := i; end;");
  expect_unsafe("F300", "begin for i: pid do a[p] := a[i]; end;");
}

TEST(SymmetryAnalysis, AcceptsTheSameValueFromEveryIteration) {
  expect_safe("begin for i: pid do if b[i] then flag := true; end; end;");
  expect_safe("begin for i: pid do if b[i] then last := p; end; end;");
  expect_unsafe("F300", "begin for i: pid do if b[i] then flag := true; else flag := false; end; end;");
}

TEST(SymmetryAnalysis, AcceptsSumsThatGrowInOneDirection) {
  expect_safe("begin for i: pid do sum := sum + a[i]; end;");
  expect_safe("begin for i: pid do flag := flag | b[i]; end;");
  expect_unsafe("F300", "begin for i: pid do if b[i] then sum := sum + 1; else sum := sum - 1; end; end;");
  expect_unsafe("F300", "begin for i: pid do sum := sum + 1; a[i] := sum; end;");
}

TEST(SymmetryAnalysis, AcceptsInsertionsIntoAMultiset) {
  expect_safe("begin for i: pid do if i != p then MultiSetAdd(i, bag); end; end;");
}

TEST(SymmetryAnalysis, AcceptsLocalsThatEachIterationWritesBeforeItReads) {
  expect_safe("var t: item; begin for i: pid do t.who := i; t.count := a[i]; items[i] := t; end;");
  expect_unsafe("F300", "var t: item; begin for i: pid do if b[i] then t.count := a[i]; end; items[i] := t; end;");
  expect_unsafe("F300", "var t: pid; begin for i: pid do t := i; end; last := t;");
}

TEST(SymmetryAnalysis, FollowsCalls) {
  expect_safe("begin for i: pid do reset(i); end;", "procedure reset(q: pid); begin a[q] := 0; end;");
  expect_safe("begin for i: pid do raise(a[i]); end;", "procedure raise(var x: 0..9); begin x := 1; end;");
  expect_unsafe("F300", "begin for i: pid do reset(next[i]); a[i] := 1; end;",
                "procedure reset(q: pid); begin a[q] := 0; end;");
  expect_unsafe("F300", "begin for i: pid do keep(i); end;", "procedure keep(q: pid); begin last := q; end;");
  expect_unsafe("F300", "begin for i: pid do put_in(i); put_in(p); end;",
                "procedure put_in(q: pid); begin if b[q] then last := q; end; end;");
}

TEST(SymmetryAnalysis, AcceptsASearchThatOnlyReturnsAConstant) {
  expect_safe("begin flag := any();",
              "function any(): boolean; begin for i: pid do if b[i] then return true; end; end; return false; end;");
  expect_unsafe("F300", "begin last := first();",
                "function first(): pid; begin for i: pid do if b[i] then return i; end; end; return last; end;");
}

TEST(SymmetryAnalysis, RejectsAClearThatPicksAnElement) {
  expect_unsafe("F302", "begin clear last;");
  expect_unsafe("F302", "begin clear items;");
  expect_safe("begin clear a; clear bag;");
}

TEST(SymmetryAnalysis, RejectsLivenessOfOneElement) {
  expect_unsafe("F301", "begin a[p] := 1;", "ruleset q: pid do liveness \"l\" a[q] = 1 end;");
}

}  // namespace
}  // namespace fathom
