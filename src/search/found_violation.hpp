// What a thread of a breadth-first search has found while the level goes on.
#pragma once

#include <optional>
#include <tuple>

#include "search/search.hpp"
#include "store/store.hpp"

namespace fathom {

// A violation and where it is. They are ordered by how near they are and then by what they are, and not by when they
// were found, so that the least of a level does not depend on the threads.
struct FoundViolation {
  Violation violation;
  StateBuffer state;               // in which it is, or from which a step goes wrong
  StateId from{};                  // the state, or one that leads to it
  std::optional<InstanceId> step;  // that goes wrong
  bool is_new = false;             // the state belongs to the next level
  std::uint64_t origin = 0;        // of `from`, where states have one

  void save(SealedWriter& out) const;
  [[nodiscard]] static FoundViolation loaded(SealedReader& in);

  [[nodiscard]] bool operator<(const FoundViolation& other) const { return key() < other.key(); }

 private:
  using Key = std::tuple<bool, bool, const StateBuffer&, InstanceId, std::uint32_t, ir::SiteId>;
  [[nodiscard]] Key key() const {
    return {violation.kind != Violation::Kind::deadlock,
            is_new,
            state,
            step.value_or(InstanceId{}),
            violation.property,
            violation.site};
  }
};

}  // namespace fathom
