#include "cli/quantities.hpp"

#include <charconv>
#include <cmath>
#include <string>

namespace fathom {

namespace {

// A decimal number without sign or exponent at the front of `text`, which is shortened by it.
std::optional<double> take_decimal(std::string_view& text) {
  const std::size_t length = std::min(text.find_first_not_of("0123456789."), text.size());
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + length, value, std::chars_format::fixed);
  if (length == 0 || error != std::errc() || end != text.data() + length) return std::nullopt;
  text.remove_prefix(length);
  return value;
}

std::optional<std::uint64_t> whole_number(double value) {
  if (!(value >= 0) || value >= 18446744073709551616.0) return std::nullopt;
  return static_cast<std::uint64_t>(value);
}

std::optional<double> decimal_multiple(std::string_view unit) {
  if (unit.empty()) return 1;
  if (unit == "k" || unit == "K") return 1e3;
  if (unit == "M") return 1e6;
  if (unit == "G") return 1e9;
  return std::nullopt;
}

std::optional<double> binary_multiple(std::string_view unit) {
  if (unit.ends_with("iB")) {
    unit.remove_suffix(2);
  } else if (unit.ends_with("B")) {
    unit.remove_suffix(1);
  }
  if (unit.empty()) return 1;
  constexpr std::string_view multiples = "kMGT";
  const std::size_t power = unit == "K" ? 0 : unit.size() == 1 ? multiples.find(unit) : std::string_view::npos;
  if (power == std::string_view::npos) return std::nullopt;
  return std::ldexp(1.0, 10 * (static_cast<int>(power) + 1));
}

std::optional<double> time_multiple(std::string_view unit) {
  if (unit == "ms") return 1e-3;
  if (unit.empty() || unit == "s") return 1;
  if (unit == "m" || unit == "min") return 60;
  if (unit == "h") return 3600;
  return std::nullopt;
}

}  // namespace

std::optional<std::uint64_t> parse_count(std::string_view text) {
  // Plain digits are read exactly: a double has too few bits for a 64-bit seed.
  std::uint64_t exact = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), exact);
  if (error == std::errc() && end == text.data() + text.size()) return exact;
  const std::optional<double> number = take_decimal(text);
  const std::optional<double> multiple = decimal_multiple(text);
  if (!number || !multiple || (text.empty() && *number != std::floor(*number))) return std::nullopt;
  return whole_number(*number * *multiple);
}

std::optional<std::uint64_t> parse_size(std::string_view text, std::uint64_t whole) {
  if (const std::optional<double> part = parse_percentage(text)) {
    if (*part > 1) return std::nullopt;
    return whole_number(*part * static_cast<double>(whole));
  }
  const std::optional<double> number = take_decimal(text);
  const std::optional<double> multiple = binary_multiple(text);
  if (!number || !multiple) return std::nullopt;
  return whole_number(*number * *multiple);
}

std::optional<double> parse_duration(std::string_view text) {
  const std::optional<double> number = take_decimal(text);
  const std::optional<double> multiple = time_multiple(text);
  if (!number || !multiple) return std::nullopt;
  return *number * *multiple;
}

std::optional<double> parse_percentage(std::string_view text) {
  const std::optional<double> number = take_decimal(text);
  if (!number || text != "%") return std::nullopt;
  return *number / 100;
}

std::optional<std::int64_t> parse_integer(std::string_view text) {
  std::int64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (text.empty() || error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return value;
}

}  // namespace fathom
