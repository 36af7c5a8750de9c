// Feeds arbitrary bytes to the Murphi front end in both dialects. Whatever the text is, the answer must be a program or
// located diagnostics, never a crash, a hang or undefined behaviour; rendering the diagnostics must be safe as well.
#include <cstddef>
#include <cstdint>
#include <string>

#include "lang/murphi/load.hpp"
#include "support/diagnostics.hpp"
#include "support/source.hpp"

namespace {

using namespace fathom;

void load(const std::string& text, murphi::Dialect dialect) {
  Sources sources;
  const FileId file = sources.add("fuzz.m", text);
  murphi::Options options;
  options.dialect = dialect;
  Diagnostics diagnostics;
  const murphi::Loaded loaded = murphi::load(sources, file, options, diagnostics);
  if (!loaded.program && !diagnostics.failed()) __builtin_trap();  // rejected without a word
  for (const Diagnostic& diagnostic : diagnostics.all()) render(diagnostic, sources, false);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string text(reinterpret_cast<const char*>(data), size);
  load(text, fathom::murphi::Dialect::cmurphi);
  load(text, fathom::murphi::Dialect::rumur);
  return 0;
}
