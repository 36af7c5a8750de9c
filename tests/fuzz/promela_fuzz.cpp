// Feeds arbitrary bytes to the Promela front end. Whatever the text is, the answer must be a tree or located
// diagnostics, never a crash, a hang or undefined behaviour; printing the tree and rendering the diagnostics must be
// safe as well.
#include <cstddef>
#include <cstdint>
#include <string>

#include "lang/promela/parse.hpp"
#include "lang/promela/print.hpp"
#include "support/diagnostics.hpp"
#include "support/source.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace fathom;
  Sources sources;
  const FileId file = sources.add("fuzz.pml", std::string(reinterpret_cast<const char*>(data), size));
  Diagnostics diagnostics;
  const auto model = promela::parse(sources, file, {}, diagnostics);
  if (!model && !diagnostics.failed()) __builtin_trap();  // rejected without a word
  if (model) promela::print(*model);
  for (const Diagnostic& diagnostic : diagnostics.all()) render(diagnostic, sources, false);
  return 0;
}
