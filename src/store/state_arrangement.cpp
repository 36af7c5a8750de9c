#include "store/state_arrangement.hpp"

#include <algorithm>
#include <bit>

#include "support/sealed_file.hpp"

namespace fathom {

StateArrangement::StateArrangement(std::uint32_t words) : is_plain_(true) {
  for (std::uint32_t word = 0; word < words; ++word) pieces_.push_back({~std::uint64_t{0}, word, 0});
  for (std::uint32_t word = 0; word <= words; ++word) first_piece_.push_back(word);
}

// Bytes of a word that move to the same word, by the same distance, are one piece.
StateArrangement::StateArrangement(std::span<const std::uint32_t> places) : is_plain_(false) {
  for (std::uint32_t byte = 0; byte < places.size(); ++byte) {
    if (byte % word_bytes == 0) first_piece_.push_back(static_cast<std::uint32_t>(pieces_.size()));
    const std::uint32_t word = places[byte] / word_bytes, turn = (places[byte] - byte) % word_bytes * 8;
    const auto known = std::find_if(pieces_.begin() + first_piece_.back(), pieces_.end(),
                                    [&](const Piece& piece) { return piece.word == word && piece.turn == turn; });
    Piece& piece = known != pieces_.end() ? *known : pieces_.emplace_back(Piece{0, word, turn});
    piece.bits |= std::uint64_t{0xff} << byte % word_bytes * 8;
  }
  first_piece_.push_back(static_cast<std::uint32_t>(pieces_.size()));
}

void StateArrangement::arrange(const std::uint64_t* state, std::uint64_t* arranged) const {
  std::fill_n(arranged, std::size_t{chunks()} * chunk_words, 0);
  for (std::uint32_t word = 0; word < words(); ++word)
    for (const Piece& piece : pieces_of(word))
      arranged[piece.word] |= std::rotl(state[word] & piece.bits, static_cast<int>(piece.turn));
}

void StateArrangement::undo(const std::uint64_t* arranged, std::uint64_t* state) const {
  if (is_plain_) {
    std::copy_n(arranged, words(), state);
    return;
  }
  for (std::uint32_t word = 0; word < words(); ++word) {
    std::uint64_t bits = 0;
    for (const Piece& piece : pieces_of(word))
      bits |= std::rotr(arranged[piece.word], static_cast<int>(piece.turn)) & piece.bits;
    state[word] = bits;
  }
}

void StateArrangement::save(SealedWriter& out) const {
  out.number(is_plain_ ? 1 : 0);
  out.list({first_piece_.begin(), first_piece_.end()});
  for (const Piece& piece : pieces_) {
    out.number(piece.bits);
    out.number(piece.word);
    out.number(piece.turn);
  }
}

StateArrangement StateArrangement::loaded(SealedReader& in) {
  const auto narrow = [](std::uint64_t number) { return static_cast<std::uint32_t>(number); };
  StateArrangement arrangement;
  arrangement.is_plain_ = in.number() != 0;
  for (const std::uint64_t first : in.list()) arrangement.first_piece_.push_back(narrow(first));
  arrangement.pieces_.resize(arrangement.first_piece_.back());
  for (Piece& piece : arrangement.pieces_) {
    piece.bits = in.number();
    piece.word = narrow(in.number());
    piece.turn = narrow(in.number());
  }
  return arrangement;
}

}  // namespace fathom
