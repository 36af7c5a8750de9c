#include "search/frontier_tree.hpp"

#include <gtest/gtest.h>

#include "search/frontier_walk.hpp"
#include "toy_graph.hpp"

namespace fathom {
namespace {

TEST(StepTree, FreesANodeWithItsLastReferenceAndUsesItAgain) {
  StepTree tree;
  const StepTree::Node root = tree.add(StepTree::none, InstanceId{0});
  const StepTree::Node left = tree.add(root, InstanceId{7});
  const StepTree::Node right = tree.add(root, InstanceId{9});
  tree.release(root);
  EXPECT_EQ(tree.size(), 3U);  // its children still refer to it
  tree.release(left);
  EXPECT_EQ(tree.size(), 2U);
  EXPECT_EQ(tree.parent(right), root);
  EXPECT_EQ(tree.step(right), InstanceId{9});
  tree.release(right);
  EXPECT_EQ(tree.size(), 0U);
  const std::uint64_t bytes = tree.bytes();
  tree.add(StepTree::none, InstanceId{9});
  EXPECT_EQ(tree.bytes(), bytes);
}

// Two runs of 100 steps that part after 90.
TEST(Walk, GoesFromOneRunToAnotherThroughTheStateWhereTheyPart) {
  ToyGraph graph;
  graph.words = 3;
  graph.starts = {0};
  graph.successors_of.resize(111);
  for (std::uint32_t node = 0; node < 100; ++node) graph.successors_of[node] = {node + 1};
  graph.successors_of[90].push_back(101);
  for (std::uint32_t node = 101; node < 110; ++node) graph.successors_of[node] = {node + 1};

  ToyModel model(graph);
  StepTree tree;
  Walk<ToyModel> walk(model, nullptr, tree);
  Batch starts;
  model.initial(starts);
  walk.start(walk.add_start({starts.words(0), 3}));
  for (int k = 0; k < 100; ++k) walk.repeat(make_instance(0, 0));
  const StepTree::Node one = walk.node();
  tree.hold(one);
  for (int k = 0; k < 10; ++k) walk.back();
  walk.repeat(make_instance(0, 1));
  for (int k = 0; k < 9; ++k) walk.repeat(make_instance(0, 0));
  const StepTree::Node other = walk.node();
  tree.hold(other);
  EXPECT_EQ(tree.size(), 111U);  // the common beginning is there once
  EXPECT_EQ(ToyModel::node_of(walk.state()), 110U);

  const std::uint64_t taken = walk.taken();
  walk.go_to(one, 100);
  EXPECT_EQ(ToyModel::node_of(walk.state()), 100U);
  EXPECT_EQ(walk.taken() - taken, 10U);
  EXPECT_EQ(walk.path().size(), 101U);

  tree.release(one);
  walk.go_to(other, 100);
  EXPECT_EQ(ToyModel::node_of(walk.state()), 110U);
  EXPECT_EQ(tree.size(), 101U);
}

}  // namespace
}  // namespace fathom
