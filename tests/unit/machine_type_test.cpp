// Machine integers: fixed width, never undefined, wrapping; in both executors.
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <optional>

#include "hand_built_network.hpp"
#include "model/interpreted.hpp"
#include "model/native.hpp"
#include "native/build.hpp"
#include "state/leaves.hpp"

namespace fathom {
namespace {

using Kind = ir::Expr::Kind;

TEST(MachineType, ItsCodesAreBitPatternsAndZeroIsANumber) {
  HandBuiltNetwork net;
  const ir::Type* const byte = net.build.machine(8, false);
  EXPECT_EQ(byte, net.build.machine(8, false));
  EXPECT_EQ(byte->decode(0), 0);
  EXPECT_EQ(byte->decode(255), 255);
  EXPECT_EQ(byte->encode(256 + 7), 7U);
  EXPECT_EQ(byte->encode(ir::undefined), 0U);
  EXPECT_EQ(byte->fit(-1), 255);
  const ir::Type* const shorter = net.build.machine(16, true);
  EXPECT_EQ(shorter->decode(0xffff), -1);
  EXPECT_EQ(shorter->fit(40'000), 40'000 - 65'536);
  EXPECT_EQ(net.build.range(0, 3)->decode(0), ir::undefined);
}

TEST(MachineType, NamedValuesAreShownByName) {
  HandBuiltNetwork net;
  const ir::Type* const message = net.build.machine(8, false, {"ack", "msg"});
  EXPECT_EQ(ir::show(*message, 1), "ack");
  EXPECT_EQ(ir::show(*message, 2), "msg");
  EXPECT_EQ(ir::show(*message, 0), "0");
  EXPECT_EQ(ir::show(*message, 3), "3");
}

// The results of expressions, stored one after the other into variables, by both executors.
class MachineArithmetic : public ::testing::Test {
 protected:
  void SetUp() override {
    folder_.emplace(std::filesystem::temp_directory_path());
    ::setenv("FATHOM_CACHE", folder_->path().c_str(), 1);
    ::setenv("FATHOM_CFLAGS", "-O1", 1);
    edge_ = &net.edge(net.component("one"), "calculate");
  }
  void TearDown() override {
    for (const char* name : {"FATHOM_CACHE", "FATHOM_CFLAGS"}) ::unsetenv(name);
  }

  const ir::Expr* constant(std::int64_t value) { return net.build.constant(value, &ir::machine_int(), net.here); }
  const ir::Expr* calculate(Kind kind, const ir::Expr* a, const ir::Expr* b = nullptr) {
    ir::Expr& expr = net.build.expr(kind, &ir::machine_int(), net.here);
    expr.a = a;
    expr.b = b;
    expr.site = net.build.site(ir::FaultKind::division_by_zero, net.here, "division");
    return &expr;
  }
  const ir::Variable* variable(const ir::Type* type) {
    return net.build.variable("v" + std::to_string(net.program.variables.size()), type, net.here);
  }
  void expect(const ir::Type* type, const ir::Expr* value, const std::string& shown) {
    net.assign(*edge_, net.place(variable(type)), value);
    expected_.push_back(shown);
  }
  // Operands come out of variables, so that no compiler folds them.
  const ir::Expr* operand(std::int64_t value) {
    const ir::Variable* const held = net.build.variable("operand", &ir::machine_int(), net.here);
    net.assign(*net.program.starts[0], net.place(held), constant(value));
    return net.read(held);
  }

  template <class M>
  Outcome run(M& model, std::vector<std::string>& values) {
    Batch start, steps;
    model.initial(start);
    model.successors(start.state(0), steps);
    if (steps.empty()) return Outcome::blocked();
    for (const auto& [name, value] : Leaves(net.program).values(steps.state(0)))
      if (name != "operand") values.push_back(value);
    return steps.outcome(0);
  }

  void check(Outcome expected_outcome = {}) {
    net.finish();
    InterpretedModel interpreted(net.program), counters(net.program);
    NativeModel native(net.program, std::make_shared<SharedObject>(NativeBuild(net.program).build({})), counters.hits(),
                       counters.pending());
    std::vector<std::string> values, native_values;
    EXPECT_EQ(run(interpreted, values).raw(), expected_outcome.raw());
    EXPECT_EQ(run(native, native_values).raw(), expected_outcome.raw());
    EXPECT_EQ(values, expected_);
    EXPECT_EQ(native_values, expected_);
  }

  HandBuiltNetwork net;
  ir::Edge* edge_ = nullptr;
  std::vector<std::string> expected_;
  std::optional<TemporaryFolder> folder_;
};

TEST_F(MachineArithmetic, ResultsWrapAtThirtyTwoBits) {
  const ir::Type* const number = &ir::machine_int();
  constexpr std::int64_t max = 2'147'483'647, min = -max - 1;
  expect(number, calculate(Kind::add, operand(max), operand(1)), "-2147483648");
  expect(number, calculate(Kind::subtract, operand(min), operand(1)), "2147483647");
  expect(number, calculate(Kind::multiply, operand(65'536), operand(65'537)), "65536");
  expect(number, calculate(Kind::divide, operand(min), operand(-1)), "-2147483648");
  expect(number, calculate(Kind::divide, operand(-7), operand(2)), "-3");
  expect(number, calculate(Kind::modulo, operand(-7), operand(2)), "-1");
  expect(number, calculate(Kind::negate, operand(min)), "-2147483648");
  expect(number, calculate(Kind::complement, operand(5)), "-6");
  expect(number, calculate(Kind::shift_left, operand(3), operand(31)), "-2147483648");
  expect(number, calculate(Kind::shift_right, operand(-8), operand(1)), "-4");
  expect(number, calculate(Kind::shift_left, operand(1), operand(33)), "2");
  expect(number, calculate(Kind::bit_xor, operand(-1), operand(5)), "-6");
  check();
}

TEST_F(MachineArithmetic, AnAssignmentKeepsTheLowestBits) {
  expect(net.build.machine(8, false), operand(300), "44");
  expect(net.build.machine(8, false), operand(-1), "255");
  expect(net.build.machine(1, false), operand(2), "0");
  expect(net.build.machine(16, true), operand(40'000), "-25536");
  expect(net.build.machine(8, false), net.number(0), "0");
  check();
}

TEST_F(MachineArithmetic, NothingIsUndefined) {
  const ir::Variable* const unset = variable(net.build.machine(8, false));
  expected_.push_back("0");
  expect(&ir::machine_int(), calculate(Kind::add, net.read(unset), constant(1)), "1");
  const ir::Local* const unset_register = net.local(*edge_, "r", net.build.machine(8, false));
  expect(&ir::machine_int(), calculate(Kind::add, net.read(unset_register), constant(2)), "2");
  net.assign(*edge_, net.place(unset_register), constant(260));
  expect(&ir::machine_int(), net.read(unset_register), "4");
  check();
}

TEST_F(MachineArithmetic, ADivisionByZeroIsAFault) {
  const ir::Expr* const quotient = calculate(Kind::divide, operand(1), operand(0));
  net.assign(*edge_, net.place(variable(&ir::machine_int())), quotient);
  expected_.push_back("0");
  check(Outcome{quotient->site});
}

}  // namespace
}  // namespace fathom
