// Writes ir expressions, places and statements as C. Internal to src/native; emit.hpp is the way in.
//
// Names in the generated text: `s` is the state, `f` the frame of the routine, r<n> its registers, w<n>/b<n> the words
// and bit of its references, p<n> the caller's copy of an aggregate parameter; t<n> are temporaries. Each subexpression
// appears once in the text, so the text is linear in the ir.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "ir/program.hpp"
#include "native/value_ranges.hpp"

namespace fathom {

// A place as C: statements that compute it, then two expressions.
struct PlaceText {
  std::string setup;
  std::string words;
  std::string bit;
};

class Emitter {
 public:
  explicit Emitter(const ir::Program& program);

  // Starts a routine; `function` is set when it is the body of one.
  void enter(const ir::Routine& routine, const ir::Function* function);
  // Declarations of the locals, without the parameters of a function and without the given rule parameters.
  [[nodiscard]] std::string declarations(const std::vector<ir::Parameter>& given);

  std::string value(const ir::Expr& expr);
  const ValueRange& range(const ir::Expr& expr) { return ranges_.of(expr); }
  void block(const ir::Block& block, std::string& out);

  // C parameters of a function after host, state and depth.
  static std::string parameters(const ir::Function& function);

  // Helper functions for union types, which must precede everything that was emitted.
  [[nodiscard]] const std::string& helpers() const { return helpers_; }
  [[nodiscard]] std::uint32_t number(const ir::Function& function) const { return functions_.at(&function); }

 private:
  std::string temporary() { return "t" + std::to_string(next_++); }

  // Scalars. `code_of` is 0 for a value outside the type; `value_of` expects a code that is not 0.
  std::string code_of(const ir::Type& type, const std::string& value);
  std::string value_of(const ir::Type& type, const std::string& code);
  std::string contains(const ir::Type& type, const std::string& value);
  // What is left of a value that the type contains when it is stored.
  std::string fit(const ir::Type& type, const std::string& value);
  // The statement that ends in a fault where the code of a value is 0 although the value is not undefined.
  std::string unless_stored(const ir::Type& type, const std::string& value, const std::string& code, ir::SiteId site);
  std::uint32_t union_helpers(const ir::Type& type);

  PlaceText place(const ir::Place& place);
  void follow(const ir::PathStep& step, PlaceText& at);
  std::string code_at(const ir::Place& place);

  std::string read(const ir::Expr& expr);
  std::string read_or_undefined(const ir::Place& place);
  std::string is_undefined(const ir::Place& place);
  std::string compare_bits(const ir::Expr& expr);
  std::string unary(const ir::Expr& expr);
  std::string conjunction(const ir::Expr& expr);
  std::string conditional(const ir::Expr& expr);
  std::string binary(const ir::Expr& expr);
  std::string quantifier(const ir::Expr& expr);
  std::string slot_filled(const ir::Expr& expr);
  std::string count(const ir::Expr& expr);
  std::string call_value(const ir::Expr& expr);
  // Statements that make the call; `result` are the C arguments that receive the result, "" for a procedure.
  std::string call(const ir::Call& call, const std::string& result);
  std::string argument(const ir::Argument& argument, const ir::Local& parameter, std::string& setup);

  [[nodiscard]] bool is_passed_aggregate(const ir::Local& local) const;

  // Loops. Those over few constant values are written out, so that every offset in their bodies becomes a constant;
  // `body_size` is the length of the text that would be repeated. Otherwise an open_ function gives the text up to and
  // including the assignment of the loop's register, and the caller adds the body and the closing brace.
  static std::optional<std::vector<std::int64_t>> unrolled_values(const ir::Domain& domain, std::size_t body_size);
  std::string open_loop(const ir::Binding& binding);
  // Runs over the filled slots; `words` and `bit` come back as expressions for the slot.
  std::string open_slots(const ir::Place& place, const ir::Local& index, std::string& words, std::string& bit);
  std::optional<std::string> direct_code(const ir::Expr& expr, const ir::Type& target);

  void statement(const ir::Stmt& stmt, std::string& out);
  void assign(const ir::Place& target, const ir::Expr& value, ir::SiteId site, std::string& out);
  void copy(const ir::Place& target, const ir::Place& source, std::string& out);
  void undefine(const ir::Stmt& stmt, std::string& out);
  void clear(const ir::Stmt& stmt, std::string& out);
  void clear_bits(const ir::Type& type, const std::string& words, const std::string& bit, std::string& out);
  void branch(const ir::Stmt& stmt, std::string& out);
  void loop_while(const ir::Stmt& stmt, std::string& out);
  void loop_for(const ir::Stmt& stmt, std::string& out);
  void call_statement(const ir::Call& call, std::string& out);
  void give_back(const ir::Stmt& stmt, std::string& out);
  void put(const ir::Stmt& stmt, std::string& out);
  void multiset_add(const ir::Stmt& stmt, std::string& out);
  void multiset_remove(const ir::Stmt& stmt, std::string& out);
  void multiset_remove_if(const ir::Stmt& stmt, std::string& out);

  const ir::Program& program_;
  const ir::Routine* routine_ = nullptr;
  const ir::Function* function_ = nullptr;
  std::unordered_map<const ir::Function*, std::uint32_t> functions_;
  std::unordered_map<const ir::Stmt*, std::uint32_t> puts_;  // put statements by their place in Program::stmts
  std::unordered_map<const ir::Type*, std::uint32_t> unions_;
  ValueRanges ranges_;
  std::string helpers_;
  std::uint64_t next_ = 0;
};

// The C statement that ends evaluation with a fault.
std::string fail_text(ir::SiteId site);

}  // namespace fathom
