#include "cli/recorded_claim.hpp"

namespace fathom {

namespace {

// Whether a claim is the one that a recorded run violated.
bool is_recorded(const ir::Claim& claim, const SavedTrace& saved) {
  switch (claim.kind) {
    case ir::Claim::Kind::ltl:
      return saved.kind == "ltl" && saved.name == claim.name;
    case ir::Claim::Kind::never:
      return saved.kind == "acceptance" || saved.kind == "claim end" ||
             (saved.kind == "assertion" && saved.name == claim.name);
    case ir::Claim::Kind::accept_labels:
      return saved.kind == "acceptance";
    case ir::Claim::Kind::non_progress:
      return saved.kind == "non-progress";
    case ir::Claim::Kind::mu:
      return saved.kind == "mu" && saved.name == claim.name;
  }
  return false;
}

}  // namespace

bool breaks_recorded_claim(Stepper& stepper, const SavedTrace& saved) {
  const std::vector<ir::Claim>& claims = stepper.model().program->claims;
  for (std::uint32_t k = 0; k < claims.size(); ++k) {
    if (!is_recorded(claims[k], saved)) continue;
    const Violation::Kind kind = saved.kind == "claim end"   ? Violation::Kind::claim_end
                                 : saved.kind == "assertion" ? Violation::Kind::claim_assertion
                                 : saved.kind == "mu"        ? Violation::Kind::mu_formula
                                                             : Violation::Kind::cycle;
    if (kind == Violation::Kind::cycle && !saved.trace.loop) continue;
    if (stepper.breaks_claim({kind, k, ir::SiteId::none}, saved.trace.loop)) return true;
  }
  return false;
}

}  // namespace fathom
