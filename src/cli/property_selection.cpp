#include "cli/property_selection.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "cli/given_goal.hpp"
#include "cli/usage_error.hpp"

namespace fathom {

namespace {

using PropertyKind = ir::Property::Kind;
using ClaimKind = ir::Claim::Kind;

const std::vector<std::string> known_names{"invariants", "invariant:NAME", "assertions", "deadlock",
                                           "covers",     "liveness",       "acceptance", "non-progress",
                                           "ltl",        "ltl:NAME",       "mu",         "goal"};

class Selector {
 public:
  Selector(const ir::Program& program, std::vector<std::string>& warnings) : program_(program), warnings_(warnings) {
    selection_.selected.assign(program.properties.size(), false);
    selection_.deadlock = false;
    // Those of Murphi end a step, so they are looked for in any case.
    selection_.assertions = program.language == "murphi";
    selection_.states = false;
  }

  void select(const std::string& name) {
    if (name == "acceptance")
      return select_claims(name, [](const ir::Claim& claim) {
        return claim.kind == ClaimKind::never || claim.kind == ClaimKind::accept_labels;
      });
    if (name == "non-progress")
      return select_claims(name, [](const ir::Claim& claim) { return claim.kind == ClaimKind::non_progress; });
    if (name == "mu") return select_claims(name, [](const ir::Claim& claim) { return claim.kind == ClaimKind::mu; });
    if (name == "ltl") return select_claims(name, [](const ir::Claim& claim) { return claim.kind == ClaimKind::ltl; });
    if (name.starts_with("ltl:")) return select_formula(name.substr(4));
    select_of_states(name);
  }

  PropertySelection take() { return std::move(selection_); }

 private:
  void select_of_states(const std::string& name) {
    selection_.states = true;
    if (name == "goal") return;  // it is selected wherever there is one
    if (name == "invariants") return select_kind(PropertyKind::invariant, "invariant");
    if (name == "covers") return select_kind(PropertyKind::cover, "cover");
    if (name == "liveness") return select_kind(PropertyKind::liveness, "liveness property");
    if (name.starts_with("invariant:")) return select_invariant(name.substr(name.find(':') + 1));
    if (name == "assertions") {
      selection_.assertions = true;
    } else if (name == "deadlock") {
      selection_.deadlock = true;
    } else {
      throw UsageError(fmt::format("there is no property `{}`{} (there are: {})", name, did_you_mean(name, known_names),
                                   fmt::join(known_names, ", ")));
    }
  }

  void select_kind(PropertyKind kind, const char* what) {
    bool any = false;
    for (std::size_t k = 0; k < program_.properties.size(); ++k) {
      if (program_.properties[k]->kind != kind) continue;
      any = selection_.selected[k] = true;
    }
    if (!any) warnings_.push_back(fmt::format("the model states no {}", what));
  }

  template <class Wanted>
  void select_claims(const std::string& name, const Wanted& wanted) {
    bool any = false;
    for (std::uint32_t k = 0; k < program_.claims.size(); ++k) {
      if (!wanted(program_.claims[k])) continue;
      any = true;
      if (std::ranges::count(selection_.claims, k) == 0) selection_.claims.push_back(k);
    }
    if (!any) warnings_.push_back(fmt::format("the model states no property of the kind `{}`", name));
  }

  void select_formula(const std::string& name) {
    std::vector<std::string> names;
    for (const ir::Claim& claim : program_.claims)
      if (claim.kind == ClaimKind::ltl) names.push_back(claim.name);
    if (std::ranges::count(names, name) == 0)
      throw UsageError(fmt::format("the model has no ltl property `{}`{}", name, did_you_mean(name, names)));
    select_claims(name, [&](const ir::Claim& claim) { return claim.kind == ClaimKind::ltl && claim.name == name; });
  }

  void select_invariant(const std::string& name) {
    std::vector<std::string> names;
    bool any = false;
    for (std::size_t k = 0; k < program_.properties.size(); ++k) {
      const ir::Property& property = *program_.properties[k];
      if (property.kind != PropertyKind::invariant) continue;
      names.push_back(property.name);
      if (property.name == name) any = selection_.selected[k] = true;
    }
    if (!any) throw UsageError(fmt::format("the model has no invariant `{}`{}", name, did_you_mean(name, names)));
  }

  const ir::Program& program_;
  std::vector<std::string>& warnings_;
  PropertySelection selection_;
};

// Cycles without progress are a question about labels that many models have for other reasons, so they are looked for
// only on request.
PropertySelection everything(const ir::Program& program) {
  PropertySelection all;
  all.selected.assign(program.properties.size(), true);
  for (std::uint32_t k = 0; k < program.claims.size(); ++k)
    if (program.claims[k].kind != ClaimKind::non_progress) all.claims.push_back(k);
  return all;
}

// Whoever looks for a goal and names nothing else wants nothing else: a run that ends before is no answer.
PropertySelection goal_alone(const ir::Program& program) {
  PropertySelection only;
  only.selected.assign(program.properties.size(), false);
  only.deadlock = false;
  only.assertions = program.language == "murphi";
  return only;
}

// What was asked for on the command line is wanted whatever else is.
void add_given(const ir::Program& program, PropertySelection& selection) {
  for (std::uint32_t k = 0; k < program.claims.size(); ++k) {
    const std::string& path = program.sources->path(program.claims[k].range.file);
    const bool given = path == command_line_formula || path == command_line_automaton ||
                       path == command_line_progress || program.claims[k].kind == ClaimKind::mu;
    if (given && std::ranges::count(selection.claims, k) == 0) selection.claims.push_back(k);
  }
}

}  // namespace

PropertySelection select_properties(const ir::Program& program, const std::vector<std::string>& names,
                                    std::vector<std::string>& warnings) {
  Selector selector(program, warnings);
  for (const std::string& name : names) selector.select(name);
  const std::optional<std::uint32_t> goal = goal_of(program);
  PropertySelection selection = !names.empty() ? selector.take() : goal ? goal_alone(program) : everything(program);
  if (goal) selection.selected[*goal] = selection.states = true;
  add_given(program, selection);
  return selection;
}

}  // namespace fathom
