#include "cli/proof_file.hpp"

#include <fmt/format.h>

#include <cstdio>
#include <memory>

#include "cli/usage_error.hpp"
#include "report/structure_file.hpp"

namespace fathom {

void write_proof_file(const std::string& path, FiniteStructure structure) {
  const std::unique_ptr<std::FILE, int (*)(std::FILE*)> out(std::fopen(path.c_str(), "w"), std::fclose);
  if (out == nullptr) throw UsageError(fmt::format("--mu-proof: cannot write `{}`", path));
  const std::unique_ptr<StructureFile> file = make_structure_file(StructureFormat::aut, out.get());
  StructureHeader header;
  header.states = structure.states();
  header.edges = structure.edge_count();
  header.initial = structure.initial();
  header.complete = false;
  file->begin(header);
  for (Structure::State state = 0; state < structure.states(); ++state)
    for (const Structure::Edge& edge : structure.edges(state))
      file->edge(state, structure.label(edge.label).text(), edge.target);
  file->end();
  if (std::fflush(out.get()) != 0) throw UsageError(fmt::format("--mu-proof: cannot write `{}`", path));
}

}  // namespace fathom
