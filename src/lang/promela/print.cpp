#include "lang/promela/print.hpp"

#include <fmt/format.h>

#include "lang/promela/expressions.hpp"
#include "lang/promela/operators.hpp"
#include "lang/promela/token.hpp"

namespace fathom::promela {

namespace {

using Kind = Expr::Kind;

std::string sign_of(TokenKind sign) {
  for (const Spelling& candidate : signs())
    if (candidate.kind == sign) return std::string(candidate.text);
  return "?";
}

std::string list(const std::vector<ExprPtr>& expressions) {
  std::string text;
  for (const ExprPtr& expression : expressions) text += (text.empty() ? "" : ", ") + print(*expression);
  return text;
}

std::string embedded(const CCode& code) {
  return (code.condition.empty() ? "" : fmt::format("[{}] ", code.condition)) + fmt::format("{{{}}}", code.text);
}

std::string index_of(const ExprPtr& expression) {
  return expression ? fmt::format("[{}]", print(*expression)) : "";
}

class Printer {
 public:
  explicit Printer(const ParsedModel& model) : model_(model) {}

  std::string run() {
    for (const auto& set : model_.mtypes) mtype(*set);
    for (const auto& type : model_.typedefs) {
      line(fmt::format("typedef {} {{", type->name));
      ++indent_;
      for (const auto& field : type->fields) line(declaration(*field));
      --indent_;
      line("}");
    }
    for (const auto& variable : model_.globals) line(declaration(*variable));
    for (const auto& process : model_.processes) this->process(*process);
    for (const LtlProperty& property : model_.properties)
      line(fmt::format("ltl {} {{ {} }}", property.name, print(*property.formula)));
    return std::move(out_);
  }

 private:
  void line(const std::string& text) { out_ += std::string(2 * indent_, ' ') + text + "\n"; }

  void mtype(const MtypeSet& set) {
    std::string names;
    for (const auto& constant : set.constants) names += fmt::format(" {}={}", constant->name, constant->value);
    line(fmt::format("mtype{}{} {{{} }}", set.name.empty() ? "" : ":", set.name, names));
  }

  static std::string declaration(const Variable& variable) {
    std::string text = fmt::format("{} {}", to_string(variable.type), variable.name);
    if (variable.is_array) text += fmt::format("[{}]", variable.length);
    if (variable.block != 0) text += fmt::format("#{}", variable.block);
    if (variable.value) text += " = " + print(*variable.value);
    if (!variable.values.empty()) text += fmt::format(" = {{ {} }}", list(variable.values));
    if (!variable.channel) return text;
    text += fmt::format(" = [{}] of {{", variable.channel->capacity);
    for (const Type& field : variable.channel->fields) text += " " + to_string(field);
    return text + " }";
  }

  void process(const Process& process) {
    std::string parameters;
    for (const Variable* parameter : process.parameters)
      parameters += (parameters.empty() ? "" : "; ") + declaration(*parameter);
    line(fmt::format("process {}({}) active {}", process.name, parameters, process.active));
    ++indent_;
    if (process.provided) line("provided " + print(*process.provided));
    for (const auto& variable : process.variables)
      if (variable->leading) line(declaration(*variable));
    sequence(process.body);
    --indent_;
  }

  void sequence(const Sequence& sequence) {
    for (const StmtPtr& statement : sequence) this->statement(*statement);
  }

  void nested(const std::string& head, const Sequence& body) {
    line(head + " {");
    ++indent_;
    sequence(body);
    --indent_;
    line("}");
  }

  void statement(const Stmt& statement);
  static std::string simple(const Stmt& statement);

