#include "cli/property_selection.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "cli/usage_error.hpp"

namespace fathom {

namespace {

using Kind = ir::Property::Kind;

const std::vector<std::string> known_names{"invariants", "invariant:NAME", "assertions",   "deadlock", "covers",
                                           "liveness",   "acceptance",     "non-progress", "ltl",      "ltl:NAME"};

class Selector {
 public:
  Selector(const ir::Program& program, std::vector<std::string>& warnings) : program_(program), warnings_(warnings) {
    selection_.selected.assign(program.properties.size(), false);
    selection_.deadlock = false;
  }

  void select(const std::string& name) {
    if (name == "invariants") return select_kind(Kind::invariant, "invariant");
    if (name == "covers") return select_kind(Kind::cover, "cover");
    if (name == "liveness") return select_kind(Kind::liveness, "liveness property");
    if (name.starts_with("invariant:")) return select_invariant(name.substr(name.find(':') + 1));
    if (name == "acceptance" || name == "non-progress" || name == "ltl") {
      return warnings_.push_back(fmt::format("the model states no property of the kind `{}`", name));
    }
    // Assertions and run-time errors are looked for in any case.
    if (name == "assertions") return;
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
  std::vector<std::string>& warnings_;
  PropertySelection selection_;
};

}  // namespace

PropertySelection select_properties(const ir::Program& program, const std::vector<std::string>& names,
                                    std::vector<std::string>& warnings) {
  if (names.empty()) return {std::vector<bool>(program.properties.size(), true), true};
  Selector selector(program, warnings);
  for (const std::string& name : names) selector.select(name);
  return selector.take();
}

}  // namespace fathom
