// The numbers that Spin gives to the statements of a model and writes into its trails.
//
// Spin numbers the nodes of all its flow graphs in the order in which its parser makes them: statements as they are
// read, and for each `if`, `do`, `atomic` and so on some nodes of its own behind what is inside. We go through the tree
// in the same order and count the same nodes. A d_step is one transition and has the number of the whole block.
#pragma once

#include "ir/numbered_statement.hpp"
#include "lang/promela/ast.hpp"

namespace fathom::promela {

// A `select` between fewer constants than this is an `if` with an option for each.
inline constexpr std::int64_t largest_unrolled = 33;

ir::NumberedStatements spin_numbers(const ParsedModel& model);

}  // namespace fathom::promela
