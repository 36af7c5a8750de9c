// Whether anything in a model depends on the numbers of processes: which number a new process gets hangs on whether
// those before it that have ended are gone. Where nothing does, a run may let them go at once.
#pragma once

#include "lang/promela/parse.hpp"

namespace fathom::promela {

bool numbers_matter(const ParsedModel& model);

}  // namespace fathom::promela
