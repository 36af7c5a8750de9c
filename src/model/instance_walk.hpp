// Walks the instances of a rule or property like nested loops, the last parameter fastest.
#pragma once

#include <cstdint>
#include <vector>

#include "ir/program.hpp"
#include "model/interpreter.hpp"

namespace fathom {

class InstanceWalk {
 public:
  explicit InstanceWalk(const std::vector<ir::Parameter>& parameters);

  // Goes to the first instance. False: there is none.
  bool begin();
  void load(Interpreter& run) const;
  [[nodiscard]] std::uint32_t index() const { return index_; }

  // Goes to the next instance, or to the next one in which one of the outermost `parameters` has another value. False:
  // there is none.
  bool advance() { return advance_in(parameters_->size()); }
  bool advance_in(std::size_t parameters);

 private:
  const std::vector<ir::Parameter>* parameters_;
  std::vector<std::uint64_t> sizes_;    // of the domains
  std::vector<std::uint64_t> strides_;  // how far apart are instances in which one parameter goes one value on
  std::vector<std::uint64_t> digits_;
  std::uint32_t index_ = 0;
  bool empty_ = false;
};

}  // namespace fathom
