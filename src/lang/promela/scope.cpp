#include "lang/promela/scope.hpp"

#include <algorithm>

namespace fathom::promela {

namespace {

template <class Map>
void append_keys(const Map& map, std::vector<std::string>& out) {
  for (const auto& [name, unused] : map) out.push_back(name);
}

}  // namespace

Variable* Names::declare(Variable& variable) {
  const auto [at, fresh] = levels_.back().variables.try_emplace(variable.name, &variable);
  return fresh ? nullptr : at->second;
}

Variable* Names::find_variable(const std::string& name) const {
  for (auto level = levels_.rbegin(); level != levels_.rend(); ++level)
    if (const auto found = level->variables.find(name); found != level->variables.end()) return found->second;
  return nullptr;
}

std::vector<std::uint32_t> Names::blocks() const {
  std::vector<std::uint32_t> result;
  for (std::size_t i = 1; i < levels_.size(); ++i) result.push_back(levels_[i].block);
  return result;
}

std::string Names::other_use(const std::string& name) const {
  if (mtype_constants.contains(name)) return "mtype constant";
  if (typedefs.contains(name)) return "typedef";
  if (proctypes.contains(name)) return "proctype";
  if (inlines.contains(name)) return "inline";
  return {};
}

std::vector<std::string> Names::values() const {
  std::vector<std::string> result;
  append_keys(mtype_constants, result);
  for (const Level& level : levels_) append_keys(level.variables, result);
  std::ranges::sort(result);  // the order of a hash table must not decide which hint is given
  return result;
}

std::vector<std::string> Names::callables() const {
  std::vector<std::string> result;
  append_keys(inlines, result);
  std::ranges::sort(result);
  return result;
}

}  // namespace fathom::promela
