// The machine behind InterpretedModel: evaluates ir expressions and statements on one packed state.
//
// A fault is a flag, not an exception: evaluation carries on with a harmless value until the enclosing statement sees
// it, and the first fault wins. Guards and properties never write, so they may run on a state that is shared.
#pragma once

#include <deque>
#include <string>
#include <vector>

#include "ir/program.hpp"
#include "model/model.hpp"
#include "support/counters.hpp"

namespace fathom {

// Packed bits somewhere: in the state, or in the frame of a routine.
struct Reference {
  std::uint64_t* words = nullptr;
  std::uint64_t bit = 0;
};

class Interpreter {
 public:
  explicit Interpreter(const ir::Program& program);

  // Starts an evaluation on `state` with fresh locals of `routine`.
  void enter(const ir::Routine& routine, std::uint64_t* state);
  void set_register(const ir::Local& local, std::int64_t value) { top().registers[local.slot] = value; }

  [[nodiscard]] std::int64_t eval(const ir::Expr& expr);
  [[nodiscard]] bool holds(const ir::Expr& expr) { return eval(expr) != 0 && !failed(); }
  Outcome run_body(const ir::Routine& routine);

  // What is evaluated between these two is evaluated inside the function. False: an argument failed, and nothing began.
  [[nodiscard]] bool begin_call(const ir::Call& call);
  void end_call();

  // Evaluation has ended early: in a fault, or blocked by an assumption.
  [[nodiscard]] bool failed() const { return fault_ != ir::SiteId::none || blocked_; }
  [[nodiscard]] bool faulted() const { return fault_ != ir::SiteId::none; }
  [[nodiscard]] bool blocked() const { return blocked_; }
  [[nodiscard]] ir::SiteId fault() const { return fault_; }
  [[nodiscard]] std::string last_fault() const;  // in words

  // The value of a scalar place; `undefined` where it has none.
  [[nodiscard]] std::int64_t read(const ir::Place& place);
  [[nodiscard]] bool resolve(const ir::Place& place, Reference& out);

  void normalise_multisets(std::uint64_t* state) const;

  const ir::Program& program;
  PutSink* sink = nullptr;
  bool timeout = false;  // what `timeout` is
  bool quiet = false;    // steps are only repeated: no output, no cover counts
  Counters hits;

 private:
  enum class Flow : std::uint8_t { next, returned, stopped };

  struct Activation {
    std::vector<std::int64_t> registers;
    std::vector<Reference> references;
    std::vector<std::uint64_t> frame;
    void reset(const ir::Routine& routine);
  };
  struct Caller {
    std::size_t activation;
    const ir::Function* function;
  };
  struct Multiset {
    std::uint32_t offset;
    const ir::Type* type;
  };
  // The values of a quantifier, fixed on entry.
  struct Range {
    const ir::Type* type = nullptr;  // null: from..to in steps
    std::int64_t from = 0, to = 0, step = 1;
  };

  Activation& top() { return activations_[top_]; }
  void fail(ir::SiteId site, std::string detail);

  std::int64_t eval_unary(const ir::Expr& expr);
  std::int64_t eval_binary(const ir::Expr& expr);
  std::int64_t eval_arithmetic(const ir::Expr& expr, std::int64_t a, std::int64_t b);
  std::int64_t eval_quantifier(const ir::Expr& expr);
  std::int64_t eval_count(const ir::Expr& expr);
  bool same_bits(const ir::Place& a, const ir::Place& b);

  bool follow(const ir::PathStep& step, Reference& at);
  bool write(const ir::Place& place, std::int64_t value, ir::SiteId site);
  void clear(const ir::Type& type, Reference at);

  bool range_of(const ir::Domain& domain, Range& out);
  template <class Visit>
  void each_value(const Range& range, Visit visit);
  template <class Visit>
  bool each_filled_slot(const ir::Place& place, const ir::Local& index, Visit visit);

  bool call(const ir::Call& call, std::int64_t* scalar, const Reference* aggregate);
  bool call_user(const ir::Function& function, std::int64_t* scalar);
  bool pass_arguments(const ir::Call& call, Activation& callee);

  Flow run(const ir::Block& block);
  Flow run(const ir::Stmt& stmt);
  Flow run_branch(const ir::Stmt& stmt);
  Flow run_while(const ir::Stmt& stmt);
  Flow run_for(const ir::Stmt& stmt);
  Flow run_return(const ir::Stmt& stmt);
  void run_put(const ir::Stmt& stmt);
  void run_copy(const ir::Place& to, const ir::Place& from);
  void run_multiset_add(const ir::Stmt& stmt);
  void run_multiset_remove(const ir::Stmt& stmt);
  [[nodiscard]] Flow after() const { return failed() ? Flow::stopped : Flow::next; }

  void collect_multisets(const ir::Type& type, std::uint32_t offset);

  std::vector<Multiset> multisets_;
  std::deque<Activation> activations_;  // the first ones are in use; their vectors keep their capacity
  std::vector<Caller> callers_;         // of the routines that are being executed
  std::size_t top_ = 0;                 // activation of the routine that is being executed
  std::size_t prepared_ = 0;            // the last one in use
  std::uint64_t* state_ = nullptr;
  ir::SiteId fault_ = ir::SiteId::none;
  ir::SiteId noted_ = ir::SiteId::none;  // the first assertion that failed and let the step go on
  std::string fault_detail_;
  bool blocked_ = false;
  std::int64_t result_ = ir::undefined;
  const ir::Function* function_ = nullptr;  // being executed, for `return`
};

}  // namespace fathom
