// Where output goes: the text and `put` lines to standard output, or to standard error when the JSON report takes
// standard output; warnings and progress to standard error. The progress line is cleared before anything is written.
#pragma once

#include <cstdio>
#include <string>

#include "cli/options.hpp"
#include "report/progress.hpp"
#include "support/diagnostics.hpp"

namespace fathom {

class Output final : public PutSink {
 public:
  // Throws UsageError when the JSON report could not be written where it should go.
  explicit Output(const CheckOptions& options);

  void put(std::string_view text) override;
  void warn(const std::string& message);
  void show(const Diagnostics& diagnostics, const Sources& sources);
  void finish(const Report& report);
  // With a text of its own instead of the report's.
  void finish(const Report& report, const std::string& text);
  [[nodiscard]] Style style() const;  // for the text
  void flush();

  [[nodiscard]] ProgressLine& progress() { return progress_; }

 private:
  void write_json(const Report& report);

  const CheckOptions& options_;
  std::FILE* text_;
  ProgressLine progress_;
};

}  // namespace fathom
