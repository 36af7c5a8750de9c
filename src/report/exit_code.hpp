// The exit codes that scripts rely on; docs/exit_codes.md describes them for users.
#pragma once

#include "report/report.hpp"

namespace fathom::exit_code {

inline constexpr int holds = 0;
inline constexpr int violated = 1;
inline constexpr int usage = 2;
inline constexpr int rejected = 3;
inline constexpr int inconclusive = 4;
inline constexpr int internal_fault = 70;
inline constexpr int signal_base = 128;  // 130 after SIGINT, 143 after SIGTERM

int of(const Report& report);

}  // namespace fathom::exit_code
