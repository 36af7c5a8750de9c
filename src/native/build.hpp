// From a program to loaded code: generate, look into the cache, compile if need be.
#pragma once

#include <optional>
#include <stop_token>
#include <string>

#include "ir/program.hpp"
#include "native/cache.hpp"
#include "native/compile.hpp"
#include "support/shared_object.hpp"

namespace fathom {

class NativeBuild {
 public:
  // Generates the text. Throws EnvironmentError when there is no compiler or the program cannot run natively.
  explicit NativeBuild(const ir::Program& program);
  // Of a text that somebody else has written.
  explicit NativeBuild(std::string text);

  // The code, if an earlier run has left it.
  [[nodiscard]] std::optional<SharedObject> cached() const;
  // Compiles and loads. Throws EnvironmentError; a stop request ends the compiler at once.
  [[nodiscard]] SharedObject build(const std::stop_token& stop) const;

 private:
  Compiler compiler_;
  CodeCache cache_;
  std::string text_;
  std::string key_;
};

}  // namespace fathom
