// As what the states of a breadth-first search stand in its checkpoint: as they do in one of the stores, behind where
// the search stands, or as those on a disk, with nothing before them (external_bfs.hpp). A store reads what one of its
// kind has left, and nothing else: options may have another one chosen than when the checkpoint was made.
#pragma once

#include <cstdint>
#include <type_traits>

#include "store/coded_store.hpp"
#include "store/fingerprint_store.hpp"
#include "store/fingerprint_table.hpp"
#include "store/indexed_store.hpp"
#include "store/inline_store.hpp"
#include "store/packed_fingerprints.hpp"
#include "store/packed_tree.hpp"
#include "store/tree_store.hpp"

namespace fathom {

enum class SavedStates : std::uint8_t {
  words,
  indexed,
  tree,
  fingerprints,
  moved_fingerprints,
  // What a store becomes (packing.hpp).
  coded,
  packed_tree,
  packed_fingerprints,

  on_disk
};

template <class S>
consteval SavedStates saved_as() {
  if constexpr (std::is_same_v<S, InlineStore>) return SavedStates::words;
  if constexpr (std::is_same_v<S, IndexedStore>) return SavedStates::indexed;
  if constexpr (std::is_same_v<S, TreeStore>) return SavedStates::tree;
  if constexpr (std::is_same_v<S, FingerprintStore>) return SavedStates::fingerprints;
  if constexpr (std::is_same_v<S, PackedFingerprints>) return SavedStates::moved_fingerprints;
  if constexpr (std::is_same_v<S, CodedStore>) return SavedStates::coded;
  if constexpr (std::is_same_v<S, PackedTree>) return SavedStates::packed_tree;
  if constexpr (std::is_same_v<S, FingerprintTable>) return SavedStates::packed_fingerprints;
}

constexpr bool is_packed(SavedStates states) {
  return states == SavedStates::coded || states == SavedStates::packed_tree ||
         states == SavedStates::packed_fingerprints;
}

}  // namespace fathom
