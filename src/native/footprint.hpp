// What a piece of ir mentions and how large it is: enough to decide which guards can be tested outside a loop and
// which loops are worth unrolling.
#pragma once

#include <cstdint>
#include <set>

#include "ir/program.hpp"

namespace fathom {

struct Footprint {
  std::uint64_t nodes = 0;
  std::uint64_t copied_bits = 0;  // aggregates passed by value
  bool notes = false;             // an assertion that lets the step go on where it fails
  std::set<const ir::Local*> locals;
  std::set<const ir::Function*> callees;

  void add(const ir::Expr& expr);
  void add(const ir::Stmt& stmt);
  void add(const ir::Block& block);

 private:
  void add(const ir::Place& place);
  void add(const ir::Binding& binding);
  void add(const ir::Call& call);
  template <class Node>
  void add_if(const Node* node) {
    if (node != nullptr) add(*node);
  }
};

}  // namespace fathom
