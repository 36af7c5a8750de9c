// Feeds arbitrary bytes to the reader of transition systems: the answer must be a program or located diagnostics.
#include <cstddef>
#include <cstdint>
#include <string>

#include "lang/aut/load.hpp"
#include "support/diagnostics.hpp"
#include "support/source.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace fathom;
  Sources sources;
  const FileId file = sources.add("fuzz.aut", std::string(reinterpret_cast<const char*>(data), size));
  Diagnostics diagnostics;
  const auto program = aut::load(sources, file, diagnostics);
  if (!program && !diagnostics.failed()) __builtin_trap();  // rejected without a word
  for (const Diagnostic& diagnostic : diagnostics.all()) render(diagnostic, sources, false);
  return 0;
}
