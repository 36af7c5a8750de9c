// From the checked tree of a Promela model to ir: a component for each planned process, its control points as
// locations, its statements as edges.
//
// A process that is not there has an undefined location and zero variables. `run` is a function per proctype that
// fills the place of the next process number; where the plan has no such place it is a fault, whose site tells which
// one is missing.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <vector>

#include "ir/output.hpp"
#include "lang/promela/ast.hpp"
#include "lang/promela/plan.hpp"
#include "support/diagnostics.hpp"

namespace fathom::promela {

// The values of constant expressions of C, where the code they rest on has its declarations; nothing where they cannot
// be found out, which is reported.
using CSizes = std::function<std::optional<std::vector<std::uint64_t>>(
    const ir::UserCode& code, const std::vector<std::string>& sizes, Diagnostics& diagnostics)>;

struct LowerOptions {
  bool native_code = false;  // C code in the model is welcome
  bool claims = true;        // what the model says about runs is wanted
  bool optimise = true;      // leave out steps and values that make no difference
  CSizes sizes = {};         // needed where native_code is set
  std::string input = {};    // the characters that can be received from STDIN, where it is connected to something
};

// A `run` of this proctype with this number has no place in the plan: its fault is at `site`.
struct Unplanned {
  ir::SiteId site = ir::SiteId::none;
  const Process* process = nullptr;
  std::uint32_t pid = 0;
};

struct Lowered {
  std::unique_ptr<ir::Program> program;  // null when the model cannot be lowered, which is reported
  std::vector<Unplanned> unplanned;
  ir::Outputs outputs;  // of printf and printm
};

// The program with one more property, the last: of kind `atom`, its condition is the value of the expression, whatever
// its type is.
std::unique_ptr<ir::Program> lower_with_question(const ParsedModel& model, const Expr& question, const Plan& plan,
                                                 const LowerOptions& options, const Sources& sources, FileId file,
                                                 Diagnostics& diagnostics);

// `sources` must outlive the program.
Lowered lower(const ParsedModel& model, const Plan& plan, const LowerOptions& options, const Sources& sources,
              FileId file, Diagnostics& diagnostics);

}  // namespace fathom::promela
