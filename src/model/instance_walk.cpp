#include "model/instance_walk.hpp"

#include <algorithm>

namespace fathom {

using ir::Parameter;

InstanceWalk::InstanceWalk(const std::vector<Parameter>& parameters)
    : parameters_(&parameters), strides_(parameters.size(), 1), digits_(parameters.size(), 0) {
  for (const Parameter& parameter : parameters) sizes_.push_back(parameter.domain.size());
  empty_ = std::ranges::count(sizes_, 0U) > 0;
  for (std::size_t k = sizes_.size(); k-- > 1;) strides_[k - 1] = strides_[k] * sizes_[k];
}

bool InstanceWalk::begin() {
  std::ranges::fill(digits_, 0);
  index_ = 0;
  return !empty_;
}

void InstanceWalk::load(Interpreter& run) const {
  for (std::size_t k = 0; k < digits_.size(); ++k)
    run.set_register(*(*parameters_)[k].local, (*parameters_)[k].domain.at(digits_[k]));
}

bool InstanceWalk::advance_in(std::size_t parameters) {
  for (std::size_t k = parameters; k < digits_.size(); ++k) {
    index_ -= static_cast<std::uint32_t>(digits_[k] * strides_[k]);
    digits_[k] = 0;
  }
  for (std::size_t k = parameters; k-- > 0;) {
    index_ += static_cast<std::uint32_t>(strides_[k]);
    if (++digits_[k] < sizes_[k]) return true;
    index_ -= static_cast<std::uint32_t>(sizes_[k] * strides_[k]);
    digits_[k] = 0;
  }
  return false;
}

}  // namespace fathom
