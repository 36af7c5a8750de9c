// Estimate code written as one C function of single assignments; see compiled_estimate.hpp.
#include <fmt/format.h>

#include "heuristic/compiled_estimate.hpp"
#include "heuristic/estimate_code.hpp"

namespace fathom {

namespace {

constexpr const char* head = R"(#include <stdint.h>
#define U INT64_MIN
#define NEVER ((int64_t)1 << 40)
static inline uint64_t get(const uint64_t *s, uint64_t at, unsigned bits) {
  const uint64_t low = s[at / 64] >> (at % 64);
  const uint64_t high = at % 64 + bits > 64 ? s[at / 64 + 1] << (64 - at % 64) : 0;
  return (low | high) & (((uint64_t)1 << bits) - 1);
}
static inline int64_t less_of(int64_t a, int64_t b) { return a < b ? a : b; }
static inline int64_t more_of(int64_t a, int64_t b) { return a > b ? a : b; }
static inline int64_t beyond(int64_t more, int64_t less) {
  int64_t result;
  return __builtin_sub_overflow(more, less, &result) ? NEVER - 1 : less_of(result, NEVER - 1);
}
)";

// The bits at a fixed place of the state.
std::string bits_at(std::uint64_t at, std::uint32_t bits) {
  return fmt::format("get(s, {}, {})", at, bits);
}

std::string number(std::int64_t value) {
  return value == INT64_MIN ? "U" : fmt::format("INT64_C({})", value);
}

}  // namespace

std::string EstimateCode::as_c() const {
  std::string text = head;
  static_assert(ir::undefined == INT64_MIN);
  for (std::size_t k = 0; k < tables_.size(); ++k) {
    text += fmt::format("static const int64_t t{}[] = {{", k);
    for (const std::int64_t entry : tables_[k]) text += number(entry) + ",";
    text += "};\n";
  }
  text += fmt::format(
      "__attribute__((visibility(\"default\"))) int64_t {}(const uint64_t *s, int64_t *n, void *code, int64_t "
      "(*ask)(void *, uint32_t, const uint64_t *)) {{\n",
      CompiledEstimate::symbol);
  std::vector<bool> computed(numbers_.size());
  for (const Instruction& step : code_) computed[step.to] = true;
  for (Ref ref = 0; ref < numbers_.size(); ++ref)
    if (!computed[ref]) text += fmt::format("  const int64_t v{} = {};\n", ref, number(numbers_[ref]));
  for (std::size_t k = 0; k < code_.size(); ++k) text += c_statement(static_cast<std::uint32_t>(k));
  return text + fmt::format("  (void)n; (void)code; (void)ask;\n  return v{};\n}}\n", result_);
}

// What an instruction computes; "" for what is not written as C.
std::string EstimateCode::c_value(const Instruction& step) const {
  const std::string a = fmt::format("v{}", step.a), b = fmt::format("v{}", step.b);
  const auto of_values = [&](const std::string& text) {
    return fmt::format("{} == U || {} == U ? {} : {}", a, b, number(of_undefined_), text);
  };
  switch (step.op) {
    case Op::read_number:
      return fmt::format("{0} == 0 ? U : (int64_t){0} + {1}", bits_at(step.a, step.bits), number(step.payload));
    case Op::look_up:
      return fmt::format("t{}[{}]", step.payload, bits_at(step.a, step.bits));
    case Op::near:
      return of_values(fmt::format("{0} < {1} ? beyond({1}, {0}) : beyond({0}, {1})", a, b));
    case Op::same:
      return of_values(fmt::format("{} != {}", a, b));
    case Op::different:
      return of_values(fmt::format("{} == {}", a, b));
    case Op::less:
      return of_values(fmt::format("{0} < {1} ? 0 : less_of(beyond({0}, {1}) + 1, NEVER - 1)", a, b));
    case Op::at_most:
      return of_values(fmt::format("{0} <= {1} ? 0 : beyond({0}, {1})", a, b));
    case Op::sum:
      return fmt::format("less_of({} + {}, NEVER)", a, b);
    case Op::larger:
      return fmt::format("more_of({}, {})", a, b);
    case Op::smaller:
      return fmt::format("less_of({}, {})", a, b);
    case Op::divided:
      return fmt::format("{0} >= NEVER ? NEVER : ({0} + {1}) / {2}", a, step.payload - 1, step.payload);
    case Op::shifted:
      return fmt::format("{0} == U ? U : {0} + {1}", a, number(step.payload));
    case Op::choose:
      return fmt::format("{0} == U ? U : {0} != 0 ? {1} : v{2}", a, b, step.payload);
    default:
      return "";
  }
}

}  // namespace fathom
