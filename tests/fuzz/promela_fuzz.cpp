// Feeds arbitrary bytes to the Promela front end. Whatever the text is, the answer must be a tree or located
// diagnostics, never a crash, a hang or undefined behaviour; printing the tree, lowering it together with its C code
// and rendering the diagnostics must be safe as well. The C code is written out but never compiled.
#include <cstddef>
#include <cstdint>
#include <string>

#include "lang/promela/lower.hpp"
#include "lang/promela/parse.hpp"
#include "lang/promela/print.hpp"
#include "native/emit_user_code.hpp"
#include "support/diagnostics.hpp"
#include "support/source.hpp"

namespace {

using namespace fathom;

// Every object of C has four bytes.
std::optional<std::vector<std::uint64_t>> four_bytes(const ir::UserCode&, const std::vector<std::string>& asked,
                                                     Diagnostics&) {
  return std::vector<std::uint64_t>(asked.size(), 4);
}

// Large models are lowered slowly, which is no finding.
constexpr std::size_t small = 4000;

void lower(const promela::ParsedModel& model, const Sources& sources, FileId file, Diagnostics& diagnostics) {
  const promela::LowerOptions options{.native_code = true, .sizes = four_bytes};
  const auto lowered = promela::lower(model, promela::initial_plan(model), options, sources, file, diagnostics);
  if (!lowered.program && !diagnostics.failed()) __builtin_trap();  // rejected without a word
  if (lowered.program && lowered.program->user_code) emit_user_code(*lowered.program->user_code);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  Sources sources;
  const FileId file = sources.add("fuzz.pml", std::string(reinterpret_cast<const char*>(data), size));
  Diagnostics diagnostics;
  const auto model = promela::parse(sources, file, {}, diagnostics);
  if (!model && !diagnostics.failed()) __builtin_trap();  // rejected without a word
  if (model) promela::print(*model);
  if (model && size <= small) lower(*model, sources, file, diagnostics);
  for (const Diagnostic& diagnostic : diagnostics.all()) render(diagnostic, sources, false);
  return 0;
}
