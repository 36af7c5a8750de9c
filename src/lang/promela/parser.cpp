#include <fmt/format.h>

#include <algorithm>

#include "lang/promela/check.hpp"
#include "lang/promela/expressions.hpp"
#include "lang/promela/grammar.hpp"
#include "lang/promela/parse.hpp"

namespace fathom::promela {

using enum TokenKind;

std::unique_ptr<ParsedModel> parse(Sources& sources, FileId file, const Options& options, Diagnostics& diagnostics) {
  auto model = std::make_unique<ParsedModel>();
  auto tokens = preprocess(sources, file, options, model->origins, diagnostics);
  // Text with this many bad characters is no model; what the grammar says of the rest would not help.
  if (diagnostics.errors() >= Diagnostics::limit) return nullptr;
  Grammar(std::move(tokens), *model, diagnostics).model();
  if (!diagnostics.failed()) check(*model, diagnostics);
  return diagnostics.failed() ? nullptr : std::move(model);
}

const Process* ParsedModel::find_proctype(std::string_view name) const {
  const auto found = std::ranges::find_if(processes, [&](const auto& process) {
    return process->kind == Process::Kind::proctype && process->name == name;
  });
  return found == processes.end() ? nullptr : found->get();
}

Grammar::Nesting::Nesting(Grammar& grammar) : grammar_(grammar) {
  if (grammar_.depth_ == max_depth) grammar_.abandon("F017", "this is nested too deeply");
  ++grammar_.depth_;
}

Grammar::InProcess::InProcess(Grammar& grammar, Process& process) : grammar_(grammar) {
  grammar_.process_ = &process;
  grammar_.names_.open(0);
  grammar_.next_block_ = 1;
}

Grammar::InProcess::~InProcess() {
  grammar_.process_ = nullptr;
  grammar_.names_.close();
}

void Grammar::forget_since(const Unresolved& before) {
  jumps_.resize(std::min(jumps_.size(), before.jumps));
  runs_.resize(before.runs);
  remotes_.resize(before.remotes);
}

void Grammar::model() {
  while (!at_end_of_file()) {
    const std::size_t before = index();
    const Unresolved known = unresolved();
    try {
      unit();
    } catch (const Recovery&) {
      damaged_ = true;
      forget_since(known);
      if (index() == before) advance();
      skip_to_next_unit();
    }
  }
  parse_pending_ltl();
  resolve_runs();
  resolve_remotes();
  if (!diagnostics_.failed()) require_processes();
}

void Grammar::unit() {
  switch (peek().kind) {
    case semicolon:
    case arrow:
      advance();
      return;
    case kw_active:
    case kw_proctype:
    case kw_d_proctype:
      return proctype();
    case kw_init:
      return init();
    case kw_never:
      return never();
    case kw_trace:
    case kw_notrace:
      return events();
    case kw_ltl:
      return ltl_block();
    case kw_typedef:
      return typedef_declaration();
    case kw_inline:
      return inline_definition();
    case kw_c_code:
    case kw_c_decl:
    case kw_c_state:
    case kw_c_track:
      return embedded_unit();
    case right_brace:
      fail("F013", "this `}` closes nothing");
    default:
      break;
  }
  if (at_declaration()) return global_declaration();
  const std::string help =
      at(identifier)
          ? did_you_mean(peek().text, {"active", "proctype", "init", "never", "typedef", "inline", "ltl", "mtype",
                                       "chan", "byte", "bool", "bit", "int", "short", "hidden", "unsigned"})
          : std::string{};
  fail_expecting("a declaration or a process", help);
}

// Units start with a keyword of their own; braces are kept in balance on the way.
void Grammar::skip_to_next_unit() {
  int depth = 0;
  while (!at_end_of_file()) {
    const bool starts_unit = at_any({kw_active, kw_proctype, kw_d_proctype, kw_init, kw_never, kw_typedef, kw_inline,
                                     kw_ltl, kw_trace, kw_notrace});
    if (starts_unit || (depth <= 0 && at_declaration() && peek().newline_before)) return;
    if (at(left_brace)) ++depth;
    if (at(right_brace)) --depth;
    advance();
  }
}

Grammar::Name Grammar::name(const std::string& what) {
  if (!at(identifier)) fail_expecting(what);
  const Token& token = advance();
  return {token.text, token.range, token.origin};
}

Process& Grammar::new_process(Process::Kind kind, Name name) {
  auto process = std::make_unique<Process>();
  process->kind = kind;
  process->name = std::move(name.text);
  process->name_range = process->range = name.range;
  model_.processes.push_back(std::move(process));
  return *model_.processes.back();
}

void Grammar::proctype() {
  const std::size_t first = index();
  const bool initially = accept(kw_active);
  const std::uint32_t count = initially ? instances() : 0;
  const bool deterministic = at(kw_d_proctype);
  if (!accept(kw_proctype) && !accept(kw_d_proctype)) fail_expecting("`proctype`");
  const Name called = name();
  if (const auto other = names_.proctypes.find(called.text); other != names_.proctypes.end()) {
    report("F430", called.range, fmt::format("proctype `{}` is defined twice", called.text), called.origin)
        .notes.push_back({other->second->name_range, "the other definition"});
  } else {
    check_free_of_variables(called);
  }
  Process& process = new_process(Process::Kind::proctype, called);
  process.active = count;
  process.deterministic = deterministic;
  names_.proctypes.emplace(called.text, &process);
  const InProcess inside(*this, process);
  parameters(process);
  optional_priority(process);
  if (accept(kw_provided)) {
    expect(left_paren);
    process.provided = expression();
    expect(right_paren);
  }
  process_body(process);
  process.range = range_from(first);
}

std::uint32_t Grammar::instances() {
  if (!accept(left_bracket)) return 1;
  const SourceRange at = here();
  const auto count = constant("the number of processes");
  expect(right_bracket);
  if (count && (*count < 0 || *count > 255))
    report("F446", at, fmt::format("there can be at most 255 processes, not {}", *count), OriginId{});
  return static_cast<std::uint32_t>(std::clamp(count.value_or(1), 0, 255));
}

void Grammar::init() {
  const std::size_t first = index();
  const Token keyword = advance();
  Process& process = new_process(Process::Kind::init, {"init", keyword.range, keyword.origin});
  process.active = 1;
  const InProcess inside(*this, process);
  optional_priority(process);
  process_body(process);
  process.range = range_from(first);
}

void Grammar::never() {
  const std::size_t first = index();
  const Token keyword = advance();
  Name called{fmt::format("never_{}", unnamed_claims_++), keyword.range, keyword.origin};
  if (at(identifier)) called = name();
  for (const auto& other : model_.processes)
    if (other->kind == Process::Kind::never && other->name == called.text)
      report("F430", called.range, fmt::format("never claim `{}` is defined twice", called.text), called.origin)
          .notes.push_back({other->name_range, "the other definition"});
  Process& process = new_process(Process::Kind::never, called);
  const InProcess inside(*this, process);
  process_body(process);
  process.range = range_from(first);
}

void Grammar::events() {
  const std::size_t first = index();
  const Token keyword = advance();
  const auto kind = keyword.kind == kw_trace ? Process::Kind::trace : Process::Kind::notrace;
  for (const auto& other : model_.processes)
    if (other->kind == Process::Kind::trace || other->kind == Process::Kind::notrace)
      report("F430", keyword.range, "a model can have only one trace or notrace", keyword.origin)
          .notes.push_back({other->name_range, "the other one"});
  Process& process = new_process(kind, {keyword.text, keyword.range, keyword.origin});
  const InProcess inside(*this, process);
  process_body(process);
  process.range = range_from(first);
}

void Grammar::process_body(Process& process) {
  const SourceRange opening = here();
  expect(left_brace);
  const LineBreaks breaks(*this, true);
  leading_ = true;
  recovered_ = false;
  step_ = 0;
  loops_.clear();
  calls_.clear();
  jumps_.clear();
  label_steps_.clear();
  const Open open(*this, right_brace);
  sequence(process.body);
  process.closing = here();
  close(right_brace, "{", opening);
  resolve_labels(process);
}

void Grammar::optional_priority(Process& process) {
  if (!at(kw_priority)) return;
  process.has_priority = true;
  process.priority = priority();
}

std::int32_t Grammar::priority() {
  advance();
  const SourceRange at = here();
  const auto value = constant("a priority");
  if (value && (*value < 1 || *value > 255))
    report("F446", at, fmt::format("a priority is between 1 and 255, not {}", *value), OriginId{});
  return value.value_or(1);
}

// Formulas may name anything in the model, so they are read when the rest is known.
void Grammar::ltl_block() {
  const std::size_t first = index();
  const Token keyword = advance();
  PendingLtl pending;
  pending.property.named = at(identifier);
  pending.property.name = pending.property.named ? advance().text : fmt::format("ltl_{}", unnamed_formulas_++);
  for (const PendingLtl& other : pending_ltl_)
    if (other.property.name == pending.property.name)
      report("F430", keyword.range, fmt::format("ltl formula `{}` is defined twice", pending.property.name),
             keyword.origin)
          .notes.push_back({other.property.range, "the other definition"});
  pending.tokens = braced_tokens("the formula");
  pending.property.range = range_from(first);
  pending_ltl_.push_back(std::move(pending));
}

// From `{` to the matching `}`, both included, and an end_of_file behind them.
std::vector<Token> Grammar::braced_tokens(const std::string& of_what) {
  const SourceRange opening = here();
  if (!at(left_brace)) fail_expecting(fmt::format("`{{` before {}", of_what));
  std::vector<Token> tokens;
  int depth = 0;
  do {
    if (at_end_of_file()) {
      report("F012", "expected `}`, found the end of the file")
          .notes.push_back({opening, fmt::format("the `{{` of {} that is still open", of_what)});
      throw Recovery{};
    }
    depth += at(left_brace) ? 1 : at(right_brace) ? -1 : 0;
    tokens.push_back(advance());
  } while (depth > 0);
  Token end = tokens.back();
  end.kind = end_of_file;
  end.text.clear();
  tokens.push_back(end);
  return tokens;
}

CCode Grammar::c_code() {
  CCode code;
  if (at(embedded_condition)) {
    const Token& condition = advance();
    code.condition = condition.text;
    code.condition_range = condition.range;
    code.definitions = condition.definitions;
  }
  const Token& body = expect(embedded_c);
  code.text = body.text;
  code.range = body.range;
  code.definitions += body.definitions;
  return code;
}

void Grammar::embedded_unit() {
  const std::size_t first = index();
  const TokenKind kind = advance().kind;
  EmbeddedC unit;
  if (kind == kw_c_code || kind == kw_c_decl) {
    unit.kind = kind == kw_c_code ? EmbeddedC::Kind::code : EmbeddedC::Kind::declarations;
    unit.code = c_code();
  } else {
    unit.kind = kind == kw_c_state ? EmbeddedC::Kind::state : EmbeddedC::Kind::track;
    unit.texts.push_back(expect(string).text);
    unit.texts.push_back(expect(string).text);
    if (at(string)) unit.texts.push_back(advance().text);
  }
  unit.range = range_from(first);
  model_.embedded.push_back(std::move(unit));
}

void Grammar::inline_definition() {
  advance();
  const Name called = name();
  Inline definition;
  definition.name = called.text;
  definition.range = called.range;
  if (const auto other = names_.inlines.find(called.text); other != names_.inlines.end()) {
    report("F430", called.range, fmt::format("inline `{}` is defined twice", called.text), called.origin)
        .notes.push_back({other->second.range, "the other definition"});
  } else {
    check_free_of_variables(called);
  }
  expect(left_paren);
  while (!at(right_paren)) {
    definition.parameters.push_back(name("a parameter").text);
    if (!accept(comma) && !at(right_paren)) fail_expecting("`,` or `)`");
  }
  advance();
  definition.body = braced_tokens(fmt::format("inline `{}`", called.text));
  names_.inlines.insert_or_assign(called.text, std::move(definition));
}

void Grammar::require_processes() {
  const auto runs = [](const auto& process) { return process->active > 0; };
  if (std::ranges::any_of(model_.processes, runs)) return;
  const bool has_proctype = !model_.processes.empty();
  auto& error = report("F470", has_proctype ? model_.processes.front()->name_range : SourceRange{here()},
                       "the model has no process that runs at the start", OriginId{});
  error.help = "write `active proctype` or add an `init`";
}

}  // namespace fathom::promela
