#include "ir/instance.hpp"

namespace fathom::ir {

std::vector<std::int64_t> parameter_values(const std::vector<Parameter>& parameters, std::uint64_t k) {
  std::vector<std::int64_t> values(parameters.size());
  for (std::size_t i = parameters.size(); i-- > 0;) {
    const ParameterDomain& domain = parameters[i].domain;
    const std::uint64_t size = domain.size();
    values[i] = domain.at(k % size);
    k /= size;
  }
  return values;
}

std::string show_parameters(const std::vector<Parameter>& parameters, const std::vector<std::int64_t>& values) {
  std::string text;
  for (std::size_t i = 0; i < parameters.size(); ++i) {
    if (i > 0) text += ", ";
    text += parameters[i].local->name + ": " + show(*parameters[i].local->type, values[i]);
  }
  return text;
}

}  // namespace fathom::ir
