#include "lang/promela/check.hpp"

namespace fathom::promela {

Diagnostic& report(const ParsedModel& model, Diagnostics& diagnostics, Severity severity, const char* code,
                   SourceRange range, OriginId origin, std::string message) {
  Diagnostic& result = severity == Severity::error ? diagnostics.error(code, range, std::move(message))
                                                   : diagnostics.warning(code, range, std::move(message));
  result.notes = model.origins.notes(origin);
  return result;
}

void check(const ParsedModel& model, Diagnostics& diagnostics) {
  check_assignments(model, diagnostics);
  check_messages(model, diagnostics);
  check_options(model, diagnostics);
  check_claims(model, diagnostics);
}

}  // namespace fathom::promela
