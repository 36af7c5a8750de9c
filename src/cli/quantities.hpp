// Numbers as people write them on a command line: 40k, 2G, 80%, 10s. Nothing is returned for text that is not exactly
// one such number or that does not fit.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace fathom {

// Decimal multiples: k, M, G.
std::optional<std::uint64_t> parse_count(std::string_view text);
// Bytes with binary multiples, and "B" or "iB" as one likes: 512M, 4GiB; or a percentage of `whole`.
std::optional<std::uint64_t> parse_size(std::string_view text, std::uint64_t whole);
// Seconds, from 500ms, 10s, 5m, 2h or a plain number of seconds.
std::optional<double> parse_duration(std::string_view text);
// "50%" as 0.5
std::optional<double> parse_percentage(std::string_view text);
std::optional<std::int64_t> parse_integer(std::string_view text);

}  // namespace fathom
