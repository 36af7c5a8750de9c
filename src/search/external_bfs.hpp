// Breadth-first search that goes on when the memory is full, with the states on a disk.
//
// All known states lie in sorted runs. What the steps of a level lead to is collected in a store in memory, sorted, and
// compared with the runs when the level is done: what is in none of them is the next level, and one more run (delayed
// duplicate detection: Stern and Dill, CAV 1998; sorted: Korf, AAAI 2003). The disk is read and written in one
// direction only. So that there are few runs, those of like size are merged.
//
// The store in memory keeps what it has seen until it is full, and most steps lead to states that were seen lately
// (Della Penna et al., FMCAD 2002), so most of them never reach the disk. Where one level is too much for the memory,
// parts of it are written as runs of their own and merged when it is done.
//
// No parents are kept: the levels are, and the parent of a state is the first state of the level above that leads to
// it. Counts, verdict and the length of the trace are those of BreadthFirst; invariants are looked at when a level is
// done, and not before.
//
// A checkpoint has all states, level by level, and so it needs nothing of what lies on the disk. It says where the
// search stands in a level; while a level is being ended it is as if that had not begun.
#pragma once

#include <algorithm>
#include <filesystem>
#include <functional>
#include <stdexcept>
#include <utility>

#include "search/checkpoint.hpp"
#include "search/level_standing.hpp"
#include "search/pace.hpp"
#include "search/recorder.hpp"
#include "search/run_scan.hpp"
#include "search/step_group.hpp"
#include "store/run_set.hpp"
#include "store/sorted_states.hpp"
#include "support/errors.hpp"

namespace fathom {

struct DiskPlan {
  std::filesystem::path folder;
  std::uint64_t store_bytes = 0;  // for the store in memory
  std::uint64_t sorted = 0;       // states that are sorted at a time
};

template <Model M, ViewedStore S>
class ExternalBreadthFirst {
 public:
  // `make_store` gives an empty store of the plan's size.
  ExternalBreadthFirst(M& model, const SearchOptions& options, DiskPlan plan,
                       std::function<std::unique_ptr<S>()> make_store)
      : model_(model),
        options_(options),
        plan_(std::move(plan)),
        make_store_(std::move(make_store)),
        words_(model.state_words()),
        recorder_(options),
        group_(words_),
        file_(std::make_shared<DiskFile>(plan_.folder)),
        sorted_(words_) {}

  // Goes on from where a search in memory stands, with all its states, of which `full` tells each by its number. True
  // if there was room for them.
  template <class Full>
  bool take_over(const Full& full, LevelStanding standing) {
    recorder_.result = std::move(standing.so_far);
    recorder_.result.ending = Ending::exhausted;
    depth_ = standing.depth;
    levels_.resize(depth_ + 2);
    known_ = full.size();
    known_at_level_ = standing.level_end;
    return guarded([&] { write_levels(full, standing); });
  }

  // Goes on from a checkpoint. True if there was room for its states.
  bool take_over(SealedReader& in) {
    return guarded([&] { read(in); });
  }

  // Whether it is time for a checkpoint, and what leaves one by write(); null: nobody wants any. A level that begins to
  // end is told, since of what the model sees then nothing belongs to a checkpoint of `before` that.
  enum class Moment : std::uint8_t { now, before };
  std::function<bool()> save_due;
  std::function<void(Moment)> save;
  std::function<void()> level_ends;

  void write(SealedWriter& out) const {
    save_counts(recorder_.result, out);
    for (const std::uint64_t number : {std::uint64_t{depth_}, known_, known_at_level_}) out.number(number);
    for (const auto& level : levels_) write_runs(level, out);
    std::vector<std::uint64_t> waiting;
    for (const SharedRun& run : waiting_)
      waiting.push_back(static_cast<std::uint64_t>(std::ranges::find(levels_[depth_], run) - levels_[depth_].begin()));
    out.list(waiting);
    out.number(current_run_);
    out.number(expanded_);
    write_runs(candidates_, out);
    out.number(store_->size() - mark_);
    for (std::uint64_t id = mark_; id < store_->size(); ++id) out.words(store_->state(StateId{id}));
  }

