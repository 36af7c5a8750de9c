// Loops over the parameter values of edges and properties.
#include <fmt/format.h>

#include "native/model_writer.hpp"

namespace fathom {

using ir::Parameter;

namespace {

// Signed as long as nothing can overflow, because the compiler then knows more about the value.
std::string value_at(const ir::ParameterDomain::Segment& segment, const std::string& position) {
  std::int64_t distance = 0;
  if (!__builtin_sub_overflow(segment.to, segment.from, &distance))
    return fmt::format("INT64_C({}) + (int64_t)({}) * INT64_C({})", segment.from, position, segment.step);
  return fmt::format("(int64_t)({}u + ({}) * {}u)", static_cast<std::uint64_t>(segment.from), position,
                     static_cast<std::uint64_t>(segment.step));
}

}  // namespace

std::uint64_t instances_from(const std::vector<Parameter>& parameters, std::size_t level) {
  std::uint64_t count = 1;
  for (std::size_t k = level; k < parameters.size(); ++k) count *= parameters[k].domain.size();
  return count;
}

std::string parameter_arguments(std::size_t count) {
  std::string out;
  for (std::size_t k = 0; k < count; ++k) out += fmt::format(", p{}", k);
  return out;
}

std::string instance_number(const std::vector<Parameter>& parameters, std::size_t fixed) {
  std::string out = "0";
  for (std::size_t k = 0; k < fixed; ++k) out += fmt::format(" + k{} * {}u", k, instances_from(parameters, k + 1));
  return out;
}

// The position selects a segment first and then a value in it; nearly every domain is a single segment.
std::string parameter_declaration(const Parameter& parameter, std::size_t level) {
  const auto& segments = parameter.domain.segments;
  std::string text;
  std::uint64_t before = 0;
  for (std::size_t k = 0; k < segments.size(); ++k) {
    const std::string value = value_at(segments[k], fmt::format("k{} - {}u", level, before));
    before += segments[k].size();
    text += k + 1 < segments.size() ? fmt::format("k{} < {}u ? {} : ", level, before, value) : value;
  }
  return fmt::format("const int64_t p{} = {};\n", level, text.empty() ? "0" : text);
}

void InstanceNest::write(std::string& out, std::size_t level, std::uint64_t instance) const {
  open(level);
  if (level == parameters.size()) {
    leaf(instance);
  } else {
    const std::uint64_t count = parameters[level].domain.size();
    const std::string declaration = parameter_declaration(parameters[level], level);
    const std::string head =
        unrolled ? "{{ const uint64_t k{0} = {2}u;\n" : "for (uint64_t k{0} = 0; k{0} < {1}u; ++k{0}) {{\n";
    for (std::uint64_t position = 0; position < (unrolled ? count : 1); ++position) {
      out += fmt::format(fmt::runtime(head), level, count, position) + declaration;
      write(out, level + 1, instance * count + position);
      out += "}\n";
    }
  }
  close(level);
}

}  // namespace fathom
