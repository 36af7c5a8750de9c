#include "lang/murphi/scope.hpp"

#include <algorithm>
#include <array>

namespace fathom::murphi {

namespace {

char lower(char c) {
  return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
}

}  // namespace

std::string_view predeclared(std::string_view name) {
  static constexpr std::array<std::string_view, 3> names = {"boolean", "true", "false"};
  const auto same = [&](std::string_view known) {
    return std::ranges::equal(name, known, [](char a, char b) { return lower(a) == b; });
  };
  const auto* const found = std::ranges::find_if(names, same);
  return found == names.end() ? std::string_view{} : *found;
}

const Symbol* Scopes::declare(const std::string& name, const Symbol& symbol) {
  const auto [at, fresh] = levels_.back().try_emplace(name, symbol);
  return fresh ? nullptr : &at->second;
}

const Symbol* Scopes::find(const std::string& name) const {
  for (auto level = levels_.rbegin(); level != levels_.rend(); ++level)
    if (const auto found = level->find(name); found != level->end()) return &found->second;
  const std::string_view known = predeclared(name);
  return known.empty() || known == name ? nullptr : find(std::string(known));
}

std::vector<std::string> Scopes::names(Symbol::Kind kind) const {
  const bool designators = kind == Symbol::Kind::value || kind == Symbol::Kind::place;
  std::vector<std::string> result;
  for (const auto& level : levels_) {
    for (const auto& [name, symbol] : level) {
      const bool is_designator = symbol.kind == Symbol::Kind::value || symbol.kind == Symbol::Kind::place;
      if (symbol.kind == kind || (designators && is_designator)) result.push_back(name);
    }
  }
  std::ranges::sort(result);  // the order of a hash table must not decide which hint is given
  return result;
}

}  // namespace fathom::murphi
