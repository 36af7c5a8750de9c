// The machine behind flow_graph(): first a node for each element Spin would make of a statement, built from back to
// front so that each knows what comes next; then locations and edges for those that can be reached.
#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "lang/promela/flow_graph.hpp"

namespace fathom::promela {

class FlowBuilder {
 public:
  FlowBuilder(const Process& process, Diagnostics& diagnostics)
      : process_(process), diagnostics_(diagnostics), graph_(std::make_unique<FlowGraph>()) {}

  std::unique_ptr<FlowGraph> run();

 private:
  using NodeId = std::uint32_t;
  static constexpr NodeId nowhere = UINT32_MAX;

  struct Node {
    // step: a basic statement. pass: a jump or a join, which leads on to `next`. choice: begins with any of `entries`.
    // guarded: the body of an unless, the same control point as its first statement.
    enum class Kind : std::uint8_t { step, pass, choice, guarded, end };
    Kind kind = Kind::step;
    const Stmt* statement = nullptr;
    SourceRange range;
    NodeId next = nowhere;
    std::vector<NodeId> entries;
    const Label* jump = nullptr;         // pass: its target, where it is known only later
    bool atomic = false;                 // inside an atomic sequence, and not the last in it
    bool ends_atomic = false;            // the last in an atomic sequence
    NodeId d_step = nowhere;             // the choice node of the d_step it is in
    bool is_d_step = false;              // choice
    std::vector<std::uint32_t> escapes;  // outermost first: numbers in escapes_
    bool end = false, progress = false, accept = false;
  };
  // What surrounds a statement. `last`: it is the last of an atomic sequence.
  struct Around {
    bool atomic = false;
    bool last = false;
    NodeId d_step = nowhere;
    std::vector<std::uint32_t> escapes;
  };
  struct Step {
    NodeId node;
    std::int32_t rank;
    std::uint32_t first_of;
  };

  // flow_builder.cpp: nodes.
  NodeId add(Node::Kind kind, const Stmt* statement, SourceRange range, const Around& around);
  NodeId sequence(const Sequence& statements, NodeId next, const Around& around);
  NodeId statement(const Stmt& statement, NodeId next, const Around& around);
  NodeId kind_of_statement(const Stmt& statement, NodeId next, const Around& around);
  NodeId step(const Stmt& statement, NodeId next, const Around& around);
  NodeId join(const Stmt& statement, NodeId next, const Around& around);
  NodeId jump(const Stmt& statement, const Around& around);
  NodeId options(const Stmt& statement, NodeId next, const Around& around);
  NodeId block(const Stmt& statement, NodeId next, const Around& around);
  NodeId unless(const Stmt& statement, NodeId next, const Around& around);
  void mark(NodeId node, const std::vector<Label*>& labels);
  [[nodiscard]] static Around inside(const Around& around);

  // flow_loops.cpp: what for, select and declarations stand for.
  NodeId for_loop(const Stmt& statement, NodeId next, const Around& around);
  NodeId counted_loop(const Stmt& statement, const Expr& variable, ExprPtr from, ExprPtr test,
                      const std::vector<const Stmt*>& first, NodeId next, const Around& around);
  NodeId for_each(const Stmt& statement, NodeId next, const Around& around);
  NodeId select(const Stmt& statement, NodeId next, const Around& around);
  NodeId select_stepwise(const Stmt& statement, NodeId next, const Around& around);
  NodeId declaration(const Stmt& statement, NodeId next, const Around& around);
  const Stmt& initialisation(const Stmt& declaration, const Variable& variable);
  Stmt& make(Stmt::Kind kind, const Stmt& like, std::string source);
  const Stmt& make_assignment(const Stmt& like, const Expr& to, ExprPtr value);
  const Stmt& make_increment(const Stmt& like, const Expr& variable);
  const Stmt& make_condition(const Stmt& like, ExprPtr condition);

  // flow_edges.cpp: locations and edges.
  [[nodiscard]] NodeId pass_over(NodeId node, bool from_atomic);
  [[nodiscard]] std::optional<NodeId> passed(const Node& node) const;
  [[nodiscard]] NodeId target_of(const Node& node) const;
  void collect(NodeId node, std::uint32_t first_of, std::vector<Step>& out, std::set<std::uint32_t>& escapes) const;
  std::uint32_t location(NodeId node);
  void connect(std::uint32_t location, NodeId node);
  void add_edge(std::uint32_t location, const Step& step);
  [[nodiscard]] ir::Control control(const Node& source, NodeId target) const;

  const Process& process_;
  Diagnostics& diagnostics_;
  std::unique_ptr<FlowGraph> graph_;
  std::vector<Node> nodes_;
  std::vector<NodeId> escapes_;               // where each escape begins
  std::map<const Stmt*, NodeId> loop_exits_;  // where `break` leads
  std::map<const Label*, NodeId> label_nodes_;
  std::map<NodeId, std::uint32_t> locations_;
  std::vector<NodeId> pending_;
  bool failed_ = false;
};

}  // namespace fathom::promela
