// Trails that Spin's verifiers write: lines `depth:process:transition`, and headers with negative depths. Transitions
// are numbers of statements (lang/promela/spin_numbers.hpp), so a trail can be followed only in the model it came from.
//
// A verifier merges statements that concern one process alone into one transition, which has the number of the first.
// Where a process of the trail is not yet at the statement that comes next, its steps up to there are those that were
// merged: they touch nothing that others see, so it does not matter that we take them late. Only a timeout does see
// that they are not yet taken: before one, those of all processes are.
#pragma once

#include <set>
#include <stdexcept>
#include <string>
#include <vector>

#include "ir/numbered_statement.hpp"
#include "trace/execution.hpp"
#include "trace/follow.hpp"
#include "trace/trace.hpp"

namespace fathom {

struct SpinTrail {
  struct Entry {
    std::string process;  // its number
    std::uint32_t transition = 0;
    std::size_t line = 0;  // in the file
  };
  std::vector<Entry> entries;
  bool merged = false;              // statements were merged
  bool with_claim = false;          // there are steps of a never claim, which are left out
  std::optional<std::size_t> loop;  // the entry at which a cycle begins
};

struct BadTrail : std::runtime_error {
  using std::runtime_error::runtime_error;
};

bool looks_like_a_trail(const std::string& text);
SpinTrail read_trail(const std::string& text);
// The same run, in which the cycle of the trail begins a round later.
SpinTrail with_second_round(SpinTrail trail);

class TrailGuide final : public Guide {
 public:
  TrailGuide(const SpinTrail& trail, const ir::NumberedStatements& numbers, InterpretedModel& model,
             const Describer& describer);

  [[nodiscard]] std::size_t length() const override { return trail_.entries.size(); }
  std::vector<InstanceId> starts() override;
  std::vector<Fitting> fitting(StateView state, std::size_t position) override;

 private:
  // The numbers an edge can have, of the process whose edge it is and of the one that accepts.
  struct Numbers {
    std::set<std::uint32_t> own, accepting;
  };

  void number_edges(const ir::NumberedStatements& numbers);
  [[nodiscard]] bool matches(const SpinTrail::Entry& entry, const std::string& process,
                             const std::set<std::uint32_t>& numbers) const;
  // Jumps out of loops inside an atomic, which are no steps here: their numbers are passed over.
  void skip_jumps(std::size_t& at) const;
  // How many entries the edges of the recorded steps are; nothing if they do not fit.
  [[nodiscard]] std::optional<std::size_t> entries_of(const Replayed& record, std::size_t position) const;

  const SpinTrail& trail_;
  InterpretedModel& model_;
  const Describer& describer_;
  std::vector<Numbers> numbers_;      // per edge
  std::set<std::uint32_t> in_use_;    // numbers of statements
  std::set<std::uint32_t> timeouts_;  // of those that wait until nothing else can move
  Execution scratch_;
  Batch batch_;
};

// The statements that have this number, for a message: "`x = 1` (model.pml:3:1)", or that there is none.
std::string statement_with(const ir::NumberedStatements& numbers, std::uint32_t number, const Sources& sources);

}  // namespace fathom
