#include "search/liveness.hpp"

#include <algorithm>
#include <atomic>
#include <deque>
#include <stdexcept>

#include "search/bfs.hpp"
#include "search/crew.hpp"
#include "search/pace.hpp"
#include "search/step_group.hpp"
#include "search/thread_executors.hpp"

namespace fathom {

namespace {

// Predecessors of every state: those of state k are at sources[first[k]] up to first[k + 1].
struct Predecessors {
  std::vector<std::uint64_t> first;
  std::vector<std::uint32_t> sources;
};

// The steps from stored states to stored states, as one thread sees them.
class StoredSteps {
 public:
  StoredSteps(const ThreadParts<Executor>& parts, const IndexedStore& store)
      : model_(*parts.model), canonicaliser_(parts.canonicaliser), store_(store), group_(model_.state_words()) {}

  // Calls visit(source, target) for the steps of a few states, and returns the first state that is left.
  template <class Visit>
  std::uint64_t visit_some(IdRange states, const Visit& visit) {
    const std::uint64_t left = group_.fill(model_, states, [this](StateId id) { return store_.state(id); });
    for (std::size_t s = 0; s < group_.sources.size(); ++s)
      group_.leave_out_missing(s, store_.state(group_.sources[s].id));
    group_.canonicalise(canonicaliser_);
    group_.hash(store_);
    group_.approach(store_);
    for (std::size_t s = 0; s < group_.sources.size(); ++s)
      for (std::uint32_t k = group_.sources[s].first; k < group_.steps_end(s); ++k)
        if (group_.batch.outcome(k).has_successor())
          visit(index_of(group_.sources[s].id), index_of(store_.find(group_.successor(k), group_.hash_of(k))));
    return left;
  }

  Executor& model() { return model_; }

 private:
  Executor& model_;
  Canonicaliser* const canonicaliser_;
  const IndexedStore& store_;
  StepGroup<IndexedStore> group_;
};

class LivenessCheck {
 public:
  LivenessCheck(const SearchRequest& request, const IndexedStore& store)
      : request_(request),
        store_(store),
        executors_(request),
        crew_({&request.model, request.options.canonicaliser}, helpers()),
        team_(can_have_several() ? crew_.team_for(store.size()) : nullptr) {
    crew_.quiet(true);
    for (unsigned k = 0; k < crew_.size(); ++k) threads_.emplace_back(crew_[k], store_);
  }
  ~LivenessCheck() { crew_.quiet(false); }
  LivenessCheck(const LivenessCheck&) = delete;
  LivenessCheck& operator=(const LivenessCheck&) = delete;

  // Collects the predecessors, by counting them first. Anything but `exhausted` says why that could not be done.
  Ending build() {
    const std::uint64_t states = store_.size();
    if (states >= UINT32_MAX || !fits(states, 0)) return Ending::memory_limit;
    graph_.first.assign(states + 2, 0);
    if (!each_edge([&](std::uint64_t, std::uint64_t target) { count_one(graph_.first[target + 2]); }))
      return Ending::time_or_user;
    for (std::size_t k = 2; k < graph_.first.size(); ++k) graph_.first[k] += graph_.first[k - 1];
    const std::uint64_t edges = graph_.first.back();
    if (!fits(states, edges)) return Ending::memory_limit;
    graph_.sources.resize(edges);
    const bool done = each_edge([&](std::uint64_t source, std::uint64_t target) {
      graph_.sources[count_one(graph_.first[target + 1])] = static_cast<std::uint32_t>(source);
    });
    return done ? Ending::exhausted : Ending::time_or_user;
  }

  // The first state from which no state with bit `property` set can be reached, or size() if there is none; or the
  // first one in which the property fails.
  std::uint64_t first_doomed(std::uint32_t property) {
    std::vector<std::uint8_t> reaches(store_.size(), 0);
    if (const std::uint64_t failing = mark_holding(property, reaches); failing < store_.size()) return failing;
    std::vector<std::uint32_t> open;
    for (std::uint64_t id = 0; id < store_.size(); ++id)
      if (reaches[id] != 0) open.push_back(static_cast<std::uint32_t>(id));
    while (!open.empty()) {
      const std::uint32_t target = open.back();
      open.pop_back();
      for (std::uint64_t k = graph_.first[target]; k < graph_.first[target + 1]; ++k) {
        const std::uint32_t source = graph_.sources[k];
        if (reaches[source] != 0) continue;
        reaches[source] = 1;
        open.push_back(source);
      }
    }
    return static_cast<std::uint64_t>(std::ranges::find(reaches, 0) - reaches.begin());
  }

