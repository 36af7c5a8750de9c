#include "search/expression.hpp"

#include <algorithm>
#include <stdexcept>

namespace fathom {

std::string SearchExpression::text() const {
  if (arguments.empty()) return name;
  std::string result = name + "(";
  for (std::size_t k = 0; k < arguments.size(); ++k) {
    const SearchArgument& argument = arguments[k];
    if (k > 0) result += ", ";
    if (!argument.key.empty()) result += argument.key + "=";
    result += argument.text();
  }
  return result + ")";
}

std::string SearchArgument::text() const {
  if (kind == Kind::search) return search.text();
  if (kind != Kind::text) return written;
  const char quote = written.find('"') == std::string::npos ? '"' : '\'';
  return quote + written + quote;
}

const SearchArgument* SearchExpression::argument(std::string_view key) const {
  const auto found = std::ranges::find(arguments, key, &SearchArgument::key);
  return found == arguments.end() ? nullptr : &*found;
}

const SearchArgument& Arguments::at(std::string_view key) const {
  const SearchArgument* argument = expression_.argument(key);
  if (argument == nullptr) throw std::logic_error("a search asks for a parameter that it does not declare");
  return *argument;
}

std::vector<const SearchExpression*> Arguments::all_nested() const {
  std::vector<const SearchExpression*> all;
  for (const SearchArgument& argument : expression_.arguments)
    if (argument.key.empty() && argument.kind == SearchArgument::Kind::search) all.push_back(&argument.search);
  return all;
}

}  // namespace fathom
