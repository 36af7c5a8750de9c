// The recursive descent parser behind parse(). One method per construct; they are spread over the parser_*.cpp files
// by the part of the language they read.
//
// Blocks survive mistakes: a header (`if … then`) and a body never let a Recovery escape past the block's own `end`,
// so one mistake inside a block does not turn into a complaint about the blocks around it.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "lang/murphi/ast.hpp"
#include "lang/murphi/token_cursor.hpp"

namespace fathom::murphi {

class Grammar : private TokenCursor {
 public:
  using TokenCursor::TokenCursor;

  File file();
  // A text that is an expression and nothing else; null after a mistake.
  ExprPtr single_expression();

 private:
  // Deeper trees than this could exhaust the stack of a pass that walks them recursively.
  static constexpr std::uint32_t max_depth = 1000;

  // Counts the nesting of constructs while it lives.
  class Nesting {
   public:
    explicit Nesting(Grammar& grammar);
    ~Nesting() { --grammar_.depth_; }
    Nesting(const Nesting&) = delete;
    Nesting& operator=(const Nesting&) = delete;

   private:
    Grammar& grammar_;
  };

  // A construct that waits for its `end`: "if", "rule", …
  class Block {
   public:
    Block(Grammar& grammar, std::string_view word, SourceRange opening);
    ~Block() { grammar_.open_.pop_back(); }
    Block(const Block&) = delete;
    Block& operator=(const Block&) = delete;
    void close();

   private:
    void complain();

    Grammar& grammar_;
  };
  struct OpenBlock {
    std::string_view word;
    SourceRange opening;
  };

  // parser.cpp: names, and the parts that constructs share.
  Name name();
  std::string string();
  std::vector<Quantifier> quantifiers(TokenKind closing);
  Quantifier quantifier();
  std::vector<AliasBinding> alias_bindings();
  AliasBinding alias_binding();
  void skip_semicolons();
  template <class Parse>
  void header(TokenKind closing, Parse parse);

  // parser_types.cpp
  TypePtr type();
  TypePtr named_or_range_type();
  TypePtr range_type(ExprPtr low);
  TypePtr enumeration_type();
  TypePtr scalarset_type();
  TypePtr union_type();
  TypePtr array_type();
  TypePtr record_type();
  TypePtr multiset_type();
  TypePtr real_type();

  // parser_declarations.cpp
  [[nodiscard]] bool at_section() const;
  std::vector<Declaration> sections();
  void section(std::vector<Declaration>& out);
  [[nodiscard]] bool at_declaration() const;
  void declaration(Declaration::Kind kind, std::vector<Declaration>& out);
  std::vector<Name> name_list();
  [[nodiscard]] bool at_routine() const;
  Routine routine();
  Routine external_routine();
  void signature(Routine& routine, bool has_result);
  std::vector<FormalParameter> parameters();

  // parser_expressions.cpp
  ExprPtr expression();
  ExprPtr binary(int weakest);
  ExprPtr chain(ExprPtr first, TokenKind sign, int strength, Expr::Kind kind);
  ExprPtr balanced(std::vector<ExprPtr>& operands, std::size_t begin, std::size_t end, Expr::Kind kind);
  ExprPtr unary();
  ExprPtr designator();
  ExprPtr primary();
  ExprPtr number();
  ExprPtr plain_name(const Name& used);
  ExprPtr call();
  ExprPtr parenthesised();
  ExprPtr quantified();
  ExprPtr is_undefined();
  ExprPtr is_member();
  ExprPtr multiset_count();
  ExprPtr make(Expr::Kind kind, SourceRange range, ExprPtr a = nullptr, ExprPtr b = nullptr, ExprPtr c = nullptr);
  ExprPtr with_parts(ExprPtr (Grammar::*parse)());
  void bound_height(const Expr& expr);

  // parser_statements.cpp
  [[nodiscard]] bool at_end_of_statements() const;
  std::vector<StmtPtr> statements();
  StmtPtr statement();
  void statement_into(Stmt& out);
  void if_statement(Stmt& out);
  void switch_statement(Stmt& out);
  void case_values(std::vector<ExprPtr>& out);
  void for_statement(Stmt& out);
  void while_statement(Stmt& out);
  void alias_statement(Stmt& out);
  void property_statement(Stmt& out, Stmt::Kind kind);
  void designator_statement(Stmt& out, Stmt::Kind kind);
  void error_statement(Stmt& out);
  void put_statement(Stmt& out);
  void return_statement(Stmt& out);
  void multiset_statement(Stmt& out, Stmt::Kind kind);
  void multiset_remove_pred(Stmt& out);
  void assignment_or_call(Stmt& out);
  void message(Stmt& out);
  [[noreturn]] void fail_on_misspelt_statement(const Token& first);

  // parser_rules.cpp
  void item(File& out);
  [[nodiscard]] bool at_item() const;
  void skip_item();
  std::unique_ptr<RuleItem> rule_item();
  void rule_item_into(RuleItem& out);
  [[nodiscard]] std::string misspelt_item() const;
  [[noreturn]] void fail_on_stray_end();
  void simple_rule(RuleItem& out);
  [[nodiscard]] bool at_priority() const;
  [[nodiscard]] bool at_body() const;
  void optional_name(RuleItem& out);
  void body(RuleItem& out);
  void start_state(RuleItem& out);
  void rule_block(RuleItem& out, RuleItem::Kind kind, std::string_view word);
  std::vector<std::unique_ptr<RuleItem>> rule_items();
  void misplaced();
  void property(RuleItem& out, RuleItem::Kind kind);

  std::vector<OpenBlock> open_;
  std::uint32_t depth_ = 0;
  std::uint32_t tallest_ = 0;  // height of the tallest expression since with_parts began
};

// Reads what stands between a block's keyword and its body, up to `closing`. Whatever goes wrong there is reported and
// skipped, and the body is read all the same.
template <class Parse>
void Grammar::header(TokenKind closing, Parse parse) {
  try {
    parse();
  } catch (const Recovery&) {
    skip_past(closing);
    return;
  }
  expect_softly(closing);
}

}  // namespace fathom::murphi
