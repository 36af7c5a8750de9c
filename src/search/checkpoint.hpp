// What a search leaves behind so that another process can go on from there: the file begins with what it is a
// checkpoint of (which model, asked what), then come the results of searches of the same check that were through before
// (that of the states, and those of other claims), then where the search stands, and the store.
#pragma once

#include <chrono>
#include <filesystem>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "search/level_standing.hpp"
#include "store/store.hpp"
#include "support/sealed_file.hpp"

namespace fathom {

// What a run was asked, as pairs of a name and a text: those of the two runs must be the same.
using RunIdentity = std::vector<std::pair<std::string, std::string>>;

// The name under which an identity says which search of the check it is.
inline constexpr const char* part_name = "part of the check";
// What it says there; "" without.
std::string part_of(const RunIdentity& identity);

// A search that has come to its end, while others of the same check have not.
struct FinishedRun {
  RunIdentity identity;
  SearchResult search;
  std::vector<std::uint64_t> hits, pending;  // of the executor
};

inline constexpr double usual_checkpoint_seconds = 600;

struct CheckpointRequest {
  std::optional<std::filesystem::path> write;   // where to leave checkpoints
  double seconds = usual_checkpoint_seconds;    // from one to the next
  std::optional<std::filesystem::path> resume;  // the one to begin with
  RunIdentity identity;
  std::span<const FinishedRun> finished = {};
  // What the user is to know at once, however often it is said.
  std::function<void(const std::string&)> announce = [](const std::string&) {};
};

inline constexpr FileKind checkpoint_kind{"fathomcp", 8, "checkpoint"};

// Throws EnvironmentError if the two differ: then the checkpoint is of something else.
void expect_same(const RunIdentity& identity, const RunIdentity& saved, const std::filesystem::path& path);
// Reads a checkpoint up to where the search stands. Throws EnvironmentError if it is one of something else.
void check_identity(const RunIdentity& identity, const std::filesystem::path& path, SealedReader& in);

// What a checkpoint says before that.
struct CheckpointHead {
  RunIdentity identity;
  std::vector<FinishedRun> finished;
};
CheckpointHead head_of(const std::filesystem::path& path);

// What a checkpoint says under this name; "" if nothing. Throws EnvironmentError if it is none.
std::string identity_text(const std::filesystem::path& path, const std::string& name);

// Throws EnvironmentError if there is no place for a checkpoint there. A search is better not begun than without one.
// What earlier runs left there that were killed is removed.
void prepare_place_for_checkpoint(const std::filesystem::path& path);

// Leaves checkpoints now and then.
class CheckpointWriter {
 public:
  using Clock = std::chrono::steady_clock;

  explicit CheckpointWriter(const CheckpointRequest& request) : request_(request) {}

  // A checkpoint that takes long is made less often: a search must not do nothing else.
  [[nodiscard]] bool is_due() const;
  // `write` writes everything behind the head. That there is no place for a checkpoint is no reason to give up the
  // search; the last one stays as it is.
  void save(const std::function<void(SealedWriter&)>& write);
  // When that was, or when there was nothing to save yet.
  [[nodiscard]] Clock::time_point last_time() const { return saved_; }
  void set_last_time(Clock::time_point time) { saved_ = time; }
  // What to tell the user if the last one could not be written.
  void complain(SearchResult& result) const;

 private:
  const CheckpointRequest& request_;
  Clock::time_point saved_ = Clock::now();
  double last_took_ = 0;  // seconds
  std::string complaint_;
};

void save_violation(const Violation& violation, SealedWriter& out);
Violation load_violation(SealedReader& in);

// What a search has counted, and the run to its first violation.
void save_counts(const SearchResult& result, SealedWriter& out);
SearchResult load_counts(const Shape& shape, SealedReader& in);

// Without the states.
void save_standing(const LevelStanding& standing, SealedWriter& out);
LevelStanding load_standing(const Shape& shape, SealedReader& in);

}  // namespace fathom