  SearchResult run() {
    store_ = make_store_();
    // Once and for all: what is freed and asked for again in other sizes stays with the process.
    sorted_.reserve(plan_.sorted + StepGroup<S>::enough * 16);
    while (going_ && !(waiting_.empty() && levels_[depth_ + 1].empty())) {
      if (options_.max_depth && depth_ >= *options_.max_depth) {
        recorder_.result.scope.depth = depth_;
        stop(Ending::bound);
      } else {
        guarded([&] { expand_level(); });
      }
    }
    return finish();
  }

  SearchResult finish() {
    SearchStatistics& statistics = recorder_.result.statistics;
    statistics.states = known_;
    statistics.depth = depth_ + (known_ > known_at_level_ ? 1 : 0);
    statistics.store_bytes = most_bytes_;
    statistics.disk_bytes = file_->most_in_use();
    return std::move(recorder_.result);
  }

 private:
  // ---- States that come from memory.

  template <class Full>
  void write_levels(const Full& full, const LevelStanding& standing) {
    for (std::size_t k = 0; k < depth_; ++k) write(full, {standing.levels[k], standing.levels[k + 1]}, k);
    std::vector<IdRange> rest =
        standing.rest.value_or(std::vector<IdRange>{{standing.level_begin, standing.level_end}});
    std::ranges::sort(rest, {}, &IdRange::first);
    std::uint64_t done = standing.level_begin;
    for (const IdRange& range : rest) {
      write(full, {done, range.first}, depth_);
      const auto expanded = static_cast<std::ptrdiff_t>(levels_[depth_].size());
      write(full, range, depth_);
      waiting_.insert(waiting_.end(), levels_[depth_].begin() + expanded, levels_[depth_].end());
      done = range.end;
    }
    write(full, {done, standing.level_end}, depth_);
    write(full, {standing.level_end, full.size()}, depth_ + 1);
    note_sizes();
  }

  // In pieces that are half as large as later ones: here the memory is taken already.
  template <class Full>
  void write(const Full& full, IdRange range, std::size_t level) {
    const std::uint64_t piece = std::max<std::uint64_t>(plan_.sorted / 2, 1);
    while (range.first < range.end) {
      const std::uint64_t count = std::min(range.end - range.first, piece);
      sorted_.clear();
      sorted_.reserve(count);
      for (std::uint64_t k = 0; k < count; ++k) sorted_.add(full.state(StateId{range.first + k}));
      sorted_.sort();
      levels_[level].push_back(sorted_.write(file_));
      known_runs_.add(levels_[level].back(), [this] { return goes_on(); });
      range.first += count;
    }
  }

  // ---- States that come from a checkpoint, and go there.

  static void write_runs(const std::vector<SharedRun>& runs, SealedWriter& out) {
    out.number(runs.size());
    for (const SharedRun& run : runs) {
      out.number(run->count);
      for (RunReader states(run); !states.at_end(); states.move_to(states.end()))
        out.words({states.begin(), states.end()});
    }
  }

  std::vector<SharedRun> read_runs(SealedReader& in) {
    std::vector<SharedRun> runs(in.number());
    StateBuffer state(words_);
    for (SharedRun& run : runs) {
      RunWriter writer(file_, words_);
      for (std::uint64_t left = in.number(); left > 0; --left) {
        in.words(state);
        writer.append(state.data());
      }
      run = writer.finish();
    }
    return runs;
  }

  void read(SealedReader& in) {
    recorder_.result = load_counts(options_.shape, in);
    depth_ = in.number();
    known_ = in.number();
    known_at_level_ = in.number();
    for (std::size_t level = 0; level < depth_ + 2; ++level) {
      levels_.push_back(read_runs(in));
      for (const SharedRun& run : levels_.back()) known_runs_.add(run, [this] { return goes_on(); });
    }
    for (const std::uint64_t number : in.list()) waiting_.push_back(levels_[depth_].at(number));
    current_run_ = in.number();
    expanded_ = in.number();
    candidates_ = read_runs(in);
    read_candidates(in, in.number());
    note_sizes();
  }

