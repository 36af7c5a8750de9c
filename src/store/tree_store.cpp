#include "store/tree_store.hpp"

#include <algorithm>
#include <limits>

namespace fathom {

static_assert(StateStore<TreeStore> && StagedStore<TreeStore> && SharedStore<TreeStore>);

namespace {
constexpr std::size_t recent_bytes = std::size_t{1} << 18;  // of states that were unfolded
}

TreeStore::Tables::Tables(std::uint32_t words, std::uint64_t memory_limit)
    : words(words), memory_limit(memory_limit), roots(1, memory_limit) {
  std::uint32_t count = (words + chunk_words - 1) / chunk_words;
  levels.emplace_back(chunk_words, memory_limit, 0, count);
  numbers_per_state = count;
  while (count > 2) {
    const std::uint32_t group = count > largest_group ? largest_group : 2;
    count = (count + group - 1) / group;
    levels.emplace_back(group_words, memory_limit, numbers_per_state, count);
    numbers_per_state += count;
  }
}

TreeStore::TreeStore(std::uint32_t words, std::uint64_t memory_limit)
    : TreeStore(std::make_shared<Tables>(words, memory_limit)) {}

TreeStore::TreeStore(std::shared_ptr<Tables> tables)
    : tables_(std::move(tables)),
      levels_(tables_->levels),
      roots_(tables_->roots),
      words_(tables_->words),
      numbers_per_state_(tables_->numbers_per_state) {
  latest_.words.assign(std::size_t{chunks()} * chunk_words, 0);
  latest_.numbers.assign(numbers_per_state_, 0);
  const std::size_t bytes = latest_.words.size() * sizeof(std::uint64_t);
  recent_.assign(std::clamp<std::size_t>(recent_bytes / bytes, 2, 64), latest_);
  static_cast<void>(reserve(1));
  refer_to(StateBuffer(words_, 0));
}

// Numbers the pending nodes of a level: fetch the slots (done when they became pending), then the nodes, then look.
void TreeStore::look_up(Level& level) const {
  for (Pending& each : pending_) each.slot = level.nodes.approach(each.hash);
  for (const Pending& each : pending_)
    numbers_of(each.row)[level.first + each.position] =
        static_cast<Number>(index_of(level.nodes.insert_from(each.slot, {each.node, level.words}, each.hash).id));
}

void TreeStore::add(StateView state) const {
  const std::uint32_t row = rows_++;
  if (numbers_.size() < std::size_t{rows_} * numbers_per_state_)
    numbers_.resize(numbers_.size() * 2 + numbers_per_state_);
  std::copy_n(reference_->numbers.data(), numbers_per_state_, numbers_of(row));
  const std::uint64_t* const before = reference_->words.data();
  const std::uint64_t* const words = state.data();
  const Level& level = levels_.front();
  const auto change = [&](std::uint32_t k, std::uint32_t length) {
    Pending& node = pending_.emplace_back();
    node.row = row;
    node.position = k;
    for (std::uint32_t j = 0; j < chunk_words; ++j) node.node[j] = j < length ? words[k * chunk_words + j] : 0;
    node.hash = hash_words(node.node, chunk_words);
    level.nodes.prefetch(node.hash);
  };
  const std::uint32_t whole = words_ / chunk_words, rest = words_ % chunk_words;
  for (std::uint32_t k = 0; k < whole; ++k) {
    std::uint64_t difference = 0;
    for (std::uint32_t j = k * chunk_words; j < (k + 1) * chunk_words; ++j) difference |= words[j] ^ before[j];
    if (difference != 0) change(k, chunk_words);
  }
  if (rest != 0 && !same_words(words + whole * chunk_words, before + whole * chunk_words, rest)) change(whole, rest);
}

void TreeStore::hash_added(Hash* hashes) const {
  look_up(levels_.front());
  for (std::size_t l = 1; l < levels_.size(); ++l) {
    find_groups(l);
    look_up(levels_[l]);
  }
  for (std::uint32_t row = 0; row < rows_; ++row) hashes[row] = root_of(row);
  rows_ = 0;
  pending_.clear();
}

// The groups in which a number has become known. What varies most often lies side by side in a state, so a group has
// numbers from all over it: neighbours would make one half of the tree as varied as the states themselves.
void TreeStore::find_groups(std::size_t l) const {
  const Level& level = levels_[l];
  const Level& below = levels_[l - 1];
  next_pending_.clear();
  for (const Pending& changed : pending_) {
    const std::uint32_t k = changed.position % level.count;
    if (is_next_pending(changed.row, k)) continue;
    Pending& node = next_pending_.emplace_back();
    node.row = changed.row;
    node.position = k;
    const Number* const numbers = numbers_of(changed.row) + below.first;
    std::fill_n(node.node, group_words, 0);
    for (std::uint32_t j = k, place = 0; j < below.count; j += level.count, ++place)
      node.node[place / 2] |= std::uint64_t{numbers[j]} << 32 * (place % 2);
    node.hash = hash_words(node.node, group_words);
    level.nodes.prefetch(node.hash);
  }
  pending_.swap(next_pending_);
}

bool TreeStore::is_next_pending(std::uint32_t row, std::uint32_t position) const {
  for (auto each = next_pending_.rbegin(); each != next_pending_.rend() && each->row == row; ++each)
    if (each->position == position) return true;
  return false;
}

Hash TreeStore::root_of(std::uint32_t row) const {
  const Level& top = levels_.back();
  const Number* const numbers = numbers_of(row) + top.first;
  return top.count == 1 ? Hash{numbers[0]} : numbers[0] | Hash{numbers[1]} << 32;
}

Hash TreeStore::hash(StateView state) const {
  add(state);
  const std::size_t different = pending_.size();
  Hash root = 0;
  hash_added(&root);
  // A reference that has little in common with what is hashed helps nobody.
  if (different > 2 && different > chunks() / 2) {
    std::copy_n(numbers_of(0), numbers_per_state_, latest_.numbers.data());
    std::copy(state.begin(), state.end(), latest_.words.begin());
    reference_ = &latest_;
  }
  return root;
}

// Makes a state the reference while there is none: all of it is looked up, as nothing is equal to its complement.
void TreeStore::refer_to(StateView state) const {
  std::fill(latest_.words.begin(), latest_.words.end(), 0);
  for (std::size_t k = 0; k < state.size(); ++k) latest_.words[k] = ~state[k];
  reference_ = &latest_;
  Hash root = 0;
  add(state);
  hash_added(&root);
  std::copy_n(numbers_of(0), numbers_per_state_, latest_.numbers.data());
  std::copy(state.begin(), state.end(), latest_.words.begin());
}

void TreeStore::unfold(StateId id, Folded& to) const {
  const std::uint64_t root = roots_.state(id)[0];
  const Level& top = levels_.back();
  to.numbers[top.first] = static_cast<Number>(root);
  if (top.count == 2) to.numbers[top.first + 1] = static_cast<Number>(root >> 32);
  for (std::size_t l = levels_.size() - 1; l > 0; --l) {
    const Level& level = levels_[l];
    const Level& below = levels_[l - 1];
    for (std::uint32_t k = 0; k < level.count; ++k) {
      const StateView node = level.nodes.state(StateId{to.numbers[level.first + k]});
      for (std::uint32_t j = k, place = 0; j < below.count; j += level.count, ++place)
        to.numbers[below.first + j] = static_cast<Number>(node[place / 2] >> 32 * (place % 2));
    }
  }
  for (std::uint32_t k = 0; k < chunks(); ++k)
    std::copy_n(levels_.front().nodes.state(StateId{to.numbers[k]}).data(), chunk_words,
                to.words.begin() + std::size_t{k} * chunk_words);
}

const TreeStore::Folded& TreeStore::unfolded(StateId id) const {
  Folded& entry = recent_[index_of(id) % recent_.size()];
  if (entry.id != index_of(id)) unfold(id, entry);
  entry.id = index_of(id);
  return entry;
}

StateView TreeStore::state(StateId id) const {
  return {unfolded(id).words.data(), words_};
}

// That a table does not fit in beside the others is found out before it grows.
bool TreeStore::reserve(std::uint64_t extra, Team* team) {
  std::uint64_t bytes = roots_.table_bytes_for(extra) + roots_.array_bytes();
  for (const Level& level : levels_)
    bytes += level.nodes.table_bytes_for(extra * level.count) + level.nodes.array_bytes();
  if (bytes > tables_->memory_limit) return false;
  for (Level& level : levels_) {
    const std::uint64_t nodes = extra * level.count;
    if (level.nodes.size() + nodes > std::numeric_limits<Number>::max() || !level.nodes.reserve(nodes, team))
      return false;
  }
  return roots_.reserve(extra, team);
}

// Each new state may have nothing in common with those before. Near the memory limit, where few states of that kind
// would fit in, it is asked again after a while.
std::uint64_t TreeStore::room() const {
  constexpr std::uint64_t a_while = 4096;
  std::uint64_t room = roots_.room();
  std::uint64_t state_bytes = sizeof(std::uint64_t);
  for (const Level& level : levels_) {
    const std::uint64_t numbers = std::numeric_limits<Number>::max() - level.nodes.size();
    room = std::min(room, std::min(level.nodes.room(), numbers) / level.count);
    state_bytes += std::uint64_t{level.count} * level.words * sizeof(std::uint64_t);
  }
  const std::uint64_t limit = tables_->memory_limit, used = bytes();
  return used >= limit ? 0 : std::min(room, std::max(a_while, (limit - used) / state_bytes));
}

// A new store knows the nodes of one state, which are the first ones in every store of this length: what it refers to
// stays what it is.
void TreeStore::save(SealedWriter& out) const {
  for (const Level& level : levels_) level.nodes.save(out);
  roots_.save(out);
}

bool TreeStore::load(SealedReader& in) {
  for (Level& level : levels_)
    if (!level.nodes.load(in)) return false;
  return roots_.load(in) && bytes() <= tables_->memory_limit;
}

void TreeStore::give_up_table() {
  for (Level& level : levels_) level.nodes.give_up_table();
  roots_.give_up_table();
}

std::uint64_t TreeStore::table_bytes() const {
  std::uint64_t sum = roots_.table_bytes();
  for (const Level& level : levels_) sum += level.nodes.table_bytes();
  return sum;
}

std::uint64_t TreeStore::usual_bytes() const {
  std::uint64_t sum = roots_.usual_bytes();
  for (const Level& level : levels_) sum += level.nodes.usual_bytes();
  return sum;
}

std::uint64_t TreeStore::bytes() const {
  std::uint64_t sum = roots_.bytes();
  for (const Level& level : levels_) sum += level.nodes.bytes();
  return sum;
}

}  // namespace fathom
