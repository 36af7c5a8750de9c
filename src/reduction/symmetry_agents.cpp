#include "reduction/symmetry_agents.hpp"

#include <algorithm>

#include "state/bits.h"

namespace fathom {

namespace {

constexpr std::uint32_t words_of(std::uint32_t bits) {
  return std::max(1U, (bits + 63) / 64);
}

}  // namespace

AgentSymmetry::AgentSymmetry(Symmetry& states, const ir::Program& program, const std::vector<const ir::Type*>& permuted,
                             const ir::Type& agents)
    : states_(states),
      agents_(agents),
      state_words_(words_of(program.state_bits)),
      state_bits_(program.state_bits),
      pairs_(program, permuted, Symmetry::default_effort, &agents),
      first_state_(state_words_),
      first_(words_of(program.state_bits + agents.bits)),
      second_(first_.size()) {}

std::uint32_t AgentSymmetry::canonicalise(std::uint64_t* state, std::uint32_t agent) {
  states_.canonicalise_anew(state);
  if (agent == 0) return 0;
  return static_cast<std::uint32_t>(agents_.code(states_.image(agents_.value(agent))));
}

bool AgentSymmetry::is_alike(const std::uint64_t* state, std::uint32_t agent, std::uint32_t other) {
  if (agent == 0 || other == 0) return agent == other;
  if (agent != first_agent_ || !std::equal(first_state_.begin(), first_state_.end(), state)) {
    first_agent_ = agent;
    first_state_.assign(state, state + state_words_);
    make_pair(state, agent, first_);
  }
  make_pair(state, other, second_);
  return first_ == second_;
}

void AgentSymmetry::make_pair(const std::uint64_t* state, std::uint32_t agent, std::vector<std::uint64_t>& pair) {
  pair.back() = 0;
  std::copy_n(state, state_words_, pair.begin());
  fathom_set(pair.data(), state_bits_, agents_.bits, agent);
  pairs_.canonicalise(pair.data());
}

}  // namespace fathom
