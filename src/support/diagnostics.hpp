// What we tell a user about a model: located messages with notes and a hint. They are collected while a pass runs
// and rendered at the end, so that every pass can go on after a mistake.
#pragma once

#include <string>
#include <vector>

#include "support/source.hpp"

namespace fathom {

enum class Severity { error, warning };

struct Note {
  SourceRange range;
  std::string message;
};

struct Diagnostic {
  Severity severity = Severity::error;
  std::string code;  // "F012": stable, listed in docs/diagnostics.md
  SourceRange range;
  std::string message;
  std::vector<Note> notes = {};
  std::string help = {};
};

// Collects diagnostics; after `limit` errors further ones are counted but not kept.
class Diagnostics {
 public:
  static constexpr std::size_t limit = 20;

  void add(Diagnostic diagnostic);
  Diagnostic& error(std::string code, SourceRange range, std::string message);
  Diagnostic& warning(std::string code, SourceRange range, std::string message);

  [[nodiscard]] bool failed() const { return errors_ > 0; }
  [[nodiscard]] std::size_t errors() const { return errors_; }
  [[nodiscard]] const std::vector<Diagnostic>& all() const { return all_; }

 private:
  std::vector<Diagnostic> all_;
  Diagnostic dropped_;  // what error() hands out past the limit
  std::size_t errors_ = 0;
};

// The text of one diagnostic in the manner of rustc: position, source line, underlined range, notes, help.
std::string render(const Diagnostic& diagnostic, const Sources& sources, bool colour);

// The candidate closest to `name` by edit distance, or "" when none is close enough to be meant.
std::string closest(std::string_view name, const std::vector<std::string>& candidates);

}  // namespace fathom
