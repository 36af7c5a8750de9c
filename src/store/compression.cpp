#include "store/compression.hpp"

#include <utility>

namespace fathom {

namespace {

class TreeMove {
 public:
  TreeMove(IndexedStore& from, std::uint64_t limit)
      : from_(from),
        limit_(limit),
        count_(from.size()),
        state_bytes_(from.words() * sizeof(std::uint64_t)),
        round_(std::max<std::uint64_t>(count_ / 256, (std::uint64_t{1} << 20) / state_bytes_)),
        tree_(std::make_unique<TreeStore>(from.words(), limit)) {
    from_.give_up_table();
  }

  // Moves as many states as the memory of the table has room for. False: the tree is not worth it, and nothing of the
  // states is lost.
  bool pays() {
    fill();
    return !is_empty() && expected_bytes() < 0.9 * static_cast<double>(from_.usual_bytes());
  }

  // After pays(): until all states are in the tree, or there is no room for more.
  void go_on() {
    do {
      given_back_ = tree_->size();
      from_.give_back({0, given_back_});
    } while (fill() > 0);
    if (is_done()) tree_->set_memory_limit(limit_);
  }

  [[nodiscard]] bool is_done() const { return tree_->size() == count_; }
  [[nodiscard]] std::unique_ptr<TreeStore> take_tree() { return std::move(tree_); }

 private:
  static constexpr std::uint64_t group = 256;  // states that are hashed together
  struct Mark {
    std::uint64_t states, bytes;  // so many states took so much
  };

  [[nodiscard]] bool is_empty() const { return tree_->size() == 0; }

  // What the tree will take in the end. The more states there are, the fewer of their parts are new, so the later ones
  // of those that were moved tell more about the rest than the earlier ones.
  [[nodiscard]] double expected_bytes() const {
    const auto bytes = static_cast<double>(tree_->usual_bytes());
    const double later = bytes - static_cast<double>(before_mark_.bytes);
    const auto states = static_cast<double>(tree_->size() - before_mark_.states);
    return bytes + later / states * static_cast<double>(count_ - tree_->size());
  }

  // Moves states into the room there is, and not too many at a time once memory is given back. Returns how many.
  std::uint64_t fill() {
    const std::uint64_t first = tree_->size();
    const std::uint64_t held = (count_ - given_back_) * state_bytes_ + spare_pages(limit_);
    tree_->set_memory_limit(limit_ > held ? limit_ - held : 0);
    const std::uint64_t end = given_back_ == 0 ? count_ : std::min(count_, first + round_);
    while (tree_->size() < end && tree_->reserve(group)) move_group(std::min(end - tree_->size(), group));
    return tree_->size() - first;
  }

  void move_group(std::uint64_t states) {
    const std::uint64_t first = tree_->size();
    if (first >= 2 * mark_.states) before_mark_ = std::exchange(mark_, {first, tree_->usual_bytes()});
    if (first > 0) tree_->near(StateId{first - 1});
    for (std::uint64_t k = 0; k < states; ++k) tree_->add(from_.state(StateId{first + k}));
    tree_->hash_added(hashes_);
    for (std::uint64_t k = 0; k < states; ++k) tree_->prefetch(hashes_[k]);
    for (std::uint64_t k = 0; k < states; ++k) tree_->insert({}, hashes_[k]);
  }

  IndexedStore& from_;
  const std::uint64_t limit_;
  const std::uint64_t count_;
  const std::uint64_t state_bytes_;
  const std::uint64_t round_;     // states after which memory is given back
  std::uint64_t given_back_ = 0;  // states whose memory was
  std::unique_ptr<TreeStore> tree_;
  Mark mark_{0, 0}, before_mark_{0, 0};  // after half of the states at most, and after half of these
  Hash hashes_[group];
};

}  // namespace

Compressed compress(std::unique_ptr<IndexedStore>& full, std::uint64_t limit) {
  TreeMove move(*full, limit);
  if (!move.pays()) {
    static_cast<void>(move.take_tree());
    full->restore_table();
    return {};
  }
  move.go_on();
  if (!move.is_done()) return {nullptr, std::make_unique<HalfMoved>(move.take_tree(), std::move(full))};
  full.reset();
  return {move.take_tree(), nullptr};
}

}  // namespace fathom
