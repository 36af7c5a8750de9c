// The evaluators that best-first searches can be given, by name. A new evaluator is its file in heuristic/ and one row
// in evaluators.cpp; `fathom help search` and the error messages follow.
#pragma once

#include <memory>
#include <span>
#include <string_view>

#include "heuristic/evaluator.hpp"
#include "search/run.hpp"

namespace fathom {

struct EvaluatorEntry {
  std::string_view name;
  std::string_view help;
  bool needs_marks = false;       // it has nothing to say when no step is marked
  std::string_view promise = {};  // "", or what the evaluator promises of its estimates, in words
  std::unique_ptr<Evaluator> (*make)(const SearchRequest& request, const Arguments& arguments);
  std::span<const SearchParameter> parameters = {};
  bool combines = false;  // others, which take the time
};

std::span<const EvaluatorEntry> evaluators();

// The entry of this name; null where there is none.
const EvaluatorEntry* find_evaluator(std::string_view name);

// The evaluator that a checked expression describes.
std::unique_ptr<Evaluator> make_evaluator(const SearchRequest& request, const SearchExpression& expression);

}  // namespace fathom
