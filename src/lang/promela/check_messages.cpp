// How many fields messages have, and who claims a channel for itself. Spin rejects a message that has more fields than
// any channel of the model; that a message does not fit its own channel it does not say, so this is a warning.
#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "lang/promela/check.hpp"
#include "lang/promela/expressions.hpp"
#include "lang/promela/walk.hpp"

namespace fathom::promela {

namespace {

class MessageChecks {
 public:
  MessageChecks(const ParsedModel& model, Diagnostics& diagnostics) : model_(model), diagnostics_(diagnostics) {
    for (const auto& variable : model.globals) measure(*variable);
    for (const auto& type : model.typedefs)
      for (const auto& field : type->fields) measure(*field);
    for (const auto& process : model.processes)
      for (const auto& variable : process->variables) measure(*variable);
  }

  void message(const Expr& channel, const std::vector<ExprPtr>& arguments, SourceRange range, OriginId origin,
               const char* what) {
    const Variable& declared = declaration_of(channel);
    const bool polls = what == std::string_view("poll");  // often asks for the first field alone
    if (declared.name == "STDIN" && !declared.channel) return;
    if (what == std::string_view("send") && arguments.size() > longest_) {
      report(
          model_, diagnostics_, Severity::error, "F467", range, origin,
          fmt::format("this {} has {} fields, but no channel carries more than {}", what, arguments.size(), longest_));
      return;
    }
    if (!declared.channel) return;
    const std::size_t carried = declared.channel->slots.size();
    const bool fits = arguments.size() == carried || (polls && arguments.size() < carried);
    if (fits) return;
    report(model_, diagnostics_, Severity::warning, "F467", range, origin,
           fmt::format("this {} has {} field{}, but `{}` carries {}", what, arguments.size(),
                       arguments.size() == 1 ? "" : "s", declared.name, carried))
        .notes.push_back({declared.channel->range, "the messages of the channel"});
  }

  void statement(const Stmt& statement) {
    const bool sends = statement.kind == Stmt::Kind::send;
    if (sends || statement.kind == Stmt::Kind::receive)
      message(*statement.a, statement.arguments, statement.range, statement.origin, sends ? "send" : "receive");
    if (sends) no_runs(statement.arguments, "a message");
    for_each_expression(statement, [&](const Expr& part) {
      if (part.kind == Expr::Kind::poll) message(*part.a, part.arguments, part.range, part.origin, "poll");
      if (part.kind == Expr::Kind::run) no_runs(part.arguments, "the arguments of another `run`");
    });
  }

  void claim(const Process& process, const Stmt& statement) {
    auto& claims = statement.kind == Stmt::Kind::exclusive_receive ? receivers_ : senders_;
    for (const ExprPtr& channel : statement.arguments) {
      const auto [at, fresh] = claims.try_emplace(channel->variable, Claim{&process, channel->range});
      if (fresh || at->second.process == &process) continue;
      report(model_, diagnostics_, Severity::error, "F468", channel->range, channel->origin,
             fmt::format("`{}` and `{}` both claim channel `{}` for themselves", at->second.process->name, process.name,
                         channel->variable->name))
          .notes.push_back({at->second.range, "the other claim"});
    }
  }

 private:
  struct Claim {
    const Process* process;
    SourceRange range;
  };
  void measure(const Variable& variable) {
    if (variable.channel) longest_ = std::max(longest_, variable.channel->slots.size());
  }
  void no_runs(const std::vector<ExprPtr>& arguments, const char* where) {
    const auto refuse = [&](const Expr& part) {
      if (part.kind == Expr::Kind::run)
        report(model_, diagnostics_, Severity::error, "F462", part.range, part.origin,
               fmt::format("`run` cannot be part of {}", where))
            .help = "assign its result to a variable first";
    };
    for (const ExprPtr& argument : arguments) for_each_expression(*argument, refuse);
  }

  const ParsedModel& model_;
  Diagnostics& diagnostics_;
  std::size_t longest_ = 0;
  std::map<const Variable*, Claim> receivers_, senders_;
};

}  // namespace

void check_messages(const ParsedModel& model, Diagnostics& diagnostics) {
  MessageChecks checks(model, diagnostics);
  for (const auto& process : model.processes) {
    for_each_statement(process->body, [&](const Stmt& statement) {
      if (statement.kind == Stmt::Kind::exclusive_receive || statement.kind == Stmt::Kind::exclusive_send) {
        checks.claim(*process, statement);
      } else {
        checks.statement(statement);
      }
    });
  }
}

}  // namespace fathom::promela
