// Expressions in the model's own language that a person asks of states: `print EXPR`, `watch EXPR`, `until EXPR`.
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "cli/model_file.hpp"
#include "cli/options.hpp"
#include "model/interpreted.hpp"

namespace fathom {

// The expression is wrong; the message is a rendered diagnostic.
struct BadQuestion : std::runtime_error {
  using std::runtime_error::runtime_error;
};

class Question {
 public:
  virtual ~Question() = default;
  // "x: 3", or several lines for something that has parts; a value that cannot be computed says why.
  virtual std::string answer(StateView state) = 0;
  // Of a condition; throws BadQuestion when it cannot be computed.
  virtual bool holds(StateView state) = 0;
  [[nodiscard]] const std::string& text() const { return text_; }

 protected:
  explicit Question(std::string text) : text_(std::move(text)) {}

 private:
  std::string text_;
};

// The first mistake in an expression, rendered, with places counted in its text, which begins at `begin` in the file.
std::string first_mistake(const Diagnostics& found, const std::string& text, std::uint32_t begin);

// A program in whose states an expression about a Promela model can be evaluated: the condition of its last property.
// Throws BadQuestion. It is good as long as the model's program is the same, and points at `sources`.
std::unique_ptr<ir::Program> program_with_question(const LoadedModel& model, const std::string& text, Sources& sources);

enum class QuestionKind : std::uint8_t { value, condition };

// Names as traces show them can also be asked, with everything below them. Throws BadQuestion. The question is good as
// long as the model's program is the same.
std::unique_ptr<Question> ask(const LoadedModel& model, const CheckOptions& options, const std::string& text,
                              QuestionKind kind);

}  // namespace fathom
