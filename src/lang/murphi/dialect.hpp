// The two Murphi dialects. Where they do not disagree we accept what either of them accepts.
#pragma once

namespace fathom::murphi {

enum class Dialect { cmurphi, rumur };

}  // namespace fathom::murphi
