// The machine behind lower(): one object per model. Its parts are files of their own: lower_types.cpp,
// lower_constants.cpp, lower_places.cpp, lower_expressions.cpp, lower_domains.cpp, lower_calls.cpp,
// lower_statements.cpp, lower_aliases.cpp, lower_multisets.cpp, lower_functions.cpp, lower_surroundings.cpp,
// lower_rules.cpp and lower_properties.cpp.
//
// After a mistake a part answers with null (or an Operand that is not ok), and whoever asked says nothing more about
// it: one mistake, one message.
#pragma once

#include <deque>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "ir/builder.hpp"
#include "lang/murphi/lower.hpp"
#include "lang/murphi/scope.hpp"

namespace fathom::murphi {

// The meaning of an expression before it is decided whether it is read, written or passed on.
struct Operand {
  const ir::Type* type = nullptr;    // null: a mistake was reported
  const ir::Expr* expr = nullptr;    // a scalar value, or ...
  const ir::Place* place = nullptr;  // ... a designator
  SourceRange range = {};
  bool writable = false;
  bool is_undefined = false;  // the literal `undefined`: no type of its own

  [[nodiscard]] bool ok() const { return type != nullptr || is_undefined; }
};

class Lowering {
 public:
  Lowering(const Sources& sources, FileId file, const Options& options, const ir::Type& numbers,
           Diagnostics& diagnostics);
  std::unique_ptr<ir::Program> run(const File& syntax);

 private:
  // What a reference points into, as far as it matters to the caller of a function.
  struct Root {
    bool state = false;
    std::optional<std::size_t> parameter;
  };
  // The routine under construction.
  struct Context {
    ir::Routine* routine = nullptr;
    FunctionInfo* function = nullptr;
    std::string owner;                          // "rule", "start state", "function": for messages
    std::map<const ir::Local*, Root> roots;     // of references
    std::vector<std::vector<Root>> self_calls;  // roots of the `var` arguments of recursive calls
  };
  // The constructs around a rule or property, outermost first, and what they contribute to it. They are opened once
  // for the guard and once more for the body, where aliases are bound instead of substituted.
  struct Surroundings {
    std::vector<const RuleItem*> items;
    std::vector<ir::Parameter> parameters;
    std::vector<Symbol> symbols;              // of the parameters; known from the second time on
    std::vector<const ir::Expr*> conditions;  // the chosen slots of multisets must be filled
    std::size_t next = 0;                     // the parameter whose turn it is
    bool ok = true;
  };
  // What is done with an aggregate that an expression yields.
  using UseAggregate = std::function<void(const Expr& source, ir::Block& out)>;
  enum class AliasMode : std::uint8_t { substitute, bind };

  // Diagnostics. The same mistake seen again (a ruleset is lowered once per rule in it) is reported once.
  Diagnostic& error(const std::string& code, SourceRange range, std::string message);
  void warning(const std::string& code, SourceRange range, std::string message);
  [[nodiscard]] std::string quote(SourceRange range) const;
  [[nodiscard]] bool rumur() const { return options_.dialect == Dialect::rumur; }
  // The model has numbers of 2^63 and more, and no negative ones: see ir::natural().
  [[nodiscard]] bool unsigned_numbers() const { return build_.number()->zero != 0; }

  // lower.cpp: declarations.
  void lower_item(const Item& item);
  void declare(const Name& name, const Symbol& symbol);
  void declare_predeclared();
  void declare_global(const Declaration& declaration);
  void declare_local(const Declaration& declaration);
  void declare_constant(const Declaration& declaration, bool global);
  void declare_type(const Declaration& declaration);
  const ir::Expr* override_of(const Name& name, const ir::Expr* value);
  void check_whole_model();
  void finish(ir::Routine& routine, SourceRange range);

  // lower_types.cpp. Null after a mistake.
  const ir::Type* type_of(const TypeExpr& syntax);
  const ir::Type* build_type(const TypeExpr& syntax);
  void declare_values(const TypeExpr& syntax);
  const ir::Type* named_type(const Name& name);
  const ir::Type* range_type(const TypeExpr& syntax);
  const ir::Type* enumeration_type(const TypeExpr& syntax);
  const ir::Type* scalarset_type(const TypeExpr& syntax);
  const ir::Type* union_type(const TypeExpr& syntax);
  const ir::Type* array_type(const TypeExpr& syntax);
  const ir::Type* record_type(const TypeExpr& syntax);
  const ir::Type* multiset_type(const TypeExpr& syntax);
  const ir::Type* scalar_type(const TypeExpr& syntax, const char* use);
  const ir::Type* sized(const ir::Type* type, SourceRange range);

