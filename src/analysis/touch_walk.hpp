// The walk through code behind touches.hpp: one object for one expression or body.
#pragma once

#include "analysis/touches.hpp"

namespace fathom {

class TouchWalk {
 public:
  TouchWalk(const TouchFinder& finder, const LocalValues& locals);

  Touches expression(const ir::Expr& expr);
  Touches body(const ir::Block& body);
  [[nodiscard]] std::optional<std::int64_t> constant(const ir::Expr& expr);
  [[nodiscard]] std::optional<std::uint32_t> cell(const ir::Place& place);
  [[nodiscard]] std::optional<std::vector<std::uint32_t>> offsets(const ir::Place& place);
  [[nodiscard]] bool may_fault(const ir::Expr& expr);

 private:
  // Where a place may lie in the state: parts of one type at several offsets, or a stretch inside of which it lies
  // somewhere.
  struct Region {
    bool in_state = false;  // false: a local of some routine, or nowhere because an index is out of range
    bool exact = true;      // false: somewhere in the stretch at offsets[0] of `bits` bits
    std::vector<std::uint32_t> offsets;
    std::uint32_t bits = 0;
  };
  // A routine being walked through.
  struct Frame {
    const Frame* caller = nullptr;
    const ir::Function* function = nullptr;
    LocalValues values;
    std::map<const ir::Local*, Region> references;
  };

  void visit(const ir::Expr* expr);
  void visit(const ir::Block& body);
  void visit(const ir::Stmt& stmt);
  void visit(const ir::Binding& binding);
  void visit(const ir::Call& call);
  void visit_branch(const ir::Stmt& stmt);
  void visit_loop(const ir::Stmt& stmt);
  void repeat(const ir::Stmt& stmt);
  // Calls visit() for each value of a binding, or returns false where they are too many or not known.
  template <class Visit>
  bool write_out(const ir::Binding& binding, const Visit& visit);
  void visit_assign(const ir::Stmt& stmt);
  void visit_operands(const ir::Expr& expr);
  void change(const ir::Place& place, const Written& what);
  void read(const ir::Place& place);
  void read_indices(const ir::Place& place);

  [[nodiscard]] Region region(const ir::Place& place);
  [[nodiscard]] Region base_of(const ir::Place& place);
  void follow(const ir::PathStep& step, Region& at);
  [[nodiscard]] bool is_running(const ir::Function& function) const;
  [[nodiscard]] bool is_decided_by_first(const ir::Expr& expr);
  [[nodiscard]] std::optional<std::int64_t> constant_read(const ir::Expr& expr);
  [[nodiscard]] bool is_known_undefined(const ir::Expr& expr);
  [[nodiscard]] Written what_is_assigned(const ir::Stmt& stmt);
  [[nodiscard]] bool may_be_undefined(const ir::Expr& expr);
  [[nodiscard]] bool may_be_undefined(const ir::Place& place);
  [[nodiscard]] bool is_bound(const ir::Place& place) const;
  [[nodiscard]] bool is_inside(const ir::Expr& index, const ir::Type& bounds);

  static constexpr unsigned max_statements = 20'000;  // calls can multiply
  static constexpr std::size_t max_offsets = 1024;
  static constexpr std::uint64_t max_rounds = 64;  // of loops inside each other that are written out

  const TouchFinder& finder_;
  Frame home_;
  Frame* frame_ = &home_;
  Touches found_;
  BitSet overwritten_;  // cells whose value at the beginning counts no more
  bool in_index_ = false;
  unsigned statements_ = 0;
  std::uint64_t rounds_ = 1;
};

}  // namespace fathom
