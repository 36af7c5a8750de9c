// An estimate as straight-line code over a packed state: every instruction writes one number, shared where two places
// of a formula ask the same, and nothing is allocated when it runs. There are no branches: what evaluates both sides of
// a choice is as fast as a choice, and quantifiers are written out when the code is made.
//
// An operation that has no result, such as reading an undefined variable, gives `undefined`, and so does everything
// that is computed from it. Beside native code of the model, this becomes native code, too. Distances are never
// undefined; `never` is the one of what cannot come about.
#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <tuple>
#include <vector>

#include "heuristic/compiled_estimate.hpp"
#include "model/interpreter.hpp"

namespace fathom {

class EstimateCode {
 public:
  using Ref = std::uint32_t;  // of a number that the code computes

  static constexpr std::int64_t never = std::int64_t{1} << 40;

  // `of_undefined`: the distance of a comparison one side of which has no value.
  EstimateCode(const ir::Program& program, std::int64_t of_undefined)
      : interpreter_(program), own_state_(std::max(1U, (program.state_bits + 63) / 64)), of_undefined_(of_undefined) {
    interpreter_.quiet = true;
  }

  Ref constant(std::int64_t value);
  [[nodiscard]] bool is_constant(Ref ref) const { return constant_[ref]; }
  [[nodiscard]] std::int64_t value_of(Ref constant) const { return numbers_[constant]; }

  // The scalar of this type at an address in bits, and the address of an element of an array.
  Ref read(Ref address, const ir::Type& type);
  Ref element(Ref address, Ref index, const ir::Type& array);
  Ref shifted(Ref address, std::int64_t bits);
  // By the code of the cell at this offset.
  Ref look_up(std::uint32_t offset, std::uint32_t bits, std::vector<std::int64_t> table);
  Ref unary(const ir::Expr& expr, Ref a);
  Ref binary(const ir::Expr& expr, Ref a, Ref b);
  Ref fit(Ref a, const ir::Type& type);
  Ref choose(Ref condition, Ref yes, Ref no);
  // What the interpreter makes of an expression, given the locals of its routine that have a value.
  Ref interpret(const ir::Expr& expr, const ir::Routine& routine, std::vector<std::pair<const ir::Local*, Ref>> locals);

  enum class Relation : std::uint8_t { near, same, different, less, at_most };
  // How far a relation is from being so: by the difference of the numbers, or, `same`, just 0 or 1.
  Ref distance(Relation relation, Ref a, Ref b);

  Ref sum(Ref a, Ref b);
  Ref larger(Ref a, Ref b);
  Ref smaller(Ref a, Ref b);
  Ref divided(Ref a, std::int64_t by);  // rounded up

  [[nodiscard]] std::size_t size() const { return code_.size(); }
  // The code is complete: this is what it is for, and what does not serve it is dropped. References are void then.
  void finish(Ref result);
  // Of a distance.
  [[nodiscard]] std::int64_t run(const std::uint64_t* state) {
    if (native_ != nullptr) return native_(state, numbers_.data(), this, &ask_for);
    if (++runs_ % runs_between_looks == 0) look_for_native_code();
    return interpreted(state);
  }
  // Once it has run often it is compiled, if this is true by then. Without that it never is.
  void compile_when(std::function<bool()> pays) { compile_when_ = std::move(pays); }
  [[nodiscard]] bool is_compiled() const { return native_ != nullptr; }
  // The code as a function in C.
  [[nodiscard]] std::string as_c() const;

 private:
  enum class Op : std::uint8_t {
    read_number,  // bits at offset a, as a code from payload + 1 on
    read_any,     // of type payload, at address a
    element,      // of the array of type payload at a, with index b
    shifted,      // address a and payload bits
    look_up,      // table payload by the bits at offset a
    unary,        // of expression payload
    binary,       // of expression payload
    compare,      // a relation of expressions, payload: its kind
    fit,          // into type payload
    choose,       // a ? b : payload
    interpret,    // number payload
    near,
    same,
    different,
    less,
    at_most,
    sum,
    larger,
    smaller,
    divided,  // by payload
  };
  struct Instruction {
    Op op;
    std::uint8_t bits;
    Ref to;
    Ref a;
    Ref b;
    std::int64_t payload;
  };
  struct Question {
    const ir::Expr* expr;
    const ir::Routine* routine;
    std::vector<std::pair<const ir::Local*, Ref>> locals;
  };
  using Key = std::tuple<Op, std::uint8_t, Ref, Ref, std::int64_t>;

  Ref add(Op op, std::uint8_t bits, Ref a, Ref b, std::int64_t payload);
  Ref fold(Op op, Ref a, Ref b, std::int64_t payload);
  Ref fresh(std::int64_t value, bool constant);
  [[nodiscard]] std::int64_t compute(const Instruction& step, const std::uint64_t* state);
  [[nodiscard]] std::int64_t compute_value(const Instruction& step, const std::uint64_t* state);
  [[nodiscard]] std::int64_t interpreted(const std::uint64_t* state);
  [[nodiscard]] std::string c_statement(std::uint32_t number_of_step) const;
  [[nodiscard]] std::string c_value(const Instruction& step) const;
  static std::int64_t ask_for(void* code, std::uint32_t step, const std::uint64_t* state);
  void look_for_native_code();
  template <class Questions, class Visit>
  static void each_operand(Instruction& step, Questions& questions, Visit visit);
  [[nodiscard]] std::int64_t ask(const Question& question, const std::uint64_t* state);

  std::vector<Instruction> code_;
  std::vector<std::int64_t> numbers_;  // by Ref; those of constants never change
  std::vector<bool> constant_;
  std::vector<std::vector<std::int64_t>> tables_;
  std::vector<Question> questions_;
  std::map<Key, Ref> known_;
  std::map<std::int64_t, Ref> constants_;
  std::map<std::vector<std::int64_t>, std::int64_t> table_numbers_;
  Interpreter interpreter_;
  StateBuffer own_state_;  // of the interpreter
  const std::int64_t of_undefined_;
  Ref result_ = 0;

  static constexpr std::uint64_t runs_between_looks = 1 << 14;
  std::uint64_t runs_ = 0;
  std::function<bool()> compile_when_;
  std::unique_ptr<CompiledEstimate> compiled_;
  CompiledEstimate::Function native_ = nullptr;
};

}  // namespace fathom
