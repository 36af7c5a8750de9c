// Whether a state or a step shows one particular violation, decided as the searches decide it.
#pragma once

#include "search/deadlock.hpp"
#include "support/hash.hpp"

namespace fathom {

template <Model M>
class ViolationTest {
 public:
  ViolationTest(M& model, const SearchOptions& options, const Violation& violation)
      : model_(model), options_(options), violation_(violation) {}

  [[nodiscard]] const Violation& violation() const { return violation_; }
  [[nodiscard]] bool deadlock() const { return violation_.kind == Violation::Kind::deadlock; }

  // By its properties; of a deadlock only is_deadlock can tell.
  [[nodiscard]] bool shows(StateView state) {
    if (deadlock()) return false;
    model_.check(state, findings_);
    if (violation_.kind == Violation::Kind::fault)
      return findings_.result == StateCheck::Result::fault && findings_.site == violation_.site;
    return findings_.result == StateCheck::Result::violated &&
           ((findings_.violated[violation_.property / 64] >> (violation_.property % 64)) & 1) != 0;
  }

  [[nodiscard]] bool shows(Outcome outcome) const {
    return violation_.kind == Violation::Kind::fault && outcome.is_fault() && outcome.site() == violation_.site;
  }

  // Of a state with these successors, which have not been canonicalised.
  [[nodiscard]] bool is_deadlock(StateView state, const Batch& successors) {
    bool moves = false;
    for (std::uint32_t k = 0; k < successors.size() && !moves; ++k) {
      const std::uint64_t* const words = successors.all_words() + successors.steps()[k].offset;
      moves = successors.outcome(k).is_fault() ||
              !same_words(state.data(), words, static_cast<std::uint32_t>(state.size()));
    }
    return fathom::is_deadlock(model_, options_, state, !successors.empty(), moves);
  }

 private:
  M& model_;
  const SearchOptions& options_;
  const Violation violation_;
  StateCheck findings_;
};

}  // namespace fathom
