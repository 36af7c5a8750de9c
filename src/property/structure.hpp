// Labelled transition systems made of a model: the whole state space, or the part of it that a bounded search kept.
// Formulas over states and actions are decided on them, and `fathom graph` writes them.
//
// A structure that is part of a larger one is simulated by it: whatever it can do, the whole can do, and nothing
// follows from what it cannot do (Loiseaux et al., Formal Methods in System Design 6, 1995).
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "model/model.hpp"

namespace fathom {

// A step as formulas and files name it.
struct StepLabel {
  InstanceId instance{};
  std::string name;                    // of the rule, or the statement as traces show it
  std::vector<std::string> arguments;  // the parameter values, printed, outermost first

  [[nodiscard]] std::string text() const;  // "SendInv(NODE_1,2)"; without parameters, the name alone
};

// Numbers labels in the order in which they are met.
class StepLabels {
 public:
  explicit StepLabels(const ir::Program& program)
      : program_(program), has_macro_steps_(ir::has_macro_steps(program)), edges_(program.edges()) {}

  std::uint32_t number(InstanceId step);
  [[nodiscard]] const StepLabel& operator[](std::uint32_t label) const { return labels_[label]; }
  [[nodiscard]] std::uint32_t size() const { return static_cast<std::uint32_t>(labels_.size()); }

 private:
  [[nodiscard]] StepLabel make(InstanceId step) const;

  const ir::Program& program_;
  bool has_macro_steps_;
  std::vector<const ir::Edge*> edges_;
  std::vector<StepLabel> labels_;
  std::unordered_map<std::uint64_t, std::uint32_t> numbers_;  // by instance; there are few beside the states
};

// Steps that go wrong and end nowhere are no edges; the search that checks the model reports them.
class Structure {
 public:
  using State = std::uint32_t;
  struct Edge {
    State target;
    std::uint32_t label;
    bool operator==(const Edge&) const = default;
  };

  virtual ~Structure() = default;
  virtual std::span<const State> initial() = 0;
  // Valid until the next call. A structure that grows on the fly expands the state now.
  virtual std::span<const Edge> edges(State state) = 0;
  [[nodiscard]] virtual std::uint64_t states() const = 0;  // known so far
  // The state of the model, valid until the next call; empty where states are mere numbers.
  [[nodiscard]] virtual StateView words(State state) const = 0;
  [[nodiscard]] virtual const StepLabel& label(std::uint32_t label) const = 0;
  [[nodiscard]] virtual std::uint32_t labels() const = 0;  // known so far
  // Every reachable state of the model and every edge is in it, or comes when it is asked for.
  [[nodiscard]] virtual bool complete() const = 0;
  // All steps of the model from this state are in it, whatever else may be missing.
  [[nodiscard]] virtual bool closed(State) const { return complete(); }
};

// A structure in memory, as compressed rows: the states are added one after the other, each with its edges.
class FiniteStructure final : public Structure {
 public:
  // The edges that are added after this belong to the new state.
  State add_state(StateView words = {});
  void add_edge(State target, std::uint32_t label) { edges_.push_back({target, label}); }
  void add_initial(State state) { initial_.push_back(state); }
  std::uint32_t add_label(StepLabel label);
  void set_labels(std::vector<StepLabel> labels) { labels_ = std::move(labels); }
  void set_complete(bool complete) { complete_ = complete; }
  // Which states have all their steps although the structure is not complete; one bit for each.
  void set_closed(std::vector<bool> closed) { closed_ = std::move(closed); }

  std::span<const State> initial() override { return initial_; }
  std::span<const Edge> edges(State state) override;
  [[nodiscard]] std::uint64_t states() const override { return rows_.size(); }
  [[nodiscard]] StateView words(State state) const override;
  [[nodiscard]] const StepLabel& label(std::uint32_t label) const override { return labels_[label]; }
  [[nodiscard]] std::uint32_t labels() const override { return static_cast<std::uint32_t>(labels_.size()); }
  [[nodiscard]] bool complete() const override { return complete_; }
  [[nodiscard]] bool closed(State state) const override { return complete_ || (!closed_.empty() && closed_[state]); }
  [[nodiscard]] std::uint64_t edge_count() const { return edges_.size(); }

 private:
  std::vector<std::uint64_t> rows_;  // where the edges of each state begin
  std::vector<Edge> edges_;
  std::vector<State> initial_;
  std::vector<StepLabel> labels_;
  std::vector<std::uint64_t> words_;
  std::size_t words_per_state_ = 0;
  bool complete_ = true;
  std::vector<bool> closed_;
};

}  // namespace fathom
