#include <fmt/format.h>

#include "ir/print.hpp"

namespace fathom::ir {

namespace {

std::string print(const Place& place);

std::string print(const Call& call) {
  std::string arguments;
  for (const Argument& argument : call.arguments) {
    if (!arguments.empty()) arguments += ", ";
    arguments += argument.value != nullptr ? ir::print(*argument.value) : print(*argument.place);
  }
  return fmt::format("{}({})", call.callee->name, arguments);
}

std::string print(const PathStep& step) {
  switch (step.kind) {
    case PathStep::Kind::field:
      return "." + step.container->fields[step.field].name;
    case PathStep::Kind::index:
      return fmt::format("[{}]", ir::print(*step.index));
    case PathStep::Kind::slot:
      return fmt::format("{{{}}}", ir::print(*step.index));
  }
  return "";
}

std::string print(const Place& place) {
  std::string text;
  if (place.variable != nullptr) {
    text = place.variable->name;
  } else if (place.call != nullptr) {
    text = ir::print(*place.call);
  } else {
    text = place.local->name;
  }
  for (const PathStep& step : place.path) text += print(step);
  return text;
}

std::string print(const Domain& domain) {
  if (domain.type != nullptr) return type_name(*domain.type);
  const std::string step = domain.step == nullptr ? "" : " by " + ir::print(*domain.step);
  return fmt::format("{} to {}{}", ir::print(*domain.from), ir::print(*domain.to), step);
}

std::string print(const Binding& binding) {
  return fmt::format("{}: {}", binding.local->name, print(binding.domain));
}

const char* infix(Expr::Kind kind) {
  switch (kind) {
    case Expr::Kind::add:
      return "+";
    case Expr::Kind::subtract:
      return "-";
    case Expr::Kind::multiply:
      return "*";
    case Expr::Kind::divide:
      return "/";
    case Expr::Kind::modulo:
      return "%";
    case Expr::Kind::shift_left:
      return "<<";
    case Expr::Kind::shift_right:
      return ">>";
    case Expr::Kind::bit_and:
      return "bitand";
    case Expr::Kind::bit_or:
      return "bitor";
    case Expr::Kind::bit_xor:
      return "xor";
    case Expr::Kind::equal:
    case Expr::Kind::same:
      return "=";
    case Expr::Kind::not_equal:
    case Expr::Kind::different:
      return "!=";
    case Expr::Kind::less:
      return "<";
    case Expr::Kind::less_equal:
      return "<=";
    case Expr::Kind::greater:
      return ">";
    case Expr::Kind::greater_equal:
      return ">=";
    case Expr::Kind::logical_and:
      return "&";
    case Expr::Kind::logical_or:
      return "|";
    case Expr::Kind::implies:
      return "->";
    default:
      return "";
  }
}

class StatementPrinter {
 public:
  explicit StatementPrinter(const Program& program) : program_(program) {}

  void print_block(const Block& block, std::size_t indent) {
    for (const Stmt* stmt : block) print_statement(*stmt, indent);
  }

  std::string text;

 private:
  void line(std::size_t indent, const std::string& words) { text += std::string(indent, ' ') + words + "\n"; }

  void print_statement(const Stmt& stmt, std::size_t indent) {
    switch (stmt.kind) {
      case Stmt::Kind::branch:
        return print_branches(stmt, indent);
      case Stmt::Kind::loop_while:
        return print_loop("while " + ir::print(*stmt.value), stmt.body, indent);
      case Stmt::Kind::loop_for:
        return print_loop("for " + print(*stmt.binding), stmt.body, indent);
      default:
        line(indent, simple(stmt));
    }
  }

  void print_loop(const std::string& head, const Block& body, std::size_t indent) {
    line(indent, head + " do");
    print_block(body, indent + 2);
    line(indent, "end");
  }

  void print_branches(const Stmt& stmt, std::size_t indent) {
    const char* word = "if";
    for (const Branch& branch : stmt.branches) {
      line(indent,
           branch.condition == nullptr ? "else" : fmt::format("{} {} then", word, ir::print(*branch.condition)));
      print_block(branch.body, indent + 2);
      word = "elsif";
    }
    line(indent, "end");
  }

  [[nodiscard]] std::string source(const Stmt& stmt) const {
    return stmt.value != nullptr ? ir::print(*stmt.value) : stmt.source != nullptr ? print(*stmt.source) : "";
  }

