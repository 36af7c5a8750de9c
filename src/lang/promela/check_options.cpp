// `else`: one in an if or do, and only as the start of an option.
#include "lang/promela/check.hpp"
#include "lang/promela/walk.hpp"

namespace fathom::promela {

namespace {

const Stmt& first_of(const Stmt& statement) {
  const bool block = statement.kind == Stmt::Kind::block || statement.kind == Stmt::Kind::atomic ||
                     statement.kind == Stmt::Kind::deterministic;
  return block && !statement.body.empty() ? first_of(*statement.body.front()) : statement;
}

bool uses_channel(const Stmt& statement) {
  return statement.kind == Stmt::Kind::send || statement.kind == Stmt::Kind::receive ||
         (statement.a && statement.a->has_probe);
}

class OptionChecks {
 public:
  OptionChecks(const ParsedModel& model, Diagnostics& diagnostics) : model_(model), diagnostics_(diagnostics) {}

  void sequence(const Sequence& sequence, bool of_option) {
    for (const StmtPtr& statement : sequence) {
      const bool starts_option = of_option && statement == sequence.front();
      if (statement->kind == Stmt::Kind::otherwise && !starts_option)
        report(model_, diagnostics_, Severity::warning, "F471", statement->range, statement->origin,
               "this `else` starts no option of an if or do; it is always executable");
      if (!statement->options.empty()) options(*statement);
      for (const Sequence& option : statement->options) this->sequence(option, true);
      this->sequence(statement->body, starts_option);
      this->sequence(statement->escape, false);
    }
  }

 private:
  void options(const Stmt& statement) {
    const Stmt* otherwise = nullptr;
    bool channels = false;
    for (const Sequence& option : statement.options) {
      if (option.empty()) continue;
      channels |= uses_channel(first_of(*option.front()));
      if (option.front()->kind != Stmt::Kind::otherwise) continue;
      if (otherwise != nullptr)
        report(model_, diagnostics_, Severity::error, "F472", option.front()->range, option.front()->origin,
               "there can be only one `else`")
            .notes.push_back({otherwise->range, "the other one"});
      otherwise = option.front().get();
    }
    if (otherwise != nullptr && channels)
      report(model_, diagnostics_, Severity::warning, "F473", otherwise->range, otherwise->origin,
             "dubious use of `else` beside sends or receives");
  }

  const ParsedModel& model_;
  Diagnostics& diagnostics_;
};

}  // namespace

void check_options(const ParsedModel& model, Diagnostics& diagnostics) {
  for (const auto& process : model.processes) OptionChecks(model, diagnostics).sequence(process->body, false);
}

}  // namespace fathom::promela
