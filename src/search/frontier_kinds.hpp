// The states at the bound of a depth-bounded search, in the order in which they were found, which is the order of the
// frontier tree. Three ways to keep one (Udupa, Desai, Rajamani, SPIN 2011, section 4.2) trade memory against the time
// to get the state back: in full, as a trace that is repeated from the start state, or as a node of the frontier tree.
#pragma once

#include <functional>
#include <memory>

#include "search/frontier_walk.hpp"
#include "store/store.hpp"
#include "support/plain_list.hpp"

namespace fathom {

enum class FrontierKind : std::uint8_t { states, traces, tree };

// A call per frontier state is cheap beside getting there, so the kinds are ordinary virtual classes.
template <Model M>
class Frontier {
 public:
  using Place = std::uint32_t;
  static constexpr std::uint64_t max_places = std::uint64_t{1} << 30;

  virtual ~Frontier() = default;

  // Adds the state at which the walk stands.
  Place add(StateId id, Walk<M>& walk) {
    ids_.push_back(id);
    ++waiting_;
    keep(walk);
    return static_cast<Place>(ids_.size() - 1);
  }
  void remove(Place place) {
    ids_[place] = nobody;
    --waiting_;
    drop(place);
  }
  void clear() {
    for (Place place = 0; place < places(); ++place)
      if (occupied(place)) remove(place);
    ids_.clear();
    drop_all();
  }
  // Takes the walk to an entry; every entry lies `depth` steps from a start state.
  virtual void go_to(Place place, std::uint32_t depth, Walk<M>& walk) = 0;

  [[nodiscard]] Place places() const { return static_cast<Place>(ids_.size()); }
  [[nodiscard]] bool occupied(Place place) const { return ids_[place] != nobody; }
  [[nodiscard]] StateId id(Place place) const { return ids_[place]; }
  [[nodiscard]] std::uint64_t waiting() const { return waiting_; }
  [[nodiscard]] bool full() const { return ids_.size() >= max_places; }
  [[nodiscard]] std::uint64_t bytes() const { return ids_.bytes() + payload_bytes(); }

 private:
  static constexpr StateId nobody{max_states};

  virtual void keep(Walk<M>& walk) = 0;  // at the next place
  virtual void drop(Place place) = 0;
  virtual void drop_all() = 0;
  [[nodiscard]] virtual std::uint64_t payload_bytes() const = 0;

  PlainList<StateId> ids_;
  std::uint64_t waiting_ = 0;
};

// A node of the tree for each entry (Fig. 8): from one entry to the next it is about twice the step of the bound.
template <Model M>
class TreeFrontier : public Frontier<M> {
 public:
  using typename Frontier<M>::Place;
  explicit TreeFrontier(StepTree& tree) : tree_(tree) {}

  void go_to(Place place, std::uint32_t depth, Walk<M>& walk) override { walk.go_to(nodes_[place], depth); }

 protected:
  void keep(Walk<M>& walk) override {
    nodes_.push_back(walk.node());
    tree_.hold(nodes_.back());
  }
  void drop(Place place) override { tree_.release(nodes_[place]); }
  void drop_all() override { nodes_.clear(); }
  [[nodiscard]] std::uint64_t payload_bytes() const override { return nodes_.bytes(); }

  StepTree& tree_;
  PlainList<StepTree::Node> nodes_;
};

// The states in full, or only their numbers where the store can give them back. The tree is kept beside them, since a
// violation must be shown with the run that leads to it.
template <Model M>
class StateFrontier : public TreeFrontier<M> {
 public:
  using typename Frontier<M>::Place;
  using StateOf = std::function<StateView(StateId)>;  // empty: the store does not keep states
  StateFrontier(StepTree& tree, StateOf state_of) : TreeFrontier<M>(tree), state_of_(std::move(state_of)) {}

  void go_to(Place place, std::uint32_t depth, Walk<M>& walk) override {
    walk.jump(state_of_ ? state_of_(this->id(place)) : StateView(states_[place]), depth, this->nodes_[place]);
  }

 private:
  void keep(Walk<M>& walk) override {
    TreeFrontier<M>::keep(walk);
    if (state_of_) return;
    states_.push_back(walk.state());
    words_ += walk.state().size();
  }
  void drop(Place place) override {
    TreeFrontier<M>::drop(place);
    if (state_of_) return;
    words_ -= states_[place].size();
    StateBuffer().swap(states_[place]);
  }
  void drop_all() override {
    TreeFrontier<M>::drop_all();
    states_.clear();
  }
  [[nodiscard]] std::uint64_t payload_bytes() const override {
    return TreeFrontier<M>::payload_bytes() + states_.size() * sizeof(StateBuffer) + words_ * sizeof(std::uint64_t);
  }

  StateOf state_of_;
  std::vector<StateBuffer> states_;
  std::uint64_t words_ = 0;
};

// The steps from the start state, each as its number in groups of seven bits with the low ones first. Going to an entry
// repeats all of them.
template <Model M>
class TraceFrontier : public Frontier<M> {
 public:
  using typename Frontier<M>::Place;
  explicit TraceFrontier(StepNumbers& numbers) : numbers_(numbers) {}

  void go_to(Place place, std::uint32_t, Walk<M>& walk) override {
    const Trace& trace = traces_[place];
    const std::uint8_t* next = trace.data();
    walk.start(static_cast<std::uint32_t>(numbers_.step(decode(next))));
    while (next != trace.data() + trace.size()) walk.repeat(numbers_.step(decode(next)));
  }

 private:
  using Trace = std::vector<std::uint8_t>;

  void keep(Walk<M>& walk) override {
    encoded_.clear();
    walk.each_step([&](InstanceId step) { encode(numbers_.number_of(step)); });
    traces_.push_back(encoded_);
    trace_bytes_ += encoded_.size();
  }
  void drop(Place place) override {
    trace_bytes_ -= traces_[place].size();
    Trace().swap(traces_[place]);
  }
  void drop_all() override { traces_.clear(); }
  [[nodiscard]] std::uint64_t payload_bytes() const override { return traces_.size() * sizeof(Trace) + trace_bytes_; }

  void encode(std::uint32_t number) {
    for (; number >= 0x80; number >>= 7) encoded_.push_back(static_cast<std::uint8_t>(number | 0x80));
    encoded_.push_back(static_cast<std::uint8_t>(number));
  }
  static std::uint32_t decode(const std::uint8_t*& next) {
    std::uint32_t number = 0;
    for (int shift = 0;; shift += 7) {
      const std::uint8_t byte = *next++;
      number |= std::uint32_t{byte & 0x7fU} << shift;
      if (byte < 0x80) return number;
    }
  }

  StepNumbers& numbers_;
  Trace encoded_;
  std::vector<Trace> traces_;
  std::uint64_t trace_bytes_ = 0;
};

}  // namespace fathom
