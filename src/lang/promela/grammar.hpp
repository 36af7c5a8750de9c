// Recursive-descent parser of Promela. Like Spin it reads the model once and resolves names on the way; what may be
// named before it is declared (labels, proctypes of `run`, remote references, ltl formulas) is resolved at the end.
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "lang/promela/ast.hpp"
#include "lang/promela/scope.hpp"
#include "lang/promela/token_cursor.hpp"

namespace fathom::promela {

class Grammar : public TokenCursor {
 public:
  Grammar(std::vector<Token> tokens, ParsedModel& model, Diagnostics& diagnostics)
      : TokenCursor(std::move(tokens), model.origins, diagnostics), model_(model) {}

  void model();
  // After the model: an expression that stands outside of it. Null after a mistake.
  ExprPtr question(std::vector<Token> tokens);

 private:
  static constexpr std::uint32_t max_depth = 400;
  static constexpr std::uint32_t max_height = 2000;
  static constexpr std::size_t max_inlined_tokens = 2'000'000;

  struct Name {
    std::string text;
    SourceRange range;
    OriginId origin{};
  };
  struct PendingLtl {
    LtlProperty property;
    std::vector<Token> tokens;
  };
  // A `goto` or `break`, with the d_step it stands in; 0: none.
  struct Jump {
    Stmt* statement;
    std::uint32_t step;
  };
  struct Loop {
    Stmt* statement;
    std::uint32_t step;
  };
  struct InlineCall {
    std::string name;
    const Expr* result;  // where `return` goes; null: nowhere
  };

  // parser.cpp: units
  void unit();
  void skip_to_next_unit();
  void proctype();
  void init();
  void never();
  void events();
  std::uint32_t instances();
  void process_body(Process& process);
  Process& new_process(Process::Kind kind, Name name);
  void optional_priority(Process& process);
  std::int32_t priority();
  void ltl_block();
  void embedded_unit();
  CCode c_code();
  void inline_definition();
  std::vector<Token> braced_tokens(const std::string& of_what);
  void require_processes();
  Name name(const std::string& what = "a name");

  // parser_declarations.cpp
  [[nodiscard]] bool at_declaration() const;
  [[nodiscard]] bool at_type() const;
  using Declare = std::function<void(std::unique_ptr<Variable>)>;
  void declaration(Variable::Scope scope, const Declare& declare);
  Type type(bool& separated);
  void mtype_list(const std::string& set_name);
  MtypeSet& mtype_set(const std::string& name);
  std::unique_ptr<Variable> declarator(const Type& type, const Variable& flags);
  void width(Variable& variable);
  void array_length(Variable& variable);
  void initialiser(Variable& variable);
  std::unique_ptr<ChannelInit> channel_init();
  Type message_type();
  std::optional<std::int32_t> constant(const std::string& what, std::int32_t instead_of_zero = 0);
  void typedef_declaration();
  void global_declaration();
  void parameters(Process& process);
  void local_declaration(Sequence& out);
  void declare_variable(Variable& variable);
  void check_free(const std::string& name, SourceRange range, OriginId origin);
  void check_free_of_variables(const Name& called);

  // parser_statements.cpp
  void sequence(Sequence& out);
  bool separator_is_optional(const Sequence& before) const;
  [[nodiscard]] bool at_sequence_end() const;
  [[nodiscard]] bool binds_left() const;
  void step(Sequence& out);
  void skip_statement();
  StmtPtr statement();
  void labels(Stmt& out);
  void statement_kind(Stmt& out);
  void name_statement(Stmt& out);
  [[nodiscard]] TokenKind after_designator() const;
  [[nodiscard]] bool at_label() const;
  [[nodiscard]] bool at_inline_call() const;
  void assignment(Stmt& out);
  void count_statement(Stmt& out);
  ExprPtr assigned_place();
  void assertion(Stmt& out);
  void print(Stmt& out);
  void print_mtype(Stmt& out);
  void set_priority(Stmt& out);
  void jump(Stmt& out);
  void leave_loop(Stmt& out);
  void exclusive(Sequence& out);
  void give_back(Stmt& out);
  void expression_statement(Stmt& out);
  [[noreturn]] void fail_on_unknown_statement();
  void check_runs(const Expr& expression);

  // parser_control.cpp
  void options(Stmt& out, Stmt::Kind kind, TokenKind closing);
  void braced(Stmt& out, Stmt::Kind kind);
  void braced_body(Stmt& out);
  void loop_body(Stmt& out);
  void for_loop(Stmt& out);
  void select(Stmt& out);
  void loop_bounds(Stmt& out, const char* what);
  void check_loop_variable(const Expr& variable, const char* what);
  void check_for_each(const Stmt& loop);
  void close(TokenKind kind, const char* opener, SourceRange opening);
  StmtPtr with_escape(StmtPtr body, std::size_t first);
  [[nodiscard]] bool at_escape() const;
  void check_first_label(const Sequence& body, const char* where, bool fatal);

  // parser_messages.cpp
  void send_statement(Stmt& out, bool sorted);
  void receive_statement(Stmt& out);
  ExprPtr channel();
  void send_arguments(std::vector<ExprPtr>& out);
  void receive_argument_list(std::vector<ExprPtr>& out);
  void receive_argument(std::vector<ExprPtr>& out);
  void add_argument(std::vector<ExprPtr>& out, ExprPtr argument);
  void check_stored_once(const std::vector<ExprPtr>& arguments);

