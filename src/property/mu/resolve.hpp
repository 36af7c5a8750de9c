// Makes a formula ready for a model: quantifiers become conjunctions and disjunctions over their values, and every
// condition gets a number.
#pragma once

#include <functional>
#include <vector>

#include "property/mu/formula.hpp"
#include "property/mu/parse.hpp"

namespace fathom::mu {

// The values of a type of the model, as numbers and as the model writes them; empty where there is no such type.
using TypeValues = std::function<std::vector<std::pair<std::int64_t, std::string>>(const std::string& type)>;

struct Resolved {
  FormulaPtr formula;
  std::vector<Condition> conditions;  // by their numbers
};

// Throws ParseError for an unknown type, and where the formula becomes too large.
Resolved resolve(const Formula& formula, const TypeValues& values);

}  // namespace fathom::mu
