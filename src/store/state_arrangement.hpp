// In which order the bytes of a state stand in a tree of the parts that states share (state_tree.hpp). How many nodes
// such a tree has depends on what lies together in it: bytes that change together should, and those that vary
// independently of each other should not. An arranged state has as many whole chunks of the tree as the state needs,
// and zeros where it has more bytes than the state.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace fathom {

class SealedReader;
class SealedWriter;

class StateArrangement {
 public:
  static constexpr std::uint32_t chunk_words = 2;  // of a tree
  static constexpr std::uint32_t word_bytes = sizeof(std::uint64_t), chunk_bytes = chunk_words * word_bytes;

  // Bits of a word of the state that lie side by side in a word of the arranged state, turned to the left there.
  struct Piece {
    std::uint64_t bits;
    std::uint32_t word;
    std::uint32_t turn;
  };

  // As the state is.
  explicit StateArrangement(std::uint32_t words);
  // Byte k of the state is byte places[k] of the arranged state.
  explicit StateArrangement(std::span<const std::uint32_t> places);

  [[nodiscard]] std::uint32_t words() const { return static_cast<std::uint32_t>(first_piece_.size() - 1); }
  [[nodiscard]] std::uint32_t chunks() const { return chunks_for(words()); }
  [[nodiscard]] static std::uint32_t chunks_for(std::uint32_t words) { return (words + chunk_words - 1) / chunk_words; }

  [[nodiscard]] bool is_plain() const { return is_plain_; }

  // What becomes of a word of the state.
  [[nodiscard, gnu::always_inline]] std::span<const Piece> pieces_of(std::uint32_t word) const {
    return {&pieces_[first_piece_[word]], &pieces_[first_piece_[word + 1]]};
  }

  void arrange(const std::uint64_t* state, std::uint64_t* arranged) const;
  void undo(const std::uint64_t* arranged, std::uint64_t* state) const;

  void save(SealedWriter& out) const;
  [[nodiscard]] static StateArrangement loaded(SealedReader& in);

 private:
  StateArrangement() = default;

  bool is_plain_ = false;
  std::vector<Piece> pieces_;               // in the order of the words they come from
  std::vector<std::uint32_t> first_piece_;  // of each word, and the end
};

}  // namespace fathom
