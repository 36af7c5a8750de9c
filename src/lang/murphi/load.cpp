#include "lang/murphi/load.hpp"

#include <algorithm>

#include "lang/murphi/parser.hpp"

namespace fathom::murphi {

namespace {

bool declares_constant(const File& syntax, const std::string& name) {
  return std::ranges::any_of(syntax.items, [&](const Item& item) {
    return item.kind == Item::Kind::declaration && item.declaration.kind == Declaration::Kind::constant &&
           item.declaration.name.text == name;
  });
}

}  // namespace

Loaded load(const Sources& sources, FileId file, const Options& options, Diagnostics& diagnostics) {
  Loaded result;
  const File syntax = parse(sources, file, options.dialect, diagnostics);
  if (diagnostics.failed()) return result;
  for (const auto& [name, value] : options.constants)
    if (!declares_constant(syntax, name)) result.unknown_constants.push_back(name);
  if (result.unknown_constants.empty()) result.program = lower(syntax, sources, file, options, diagnostics);
  return result;
}

}  // namespace fathom::murphi
