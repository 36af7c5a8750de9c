#include "cli/property_selection.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "cli/usage_error.hpp"

namespace fathom {

namespace {

using Kind = ir::Property::Kind;

const std::vector<std::string> known_names{"invariants", "invariant:NAME", "assertions",   "deadlock", "covers",
                                           "liveness",   "acceptance",     "non-progress", "ltl",      "ltl:NAME"};

[[noreturn]] void refuse_claim(const std::string& name) {
  throw UsageError(fmt::format("--property {} is not available yet", name));
}

class Selector {
 public:
  Selector(const ir::Program& program, const promela::Claims* claims, std::vector<std::string>& warnings)
      : program_(program), claims_(claims), warnings_(warnings) {
    selection_.selected.assign(program.properties.size(), false);
    selection_.deadlock = false;
    selection_.assertions = claims == nullptr;  // those of Murphi end a step, so they are looked for in any case
  }

  void select(const std::string& name) {
    if (name == "invariants") return select_kind(Kind::invariant, "invariant");
    if (name == "covers") return select_kind(Kind::cover, "cover");
    if (name == "liveness") return select_kind(Kind::liveness, "liveness property");
    if (name.starts_with("invariant:")) return select_invariant(name.substr(name.find(':') + 1));
    if (name == "acceptance" || name == "non-progress" || name == "ltl") return select_claim(name);
    if (name.starts_with("ltl:") && claims_ != nullptr) return select_formula(name.substr(4));
    if (name == "assertions") {
      selection_.assertions = true;
      return;
    }
    if (name == "deadlock") {
      selection_.deadlock = true;
      return;
    }
    throw UsageError(fmt::format("there is no property `{}`{} (there are: {})", name, did_you_mean(name, known_names),
                                 fmt::join(known_names, ", ")));
  }

  PropertySelection take() { return std::move(selection_); }

 private:
  void select_kind(Kind kind, const char* what) {
    bool any = false;
    for (std::size_t k = 0; k < program_.properties.size(); ++k) {
      if (program_.properties[k]->kind != kind) continue;
      any = selection_.selected[k] = true;
    }
    if (!any) warnings_.push_back(fmt::format("the model states no {}", what));
  }

  void select_claim(const std::string& name) {
    const bool stated = claims_ != nullptr && (name == "ltl"          ? !claims_->formulas.empty()
                                               : name == "acceptance" ? claims_->never || claims_->accept_labels
                                                                      : true);
    if (stated) refuse_claim(name);
    warnings_.push_back(fmt::format("the model states no property of the kind `{}`", name));
  }

  void select_formula(const std::string& name) {
    if (std::ranges::count(claims_->formulas, name)) refuse_claim("ltl:" + name);
    throw UsageError(fmt::format("the model has no ltl property `{}`{}", name, did_you_mean(name, claims_->formulas)));
  }

  void select_invariant(const std::string& name) {
    std::vector<std::string> names;
    bool any = false;
    for (std::size_t k = 0; k < program_.properties.size(); ++k) {
      const ir::Property& property = *program_.properties[k];
      if (property.kind != Kind::invariant) continue;
      names.push_back(property.name);
      if (property.name == name) any = selection_.selected[k] = true;
    }
    if (!any) throw UsageError(fmt::format("the model has no invariant `{}`{}", name, did_you_mean(name, names)));
  }

  const ir::Program& program_;
  const promela::Claims* claims_;
  std::vector<std::string>& warnings_;
  PropertySelection selection_;
};

}  // namespace

PropertySelection select_properties(const ir::Program& program, const promela::Claims* claims,
                                    const std::vector<std::string>& names, std::vector<std::string>& warnings) {
  if (names.empty()) {
    const bool more = claims != nullptr && (!claims->formulas.empty() || claims->never || claims->accept_labels);
    if (more)
      throw UsageError(
          "the model states ltl properties, a never claim or accept labels, which cannot be checked yet; "
          "say --property assertions --property deadlock to check the rest");
    return {std::vector<bool>(program.properties.size(), true), true, true};
  }
  Selector selector(program, claims, warnings);
  for (const std::string& name : names) selector.select(name);
  return selector.take();
}

}  // namespace fathom
