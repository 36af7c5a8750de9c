#include <gtest/gtest.h>

#include "ir/builder.hpp"
#include "ir/instance.hpp"
#include "ir/program.hpp"

namespace fathom::ir {
namespace {

class TypeTest : public testing::Test {
 protected:
  Program program;
  Builder build{program};
};

TEST_F(TypeTest, ScalarsHaveOneCodePerValueAndZeroForUndefined) {
  const Type* const type = build.range(-3, 4);
  EXPECT_EQ(type->cardinality(), 8u);
  EXPECT_EQ(type->bits, 4u);
  for (std::int64_t value = -3; value <= 4; ++value) EXPECT_EQ(type->value(type->code(value)), value);
  EXPECT_EQ(type->code(-3), 1u);
  EXPECT_FALSE(type->contains(5));
  EXPECT_FALSE(type->contains(undefined));
}

TEST_F(TypeTest, TheWidestRangeDoesNotOverflow) {
  const Type* const type = build.range(undefined + 1, std::numeric_limits<std::int64_t>::max());
  EXPECT_EQ(type->bits, 64u);
  EXPECT_EQ(type->value(type->code(0)), 0);
  EXPECT_EQ(type->value(type->code(type->hi)), type->hi);
}

TEST_F(TypeTest, AnonymousRangesAreSharedAndNamedOnesAreNot) {
  EXPECT_EQ(build.range(0, 3), build.range(0, 3));
  EXPECT_NE(build.named(build.range(0, 3), "t"), build.range(0, 3));
  EXPECT_TRUE(build.range(0, 3)->name.empty());
}

TEST_F(TypeTest, UnionsAreFlatAndNeedNoTag) {
  const Type* const home = build.named(build.scalarset(2), "Home");
  const Type* const colour = build.enumeration({"Red", "Green"});
  const Type* const inner = build.unite({home, colour});
  const Type* const type = build.unite({inner, build.boolean()});
  EXPECT_EQ(type->members.size(), 3u);
  EXPECT_EQ(type->cardinality(), 6u);
  for (std::uint64_t code = 1; code <= 6; ++code) EXPECT_EQ(type->code(type->value(code)), code);
  EXPECT_EQ(show(*type, type->value(2)), "Home_2");
  EXPECT_EQ(show(*type, type->value(4)), "Green");
  EXPECT_EQ(show(*type, type->value(5)), "false");
  EXPECT_EQ(show(*type, undefined), "Undefined");
}

TEST_F(TypeTest, AggregatesAreConcatenations) {
  const Type* const element = build.range(0, 2);
  const Type* const array = build.array(build.boolean(), element);
  const Type* const record = build.record({{"a", element}, {"b", array}, {"c", build.boolean()}});
  EXPECT_EQ(array->bits, 4u);
  EXPECT_EQ(record->field("b")->offset, 2u);
  EXPECT_EQ(record->field("c")->offset, 6u);
  EXPECT_EQ(record->bits, 8u);
  EXPECT_EQ(record->field("d"), nullptr);
  EXPECT_EQ(build.multiset(3, record)->bits, 27u);
}

TEST_F(TypeTest, WhatIsTooLargeIsRefused) {
  EXPECT_EQ(build.array(build.range(0, std::int64_t{1} << 40), build.boolean()), nullptr);
  const Type* const big = build.array(build.range(1, std::int64_t{1} << 26), build.boolean());
  ASSERT_NE(big, nullptr);
  EXPECT_EQ(build.record({{"a", big}, {"b", big}, {"c", big}}), nullptr);
}

TEST(ParameterDomain, CountsInBothDirections) {
  EXPECT_EQ((ParameterDomain::Segment{1, 7, 3}.size()), 3u);
  EXPECT_EQ((ParameterDomain::Segment{7, 1, -3}.size()), 3u);
  EXPECT_EQ((ParameterDomain::Segment{7, 1, 1}.size()), 0u);
  const ParameterDomain domain{{{1, 2, 1}, {10, 4, -3}}};
  EXPECT_EQ(domain.size(), 5u);
  EXPECT_EQ(domain.at(1), 2);
  EXPECT_EQ(domain.at(4), 4);
}

TEST_F(TypeTest, TheOutermostParameterVariesSlowest) {
  Routine routine;
  const Local& i = Builder::local(routine, "i", build.range(0, 1), Local::Storage::in_register, {});
  const Local& j = Builder::local(routine, "j", build.boolean(), Local::Storage::in_register, {});
  const std::vector<Parameter> parameters = {{&i, domain_of(*i.type)}, {&j, domain_of(*j.type)}};
  EXPECT_EQ(parameter_values(parameters, 2), (std::vector<std::int64_t>{1, 0}));
  EXPECT_EQ(show_parameters(parameters, {1, 0}), "i: 1, j: false");
}

}  // namespace
}  // namespace fathom::ir
