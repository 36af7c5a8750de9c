#include "lang/promela/spin_numbers.hpp"

#include <algorithm>

#include "lang/promela/print.hpp"

namespace fathom::promela {

namespace {

class Numbering {
 public:
  ir::NumberedStatements run(const ParsedModel& model) {
    for (const auto& process : model.processes) {
      process_ = process->name;
      sequence(process->body);
      add("-end-", process->closing);
    }
    return std::move(result_);
  }

 private:
  void sequence(const Sequence& statements) {
    for (const StmtPtr& each : statements) statement(*each);
  }

  void statement(const Stmt& syntax) {
    const std::size_t first = result_.size();
    inside(syntax);
    itself(syntax, first, result_.size());
  }

  // The sequences in a statement are numbered when they are read, before anything that comes behind them.
  void inside(const Stmt& syntax) {
    for (const Sequence& option : syntax.options) sequence(option);
    if (syntax.kind == Stmt::Kind::atomic || syntax.kind == Stmt::Kind::deterministic) sequence(syntax.body);
  }

  // What was found inside lies between `first` and `end`.
  void itself(const Stmt& syntax, std::size_t first, std::size_t end) {
    switch (syntax.kind) {
      case Stmt::Kind::choice:
        return end_of(syntax, 2);
      case Stmt::Kind::repetition:
        return end_of(syntax, 3);
      case Stmt::Kind::block:
        sequence(syntax.body);
        [[fallthrough]];
      case Stmt::Kind::atomic:
        return skip(1);
      case Stmt::Kind::deterministic:
        for (std::size_t k = first; k < end; ++k) result_[k].number = next_;
        return skip(1);
      case Stmt::Kind::for_range:
      case Stmt::Kind::for_each:
        return loop(syntax);
      case Stmt::Kind::select:
        return select(syntax);
      case Stmt::Kind::unless:
        return unless(syntax);
      case Stmt::Kind::declaration:
        for (const Variable* variable : syntax.variables)
          if (!variable->channel) add("", syntax.range);
        return;
      case Stmt::Kind::exclusive_receive:
      case Stmt::Kind::exclusive_send:
        return;
      case Stmt::Kind::jump:
      case Stmt::Kind::leave:
        if (has_special_label(syntax)) skip(1);
        if (syntax.kind == Stmt::Kind::leave) open_breaks_.push_back({syntax.source, syntax.range});
        add(syntax.source, syntax.range);
        return;
      default:
        add(syntax.source, syntax.range);
    }
  }

  static bool has_special_label(const Stmt& syntax) {
    return std::ranges::any_of(syntax.labels, [](const Label* label) {
      return label->is_end() || label->is_progress() || label->is_accept();
    });
  }

  // The nodes of a construct; all but the first are where it ends.
  void end_of(const Stmt& syntax, std::uint32_t own) {
    skip(1);
    for (std::uint32_t k = 1; k < own; ++k) add_end(syntax);
    if (own == 3) close_breaks(syntax);
  }

  // A break that leaves an atomic can be executed where the loop ends.
  void close_breaks(const Stmt& loop) {
    const auto is_inside = [&](const Break& each) {
      return each.range.file == loop.range.file && each.range.begin >= loop.range.begin &&
             each.range.end <= loop.range.end;
    };
    for (const Break& each : open_breaks_)
      if (is_inside(each))
        for (const std::uint32_t number : {next_ - 2, next_ - 1})
          result_.push_back({process_, each.text, each.range, number});
    std::erase_if(open_breaks_, is_inside);
  }

  void add_end(const Stmt& syntax) {
    add("end of " + syntax.source, {syntax.range.file, syntax.range.end, syntax.range.end});
  }

  // variable = from; do :: test; BODY; variable++ :: else; break od. Over the messages of a channel each round begins
  // with a receive and a send.
  void loop(const Stmt& syntax) {
    const bool over_channel = syntax.kind == Stmt::Kind::for_each && syntax.a->type.is(Type::Kind::user);
    for (int k = 0; k < (over_channel ? 4 : 2); ++k) add("", syntax.range);
    sequence(syntax.body);
    add("", syntax.range);  // ++
    add("", syntax.range);  // else
    skip(1);                // break
    end_of(syntax, 3);
  }

  void select(const Stmt& syntax) {
    const std::int64_t from = syntax.b->value, to = syntax.c->value;
    if (syntax.b->is_constant() && syntax.c->is_constant() && to - from < largest_unrolled) {
      for (std::int64_t value = from; value <= to; ++value)
        add(print(*syntax.a) + " = " + std::to_string(value), syntax.a->range);
      return end_of(syntax, 2);
    }
    for (int k = 0; k < 3; ++k) add("", syntax.range);
    add_end(syntax);  // break
    end_of(syntax, 3);
  }

  // What is no block becomes a sequence of its own when the whole is read, the escape first.
  void unless(const Stmt& syntax) {
    const auto is_block = [](const Sequence& part) {
      return part.size() == 1 && part.front()->kind == Stmt::Kind::block && part.front()->inline_name.empty();
    };
    const std::size_t first = result_.size();
    const auto read = [&](const Sequence& part) {
      if (is_block(part)) return sequence(part.front()->body);
      for (const StmtPtr& each : part) inside(*each);
    };
    const auto join = [&](const Sequence& part, std::size_t begin, std::size_t end) {
      if (is_block(part)) return;
      for (const StmtPtr& each : part) itself(*each, begin, end);
    };
    read(syntax.body);
    const std::size_t middle = result_.size();
    read(syntax.escape);
    const std::size_t last = result_.size();
    join(syntax.escape, middle, last);
    join(syntax.body, first, middle);
    end_of(syntax, 2);
  }

  void add(const std::string& text, SourceRange range) { result_.push_back({process_, text, range, next_++}); }
  void skip(std::uint32_t nodes) { next_ += nodes; }

  struct Break {
    std::string text;
    SourceRange range;
  };

  std::string process_;
  std::uint32_t next_ = 0;
  std::vector<Break> open_breaks_;  // those whose loop is not read to its end
  ir::NumberedStatements result_;
};

}  // namespace

ir::NumberedStatements spin_numbers(const ParsedModel& model) {
  return Numbering().run(model);
}

}  // namespace fathom::promela
