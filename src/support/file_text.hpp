// All that a file holds.
#pragma once

#include <filesystem>
#include <optional>
#include <string>

namespace fathom {

// Nothing if it cannot be read; errno then says why.
std::optional<std::string> file_text(const std::filesystem::path& path);

}  // namespace fathom
