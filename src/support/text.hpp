// Small helpers for text that is shown to people.
#pragma once

#include <string>
#include <string_view>

namespace fathom {

// Source text on one line: line breaks and indentation become single spaces, and what is longer than `longest` bytes is
// cut, never inside a character.
std::string one_line(std::string_view text, std::size_t longest = 160);

// Without spaces, tabs and carriage returns at its ends.
std::string_view trimmed(std::string_view text);

// A character of a name in either language.
bool is_name_character(char c);

// As one word of a command line.
std::string shell_quoted(std::string_view text);

}  // namespace fathom
