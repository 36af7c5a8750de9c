// The goal of a schedule: a condition on states (`--goal`, or `goal` in a comment of the model) that runs are looked
// for to reach. That no run reaches it becomes an invariant of the program, which such a run violates.
#pragma once

#include <optional>
#include <string>

#include "cli/annotations.hpp"
#include "cli/options.hpp"
#include "ir/program.hpp"

namespace fathom {

inline constexpr const char* goal_invariant = "the goal is never reached";

// Whether this run looks for one: --goal, or --property goal.
bool wants_goal(const CheckOptions& options);

// Where it is written, if it is wanted. Throws UsageError where it is not written anywhere.
std::optional<SourceRange> find_goal(const CheckOptions& options, const std::vector<Annotation>& annotations,
                                     Sources& sources, Diagnostics& diagnostics);

// Makes the invariant of an atom with the goal's condition.
void make_goal(ir::Program& program, std::uint32_t atom);

// The number of the invariant; nothing where no goal is wanted.
std::optional<std::uint32_t> goal_of(const ir::Program& program);

}  // namespace fathom