  [[nodiscard]] ir::SiteId fault() const { return fault_; }

 private:
  MoreThreads<Executor> helpers() {
    MoreThreads<Executor> more = executors_.more_threads();
    more.enough_for_all = 20'000;  // states: smaller models are through before threads are started
    return more;
  }

  [[nodiscard]] bool can_have_several() const {
    return request_.options.canonicaliser == nullptr || request_.more_canonicalisers;
  }

  // Increases a counter and returns what it was.
  std::uint64_t count_one(std::uint64_t& counter) {
    return team_ != nullptr ? std::atomic_ref(counter).fetch_add(1, std::memory_order_relaxed) : counter++;
  }

  // Calls work(thread, states) for slices of all states.
  template <class Work>
  void in_parts(const Work& work) {
    if (team_ == nullptr) return work(0U, IdRange{0, store_.size()});
    const std::uint64_t size = store_.size() / team_->size() + 1;
    team_->run([&](unsigned k) {
      work(k, IdRange{std::min(k * size, store_.size()), std::min((k + 1) * size, store_.size())});
    });
  }

  // Sets what holds in each state. Returns the first state in which the property fails, or size().
  std::uint64_t mark_holding(std::uint32_t property, std::vector<std::uint8_t>& holds) {
    std::vector<std::uint64_t> failing(threads_.size(), store_.size());
    const std::size_t words = (request_.program.properties.size() + 63) / 64;
    in_parts([&](unsigned thread, IdRange states) {
      std::vector<std::uint64_t> holding(words);
      for (std::uint64_t id = states.first; id < states.end; ++id) {
        std::ranges::fill(holding, 0);
        if (threads_[thread].model().live(store_.state(StateId{id}), holding.data()) != ir::SiteId::none) {
          failing[thread] = id;
          return;
        }
        holds[id] = holding[property / 64] >> (property % 64) & 1;
      }
    });
    const std::uint64_t first = std::ranges::min(failing);
    if (first == store_.size()) return first;
    std::vector<std::uint64_t> holding(words);
    fault_ = request_.model.live(store_.state(StateId{first}), holding.data());
    return first;
  }

  [[nodiscard]] bool fits(std::uint64_t states, std::uint64_t edges) const {
    return store_.bytes() + states * (sizeof(std::uint64_t) + 1) + edges * sizeof(std::uint32_t) <=
           request_.options.memory_limit;
  }

  // False: it was stopped.
  template <class Visit>
  bool each_edge(const Visit& visit) {
    std::atomic<bool> going = true;
    in_parts([&](unsigned thread, IdRange states) {
      Pace pace;
      while (!states.empty() && going.load(std::memory_order_relaxed)) {
        states.first = threads_[thread].visit_some(states, visit);
        if (thread == 0 && pace.is_due(StepGroup<IndexedStore>::enough) && !tick(states)) going = false;
      }
    });
    return going;
  }

  bool tick(IdRange left) {
    return request_.options.tick({.states = store_.size(),
                                  .queue = (left.end - left.first) * threads_.size(),
                                  .bytes = store_.bytes(),
                                  .phase = "liveness"});
  }

  const SearchRequest& request_;
  const IndexedStore& store_;
  ThreadExecutors executors_;
  Crew<Executor> crew_;
  Team* const team_;  // null: one thread is enough
  std::deque<StoredSteps> threads_;
  Predecessors graph_;
  ir::SiteId fault_ = ir::SiteId::none;
};

}  // namespace

void check_liveness(const SearchRequest& request, const IndexedStore& store,
                    const std::function<Counterexample(StateId)>& run_to, SearchResult& result) {
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