  // parser_expressions.cpp
  ExprPtr expression();
  ExprPtr message_expression();  // a structure is allowed as well
  ExprPtr binary(int lowest);
  ExprPtr unary();
  ExprPtr prefixed(Expr::Kind kind);
  ExprPtr primary();
  ExprPtr parenthesised();
  ExprPtr named_value();
  ExprPtr run();
  ExprPtr probe(Expr::Kind kind);
  ExprPtr call_of_one(Expr::Kind kind);
  ExprPtr simple(Expr::Kind kind, Type type);
  ExprPtr number_literal();
  ExprPtr character_literal();
  ExprPtr poll(ExprPtr channel);
  ExprPtr remote_reference();
  [[nodiscard]] bool at_remote_reference() const;
  std::vector<ExprPtr> arguments();
  ExprPtr combine(Expr::Kind kind, ExprPtr a, ExprPtr b);
  ExprPtr finish(ExprPtr expression, std::size_t first);
  void refuse_probe(const Expr& operand);
  void refuse_structure(const Expr& operand);
  void refuse_assignment();
  void bound_height(const Expr& expression);

  // parser_designators.cpp
  // What a designator may stand for besides one scalar.
  enum class Allow : std::uint8_t { scalar, structure, whole_array };
  ExprPtr designator(Allow allow = Allow::scalar);
  ExprPtr indexed(ExprPtr base, std::size_t first);
  ExprPtr only_element(ExprPtr base);
  void check_complete(const Expr& designator, Allow allow);
  ExprPtr root();
  [[noreturn]] void fail_on_unknown_name(const Token& token);
  const Variable& field_of(const Expr& record);

  // inline_expansion.cpp
  void inline_call(Stmt& out, const Expr* result);
  std::vector<std::vector<Token>> inline_arguments(const Inline& definition);
  std::vector<Token> expand_inline(const Inline& definition, const std::vector<std::vector<Token>>& arguments,
                                   OriginId origin);
  OriginId rebased(OriginId macro, OriginId use);

  // ltl_parser.cpp
  void parse_pending_ltl();
  LtlPtr formula(int lowest);
  LtlPtr formula_operand();
  LtlPtr formula_parenthesised();
  LtlPtr formula_unary(Ltl::Kind kind, std::size_t first, std::size_t signs);
  LtlPtr make_formula(Ltl::Kind kind, LtlPtr a, LtlPtr b, std::size_t first);
  ExprPtr as_expression(LtlPtr formula);
  LtlPtr atom(ExprPtr expression);
  struct LtlOperator;
  [[nodiscard]] LtlOperator ltl_operator() const;

  // Remembers what closes a construct, so that a wrong closing word is left to the construct it belongs to.
  class Open {
   public:
    Open(Grammar& grammar, TokenKind closing) : grammar_(grammar) { grammar_.open_.push_back(closing); }
    ~Open() { grammar_.open_.pop_back(); }
    Open(const Open&) = delete;
    Open& operator=(const Open&) = delete;

   private:
    Grammar& grammar_;
  };
  // Opens a scope of braces for as long as it lives.
  class Scope {
   public:
    explicit Scope(Grammar& grammar) : grammar_(grammar) { grammar_.names_.open(grammar_.next_block_++); }
    ~Scope() { grammar_.names_.close(); }
    Scope(const Scope&) = delete;
    Scope& operator=(const Scope&) = delete;

   private:
    Grammar& grammar_;
  };
  // The process whose parts are being read, with the scope of its parameters.
  class InProcess {
   public:
    InProcess(Grammar& grammar, Process& process);
    ~InProcess();
    InProcess(const InProcess&) = delete;
    InProcess& operator=(const InProcess&) = delete;

   private:
    Grammar& grammar_;
  };
  class Nesting {
   public:
    explicit Nesting(Grammar& grammar);
    ~Nesting() { --grammar_.depth_; }
    Nesting(const Nesting&) = delete;
    Nesting& operator=(const Nesting&) = delete;

   private:
    Grammar& grammar_;
  };

  ParsedModel& model_;
  Names names_;
  Process* process_ = nullptr;
  std::uint32_t next_block_ = 0;
  std::uint32_t depth_ = 0;
  bool leading_ = false;     // no statement has been read yet in this process
  std::uint32_t step_ = 0;   // the d_step we are in; 0: none
  std::uint32_t steps_ = 0;  // how many there were
  std::vector<Loop> loops_;
  std::vector<InlineCall> calls_;
  std::size_t inlined_tokens_ = 0;
  std::map<std::pair<OriginId, OriginId>, OriginId> rebased_;
  bool recovered_ = false;       // a part of the present process could not be read
  bool damaged_ = false;         // some part of the model could not be read
  std::vector<TokenKind> open_;  // what will close the constructs around us
  bool file_ended_ = false;      // an unclosed construct has been reported at the end of the file
  std::vector<PendingLtl> pending_ltl_;
  std::uint32_t unnamed_claims_ = 0;
  std::uint32_t unnamed_formulas_ = 0;

  std::vector<Jump> jumps_;                                    // of the present process
  std::vector<std::pair<Label*, std::uint32_t>> label_steps_;  // d_step of each label of the present process
  std::vector<Expr*> runs_;
  std::vector<Expr*> remotes_;

  // Recovery destroys what was read of a statement; then what is to be resolved in it must be forgotten.
  struct Unresolved {
    std::size_t jumps, runs, remotes;
  };
  [[nodiscard]] Unresolved unresolved() const { return {jumps_.size(), runs_.size(), remotes_.size()}; }
  void forget_since(const Unresolved& before);

  // resolve_labels.cpp and resolve_references.cpp
  void resolve_labels(Process& process);
  const Label* find_label(const Process& process, const Stmt& jump) const;
  void check_step_crossing(const Jump& jump, std::uint32_t target_step);
  void declare_label(const Name& name, Label*& out);
  void resolve_runs();
  void resolve_run(Expr& run);
  void resolve_remotes();
  void resolve_remote_label(Expr& reference);
  void resolve_remote_variable(Expr& reference);
};

}  // namespace fathom::promela