  // Those that were in memory.
  void read_candidates(SealedReader& in, std::uint64_t count) {
    StateBuffer state(words_);
    while (count > 0) {
      sorted_.clear();
      for (std::uint64_t k = std::min(count, plan_.sorted); k > 0; --k, --count) {
        in.words(state);
        sorted_.add(state);
      }
      sorted_.sort();
      candidates_.push_back(sorted_.write(file_));
    }
  }

  // ---- A level.

  void expand_level() {
    for (; current_run_ < waiting_.size() && going_; ++current_run_) {
      expand_run(waiting_[current_run_]);
      expanded_ = 0;
    }
    if (going_) end_level();
    if (!going_) return;
    current_run_ = 0;
    waiting_ = levels_[depth_ + 1];
    known_at_level_ = known_;
    if (waiting_.empty()) return;
    ++depth_;
    levels_.emplace_back();
  }

  // From the first state that was not expanded.
  void expand_run(const SharedRun& run) {
    std::size_t block = 0;
    std::uint64_t before = 0;  // states of the run before the block
    while (block < run->blocks.size() && before + run->blocks[block].count <= expanded_)
      before += run->blocks[block++].count;
    for (RunReader states(run, block); going_ && !states.at_end(); states.move_to(states.end())) {
      expand_block(states, before);
      before += run->blocks[states.block()].count;
    }
  }

  void expand_block(const RunReader& states, std::uint64_t before) {
    current_block_ = states.block();
    block_ = states.begin();
    block_end_ = states.end();
    const std::uint64_t count = static_cast<std::uint64_t>(block_end_ - block_) / words_;
    for (std::uint64_t k = expanded_ - before; k < count && going_; expanded_ = before + k) {
      k = group_.fill(model_, {k, count}, [this](StateId id) { return state(id); });
      take_group();
      if (going_ && pace_.is_due(group_.batch.size())) pause_between_groups(before + k);
    }
  }

  void pause_between_groups(std::uint64_t expanded) {
    expanded_ = expanded;
    pause();
    if (save && (!going_ || save_due())) save(Moment::now);
  }

  [[nodiscard]] StateView state(StateId id) const { return {block_ + index_of(id) * words_, words_}; }

  void take_group() {
    const bool faults = group_.count_steps(recorder_.result);
    for (std::size_t s = 0; s < group_.sources.size() && going_; ++s)
      if (faults || !group_.plainly_moves(s, options_, [this](StateId id) { return state(id); }))
        look_at_steps(group_.sources[s].id, group_.sources[s].first, group_.steps_end(s));
    if (!going_) return;
    group_.canonicalise(options_.canonicaliser);
    if (store_->size() - mark_ >= plan_.sorted) put_candidates_down();
    if (!store_->reserve(group_.batch.size()) && !begin_new_store()) return stop(Ending::memory_limit);
    const auto next_index = [this] { return store_->next_index(); };
    group_.template insert_all<true>(*store_, false, next_index, [](std::uint32_t) { return true; });
  }

  // Reports the steps of a state that end in a fault, and whether the state is a deadlock.
  void look_at_steps(StateId id, std::uint32_t first, std::uint32_t end) {
    bool moves = false;
    for (std::uint32_t k = first; k < end && going_; ++k) {
      if (!group_.batch.outcome(k).is_fault()) continue;
      moves = true;
      if (!recorder_.is_violation(group_.batch.outcome(k)) || reports_nearer_deadlock(id)) continue;
      violated({Violation::Kind::fault, 0, group_.batch.outcome(k).site()},
               [&] { return run_to(state(id), depth_, group_.batch.instance(k)); });
    }
    if (going_ && is_stuck(model_, options_, state(id), group_.batch, first, end, moves))
      violated({Violation::Kind::deadlock}, [&] { return run_to(state(id), depth_); });
  }

