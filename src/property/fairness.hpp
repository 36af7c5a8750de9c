// Weak fairness: whoever can take a step from some point on for ever takes one again and again. Who that is, the
// language says: a process in Promela, an instance of a rule in Murphi.
//
// A cycle is fair if for each of them it has a state in which it cannot move, or a step in which it does. These are
// marks in the sense of generalised Büchi acceptance, so that a search by strongly connected components needs no copies
// of the state space. A run that ends is fair: there, nobody can move.
#pragma once

#include <bitset>
#include <cstdint>
#include <map>
#include <vector>

#include "ir/program.hpp"
#include "model/interpreted.hpp"

namespace fathom {

// Mark 0 is the acceptance of the automaton, mark 1 + u belongs to the unit u.
inline constexpr std::size_t max_marks = 256;
using Marks = std::bitset<max_marks>;

class Fairness {
 public:
  // Where there are more instances of rules than marks, the instances of a rule are one unit; where there are more
  // rules than that, which throws EnvironmentError, fairness is out of reach.
  explicit Fairness(const ir::Program& program);

  // All marks that a cycle must have, that of the automaton included.
  [[nodiscard]] const Marks& all() const { return all_; }
  // The marks of those who could begin this step.
  [[nodiscard]] Marks able(InstanceId step) const;
  // The marks of those who move in this step.
  Marks moving(StateView state, InstanceId step);

 private:
  struct EdgeFacts {
    Marks marks;               // of those who take part in it, or of the rule
    bool goes_on = false;      // the step may have more edges, and other processes in them
    bool by_instance = false;  // then the marks of its instances begin here:
    std::size_t first_mark = 0;
  };

  void find_processes();
  void find_rules();

  const ir::Program& program_;
  InterpretedModel model_;
  std::vector<EdgeFacts> edges_;
  Marks all_;
};

}  // namespace fathom
