// Nested depth-first search for accepting cycles by several threads (CNDFS: Evangelista, Laarman, Petrucci, van de Pol:
// Improved Multi-Core Nested Depth-First Search, ATVA 2012), as far as it is needed: the threads sweep the graph
// together, and nested searches begin at accepting nodes (sweep_worker.hpp). Each is on a stack and in an order of its
// own. It passes over what a first search of any thread has left, and its second searches pass over what no second
// search can find a cycle from; an accepting node that two of them come across is waited for, so that nodes become red
// in an order in which a single search could have done it. That threads begin at different nodes changes nothing about
// that: it is as if each had a start node of its own, before those.
//
// As in the search by one thread (ndfs.hpp, variant se), an edge back into the own stack is a cycle at once when one of
// its ends is accepting. The first violation ends the search: which one that is depends on the threads. Without one,
// every node was met, and counts are those of one thread.
#pragma once

#include <fmt/format.h>

#include <functional>
#include <memory>

#include "search/lasso.hpp"
#include "search/node_limit.hpp"
#include "search/sweep_worker.hpp"
#include "support/errors.hpp"
#include "support/team.hpp"

namespace fathom {

// How the threads come by their graphs, which have one set of nodes.
template <class Graph>
struct SharedGraph {
  std::function<Graph&()> another;  // one for a thread
  // All are at rest: makes room for more nodes, if what the table grows by fits in. False at the memory limit.
  std::function<bool(Team*, const std::function<bool(std::uint64_t)>& fits)> grow;
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
      : lead_(lead),
        graph_(std::move(graph)),
        options_(options),
        recorder_(options),
        limit_(options),
        team_(options.threads),
        shared_(graph_.most_nodes, team_.size()) {
    for (unsigned k = 0; k < team_.size(); ++k)
      workers_.push_back(std::make_unique<Worker>(graph_.another(), options, claim, shared_, k));
    workers_[0]->pause = [this] { pause(); };
  }

  // From these nodes on.
  SearchResult run(const std::vector<Node>& starts) {
    SweepPortion to_sweep, seeds{.are_seeds = true};
    for (const Node start : starts)
      if (shared_.colours.add(start, SharedCycleSearch::known))
        (lead_.surely_accepts(start) ? seeds : to_sweep).nodes.push_back(start);
    shared_.pool.put(std::move(seeds));
    shared_.pool.put(std::move(to_sweep));
    return go_on();
  }

  // Asked now and then whether it is time to save, which is done when all threads are at rest. It is also done when a
  // limit or the user ends the search.
  std::function<bool()> save_due;
  std::function<void()> save;

  // Where it stands, apart from the graph; in a new search, by as many threads or more.
  void write(SealedWriter& out) const {
    out.number(limit_.most());
    shared_.pool.write(out);
    const std::uint64_t nodes = workers_[0]->graph().size();
    out.number(nodes);
    out.bytes(shared_.colours.of_first(nodes));
    out.number(workers_.size());
    for (const auto& worker : workers_) worker->write(out);
  }
  SearchResult resume(SealedReader& in) {
    limit_.raise_to(in.number());
    shared_.pool.read(in);
    const std::uint64_t nodes = in.number();
    if (nodes <= shared_.colours.capacity()) in.bytes(shared_.colours.of_first(nodes));
    const std::uint64_t stacks = in.number();
    if (stacks > workers_.size())
      throw EnvironmentError(fmt::format("the checkpoint is of {} threads, and no more than {} could be started",
                                         stacks, workers_.size()));
    for (std::uint64_t k = 0; k < stacks; ++k) workers_[k]->read(in);
    in.expect_end();
    return go_on();
  }

 private:
  using Worker = SweepWorker<Graph>;
  static constexpr std::size_t improvement_effort = 20'000;  // nodes for a shorter lasso

  SearchResult go_on() {
    bool is_done = graph_.nodes() > shared_.colours.capacity();
    if (is_done) recorder_.result.ending = Ending::memory_limit;
    while (!is_done) {
      shared_.halt = false;
      team_.run([this](unsigned k) { work(k); });
      if (std::exchange(save_is_due_, false) && !shared_.stop) save_at_rest();
      is_done = shared_.stop || !shared_.halt || !make_room();
    }
    graph_.settle();
    if (save && is_to_be_resumed()) save_at_rest();
    return finish();
  }

  // A violation found in the moment in which a limit was reached is told now: who goes on would not come across it.
  [[nodiscard]] bool is_to_be_resumed() const {
    const Ending ending = recorder_.result.ending;
    return !shared_.found && (ending == Ending::time_or_user || ending == Ending::memory_limit);
  }

  void save_at_rest() {
    graph_.settle();
    for (const auto& worker : workers_) {
      worker->give_back();
      lead_.add_expanded(worker->graph());
    }
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
    const auto fits = [this](std::uint64_t more) {
      if (bytes() + more > options_.memory_limit) spare_memory();
      return bytes() + more <= options_.memory_limit;
    };
    if (graph_.grow(&team_, fits) && graph_.nodes() <= shared_.colours.capacity()) return true;
    recorder_.result.ending = Ending::memory_limit;
    return false;
  }

  // While the threads are at rest.
  void spare_memory() {
    shared_.spare = true;
    for (const auto& worker : workers_) worker->spare_memory();
  }

  // In the first thread, while the others work.
  void pause() {
    const Progress now = progress();
    if (now.bytes > options_.memory_limit) shared_.spare = true;
    const bool all_spare = std::ranges::all_of(workers_, [](const auto& worker) { return worker->spares(); });
    if (now.bytes > options_.memory_limit && all_spare)
      stop(Ending::memory_limit);
    else if (limit_.is_reached(now.states))
      stop(Ending::incomplete);
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
    return graph_.bytes() + sum(&Worker::bytes) + shared_.pool.nodes() * sizeof(Node) + nodes +
           workers_.size() * nodes / OwnColours::per_byte;
  }

  [[nodiscard]] Progress progress() const {
    return {.states = sum(&Worker::met),
            .transitions = sum(&Worker::transitions),
            .queue = shared_.pool.nodes(),
            .bytes = bytes()};
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
    result.statistics.threads = team_.size();
    result.statistics.store_bytes = bytes();
    if (shared_.found) show(*shared_.found);
    return std::move(result);
  }

  void show(const FoundNode& found) {
    SearchResult& result = recorder_.result;
    static_cast<void>(recorder_.count(found.violation));
    result.ending = Ending::error_limit;
    const auto known = [this](Node node) {
      return node < shared_.colours.capacity() && shared_.colours.has(node, SharedCycleSearch::known);
    };
    if (found.violation.kind == Violation::Kind::cycle) {
      result.first =
          counterexample(lead_, found.violation, short_lasso<Lead>(lead_, known, found.node, improvement_effort));
    } else {
      const auto is_it = [&](Node node) { return node == found.node; };
      result.first = counterexample(lead_, found.violation, shortest_stem<Lead>(lead_, known, is_it));
      result.first->failing_step = found.failing_step;
    }
  }

  Lead& lead_;
  const SharedGraph<Graph> graph_;
  const SearchOptions& options_;
  Recorder recorder_;
  NodeLimit limit_;
  Team team_;
  SharedCycleSearch shared_;
  std::vector<std::unique_ptr<Worker>> workers_;
  bool save_is_due_ = false;
};

}  // namespace fathom
