// Weak fairness: whoever can take a step from some point on for ever takes one again and again. Who that is, the
// language says: a process in Promela, an instance of a rule in Murphi.
//
// A cycle is fair if for each of them it has a state in which it cannot move, or a step in which it does. These are
// marks in the sense of generalised Büchi acceptance, so that a search by strongly connected components needs no copies
// of the state space. A run that ends is fair: there, nobody can move.
//
// Strong fairness, for those who are named: whoever can take a step again and again takes one again and again. For them
// a cycle has a mark where they are able to move and another where they do, and with the first it must have the second.
#pragma once

#include <bitset>
#include <cstdint>
#include <map>
#include <vector>

#include "ir/program.hpp"
#include "model/interpreted.hpp"
#include "property/run_rules.hpp"

namespace fathom {

// Mark 0 is the acceptance of the automaton, mark 1 + u belongs to the unit u; those of strong fairness follow.
inline constexpr std::size_t max_marks = 256;
using Marks = std::bitset<max_marks>;

// Strong fairness of one unit: a cycle with the mark `able` must have the mark `moves`.
struct StrongPair {
  std::size_t able = 0;
  std::size_t moves = 0;
  [[nodiscard]] bool is_kept(const Marks& marks) const { return !marks.test(able) || marks.test(moves); }
};

class Fairness {
 public:
  // Where there are more instances of rules than marks, the instances of a rule are one unit; where there are more
  // rules than that, which throws EnvironmentError, fairness is out of reach.
  Fairness(const ir::Program& program, const RunRules& rules);

  // All marks that a cycle must have, that of the automaton included.
  [[nodiscard]] const Marks& all() const { return all_; }
  // The marks of those who could begin this step.
  [[nodiscard]] Marks able(InstanceId step) const;
  // The marks `able` of strong fairness of those who could begin this step.
  [[nodiscard]] Marks strongly_able(InstanceId step) const;
  [[nodiscard]] const std::vector<StrongPair>& strong_pairs() const { return pairs_; }
  // The marks of a state in which these steps can be taken.
  [[nodiscard]] Marks of_state(const Batch& steps) const;
  // The marks of those who move in this step.
  Marks moving(StateView state, InstanceId step);

 private:
  struct EdgeFacts {
    Marks marks;               // of those who take part in it, or of the rule
    bool goes_on = false;      // the step may have more edges, and other processes in them
    bool by_instance = false;  // then the marks of its instances begin here:
    std::size_t first_mark = 0;
    std::vector<std::size_t> pairs;  // of strong fairness: one for each instance, or those of the participants
    bool pair_by_instance = false;
  };

  void find_processes();
  void find_rules();
  void find_strong_processes(const std::vector<std::uint32_t>& units);
  void find_strong_rules(const std::vector<std::uint32_t>& edges);
  std::size_t add_pair();

  const ir::Program& program_;
  InterpretedModel model_;
  std::vector<EdgeFacts> edges_;
  Marks all_;
  std::vector<StrongPair> pairs_;
  std::size_t free_mark_ = 1;
  bool weak_;
};

}  // namespace fathom
