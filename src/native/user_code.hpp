// Compiles the C code that a model brings along and loads it into this process. Mistakes in it are the model's and are
// reported in the user's own lines.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "ir/program.hpp"
#include "support/diagnostics.hpp"

namespace fathom {

struct UserCodeSettings {
  const Sources* sources = nullptr;
  FileId model{};
  std::vector<std::string> include_paths = {};  // after the folder of the model
};

// Makes the program's user code ready to run; false when it is rejected. Throws EnvironmentError when there is no
// compiler.
bool load_user_code(ir::UserCode& code, const UserCodeSettings& settings, Diagnostics& diagnostics);

// The values of constant expressions, such as the sizes of objects that the code declares.
std::optional<std::vector<std::uint64_t>> user_sizes(const ir::UserCode& code, const std::vector<std::string>& sizes,
                                                     const UserCodeSettings& settings, Diagnostics& diagnostics);

}  // namespace fathom
