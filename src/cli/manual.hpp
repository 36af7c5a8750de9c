// Help, manual page and shell completions, all made from the option table.
#pragma once

#include <string>

namespace fathom {

extern const char* const version;  // that of the CMake project

std::string help_text();
// A topic of `fathom help TOPIC`; throws UsageError for one that does not exist.
std::string help_on(const std::string& topic);
std::string man_page();
// For bash, zsh or fish; throws UsageError for another shell.
std::string completions(const std::string& shell);

}  // namespace fathom