  const ParsedModel& model_;
  std::string out_;
  std::size_t indent_ = 0;
};

void Printer::statement(const Stmt& statement) {
  for (const Label* label : statement.labels) line(label->name + ":");
  switch (statement.kind) {
    case Stmt::Kind::choice:
    case Stmt::Kind::repetition:
      line(statement.kind == Stmt::Kind::choice ? "if" : "do");
      for (const Sequence& option : statement.options) nested("::", option);
      return;
    case Stmt::Kind::for_range:
      return nested(fmt::format("for {} : {} .. {}", print(*statement.a), print(*statement.b), print(*statement.c)),
                    statement.body);
    case Stmt::Kind::for_each:
      return nested(fmt::format("for {} in {}", print(*statement.a), print(*statement.b)), statement.body);
    case Stmt::Kind::atomic:
      return nested("atomic", statement.body);
    case Stmt::Kind::deterministic:
      return nested("d_step", statement.body);
    case Stmt::Kind::block:
      return nested(statement.inline_name.empty() ? "block" : "inline " + statement.inline_name, statement.body);
    case Stmt::Kind::unless:
      nested("unless", statement.body);
      return nested("escape", statement.escape);
    case Stmt::Kind::declaration:
      for (const Variable* variable : statement.variables) line("declare " + declaration(*variable));
      return;
    default:
      line(simple(statement));
  }
}

std::string Printer::simple(const Stmt& statement) {
  const std::string a = statement.a ? print(*statement.a) : "";
  const std::string b = statement.b ? print(*statement.b) : "";
  switch (statement.kind) {
    case Stmt::Kind::expression:
      return a;
    case Stmt::Kind::assign:
      return fmt::format("{} = {}", a, b);
    case Stmt::Kind::increment:
      return a + "++";
    case Stmt::Kind::decrement:
      return a + "--";
    case Stmt::Kind::send:
      return fmt::format("{}{}{}", a, statement.sorted ? "!!" : "!", list(statement.arguments));
    case Stmt::Kind::receive:
      return fmt::format("{}{}{}{}{}", a, statement.random ? "??" : "?", statement.copy ? "<" : "",
                         list(statement.arguments), statement.copy ? ">" : "");
    case Stmt::Kind::assertion:
      return "assert " + a;
    case Stmt::Kind::print:
      return fmt::format("printf(\"{}\"{}{})", statement.text, statement.arguments.empty() ? "" : ", ",
                         list(statement.arguments));
    case Stmt::Kind::print_mtype:
      return fmt::format("printm({})", a);
    case Stmt::Kind::set_priority:
      return fmt::format("set_priority({}, {})", a, b);
    case Stmt::Kind::jump:
      return "goto " + statement.label_name;
    case Stmt::Kind::leave:
      return "break";
    case Stmt::Kind::otherwise:
      return "else";
    case Stmt::Kind::select:
      return fmt::format("select {} : {} .. {}", a, b, print(*statement.c));
    case Stmt::Kind::exclusive_receive:
      return "xr " + list(statement.arguments);
    case Stmt::Kind::exclusive_send:
      return "xs " + list(statement.arguments);
    case Stmt::Kind::embedded_c:
      return fmt::format("c_code {}", embedded(*statement.code));
    default:
      return statement.source;
  }
}

std::string print_call(const Expr& expression) {
  const char* name = "";
  switch (expression.kind) {
    case Kind::length:
      name = "len";
      break;
    case Kind::full:
      name = "full";
      break;
    case Kind::empty:
      name = "empty";
      break;
    case Kind::not_full:
      name = "nfull";
      break;
    case Kind::not_empty:
      name = "nempty";
      break;
    case Kind::get_priority:
      name = "get_priority";
      break;
    case Kind::enabled:
      name = "enabled";
      break;
    case Kind::pc_value:
      name = "pc_value";
      break;
    default:
      name = "eval";
  }
  return fmt::format("{}({})", name, print(*expression.a));
}

}  // namespace

std::string print(const ParsedModel& model) {
  return Printer(model).run();
}

std::string print(const Expr& expression) {
  if (const BinaryOperator* const sign = binary_operator(expression.kind))
    return fmt::format("({} {} {})", print(*expression.a), sign_of(sign->sign), print(*expression.b));
  switch (expression.kind) {
    case Kind::number:
      return std::to_string(expression.value);
    case Kind::mtype_constant:
      return expression.constant->name;
    case Kind::variable:
      return expression.variable->name +
             (expression.variable->block != 0 ? fmt::format("#{}", expression.variable->block) : "");
    case Kind::element:
      return print(*expression.a) + index_of(expression.b);
    case Kind::field:
      return fmt::format("{}.{}", print(*expression.a), expression.variable->name);
    case Kind::wildcard:
      return "_";
    case Kind::pid:
      return "_pid";
    case Kind::process_count:
      return "_nr_pr";
    case Kind::last:
      return "_last";
    case Kind::own_priority:
      return "_priority";
    case Kind::negate:
      return "-" + print(*expression.a);
    case Kind::logical_not:
      return "!" + print(*expression.a);
    case Kind::complement:
      return "~" + print(*expression.a);
    case Kind::conditional:
      return fmt::format("({} -> {} : {})", print(*expression.a), print(*expression.b), print(*expression.c));
    case Kind::run:
      return fmt::format("run {}({})", expression.text, list(expression.arguments));
    case Kind::poll:
      return fmt::format("{}{}[{}]", print(*expression.a), expression.random ? "??" : "?", list(expression.arguments));
    case Kind::timeout:
      return "timeout";
    case Kind::non_progress:
      return "np_";
    case Kind::remote_label:
      return fmt::format("{}{}@{}", expression.process->name, index_of(expression.a), expression.text);
    case Kind::remote_variable:
      return fmt::format("{}{}:{}{}", expression.process->name, index_of(expression.a), expression.text,
                         index_of(expression.b));
    case Kind::embedded_c:
      return fmt::format("c_expr {}", embedded(*expression.code));
    default:
      return print_call(expression);
  }
}

std::string print(const Ltl& formula) {
  const auto unary = [&](const char* sign) { return fmt::format("{} {}", sign, print(*formula.a)); };
  const auto binary = [&](const char* sign) {
    return fmt::format("({} {} {})", print(*formula.a), sign, print(*formula.b));
  };
  switch (formula.kind) {
    case Ltl::Kind::atom:
      return print(*formula.expression);
    case Ltl::Kind::negation:
      return unary("!");
    case Ltl::Kind::next:
      return unary("X");
    case Ltl::Kind::always:
      return unary("[]");
    case Ltl::Kind::eventually:
      return unary("<>");
    case Ltl::Kind::conjunction:
      return binary("&&");
    case Ltl::Kind::disjunction:
      return binary("||");
    case Ltl::Kind::implication:
      return binary("->");
    case Ltl::Kind::equivalence:
      return binary("<->");
    case Ltl::Kind::until:
      return binary("U");
    case Ltl::Kind::weak_until:
      return binary("W");
    case Ltl::Kind::release:
      return binary("V");
  }
  return {};
}

}  // namespace fathom::promela
