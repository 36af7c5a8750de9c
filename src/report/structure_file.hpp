// Writes a structure as text while it is walked: Aldebaran (`.aut`, for mCRL2, CADP and LTSmin), DOT, GraphML or JSON.
// Nothing but the line at hand is kept.
#pragma once

#include <cstdint>
#include <cstdio>
#include <memory>
#include <span>
#include <string>
#include <string_view>

namespace fathom {

enum class StructureFormat : std::uint8_t { aut, dot, graphml, json };

// What a file says before its first edge.
struct StructureHeader {
  std::string name;
  std::uint64_t states = 0;
  std::uint64_t edges = 0;
  std::uint64_t first = 0;  // Aldebaran: the one state it begins with
  std::span<const std::uint32_t> initial;
  bool complete = true;
  std::string remark;  // what was left out, in words; "" if nothing
};

class StructureFile {
 public:
  virtual ~StructureFile() = default;
  virtual void begin(const StructureHeader& header) = 0;
  // A state as text; formats without a place for it leave it out. States come in order and before all edges.
  virtual void state(std::uint64_t number, std::string_view text) = 0;
  virtual void edge(std::uint64_t from, std::string_view label, std::uint64_t to) = 0;
  virtual void end() = 0;
  // Whether state() wants to be called at all.
  [[nodiscard]] virtual bool shows_states() const = 0;
};

std::unique_ptr<StructureFile> make_structure_file(StructureFormat format, std::FILE* out);

}  // namespace fathom