  // lower_constants.cpp.
  const ir::Expr* fold(const ir::Expr& expr);
  const ir::Expr* fold_logic(const ir::Expr& expr);
  const ir::Expr* constant_value(const Expr& syntax, const char* use);
  // As numbers are held; `plain_number` is the number itself, for sizes, steps and priorities.
  std::optional<std::int64_t> constant_number(const Expr& syntax, const char* use);
  std::optional<std::int64_t> plain_number(const Expr& syntax, const char* use);

  // lower_places.cpp.
  Operand operand(const Expr& syntax);
  Operand name_operand(const Expr& syntax);
  Operand field_operand(const Expr& syntax);
  Operand index_operand(const Expr& syntax);
  Operand slot_operand(const Expr& syntax, const Operand& set, const ir::Expr& index);
  Operand extend(const Operand& base, const ir::PathStep& step, const ir::Type* type, SourceRange range);
  Operand designator(const Expr& syntax, const char* use);
  Operand target(const Expr& syntax, const char* use);
  const ir::Expr* read(const Operand& operand);
  const ir::Expr* read_or_undefined(const Operand& operand);
  const ir::Place* place_of(const ir::Local& local);
  void note_write(const ir::Place& place);
  [[nodiscard]] Root root_of(const ir::Place& place) const;

  // lower_expressions.cpp: scalar values.
  Operand scalar(const Expr& syntax);
  const ir::Expr* value(const Expr& syntax);
  const ir::Expr* number(const Expr& syntax, const char* use);
  const ir::Expr* condition(const Expr& syntax, const char* use);
  const ir::Expr* compound(const Expr& syntax);
  const ir::Expr* literal(const Expr& syntax);
  const ir::Expr* unary(const Expr& syntax);
  const ir::Expr* unsigned_unary(const Expr& syntax, const ir::Expr* a);
  const ir::Expr* arithmetic(const Expr& syntax);
  const ir::Expr* shift(ir::Expr::Kind kind, const ir::Expr* a, std::int64_t distance, SourceRange range);
  const ir::Expr* logic(const Expr& syntax);
  const ir::Expr* logic_or_bits(const Expr& syntax);
  const ir::Expr* order(const Expr& syntax);
  const ir::Expr* equality(const Expr& syntax);
  const ir::Expr* compared(const Operand& operand);
  const ir::Expr* aggregate_equality(const Expr& syntax, const Operand& a, const Operand& b);
  const ir::Expr* conditional(const Expr& syntax);
  const ir::Expr* quantified(const Expr& syntax, std::size_t k);
  const ir::Expr* undefined_test(const Expr& syntax);
  const ir::Expr* membership(const Expr& syntax);
  const ir::Expr* binary(ir::Expr::Kind kind, const ir::Type* type, const ir::Expr* a, const ir::Expr* b,
                         SourceRange range);
  [[nodiscard]] bool is_number(const ir::Type& type) const;

  // lower_domains.cpp.
  const ir::Local& counter(const Name& name, const ir::Type* type);
  std::optional<ir::Domain> domain(const Quantifier& syntax, const ir::Type*& type);
  std::optional<ir::Domain> stepped_domain(const Quantifier& syntax, const ir::Type*& type);
  const ir::Expr* step(const Expr& syntax);
  bool check_step(const Quantifier& syntax, const ir::Domain& domain);

  // lower_calls.cpp.
  Operand call_operand(const Expr& syntax);
  const ir::Call* call(const Expr& syntax, const FunctionInfo*& callee);
  const FunctionInfo* callee_of(const Expr& syntax);
  bool argument(const Expr& syntax, const FunctionInfo& callee, std::size_t k, ir::Argument& out);
  bool reference_argument(const Expr& syntax, const ir::Local& formal, ir::Argument& out);
  void keep_in_memory(const ir::Place& place);
  bool value_argument(const Expr& syntax, const ir::Local& formal, ir::Argument& out);
  bool check_effects(const Expr& syntax, const FunctionInfo& callee, const ir::Call& call);

  // lower_statements.cpp.
  void statements(const std::vector<StmtPtr>& list, ir::Block& out);
  void statement(const Stmt& syntax, ir::Block& out);
  void assign(const Stmt& syntax, ir::Block& out);
  void choose(const Expr& source, ir::Block& out, const UseAggregate& use);
  void assign_aggregate(const Operand& to, const Expr& source, ir::Block& out);
  void branch(const Stmt& syntax, ir::Block& out);
  void choice(const Stmt& syntax, ir::Block& out);
  const ir::Expr* case_subject(const Expr& syntax, ir::Block& out);
  const ir::Expr* case_test(const Expr& syntax, const ir::Expr& subject);
  void loop_for(const Stmt& syntax, ir::Block& out);
  void loop_while(const Stmt& syntax, ir::Block& out);
  void call_statement(const Stmt& syntax, ir::Block& out);
  void clear_or_undefine(const Stmt& syntax, ir::Block& out);
  void check_statement(const Stmt& syntax, ir::Block& out);
  void cover_statement(const Stmt& syntax, ir::Block& out);
  void put(const Stmt& syntax, ir::Block& out);
  void give_back(const Stmt& syntax, ir::Block& out);
  void give_back(const ir::Type& wanted, const Expr& source, SourceRange range, ir::Block& out);
  [[nodiscard]] std::string message_of(const Stmt& syntax) const;

