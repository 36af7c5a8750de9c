// What a breadth-first search leaves behind so that another process can go on from there: the file begins with what it
// is a checkpoint of (which model, asked what), then comes where the search stands, and then the store.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "search/level_standing.hpp"
#include "store/store.hpp"
#include "support/sealed_file.hpp"

namespace fathom {

// What a run was asked, as pairs of a name and a text: those of the two runs must be the same.
using RunIdentity = std::vector<std::pair<std::string, std::string>>;

struct CheckpointRequest {
  std::optional<std::filesystem::path> write;   // where to leave checkpoints
  double seconds = 600;                         // from one to the next
  std::optional<std::filesystem::path> resume;  // the one to begin with
  RunIdentity identity;
};

inline constexpr FileKind checkpoint_kind{"fathomcp", 1, "checkpoint"};

void save_identity(const RunIdentity& identity, SealedWriter& out);
// Throws EnvironmentError if the file is a checkpoint of something else.
void check_identity(const RunIdentity& identity, const std::filesystem::path& path, SealedReader& in);

// What a checkpoint says under this name; "" if nothing. Throws EnvironmentError if it is none.
std::string identity_text(const std::filesystem::path& path, const std::string& name);

// Without the states.
void save_standing(const LevelStanding& standing, SealedWriter& out);
LevelStanding load_standing(const Shape& shape, SealedReader& in);

// The store must be new. False: it does not fit into the memory limit.
template <StateSet S>
bool load_states(std::uint32_t words, S& store, LevelStanding& standing, SealedReader& in) {
  if (!store.load(in)) return false;
  if constexpr (!S::keeps_states) {
    standing.frontier.resize((standing.level_end - standing.level_begin) * words);
    in.words(standing.frontier);
    standing.next_frontier.resize((store.size() - standing.level_end) * words);
    in.words(standing.next_frontier);
    standing.parents.resize(store.size());
    in.words(standing.parents);
  }
  return true;
}

}  // namespace fathom
