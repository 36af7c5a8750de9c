#include "search/liveness.hpp"

#include <algorithm>
#include <stdexcept>

#include "search/bfs.hpp"

namespace fathom {

namespace {

// Predecessors of every state: those of state k are at sources[first[k]] up to first[k + 1].
struct Predecessors {
  std::vector<std::uint64_t> first;
  std::vector<std::uint32_t> sources;
};

class LivenessCheck {
 public:
  LivenessCheck(const SearchRequest& request, const IndexedStore& store) : request_(request), store_(store) {}

  // Collects the predecessors, by counting them first. Anything but `exhausted` says why that could not be done.
  Ending build() {
    const std::uint64_t states = store_.size();
    if (states >= UINT32_MAX || !fits(states, 0)) return Ending::memory_limit;
    graph_.first.assign(states + 2, 0);
    if (!each_edge([&](std::uint64_t, std::uint64_t target) { ++graph_.first[target + 2]; }))
      return Ending::time_or_user;
    for (std::size_t k = 2; k < graph_.first.size(); ++k) graph_.first[k] += graph_.first[k - 1];
    const std::uint64_t edges = graph_.first.back();
    if (!fits(states, edges)) return Ending::memory_limit;
    graph_.sources.resize(edges);
    const bool done = each_edge([&](std::uint64_t source, std::uint64_t target) {
      graph_.sources[graph_.first[target + 1]++] = static_cast<std::uint32_t>(source);
    });
    return done ? Ending::exhausted : Ending::time_or_user;
  }

  // The first state from which no state with bit `property` set can be reached, or size() if there is none.
  std::uint64_t first_doomed(std::uint32_t property) {
    std::vector<bool> reaches(store_.size(), false);
    std::vector<std::uint32_t> open;
    std::vector<std::uint64_t> holding((request_.program.properties.size() + 63) / 64);
    for (std::uint64_t id = 0; id < store_.size(); ++id) {
      std::fill(holding.begin(), holding.end(), 0);
      fault_ = request_.model.live(store_.state(StateId{id}), holding.data());
      if (fault_ != ir::SiteId::none) return id;
      if ((holding[property / 64] >> (property % 64) & 1) == 0) continue;
      reaches[id] = true;
      open.push_back(static_cast<std::uint32_t>(id));
    }
    while (!open.empty()) {
      const std::uint32_t target = open.back();
      open.pop_back();
      for (std::uint64_t k = graph_.first[target]; k < graph_.first[target + 1]; ++k) {
        const std::uint32_t source = graph_.sources[k];
        if (reaches[source]) continue;
        reaches[source] = true;
        open.push_back(source);
      }
    }
    return static_cast<std::uint64_t>(std::find(reaches.begin(), reaches.end(), false) - reaches.begin());
  }

  [[nodiscard]] ir::SiteId fault() const { return fault_; }

 private:
  [[nodiscard]] bool fits(std::uint64_t states, std::uint64_t edges) const {
    return store_.bytes() + states * (sizeof(std::uint64_t) + 1) + edges * sizeof(std::uint32_t) <=
           request_.options.memory_limit;
  }

  template <class Visit>
  bool each_edge(Visit visit) {
    Batch steps;
    const std::uint32_t words = request_.model.state_words();
    for (std::uint64_t id = 0; id < store_.size(); ++id) {
      if (id % 4096 == 0 &&
          !request_.options.tick(
              {.states = store_.size(), .queue = store_.size() - id, .bytes = store_.bytes(), .phase = "liveness"}))
        return false;
      steps.clear();
      request_.model.successors(store_.state(StateId{id}), steps);
      for (std::uint32_t k = 0; k < steps.size(); ++k) {
        if (!steps.outcome(k).has_successor()) continue;
        if (request_.options.canonicaliser != nullptr) request_.options.canonicaliser->canonicalise(steps.words(k));
        const StateView next{steps.words(k), words};
        visit(id, index_of(store_.find(next, store_.hash(next))));
      }
    }
    return true;
  }

  const SearchRequest& request_;
  const IndexedStore& store_;
  Predecessors graph_;
  ir::SiteId fault_ = ir::SiteId::none;
};

}  // namespace

void check_liveness(const SearchRequest& request, const IndexedStore& store,
                    const std::function<Counterexample(StateId)>& run_to, SearchResult& result) {
  request.model.quiet(true);
  LivenessCheck check(request, store);
  result.ending = check.build();
  if (result.ending == Ending::exhausted) {
    const auto& properties = request.program.properties;
    for (std::uint32_t k = 0; k < properties.size(); ++k) {
      if (properties[k]->kind != ir::Property::Kind::liveness || !request.options.selected[k]) continue;
      const std::uint64_t doomed = check.first_doomed(k);
      if (doomed == store.size()) continue;
      Violation violation{Violation::Kind::liveness, k, check.fault()};
      if (check.fault() != ir::SiteId::none) {
        violation.kind = Violation::Kind::fault;
        ++result.faults[static_cast<std::size_t>(check.fault())];
      } else {
        ++result.violations[k];
      }
      ++result.statistics.errors;
      if (!result.first) {
        result.first = run_to(StateId{doomed});
        result.first->violation = violation;
      }
    }
  }
  request.model.quiet(false);
}

Counterexample run_to_state(const SearchRequest& request, StateView target) {
  // A search that stops at the wanted state: it is the only one in which the check reports anything.
  struct Seeker {
    Executor& model;
    StateView target;
    [[nodiscard]] std::uint32_t state_words() const { return model.state_words(); }
    void initial(Batch& out) { model.initial(out); }
    // Steps that go wrong lead nowhere, and must not end this search.
    void successors(StateView state, Batch& out) {
      const std::uint32_t first = out.size();
      model.successors(state, out);
      std::vector<std::uint32_t> kept;
      for (std::uint32_t k = first; k < out.size(); ++k)
        if (out.outcome(k).has_successor()) kept.push_back(k);
      if (kept.size() < out.size() - first) out.keep(first, kept, model.state_words());
    }
    void enabled(StateView state, Batch& out) { model.enabled(state, out); }
    Outcome apply(StateBuffer& top, InstanceId step, Undo& undo) { return model.apply(top, step, undo); }
    void undo(StateBuffer& top, const Undo& undo) { model.undo(top, undo); }
    void check(StateView state, StateCheck& findings) {
      const bool found = std::equal(state.begin(), state.end(), target.begin());
      findings.result = found ? StateCheck::Result::violated : StateCheck::Result::fine;
      findings.violated.assign(1, found ? 1 : 0);
    }
    ir::SiteId live(StateView state, std::uint64_t* holding) { return model.live(state, holding); }
    ir::SiteId atoms(StateView state, std::uint32_t claim, AtomValues& values) {
      return model.atoms(state, claim, values);
    }
    void quiet(bool) {}  // the whole search is quiet already
  };
  Seeker seeker{request.model, target};
  SearchOptions options = request.options;
  options.deadlock = DeadlockMode::off;
  options.max_depth.reset();
  options.max_errors = 1;
  options.check_states = true;
  options.assertions = false;
  options.selected.assign(std::max<std::size_t>(1, options.selected.size()), true);
  options.shape.properties = options.selected.size();
  IndexedStore store(request.model.state_words(), request.options.memory_limit);
  const SearchResult result = BreadthFirst<Seeker, IndexedStore>(seeker, store, options).run();
  if (!result.first) throw std::logic_error("a stored state was not found again");
  return *result.first;
}

}  // namespace fathom
