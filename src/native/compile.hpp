// The C compiler of this machine: which one, with which flags, and one call of it.
#pragma once

#include <filesystem>
#include <stop_token>
#include <string>
#include <vector>

#include "support/subprocess.hpp"

namespace fathom {

class Compiler {
 public:
  // $FATHOM_CC (and nothing else) if set; otherwise the first there is of $CC, cc, gcc and clang. $FATHOM_CFLAGS
  // replaces -march=native. Throws EnvironmentError when there is no compiler.
  Compiler();

  // Says everything about the compiler and the processor that the code it makes depends on.
  [[nodiscard]] std::string identity() const;

  // Makes a shared object, with further flags. What the compiler needs on the way lies beside it.
  [[nodiscard]] ProcessResult run(const std::filesystem::path& source, const std::filesystem::path& object,
                                  const std::vector<std::string>& flags, const std::stop_token& stop) const;
  // The same without. Throws EnvironmentError with the command and what it printed when that fails or is stopped.
  void compile(const std::filesystem::path& source, const std::filesystem::path& object,
               const std::stop_token& stop) const;

 private:
  std::vector<std::string> command_;  // the compiler and its flags
};

}  // namespace fathom
