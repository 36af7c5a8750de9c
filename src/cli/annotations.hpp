// What a model says in comments that other tools skip: `--@ cost 3` in Murphi, `//@ cost 3` in Promela, and
// `/*@ cost 3 */` in both. docs/schedules.md tells what they mean.
#pragma once

#include <optional>
#include <vector>

#include "support/diagnostics.hpp"
#include "support/source.hpp"

namespace fathom {

struct Annotation {
  enum class Kind : std::uint8_t { cost, goal, progress };
  Kind kind = Kind::cost;
  SourceRange value;   // what stands behind the word
  bool alone = false;  // nothing stands before it on its line: it speaks of what follows
};

// Mistakes are reported where they stand.
std::vector<Annotation> read_annotations(const Sources& sources, FileId file, Diagnostics& diagnostics);

// The one annotation of this kind; a second one is a mistake.
std::optional<SourceRange> only_annotation(const std::vector<Annotation>& all, Annotation::Kind kind,
                                           Diagnostics& diagnostics);

}  // namespace fathom
