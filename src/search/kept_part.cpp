#include "search/kept_part.hpp"

#include <algorithm>

namespace fathom {

namespace {

constexpr std::uint64_t states_between_looks = 1024;

}  // namespace

KeptPart::KeptPart(const SearchRequest& request, const SearchEntry& entry, std::uint64_t most_states)
    : request_(request),
      options_(quiet_options(request)),
      store_(request.model.state_words(), request.options.memory_limit) {
  SearchOptions limited = options_;
  limited.tick = [&](const Progress& progress) {
    cut_ = progress.states > most_states;
    return !cut_ && options_.tick(progress);
  };
  const SearchRequest filling{request.program, request.model,     limited,
                              request.store,   request.arguments, request.guidance};
  result_ = entry.fill(filling, store_);
  states_ = std::min(store_.size(), most_states);
  cut_ = store_.size() > most_states;
}

// What goes wrong on the way is no matter of a structure.
SearchOptions KeptPart::quiet_options(const SearchRequest& request) {
  SearchOptions options = request.options;
  options.deadlock = DeadlockMode::off;
  options.assertions = options.check_states = false;
  options.max_errors = UINT64_MAX;
  options.canonicaliser = nullptr;
  options.reduction = nullptr;
  return options;
}

bool KeptPart::complete() const {
  return result_.ending == Ending::exhausted && !cut_;
}

std::vector<std::pair<InstanceId, Structure::State>> KeptPart::starts() {
  std::vector<std::pair<InstanceId, Structure::State>> found;
  Batch batch;
  request_.model.initial(batch);
  for (std::uint32_t k = 0; k < batch.size(); ++k) {
    if (!batch.outcome(k).has_successor()) continue;
    const auto id = store_.look_up(batch.state(k), store_.hash(batch.state(k)));
    if (id && index_of(*id) < states_)
      found.emplace_back(batch.instance(k), static_cast<Structure::State>(index_of(*id)));
  }
  return found;
}

std::vector<Structure::State> KeptPart::initial() {
  std::vector<Structure::State> states;
  for (const auto& [start, state] : starts())
    if (std::ranges::count(states, state) == 0) states.push_back(state);
  return states;
}

bool KeptPart::each_edge(const Visit& visit) {
  Batch batch;
  request_.model.quiet(true);
  bool going = true;
  for (std::uint64_t from = 0; from < states_ && going; ++from) {
    batch.clear();
    request_.model.successors(state(from), batch);
    for (std::uint32_t k = 0; k < batch.size(); ++k) {
      if (!batch.outcome(k).has_successor()) continue;
      const auto to = store_.look_up(batch.state(k), store_.hash(batch.state(k)));
      if (to && index_of(*to) < states_)
        visit(static_cast<Structure::State>(from), batch.instance(k), static_cast<Structure::State>(index_of(*to)));
    }
    if (from % states_between_looks == 0)
      going = options_.tick(
          {.states = states_, .depth = result_.statistics.depth, .bytes = store_.bytes(), .phase = "edges"});
  }
  request_.model.quiet(false);
  return going;
}

FiniteStructure KeptPart::structure() {
  FiniteStructure structure;
  StepLabels labels(request_.program);
  std::uint64_t known = 0;
  const auto add_states_up_to = [&](std::uint64_t end) {
    for (; known < end; ++known) structure.add_state(state(known));
  };
  const bool finished = each_edge([&](Structure::State from, InstanceId step, Structure::State to) {
    add_states_up_to(std::uint64_t{from} + 1);
    structure.add_edge(to, labels.number(step));
  });
  add_states_up_to(states_);
  for (const Structure::State state : initial()) structure.add_initial(state);
  for (std::uint32_t label = 0; label < labels.size(); ++label) structure.add_label(labels[label]);
  structure.set_complete(finished && complete());
  return structure;
}

}  // namespace fathom
