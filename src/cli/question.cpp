#include "cli/question.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "ir/layout.hpp"
#include "lang/murphi/load_question.hpp"
#include "model/evaluate.hpp"
#include "state/leaves.hpp"

namespace fathom {

namespace {

// What traces show under a name: a leaf, or all leaves of an array, record, channel or process.
class LeafQuestion final : public Question {
 public:
  LeafQuestion(std::string text, const ir::Program& program) : Question(std::move(text)) {
    const Leaves leaves(program);
    for (const Leaf& leaf : leaves.all())
      if (is_below(leaf.name)) leaves_.push_back(leaf);
  }
  [[nodiscard]] bool found() const { return !leaves_.empty(); }

  std::string answer(StateView state) override {
    std::string lines;
    for (const Leaf& leaf : leaves_)
      if (const auto value = Leaves::show(leaf, state)) lines += fmt::format("{}: {}\n", leaf.name, *value);
    if (lines.empty()) return text() + ": empty";
    lines.pop_back();
    return lines;
  }
  bool holds(StateView) override { throw BadQuestion(text() + " is no condition"); }

 private:
  [[nodiscard]] bool is_below(const std::string& name) const {
    if (!name.starts_with(text())) return false;
    return name.size() == text().size() || std::string_view("[.{").find(name[text().size()]) != std::string_view::npos;
  }

  std::vector<Leaf> leaves_;
};

class MurphiQuestion final : public Question {
 public:
  MurphiQuestion(const LoadedModel& model, const CheckOptions& options, const std::string& text, QuestionKind kind)
      : Question(text) {
    const FileId file = sources_.add(model.program->name, std::string(model.sources.text(FileId{0})));
    const FileId asked = sources_.add("expression", text);
    const murphi::Options settings{options.dialect, options.constants, options.loop_limit};
    Diagnostics found;
    program_ = murphi::load_question(sources_, file, asked,
                                     kind == QuestionKind::value ? murphi::Asked::value : murphi::Asked::condition,
                                     settings, found);
    if (program_ == nullptr) throw BadQuestion(first_mistake(found, text, 0));
    step_ = make_instance(static_cast<std::uint32_t>(program_->edges().size() - 1), 0);
    interpreter_ = std::make_unique<InterpretedModel>(*program_);
  }

  std::string answer(StateView state) override {
    Listener listener;
    interpreter_->set_put_sink(&listener);
    StateBuffer copy(state.begin(), state.end());
    const Outcome outcome = interpreter_->take(copy, step_);
    interpreter_->set_put_sink(nullptr);
    if (!outcome.has_successor()) return fmt::format("{}: {}", text(), interpreter_->last_fault());
    while (listener.heard.ends_with('\n')) listener.heard.pop_back();
    return listener.heard;
  }

  bool holds(StateView state) override {
    Outcome outcome;
    const bool holds = interpreter_->is_enabled(state, step_, outcome);
    if (outcome.is_fault()) throw BadQuestion(fmt::format("{}: {}", text(), interpreter_->last_fault()));
    return holds;
  }

 private:
  struct Listener final : PutSink {
    void put(std::string_view text) override { heard += text; }
    std::string heard;
  };

  Sources sources_;
  std::unique_ptr<ir::Program> program_;
  InstanceId step_{};
  std::unique_ptr<InterpretedModel> interpreter_;
};

class PromelaQuestion final : public Question {
 public:
  PromelaQuestion(const LoadedModel& model, const std::string& text)
      : Question(text), program_(program_with_question(model, text, sources_)) {}

  std::string answer(StateView state) override {
    const Evaluated now = evaluate(*program_, question(), state);
    return fmt::format("{}: {}", text(), now.value ? ir::show(*question().condition->type, *now.value) : now.fault);
  }

  bool holds(StateView state) override {
    const Evaluated now = evaluate(*program_, question(), state);
    if (!now.value) throw BadQuestion(fmt::format("{}: {}", text(), now.fault));
    return *now.value != 0;
  }

 private:
  [[nodiscard]] const ir::Property& question() const { return *program_->properties.back(); }

  Sources sources_;
  std::unique_ptr<ir::Program> program_;
};

}  // namespace

std::string first_mistake(const Diagnostics& found, const std::string& text, std::uint32_t begin) {
  for (Diagnostic diagnostic : found.all()) {
    if (diagnostic.severity != Severity::error) continue;
    Sources shown;
    const FileId file = shown.add("expression", text);
    const auto place = [&](std::uint32_t offset) {
      return std::min(offset > begin ? offset - begin : 0, static_cast<std::uint32_t>(text.size()));
    };
    diagnostic.range = {file, place(diagnostic.range.begin), place(diagnostic.range.end)};
    diagnostic.notes.clear();
    std::string message = render(diagnostic, shown, false);
    while (message.ends_with('\n')) message.pop_back();
    return message;
  }
  return "this cannot be asked";
}

std::unique_ptr<ir::Program> program_with_question(const LoadedModel& model, const std::string& text,
                                                   Sources& sources) {
  Diagnostics found;
  std::uint32_t begin = 0;
  std::unique_ptr<ir::Program> program = model.promela->ask(text, sources, begin, found);
  if (program == nullptr) throw BadQuestion(first_mistake(found, text, begin));
  ir::lay_out_like(*program, *model.program);
  if (program->state_bits != model.program->state_bits)
    throw BadQuestion("this expression would change what a state is");
  if (program->user_code != nullptr && !load_user_code(*program->user_code, model.user_code, found))
    throw BadQuestion(first_mistake(found, text, begin));
  return program;
}

std::unique_ptr<Question> ask(const LoadedModel& model, const CheckOptions& options, const std::string& text,
                              QuestionKind kind) {
  if (text.empty()) throw BadQuestion("which expression?");
  if (kind == QuestionKind::value) {
    auto leaves = std::make_unique<LeafQuestion>(text, *model.program);
    if (leaves->found()) return leaves;
  }
  if (model.promela != nullptr) return std::make_unique<PromelaQuestion>(model, text);
  return std::make_unique<MurphiQuestion>(model, options, text, kind);
}

}  // namespace fathom
