// Which values variables can have, and how many bits they get for that.
#include <gtest/gtest.h>

#include <memory>
#include <string>

#include "analysis/narrowing.hpp"
#include "ir/compose.hpp"
#include "ir/layout.hpp"
#include "ir/validate.hpp"
#include "lang/promela/load.hpp"

namespace fathom {
namespace {

struct Narrowed {
  explicit Narrowed(const std::string& text)
      : file(sources.add("test.pml", text)), model(sources, file, {}, {.optimise = false}, diagnostics) {
    program = model.program(diagnostics);
    ir::compose(*program, diagnostics);
    before = program->state_bits;
    narrow_variables(*program);
    EXPECT_EQ(ir::validate(*program), std::vector<std::string>{}) << text;
  }

  // The type of a variable, or of a field of one.
  [[nodiscard]] const ir::Type& type(const std::string& variable, const std::string& field = "") const {
    const ir::Type* found = nullptr;
    for (const ir::Variable& each : program->variables)
      if (each.name == variable && each.type->kind != ir::Type::Kind::enumeration) found = each.type;
    while (found->kind == ir::Type::Kind::array) found = found->element;
    return field.empty() ? *found : *found->field(field)->type;
  }

  Sources sources;
  Diagnostics diagnostics;
  FileId file;
  promela::Model model;
  std::unique_ptr<ir::Program> program;
  std::uint32_t before = 0;
};

TEST(Narrowing, CountsTheValuesThatAreWritten) {
  const Narrowed model("byte x; short y; active proctype P() { x = 5; y = -3; y = 2 }");
  EXPECT_EQ(model.type("x").bits, 3U);
  EXPECT_FALSE(model.type("x").is_signed);
  EXPECT_EQ(model.type("y").bits, 3U);
  EXPECT_TRUE(model.type("y").is_signed);
  EXPECT_LT(model.program->state_bits, model.before);
}

TEST(Narrowing, AGuardLastsUntilTheVariableIsWritten) {
  const Narrowed model(
      "byte other; active proctype P() { byte j; do :: j < 4 -> other = 1; skip; j = j + 1 :: j == 4 -> j = 0 od }");
  EXPECT_EQ(model.type("P[0]", "j").hi, 4);
}

TEST(Narrowing, OtherProcessesMayWriteBetweenGuardAndStatement) {
  const Narrowed model(
      "byte x; active proctype P() { do :: x < 4 -> x = x + 1 od } active proctype Q() { do :: x < 4 -> x = x + 1 od "
      "}");
  EXPECT_EQ(model.type("x").bits, 8U);
}

TEST(Narrowing, AVariableOfOneProcessIsKnownAtEachPlace) {
  const Narrowed model("byte x; active [2] proctype P() { byte y; do :: y < 9 -> y = 9 :: y > 3 -> y = 1; x = y od }");
  EXPECT_EQ(model.type("P[0]", "y").hi, 9);
  EXPECT_EQ(model.type("x").hi, 1);
}

TEST(Narrowing, WhatWrapsAroundKeepsItsWidth) {
  const Narrowed model("byte x = 255; int y; active proctype P() { x = x + 1; do :: y = y + 1 od }");
  EXPECT_EQ(model.type("x").bits, 8U);
  EXPECT_EQ(model.type("y").bits, 32U);
}

TEST(Narrowing, ACutValueMayBeAnything) {
  const Narrowed model("byte x; active proctype P() { x = -1 }");
  EXPECT_EQ(model.type("x").bits, 8U);
  EXPECT_EQ(model.type("x").hi, 255);
}

TEST(Narrowing, ManyRoundsLeapToABoundOfTheModel) {
  const Narrowed model("int x; active proctype P() { do :: x < 1000 -> x = x + 1 :: else -> break od }");
  EXPECT_EQ(model.type("x").hi, 1000);
}

TEST(Narrowing, MessagesCarryBoundsFromSendersToReceivers) {
  const Narrowed queue("chan c = [3] of { byte }; active proctype P() { c!6 } active proctype Q() { byte v; c?v }");
  EXPECT_EQ(queue.type("Q[1]", "v").hi, 6);
  const Narrowed meeting("chan c = [0] of { byte }; active proctype P() { c!6 } active proctype Q() { byte v; c?v }");
  EXPECT_EQ(meeting.type("Q[1]", "v").hi, 6);
}

TEST(Narrowing, AnotherProgramOfTheModelTakesTheLayoutOver) {
  const std::string text = "byte x; active proctype P() { byte y; x = 5; y = 3 }";
  const Narrowed model(text);
  Sources sources;
  Diagnostics diagnostics;
  promela::Model again(sources, sources.add("test.pml", text), {}, {.optimise = false}, diagnostics);
  const auto program = again.program(diagnostics);
  EXPECT_NE(program->state_bits, model.program->state_bits);
  ir::lay_out_like(*program, *model.program);
  EXPECT_EQ(program->state_bits, model.program->state_bits);
  EXPECT_EQ(ir::validate(*program), std::vector<std::string>{});
}

}  // namespace
}  // namespace fathom
