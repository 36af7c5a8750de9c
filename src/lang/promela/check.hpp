// What Spin rejects or warns of although the grammar allows it. Runs on a tree whose names are resolved.
#pragma once

#include "lang/promela/ast.hpp"
#include "support/diagnostics.hpp"

namespace fathom::promela {

void check(const ParsedModel& model, Diagnostics& diagnostics);

// The parts of it, one file each.
void check_assignments(const ParsedModel& model, Diagnostics& diagnostics);
void check_messages(const ParsedModel& model, Diagnostics& diagnostics);
void check_options(const ParsedModel& model, Diagnostics& diagnostics);
void check_claims(const ParsedModel& model, Diagnostics& diagnostics);

// Reports with the macros and inlines that led there.
Diagnostic& report(const ParsedModel& model, Diagnostics& diagnostics, Severity severity, const char* code,
                   SourceRange range, OriginId origin, std::string message);

}  // namespace fathom::promela
