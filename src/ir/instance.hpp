// Instances of edges: the parameter values behind an instance number, and their printed form.
#pragma once

#include <string>
#include <vector>

#include "ir/program.hpp"

namespace fathom::ir {

// The values of the parameters of the k-th instance, outermost first. The outermost parameter varies slowest.
std::vector<std::int64_t> parameter_values(const std::vector<Parameter>& parameters, std::uint64_t k);

// "i: NODE_1, d: 2"
std::string show_parameters(const std::vector<Parameter>& parameters, const std::vector<std::int64_t>& values);

}  // namespace fathom::ir
