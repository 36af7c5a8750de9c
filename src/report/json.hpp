// The report for programs: one JSON document of schema "fathom/1", described in docs/report.schema.json.
#pragma once

#include <string>

#include "report/report.hpp"

namespace fathom {

std::string render_json(const Report& report);

}  // namespace fathom
