// What the threads of a biased breadth-first search find out ahead of the one that takes it in order (biased_bfs.hpp).
#pragma once

#include <vector>

#include "search/guidance.hpp"
#include "search/prepared_steps.hpp"
#include "search/thread_parts.hpp"
#include "support/hash.hpp"

namespace fathom {

// The steps of some states, and whether a step of each is marked.
struct BiasedSteps : PreparedSteps {
  std::vector<char> has_marked;  // one for each source

  void clear() {
    PreparedSteps::clear();
    has_marked.clear();
  }
  [[nodiscard]] std::uint64_t bytes() { return PreparedSteps::bytes() + has_marked.capacity(); }

  template <class M>
  void expand(const ThreadParts<M>& parts, std::uint64_t number, StateView state) {
    PreparedSteps::expand(*parts.model, number, state);
    bool marked = false;
    for (std::uint32_t k = sources.back().first; k < batch.size() && !marked; ++k)
      marked = parts.guidance->marked(batch.instance(k), state);
    has_marked.push_back(marked ? 1 : 0);
  }
  // A state whose steps are not asked for.
  void skip(std::uint64_t number) {
    sources.push_back({number, batch.size(), false});
    has_marked.push_back(0);
  }
};

// The states among some in which marked rules are enabled, and their kinds: the same number for states in which the
// same marked rules are enabled, whatever their parameters.
struct MarkedKinds {
  struct Row {
    std::uint64_t place;
    std::uint64_t kind;
  };

  std::vector<Row> rows;
  std::uint64_t looked_at = 0;

  void clear() {
    rows.clear();
    looked_at = 0;
  }
  [[nodiscard]] std::uint64_t work() const { return looked_at; }
  [[nodiscard]] std::uint64_t bytes() const { return rows.capacity() * sizeof(Row); }

  template <class M>
  void look_at(const ThreadParts<M>& parts, std::uint64_t place, StateView state) {
    ++looked_at;
    enabled_.clear();
    parts.model->quiet(true);
    parts.model->enabled(state, enabled_);
    parts.model->quiet(false);
    const std::uint64_t kind = kind_of_enabled(*parts.guidance, state);
    if (kind != no_marked_rule) rows.push_back({place, kind});
  }

 private:
  static constexpr std::uint64_t no_marked_rule = 0;

  [[nodiscard]] std::uint64_t kind_of_enabled(const Guidance& guidance, StateView state) const {
    std::uint64_t kind = no_marked_rule;
    std::uint32_t last = UINT32_MAX;
    for (std::uint32_t k = 0; k < enabled_.size(); ++k) {
      const std::uint32_t rule = edge_of(enabled_.instance(k));
      if (rule == last || !guidance.marked(enabled_.instance(k), state)) continue;
      last = rule;
      kind = mix_bijective(kind + rule + 1);
    }
    return kind;
  }

  Batch enabled_;  // steps of one state
};

}  // namespace fathom