  [[nodiscard]] std::string simple(const Stmt& stmt) const {
    switch (stmt.kind) {
      case Stmt::Kind::assign:
      case Stmt::Kind::copy:
        return fmt::format("{} := {}", print(*stmt.place), source(stmt));
      case Stmt::Kind::undefine:
        return "undefine " + print(*stmt.place);
      case Stmt::Kind::clear:
        return "clear " + print(*stmt.place);
      case Stmt::Kind::call:
        return print(*stmt.call);
      case Stmt::Kind::give_back:
        return "return " + source(stmt);
      case Stmt::Kind::fail:
        return fmt::format("error \"{}\"", program_.site(stmt.site).text);
      case Stmt::Kind::check:
        return fmt::format("assert {} \"{}\"", ir::print(*stmt.value), program_.site(stmt.site).text);
      case Stmt::Kind::check_and_go_on:
        return fmt::format("note unless {} \"{}\"", ir::print(*stmt.value), program_.site(stmt.site).text);
      case Stmt::Kind::assume:
        return "assume " + ir::print(*stmt.value);
      case Stmt::Kind::cover:
        return fmt::format("cover {} (property {})", ir::print(*stmt.value), stmt.property);
      case Stmt::Kind::put_text:
        return fmt::format("put \"{}\"", stmt.text);
      case Stmt::Kind::put_value:
        return "put " + (stmt.value != nullptr ? ir::print(*stmt.value) : print(*stmt.place));
      case Stmt::Kind::bind:
        return fmt::format("alias {}: {}", stmt.local->name, print(*stmt.place));
      case Stmt::Kind::multiset_add:
        return fmt::format("add {} to {}", source(stmt), print(*stmt.place));
      case Stmt::Kind::multiset_remove:
        return fmt::format("remove slot {} of {}", ir::print(*stmt.value), print(*stmt.place));
      case Stmt::Kind::multiset_remove_if:
        return fmt::format("remove {} of {} if {}", stmt.binding->local->name, print(*stmt.place),
                           ir::print(*stmt.value));
      case Stmt::Kind::branch:
      case Stmt::Kind::loop_while:
      case Stmt::Kind::loop_for:
        break;
    }
    return "";
  }

  const Program& program_;
};

}  // namespace

std::string print(const Expr& expr) {
  switch (expr.kind) {
    case Expr::Kind::constant:
      return show(*expr.type, expr.value);
    case Expr::Kind::read:
    case Expr::Kind::read_or_undefined:
      return print(*expr.place);
    case Expr::Kind::undefined_value:
      return "undefined";
    case Expr::Kind::is_undefined:
      return fmt::format("isundefined({})", print(*expr.place));
    case Expr::Kind::same:
    case Expr::Kind::different:
      return fmt::format("({} {} {})", print(*expr.place), infix(expr.kind), print(*expr.other));
    case Expr::Kind::negate:
      return "-" + print(*expr.a);
    case Expr::Kind::complement:
      return "~" + print(*expr.a);
    case Expr::Kind::logical_not:
      return "!" + print(*expr.a);
    case Expr::Kind::conditional:
      return fmt::format("({} ? {} : {})", print(*expr.a), print(*expr.b), print(*expr.c));
    case Expr::Kind::for_all:
      return fmt::format("(forall {} do {})", print(*expr.binding), print(*expr.a));
    case Expr::Kind::exists:
      return fmt::format("(exists {} do {})", print(*expr.binding), print(*expr.a));
    case Expr::Kind::call:
      return print(*expr.call);
    case Expr::Kind::is_member:
      return fmt::format("ismember({}, {})", print(*expr.a), type_name(*expr.tested));
    case Expr::Kind::timeout:
      return "timeout";
    case Expr::Kind::slot_filled:
      return fmt::format("filled({}, {})", print(*expr.place), print(*expr.a));
    case Expr::Kind::multiset_count:
      return fmt::format("count({}: {}, {})", expr.binding->local->name, print(*expr.place), print(*expr.a));
    default:
      return fmt::format("({} {} {})", print(*expr.a), infix(expr.kind), print(*expr.b));
  }
}

std::string print(const Block& block, const Program& program, std::size_t indent) {
  StatementPrinter printer(program);
  printer.print_block(block, indent);
  return std::move(printer.text);
}

}  // namespace fathom::ir