  // ---- What the steps of the level lead to.

  // The states that the store got since the last time are sorted, and it goes on.
  void sort_candidates() {
    sorted_.clear();
    for (; mark_ < store_->size(); ++mark_) sorted_.add(store_->state(StateId{mark_}));
    sorted_.sort();
    most_bytes_ = std::max(most_bytes_, bytes());
  }

  void put_candidates_down() {
    if (mark_ == store_->size()) return;
    sort_candidates();
    candidates_.push_back(sorted_.write(file_));
    note_sizes();
  }

  bool begin_new_store() {
    put_candidates_down();
    store_.reset();
    store_ = make_store_();
    mark_ = 0;
    return store_->reserve(group_.batch.size());
  }

  // Those that are new are the next level.
  void end_level() {
    if (!candidates_.empty()) put_candidates_down();
    const std::uint64_t mark = mark_, known = known_;
    SearchResult result = recorder_.result;
    if (level_ends) level_ends();
    const bool is_done = keep_new_candidates();
    if (going_ || !save || recorder_.result.ending != Ending::time_or_user) return;
    if (is_done) return save(Moment::now);
    std::swap(result, recorder_.result);
    mark_ = mark;
    const std::uint64_t known_now = std::exchange(known_, known);
    save(Moment::before);
    known_ = known_now;
    std::swap(result, recorder_.result);
  }

  // False if it was ended before: then the candidates are what they were.
  bool keep_new_candidates() {
    std::vector<RunReader> known = known_runs_.readers();
    RunWriter next(file_, words_);
    if (candidates_.empty()) {
      sort_candidates();
      keep_new(known, next);
    } else {
      for (MergedRuns all(candidates_, words_); !all.at_end() && going_;) {
        sorted_.take(all, plan_.sorted);
        keep_new(known, next);
      }
    }
    if (!going_) return false;
    candidates_.clear();
    known.clear();
    SharedRun run = next.finish();
    if (run->count == 0) return true;
    levels_[depth_ + 1].push_back(run);
    known_runs_.add(std::move(run), [this] { return goes_on(); });
    note_sizes();
    return true;
  }

  void keep_new(std::vector<RunReader>& known, RunWriter& next) {
    sorted_.compare(known, [this] { return goes_on(); });
    for (std::uint64_t k = 0; k < sorted_.size() && going_; ++k) {
      if (sorted_.was_found(k)) continue;
      next.append(sorted_[k].data());
      ++known_;
      if (options_.check_states) examine(sorted_[k]);
      if (going_ && known_ % 65536 == 0) pause();
    }
  }

  void examine(StateView state) {
    for (const Violation& violation : recorder_.examine(model_, state))
      violated(violation, [&] {
        Counterexample run = run_to(predecessor(state, depth_), depth_);
        run.states.emplace_back(state.begin(), state.end());
        return run;
      });
  }

  // ---- Violations and runs.

  // What the steps of this level lead to lies one step further than a deadlock in the level itself.
  bool reports_nearer_deadlock(StateId from) {
    if (options_.max_errors > 1 || options_.deadlock == DeadlockMode::off) return false;
    model_.quiet(true);
    const std::optional<StateBuffer> nearer = deadlock_after(from);
    model_.quiet(false);
    if (nearer) violated({Violation::Kind::deadlock}, [&] { return run_to(*nearer, depth_); });
    return nearer.has_value();
  }

  // In the rest of the block, of its run, and of the level.
  std::optional<StateBuffer> deadlock_after(StateId last) {
    Batch steps;
    const auto is_one = [&](StateView from) {
      steps.clear();
      model_.successors(from, steps);
      return is_stuck(model_, options_, from, steps, 0, steps.size(), false);
    };
    const std::uint64_t* const behind = state(last).data() + words_;
    const auto go_on = [this] { return options_.tick(progress()); };
    if (auto found = first_between(behind, block_end_, words_, is_one)) return found;
    for (std::size_t k = current_run_; k < waiting_.size(); ++k)
      if (auto found = first_in_run(waiting_[k], k == current_run_ ? current_block_ + 1 : 0, is_one, go_on))
        return found;
    return std::nullopt;
  }