  // lower_aliases.cpp.
  void aliases(const std::vector<AliasBinding>& bindings, AliasMode mode, ir::Block& out);
  Symbol alias(const AliasBinding& binding, AliasMode mode, ir::Block& out);
  Symbol alias_of_place(const AliasBinding& binding, const Operand& target, AliasMode mode, ir::Block& out);
  [[nodiscard]] bool is_fixed(const ir::Place& place) const;
  const ir::Place* temporary(const ir::Expr& value, const std::string& name, const ir::Type& type, ir::Block& out);

  // lower_multisets.cpp.
  Operand multiset_operand(const Quantifier& syntax);
  Operand multiset_operand(const Expr& syntax, const char* use);
  bool may_change(const Operand& set);
  const ir::Expr* multiset_count(const Expr& syntax);
  const ir::Expr* element_value(const Operand& element, const ir::Type& wanted, ir::Block& out);
  void multiset_add(const Stmt& syntax, ir::Block& out);
  void multiset_remove(const Stmt& syntax, ir::Block& out);
  void multiset_remove_if(const Stmt& syntax, ir::Block& out);

  // lower_functions.cpp.
  void lower_function(const Routine& syntax);
  bool declare_parameters(const Routine& syntax, FunctionInfo& info);
  void settle_effects(FunctionInfo& info);

  // lower_rules.cpp.
  void lower_rule(const RuleItem& item, std::vector<const RuleItem*>& around);
  void lower_simple(const RuleItem& item, Surroundings& around);
  void lower_start(const RuleItem& item, Surroundings& around);
  void lower_body(const RuleItem& item, Surroundings& around, ir::Edge& edge);
  const ir::Expr* lower_guard(const RuleItem& item, Surroundings& around);
  void enter(ir::Routine& routine, const char* owner);
  void leave();
  bool check_instances(const std::vector<ir::Parameter>& parameters, SourceRange range);
  [[nodiscard]] static std::string name_of(const RuleItem& item, const char* kind, std::size_t number);

  // lower_surroundings.cpp.
  void open(Surroundings& around, AliasMode mode, ir::Block& out);
  void close(const Surroundings& around);
  void open_ruleset(const RuleItem& item, Surroundings& around);
  void open_choose(const RuleItem& item, Surroundings& around);
  bool reopen_parameter(const Quantifier& syntax, Surroundings& around);
  void add_parameter(const Quantifier& syntax, const ir::Type* type, ir::ParameterDomain domain, Surroundings& around);
  std::optional<ir::ParameterDomain> parameter_domain(const Quantifier& syntax, const ir::Type*& type);
  const ir::Expr* with_conditions(const Surroundings& around, ir::Expr::Kind connective, const ir::Expr* condition);
  bool refuse_choose(const Surroundings& around, const char* what);

  // lower_properties.cpp.
  void lower_property(const RuleItem& item, Surroundings& around, ir::Property::Kind kind);
  void lower_liveness(const RuleItem& item, Surroundings& around);
  void lower_live_instance(const RuleItem& item, Surroundings& around, const std::string& name,
                           const std::vector<std::int64_t>& values);
  const ir::Expr* property_condition(const RuleItem& item, Surroundings& around, ir::Expr::Kind connective);
  void lower_atom(const OutsideCondition& atom);
  void declare_outside(const OutsideCondition::Name& name, SourceRange range);
  const ir::Expr* antecedent_of(const ir::Expr& condition);
  ir::Property& add_property(ir::Property::Kind kind, std::string name, SourceRange range);

  const Sources& sources_;
  FileId file_;
  const Options& options_;
  Diagnostics& diagnostics_;
  std::unique_ptr<ir::Program> program_;
  ir::Builder build_;
  Scopes scopes_;
  std::deque<FunctionInfo> functions_;
  std::map<const TypeExpr*, const ir::Type*> types_;  // a type expression means one type however often it is lowered
  std::set<std::pair<std::string, std::uint32_t>> reported_;
  Diagnostic repeated_;  // what error() hands out for a mistake already reported
  ir::Routine outside_;  // for constants and types: may name no variable in the end
  Context context_;
  std::set<const ir::Local*> counters_;  // registers that are never undefined and never assigned
  const char* pure_ = nullptr;           // where side effects are forbidden: "a guard", "a property"
  bool constant_context_ = false;
  std::map<ir::Property::Kind, std::size_t> property_numbers_;
  std::size_t rules_ = 0;
  std::size_t starts_ = 0;
};

}  // namespace fathom::murphi
