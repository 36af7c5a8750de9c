#include "cli/proof_file.hpp"

#include <fmt/format.h>

#include <fstream>

#include "cli/usage_error.hpp"

namespace fathom {

namespace {

std::string quoted(const std::string& label) {
  std::string text = "\"";
  for (const char c : label) {
    if (c == '"' || c == '\\') text += '\\';
    text += c;
  }
  return text + "\"";
}

}  // namespace

void write_aut(const std::string& path, FiniteStructure structure) {
  std::ofstream out(path);
  out << fmt::format("des ({}, {}, {})\n", structure.initial().front(), structure.edge_count(), structure.states());
  for (Structure::State state = 0; state < structure.states(); ++state)
    for (const Structure::Edge& edge : structure.edges(state))
      out << fmt::format("({}, {}, {})\n", state, quoted(structure.label(edge.label).text()), edge.target);
  if (!out.flush()) throw UsageError(fmt::format("cannot write `{}`", path));
}

}  // namespace fathom
