// The C files that every generated model begins with, one after the other. The build embeds them (embed.cmake).
#pragma once

#include <string_view>

namespace fathom {

extern const std::string_view runtime_text;

}  // namespace fathom