  template <class MakeRun>
  void violated(const Violation& violation, MakeRun make_run) {
    if (recorder_.count(violation)) {
      model_.quiet(true);
      recorder_.result.first = make_run();
      recorder_.result.first->violation = violation;
      recorder_.result.first->shortest = true;
      model_.quiet(false);
    }
    if (recorder_.finished()) stop(Ending::error_limit);
  }

  Counterexample run_to(StateView state, std::size_t level, std::optional<InstanceId> failing_step = std::nullopt) {
    Counterexample run;
    run.failing_step = failing_step;
    run.states.emplace_back(state.begin(), state.end());
    while (level-- > 0) run.states.push_back(predecessor(run.states.back(), level));
    std::ranges::reverse(run.states);
    return run;
  }

  StateBuffer predecessor(StateView target, std::size_t level) {
    LeadsTo<M> leads_there(model_, options_.canonicaliser, target);
    for (const SharedRun& run : levels_[level])
      if (auto found = first_in_run(run, 0, leads_there, [] { return true; })) return *found;
    throw std::logic_error("no state of a level leads to a state of the next one");
  }

  // ---- The end.

  void stop(Ending ending) {
    going_ = false;
    recorder_.result.ending = ending;
  }

  // What was found before the disk was full stays true. False: the search is over.
  template <class Work>
  bool guarded(const Work& work) {
    try {
      work();
    } catch (const EnvironmentError& error) {
      recorder_.result.warnings.emplace_back(error.what());
      stop(Ending::disk_full);
    }
    return going_;
  }

  bool goes_on() {
    pause();
    return going_;
  }

  void pause() {
    if (!options_.tick(progress())) stop(Ending::time_or_user);
  }

  [[nodiscard]] Progress progress() const {
    return {.states = known_,
            .transitions = recorder_.result.statistics.transitions,
            .depth = depth_,
            .queue = known_ - known_at_level_,
            .bytes = bytes(),
            .phase = "search on disk"};
  }

  [[nodiscard]] std::uint64_t bytes() const {
    return (store_ == nullptr ? 0 : store_->bytes()) + sorted_.bytes() + index_bytes_;
  }

  void note_sizes() {
    index_bytes_ = 0;
    for (const auto& level : levels_)
      for (const SharedRun& run : level) index_bytes_ += run->memory();
    for (const SharedRun& run : known_runs_.runs()) index_bytes_ += run->memory();
    most_bytes_ = std::max(most_bytes_, bytes());
  }

  M& model_;
  const SearchOptions& options_;
  const DiskPlan plan_;
  const std::function<std::unique_ptr<S>()> make_store_;
  const std::uint32_t words_;
  Recorder recorder_;
  bool going_ = true;
  StepGroup<S> group_;
  Pace pace_;

  // On the disk. All runs share one file, so that there may be many of them.
  std::shared_ptr<DiskFile> file_;
  std::vector<std::vector<SharedRun>> levels_;  // up to the one behind the level that is being expanded
  RunSet known_runs_;                           // all known states
  std::vector<SharedRun> candidates_;           // of this level, where the memory was too small for them
  std::uint64_t known_ = 0;                     // states in known_runs_
  std::uint64_t known_at_level_ = 0;            // those up to this level

  // The level: the states that are to be expanded, and the block of them at hand.
  std::size_t depth_ = 0;
  std::vector<SharedRun> waiting_;
  std::size_t current_run_ = 0, current_block_ = 0;
  std::uint64_t expanded_ = 0;  // states of the run
  const std::uint64_t* block_ = nullptr;
  const std::uint64_t* block_end_ = nullptr;

  // In memory.
  std::unique_ptr<S> store_;  // states that were seen lately
  std::uint64_t mark_ = 0;    // those before it are known or stand in candidates_
  SortedStates sorted_;
  std::uint64_t index_bytes_ = 0, most_bytes_ = 0;
};

}  // namespace fathom
