// Nested depth-first search for accepting cycles by several threads (CNDFS: Evangelista, Laarman, Petrucci, van de Pol:
// Improved Multi-Core Nested Depth-First Search, ATVA 2012). Each thread searches the whole graph on a stack of its own
// and in an order of its own. It passes over what a first search of any thread has left, and its second searches pass
// over what no second search can find a cycle from; an accepting node that two of them come across is waited for, so
// that nodes become red in an order in which a single search could have done it.
//
// As in the search by one thread (ndfs.hpp, variant se), an edge back into the own stack is a cycle at once when one of
// its ends is accepting. The first violation ends the search: which one that is depends on the threads. Without one,
// every node was met, and counts are those of one thread.
#pragma once

#include <memory>

#include "search/cycle_worker.hpp"
#include "support/team.hpp"

namespace fathom {

// How the threads come by their graphs, which have one set of nodes.
template <class Graph>
struct SharedGraph {
  std::function<Graph&()> another;       // one for a thread
  std::function<bool(Team*)> grow;       // all are at rest: makes room for more nodes; false at the memory limit
  std::function<void()> settle;          // all have come to their end
  std::function<std::uint64_t()> bytes;  // what the graphs have in common
  std::uint64_t most_nodes = 0;          // that there can ever be
  std::function<std::uint64_t()> nodes;  // a bound on the numbers of nodes that can be given until it grows
};

// `Lead` is the graph as a single thread sees it, before and after.
template <class Lead, class Graph>
class ParallelNestedDfs {
 public:
  ParallelNestedDfs(Lead& lead, SharedGraph<Graph> graph, const SearchOptions& options, std::uint32_t claim)
      : lead_(lead), graph_(std::move(graph)), options_(options), recorder_(options), shared_(graph_.most_nodes) {
    team_ = std::make_unique<Team>(options.threads);
    for (unsigned k = 0; k < team_->size(); ++k)
      workers_.push_back(std::make_unique<Worker>(graph_.another(), options, claim, shared_, k));
    workers_[0]->pause = [this] { pause(); };
    shared_.busy = team_->size();
  }

  // From these nodes on.
  SearchResult run(std::vector<Node> starts) {
    shared_.starts = std::move(starts);
    return go_on();
  }

  // Asked now and then whether it is time to save, which is done when all threads are at rest. It is also done when a
  // limit or the user ends the search.
  std::function<bool()> save_due;
  std::function<void()> save;

  // Where it stands, apart from the graph; in a new search, by as many threads or more.
  void write(SealedWriter& out) const {
    out.list(shared_.starts);
    const std::uint64_t nodes = workers_[0]->graph().size();
    out.number(nodes);
    out.bytes(shared_.colours.of_first(nodes));
    out.number(workers_.size());
    for (const auto& worker : workers_) worker->write(out);
  }
  SearchResult resume(SealedReader& in) {
    shared_.starts = in.list();
    const std::uint64_t nodes = in.number();
    if (nodes <= shared_.colours.capacity()) in.bytes(shared_.colours.of_first(nodes));
    for (std::uint64_t k = 0, count = in.number(); k < count; ++k) {
      workers_.at(k)->read(in);
      if (workers_[k]->is_done()) --shared_.busy;
    }
    in.expect_end();
    return go_on();
  }

 private:
  using Worker = CycleWorker<Graph>;
  static constexpr std::size_t improvement_effort = 20'000;  // nodes for a shorter lasso

  SearchResult go_on() {
    bool is_done = graph_.nodes() > shared_.colours.capacity();
    if (is_done) recorder_.result.ending = Ending::memory_limit;
    while (!is_done) {
      shared_.halt = false;
      team_->run([this](unsigned k) { work(k); });
      if (std::exchange(save_is_due_, false) && !shared_.stop) save_at_rest();
      is_done = shared_.stop || !shared_.halt || !make_room();
    }
    graph_.settle();
    const Ending ending = recorder_.result.ending;
    if (save && (ending == Ending::time_or_user || ending == Ending::memory_limit)) save_at_rest();
    return finish();
  }

  void save_at_rest() {
    graph_.settle();
    for (const auto& worker : workers_) lead_.add_expanded(worker->graph());
    save();
  }

  // Others may wait for one that cannot go on.
  void work(unsigned k) {
    try {
      workers_[k]->work();
    } catch (...) {
      shared_.stop = true;
      throw;
    }
  }

  bool make_room() {
    if (graph_.grow(team_.get()) && graph_.nodes() <= shared_.colours.capacity()) return true;
    recorder_.result.ending = Ending::memory_limit;
    return false;
  }

  // In the first thread, while the others work.
  void pause() {
    const Progress now = progress();
    if (now.bytes > options_.memory_limit) shared_.spare = true;
    const bool all_spare = std::ranges::all_of(workers_, [](const auto& worker) { return worker->spares(); });
    if (now.bytes > options_.memory_limit && all_spare)
      stop(Ending::memory_limit);
    else if (!options_.tick(now))
      stop(Ending::time_or_user);
    if (save_due && save_due()) {
      save_is_due_ = true;
      shared_.halt = true;
    }
  }

  void stop(Ending ending) {
    recorder_.result.ending = ending;
    shared_.stop = true;
  }

  template <class Count>
  [[nodiscard]] std::uint64_t sum(Count count) const {
    std::uint64_t sum = 0;
    for (const auto& worker : workers_) sum += (*worker.*count)();
    return sum;
  }

  [[nodiscard]] std::uint64_t bytes() const {
    const std::uint64_t nodes = workers_[0]->graph().size();
    return graph_.bytes() + sum(&Worker::bytes) + nodes + workers_.size() * nodes / OwnColours::per_byte;
  }

  [[nodiscard]] Progress progress() const {
    return {.states = sum(&Worker::met), .transitions = sum(&Worker::transitions), .bytes = bytes()};
  }

  SearchResult finish() {
    SearchResult& result = recorder_.result;
    for (const auto& worker : workers_) {
      add_counts(worker->counts(), result);
      result.statistics.states += worker->counts().statistics.states;
      result.statistics.depth = std::max(result.statistics.depth, worker->deepest());
      lead_.add_expanded(worker->graph());
    }
    result.statistics.revisits = sum(&Worker::reopened);
    result.statistics.threads = team_->size();
    result.statistics.store_bytes = bytes();
    if (shared_.found) show(*shared_.found);
    return std::move(result);
  }

  void show(FoundRun& found) {
    SearchResult& result = recorder_.result;
    static_cast<void>(recorder_.count(found.violation));
    result.ending = Ending::error_limit;
    result.first = std::move(found.run);
    if (!found.on_cycle) return;
    const auto known = [this](Node node) {
      return node < shared_.colours.capacity() && shared_.colours.has(node, SharedCycleSearch::met);
    };
    result.first =
        counterexample(lead_, found.violation, short_lasso<Lead>(lead_, known, *found.on_cycle, improvement_effort));
  }

  Lead& lead_;
  const SharedGraph<Graph> graph_;
  const SearchOptions& options_;
  Recorder recorder_;
  SharedCycleSearch shared_;
  std::unique_ptr<Team> team_;
  std::vector<std::unique_ptr<Worker>> workers_;
  bool save_is_due_ = false;
};

}  // namespace fathom
