#include "cli/check.hpp"

#include <algorithm>

#include "cli/model_check.hpp"
#include "cli/proof_file.hpp"
#include "search/checkpoint.hpp"

namespace fathom {

namespace {

class Check {
 public:
  explicit Check(const CheckOptions& options) : options_(options), check_(options) {}

  int run() {
    if (options_.checkpoint_seconds && !options_.checkpoint) check_.warn("--every says nothing without --checkpoint");
    if (options_.checkpoint) prepare_place_for_checkpoint(*options_.checkpoint);
    if (check_.load()) search();
    return check_.finish();
  }

 private:
  void search() {
    while (!search_all(check_.select())) runs_.clear();
    check_.output().progress().clear();
    for (const Run& run : runs_) check_.add(run);
    show_witness();
    write_proof();
    const Report& report = check_.report();
    const bool proven = report.statistics.dead_ends > 0;
    if (report.statistics.states == 0 && report.verdict == Verdict::holds && !proven)
      check_.warn("there is no start state: nothing was checked");
  }

  // A search of the states, and one for each claim. False: the program has grown, and everything is void.
  bool search_all(const PropertySelection& selection) {
    if (selection.states && !search_once(selection, {})) return false;
    for (const std::uint32_t claim : selection.claims)
      if (!search_once(check_.nothing_of_states(), claim)) return false;
    const bool covered =
        selection.states || std::ranges::any_of(runs_, [](const Run& run) { return run.result.search.covers_model; });
    return covered || any_violation() || check_.stopped() || search_once(check_.nothing_of_states(), {});
  }

  bool search_once(const PropertySelection& selection, std::optional<std::uint32_t> claim) {
    std::optional<Run> run = check_.search(selection, claim);
    if (run) runs_.push_back(std::move(*run));
    return run.has_value();
  }

  // Where everything holds, a run can still be worth a look: the first that shows that a formula of the μ-calculus
  // does.
  void show_witness() {
    if (check_.report().verdict != Verdict::holds) return;
    const auto shown =
        std::ranges::find_if(runs_, [](const Run& run) { return run.result.search.witness.has_value(); });
    if (shown != runs_.end()) check_.show_witness(*shown);
  }

  void write_proof() {
    if (!options_.mu_proof) return;
    const auto decided = std::ranges::find_if(runs_, [](const Run& run) { return run.result.proof.has_value(); });
    if (decided == runs_.end()) return check_.warn("no --mu formula was decided: there is nothing to write");
    write_proof_file(*options_.mu_proof, *decided->result.proof);
  }

  [[nodiscard]] bool any_violation() const {
    return std::ranges::any_of(runs_, [](const Run& run) { return run.result.search.first.has_value(); });
  }

  const CheckOptions& options_;
  ModelCheck check_;
  std::vector<Run> runs_;
};

}  // namespace

int check(const CheckOptions& options) {
  return Check(options).run();
}

}  // namespace fathom
