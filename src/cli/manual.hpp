// Help, manual page and shell completions, all made from the option table.
#pragma once

#include <string>

namespace fathom {

inline constexpr const char* version = "0.1.0";

std::string help_text();
// A topic of `fathom help TOPIC`; throws UsageError for one that does not exist.
std::string help_on(const std::string& topic);
std::string man_page();
// For bash, zsh or fish; throws UsageError for another shell.
std::string completions(const std::string& shell);

}  // namespace fathom
