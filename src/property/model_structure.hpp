// The whole state space of a model as a structure that is expanded where it is looked at. Edges are kept once they were
// asked for.
#pragma once

#include <limits>
#include <vector>

#include "property/structure.hpp"
#include "store/indexed_store.hpp"
#include "support/plain_list.hpp"

namespace fathom {

template <Model M>
class ModelStructure final : public Structure {
 public:
  ModelStructure(M& model, const ir::Program& program, std::uint64_t memory_limit)
      : model_(model), store_(model.state_words(), memory_limit), memory_limit_(memory_limit), labels_(program) {
    model_.initial(batch_);
    if (!has_room()) return;
    for (std::uint32_t k = 0; k < batch_.size(); ++k) {
      if (!batch_.outcome(k).has_successor()) continue;
      const auto [id, fresh] = insert(k);
      if (fresh) initial_.push_back(static_cast<State>(index_of(id)));
    }
  }

  std::span<const State> initial() override { return initial_; }

  std::span<const Edge> edges(State state) override {
    if (state >= rows_.size()) rows_.resize(store_.size());
    if (!rows_[state].expanded) expand(state);
    return {edges_.data() + rows_[state].first, rows_[state].count};
  }

  [[nodiscard]] std::uint64_t states() const override { return store_.size(); }
  [[nodiscard]] StateView words(State state) const override { return store_.state(StateId{state}); }
  [[nodiscard]] const StepLabel& label(std::uint32_t label) const override { return labels_[label]; }
  [[nodiscard]] std::uint32_t labels() const override { return labels_.size(); }
  // Until memory is used up.
  [[nodiscard]] bool complete() const override { return complete_; }

 private:
  struct Row {
    std::uint64_t first = 0;
    std::uint32_t count = 0;
    bool expanded = false;
  };

  void expand(State state) {
    rows_[state] = {edges_.size(), 0, true};
    batch_.clear();
    model_.successors(store_.state(StateId{state}), batch_);
    if (!has_room()) return;
    for (std::uint32_t k = 0; k < batch_.size(); ++k) {
      if (!batch_.outcome(k).has_successor()) continue;
      const auto target = static_cast<State>(index_of(insert(k).id));
      edges_.push_back({target, labels_.number(batch_.instance(k))});
    }
    rows_[state].count = static_cast<std::uint32_t>(edges_.size() - rows_[state].first);
  }

  Inserted insert(std::uint32_t k) { return store_.insert(batch_.state(k), store_.hash(batch_.state(k))); }

  bool has_room() {
    const std::uint64_t bytes = store_.bytes() + edges_.bytes() + rows_.bytes();
    complete_ = complete_ && bytes <= memory_limit_ && store_.reserve(batch_.size()) &&
                store_.size() + batch_.size() <= std::numeric_limits<State>::max();
    return complete_;
  }

  M& model_;
  IndexedStore store_;
  std::uint64_t memory_limit_;
  StepLabels labels_;
  Batch batch_;
  std::vector<State> initial_;
  PlainList<Row> rows_;
  PlainList<Edge> edges_;
  bool complete_ = true;
};

}  // namespace fathom
