#include "store/state_tree.hpp"

#include <algorithm>
#include <bit>
#include <limits>
#include <numeric>
#include <utility>

namespace fathom {

namespace {
constexpr std::size_t recent_bytes = std::size_t{1} << 18;  // of states that were unfolded
}

StateTree::Nodes::Nodes(StateArrangement how, std::uint64_t memory_limit) : arrangement(std::move(how)) {
  std::uint32_t words = chunk_words;
  for (const std::uint32_t count : level_sizes(arrangement.chunks())) {
    levels.emplace_back(words, memory_limit, numbers_per_state, count);
    numbers_per_state += count;
    words = group_words;
  }
}

StateTree::StateTree(StateArrangement arrangement, std::uint64_t memory_limit)
    : StateTree(std::make_shared<Nodes>(std::move(arrangement), memory_limit)) {}

StateTree::StateTree(std::shared_ptr<Nodes> nodes)
    : nodes_(std::move(nodes)),
      latest_(std::make_unique<Folded>()),
      reference_(latest_.get()),
      differences_(std::size_t{chunks()} * chunk_words) {
  latest_->words.assign(words(), 0);
  latest_->chunks.assign(std::size_t{chunks()} * chunk_words, 0);
  latest_->numbers.assign(nodes_->numbers_per_state, 0);
  const std::size_t bytes = latest_->chunks.size() * sizeof(std::uint64_t);
  recent_.assign(std::clamp<std::size_t>(recent_bytes / bytes, 2, 128), *latest_);
  static_cast<void>(reserve(1, nullptr));
  refer_to_zeros();
}

// How many numbers a state has at each level.
std::vector<std::uint32_t> StateTree::level_sizes(std::uint32_t chunks) {
  std::vector<std::uint32_t> sizes{chunks};
  while (sizes.back() > 2) {
    const std::uint32_t group = sizes.back() > largest_group ? largest_group : 2;
    sizes.push_back((sizes.back() + group - 1) / group);
  }
  return sizes;
}

std::vector<std::uint32_t> StateTree::halves(std::uint32_t words) {
  const std::uint32_t chunks = StateArrangement::chunks_for(words);
  std::vector<std::uint32_t> halves(chunks);
  std::iota(halves.begin(), halves.end(), 0U);
  for (const std::uint32_t size : level_sizes(chunks))
    for (std::uint32_t& position : halves) position %= size;
  return halves;
}

// Numbers the pending nodes of a level: fetch the slots (done when they became pending), then the nodes, then look.
void StateTree::look_up(Level& level) const {
  for (Pending& each : pending_) each.slot = level.nodes.approach(each.hash);
  for (const Pending& each : pending_)
    numbers_of(each.row)[level.first + each.position] =
        static_cast<Number>(index_of(level.nodes.insert_from(each.slot, {each.node, level.words}, each.hash).id));
}

void StateTree::near(StateId id) const {
  const Folded& entry = recent_[index_of(id) % recent_.size()];
  if (entry.id == index_of(id)) reference_ = &entry;
}

void StateTree::add(StateView state) const {
  const std::uint32_t row = rows_++, numbers_per_state = nodes_->numbers_per_state;
  if (numbers_.size() < std::size_t{rows_} * numbers_per_state)
    numbers_.resize(numbers_.size() * 2 + numbers_per_state);
  std::copy_n(reference_->numbers.data(), numbers_per_state, numbers_of(row));
  if (nodes_->arrangement.is_plain())
    add_chunks(row, state.data());
  else
    add_pieces(row, state.data());
}

void StateTree::add_chunks(std::uint32_t row, const std::uint64_t* words) const {
  const std::uint64_t* const before = reference_->words.data();
  const std::uint32_t whole = this->words() / chunk_words, rest = this->words() % chunk_words;
  for (std::uint32_t k = 0; k < whole; ++k) {
    std::uint64_t difference = 0;
    for (std::uint32_t j = k * chunk_words; j < (k + 1) * chunk_words; ++j) difference |= words[j] ^ before[j];
    if (difference != 0) add_chunk(row, k, words[k * chunk_words], words[k * chunk_words + 1]);
  }
  if (rest != 0 && words[whole * chunk_words] != before[whole * chunk_words])
    add_chunk(row, whole, words[whole * chunk_words], 0);
}

// What differs from the reference is arranged, piece by piece, and tells which chunks are others. (Keeping in the bits
// of a word which words and chunks these are, instead of a branch for each, was slower.)
void StateTree::add_pieces(std::uint32_t row, const std::uint64_t* words) const {
  const StateArrangement& arrangement = nodes_->arrangement;
  const std::uint64_t* const before = reference_->words.data();
  std::uint64_t* const differences = differences_.data();
  for (std::uint32_t k = 0, end = arrangement.words(); k < end; ++k) {
    const std::uint64_t difference = words[k] ^ before[k];
    if (difference == 0) continue;
    for (const StateArrangement::Piece& piece : arrangement.pieces_of(k))
      differences[piece.word] |= std::rotl(difference & piece.bits, static_cast<int>(piece.turn));
  }
  const std::uint64_t* const chunks_before = reference_->chunks.data();
  for (std::uint32_t k = 0, end = chunks(); k < end; ++k) {
    const std::uint64_t first = std::exchange(differences[k * chunk_words], 0);
    const std::uint64_t second = std::exchange(differences[k * chunk_words + 1], 0);
    if ((first | second) != 0)
      add_chunk(row, k, chunks_before[k * chunk_words] ^ first, chunks_before[k * chunk_words + 1] ^ second);
  }
}

inline void StateTree::add_chunk(std::uint32_t row, std::uint32_t position, std::uint64_t first,
                                 std::uint64_t second) const {
  Pending& node = pending_.add();
  node.row = row;
  node.position = position;
  node.node[0] = first;
  node.node[1] = second;
  node.hash = hash_words(node.node, chunk_words);
  nodes_->levels.front().nodes.prefetch(node.hash);
}

void StateTree::take_roots(Root* roots) const {
  look_up(nodes_->levels.front());
  for (std::size_t l = 1; l < nodes_->levels.size(); ++l) {
    find_groups(l);
    look_up(nodes_->levels[l]);
  }
  for (std::uint32_t row = 0; row < rows_; ++row) roots[row] = root_of(row);
  rows_ = 0;
  pending_.clear();
}

// The groups in which a number has become known. What varies most often lies side by side in a state, so a group has
// numbers from all over it: neighbours would make one half of the tree as varied as the states themselves.
void StateTree::find_groups(std::size_t l) const {
  const Level& level = nodes_->levels[l];
  const Level& below = nodes_->levels[l - 1];
  next_pending_.clear();
  for (const Pending& changed : pending_) {
    const std::uint32_t k = changed.position % level.count;
    if (is_next_pending(changed.row, k)) continue;
    Pending& node = next_pending_.add();
    node.row = changed.row;
    node.position = k;
    const Number* const numbers = numbers_of(changed.row) + below.first;
    std::fill_n(node.node, group_words, 0);
    for (std::uint32_t j = k, place = 0; j < below.count; j += level.count, ++place)
      node.node[place / 2] |= std::uint64_t{numbers[j]} << 32 * (place % 2);
    node.hash = hash_words(node.node, group_words);
    level.nodes.prefetch(node.hash);
  }
  std::swap(pending_, next_pending_);
}

bool StateTree::is_next_pending(std::uint32_t row, std::uint32_t position) const {
  for (const Pending* each = next_pending_.end(); each != next_pending_.begin() && (--each)->row == row;)
    if (each->position == position) return true;
  return false;
}

StateTree::Root StateTree::root_of(std::uint32_t row) const {
  const Level& top = nodes_->levels.back();
  const Number* const numbers = numbers_of(row) + top.first;
  return top.count == 1 ? Root{numbers[0]} : numbers[0] | Root{numbers[1]} << 32;
}

StateTree::Root StateTree::root(StateView state) const {
  add(state);
  const std::size_t different = pending_.size();
  Root root = 0;
  take_roots(&root);
  // A reference that has little in common with what is asked for helps nobody.
  if (different > 2 && different > chunks() / 2) {
    std::copy_n(numbers_of(0), nodes_->numbers_per_state, latest_->numbers.data());
    std::copy(state.begin(), state.end(), latest_->words.begin());
    nodes_->arrangement.arrange(state.data(), latest_->chunks.data());
    reference_ = latest_.get();
  }
  return root;
}

// Makes a state of zeros the reference while there is none: all of it is looked up, as it is not like one of ones.
void StateTree::refer_to_zeros() const {
  const StateBuffer zeros(words(), 0);
  std::ranges::fill(latest_->words, ~std::uint64_t{0});
  nodes_->arrangement.arrange(latest_->words.data(), latest_->chunks.data());
  reference_ = latest_.get();
  Root root = 0;
  add(zeros);
  take_roots(&root);
  std::copy_n(numbers_of(0), nodes_->numbers_per_state, latest_->numbers.data());
  std::ranges::fill(latest_->words, 0);
  std::ranges::fill(latest_->chunks, 0);
}

void StateTree::unfold(Folded& to) const {
  const Level& top = nodes_->levels.back();
  to.numbers[top.first] = static_cast<Number>(to.root);
  if (top.count == 2) to.numbers[top.first + 1] = static_cast<Number>(to.root >> 32);
  for (std::size_t l = nodes_->levels.size() - 1; l > 0; --l) {
    const Level& level = nodes_->levels[l];
    const Level& below = nodes_->levels[l - 1];
    for (std::uint32_t k = 0; k < level.count; ++k) {
      const StateView node = level.nodes.state(StateId{to.numbers[level.first + k]});
      for (std::uint32_t j = k, place = 0; j < below.count; j += level.count, ++place)
        to.numbers[below.first + j] = static_cast<Number>(node[place / 2] >> 32 * (place % 2));
    }
  }
  for (std::uint32_t k = 0; k < chunks(); ++k)
    std::copy_n(nodes_->levels.front().nodes.state(StateId{to.numbers[k]}).data(), chunk_words,
                to.chunks.begin() + std::size_t{k} * chunk_words);
  nodes_->arrangement.undo(to.chunks.data(), to.words.data());
}

const StateTree::Folded& StateTree::unfolded(StateId id, Root root) const {
  Folded& entry = recent_[index_of(id) % recent_.size()];
  const bool is_known = entry.id != max_states && entry.root == root;
  entry.id = index_of(id);
  entry.root = root;
  if (!is_known) unfold(entry);
  return entry;
}

std::uint32_t StateTree::half_width(std::uint64_t extra) const {
  const Level& top = nodes_->levels.back();
  const std::uint64_t nodes = std::min<std::uint64_t>(top.nodes.size() + extra * top.count, UINT32_MAX);
  return static_cast<std::uint32_t>(std::bit_width(nodes));
}

std::uint64_t StateTree::states_within(std::uint32_t half_width) const {
  const Level& top = nodes_->levels.back();
  const std::uint64_t nodes = std::uint64_t{1} << half_width;
  return nodes > top.nodes.size() ? (nodes - top.nodes.size()) / top.count : 0;
}

bool StateTree::reserve(std::uint64_t extra, Team* team) {
  for (Level& level : nodes_->levels) {
    const std::uint64_t nodes = extra * level.count;
    if (level.nodes.size() + nodes > std::numeric_limits<Number>::max() || !level.nodes.reserve(nodes, team))
      return false;
  }
  return true;
}

std::uint64_t StateTree::bytes_for(std::uint64_t extra) const {
  std::uint64_t bytes = 0;
  for (const Level& level : nodes_->levels)
    bytes += level.nodes.table_bytes_for(extra * level.count) + level.nodes.array_bytes();
  return bytes;
}

std::uint64_t StateTree::growth_for(std::uint64_t extra) const {
  return bytes_for(extra) - bytes();
}

std::uint64_t StateTree::room() const {
  std::uint64_t room = UINT64_MAX;
  for (const Level& level : nodes_->levels) {
    const std::uint64_t numbers = std::numeric_limits<Number>::max() - level.nodes.size();
    room = std::min(room, std::min(level.nodes.room(), numbers) / level.count);
  }
  return room;
}

std::uint64_t StateTree::most_state_bytes() const {
  std::uint64_t bytes = 0;
  for (const Level& level : nodes_->levels) bytes += std::uint64_t{level.count} * level.words * sizeof(std::uint64_t);
  return bytes;
}

// A new tree knows the nodes of one state, which are the first ones in every tree of this length: what it refers to
// stays what it is.
void StateTree::save(SealedWriter& out) const {
  for (const Level& level : nodes_->levels) level.nodes.save(out);
}

bool StateTree::load(SealedReader& in) {
  for (Level& level : nodes_->levels)
    if (!level.nodes.load(in)) return false;
  return true;
}

void StateTree::give_up_tables() {
  for (Level& level : nodes_->levels) level.nodes.give_up_table();
}

std::uint64_t StateTree::table_bytes() const {
  std::uint64_t sum = 0;
  for (const Level& level : nodes_->levels) sum += level.nodes.table_bytes();
  return sum;
}

std::uint64_t StateTree::usual_bytes() const {
  std::uint64_t sum = 0;
  for (const Level& level : nodes_->levels) sum += level.nodes.usual_bytes();
  return sum;
}

std::uint64_t StateTree::bytes() const {
  std::uint64_t sum = 0;
  for (const Level& level : nodes_->levels) sum += level.nodes.bytes();
  return sum;
}

}  // namespace fathom
