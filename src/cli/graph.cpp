#include "cli/graph.hpp"

#include <fmt/format.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <memory>
#include <system_error>

#include "cli/model_file.hpp"
#include "cli/output.hpp"
#include "cli/search_job.hpp"
#include "cli/searches.hpp"
#include "cli/signals.hpp"
#include "cli/usage_error.hpp"
#include "report/assess.hpp"
#include "report/exit_code.hpp"
#include "search/kept_part.hpp"
#include "state/leaves.hpp"
#include "support/errors.hpp"

namespace fathom {

namespace {

SearchExpression search_of(const CheckOptions& options) {
  const SearchExpression search = with_defaults(resolve_search(options.search));
  if (entry_of(search).fill != nullptr) return search;
  std::vector<std::string> possible;
  for (const SearchEntry& entry : searches())
    if (entry.fill != nullptr) possible.emplace_back(entry.name);
  throw UsageError(fmt::format("fathom graph does not go with the search `{}` (there are: {})", search.name,
                               fmt::join(possible, ", ")));
}

class Graph {
 public:
  explicit Graph(const CheckOptions& options) : options_(options), output_(options), search_(search_of(options)) {}

  int run() {
    refuse_reductions();
    install_signal_handlers();
    load_model(without_optimisation(options_), model_);
    output_.show(model_.diagnostics, model_.sources);
    if (model_.program == nullptr) return exit_code::rejected;
    while (!write_once()) {
    }
    return code_;
  }

 private:
  void refuse_reductions() const {
    if (options_.symmetry.value_or(false) || options_.partial_order.value_or(false))
      throw UsageError("fathom graph writes every step of the states it keeps: leave out --reduce");
    if (options_.store != StoreOption::exact) throw UsageError("fathom graph needs an exact store");
  }

  // False: the program has grown and the search is void.
  bool write_once() {
    Executor executor(*model_.program, engine_choice(options_.engine));
    PropertySelection nothing;
    nothing.selected.assign(model_.program->properties.size(), false);
    const auto tick = [this](const Progress& progress) { return go_on(progress); };
    const SearchJob job{*model_.program, options_, nothing, nullptr, tick, [](const Diagnostics&) {}, {}};
    const SearchOptions options = search_options(job);
    const SearchRequest request{*model_.program, executor, options, StoreChoice::exact, Arguments(search_)};
    KeptPart part(request, entry_of(search_), options_.max_states.value_or(KeptPart::max_structure_states));
    if (grow_program(model_, part.result().faults)) return false;
    write(part);
    return true;
  }

  // What has ended the search does not end the writing of what it kept. A signal does that comes meanwhile.
  bool go_on(const Progress& progress) {
    output_.progress().update(progress);
    if (is_writing_) return stop_signal() == signal_of_search_;
    const std::chrono::duration<double> elapsed = ProgressLine::Clock::now() - start_;
    stopped_ = stopped_ || stop_signal() != 0 || (options_.seconds && elapsed.count() >= *options_.seconds);
    return !stopped_;
  }

  // ---- Writing.

  void write(KeptPart& part) {
    is_writing_ = true;
    signal_of_search_ = stop_signal();
    const std::string remark = remark_on(part);
    const std::vector<Structure::State> initial = part.initial();
    const bool needs_root = options_.format == StructureFormat::aut && initial.size() != 1;
    StructureHeader header{.name = options_.model,
                           .states = part.states(),
                           .edges = 0,
                           .first = initial.empty() ? 0 : initial.front(),
                           .initial = initial,
                           .complete = part.complete(),
                           .remark = remark};
    if (options_.format == StructureFormat::aut) header.edges = count_edges(part);
    if (needs_root) add_root(part, header);
    Destination out(options_.output);
    bool all = false;
    try {
      all = write_to(out.file(), part, header, needs_root);
      out.close();
    } catch (const std::system_error& error) {
      out.remove();
      throw EnvironmentError(fmt::format("cannot write `{}`: {}", out.name(), error.code().message()));
    }
    if (!all) out.remove();  // its header may speak of more
    output_.progress().clear();
    tell(part, remark, all);
  }

  // False: it was ended early.
  bool write_to(std::FILE* out, KeptPart& part, const StructureHeader& header, bool needs_root) {
    const std::unique_ptr<StructureFile> file = make_structure_file(options_.format, out);
    file->begin(header);
    if (file->shows_states()) write_states(part, *file);
    if (needs_root) write_root(part, header.first, *file);
    const bool all = write_edges(part, *file);
    file->end();
    return all;
  }

  // Aldebaran's format has one first state: where the model has several, we put one before them.
  static void add_root(KeptPart& part, StructureHeader& header) {
    header.first = header.states++;
    header.edges += part.starts().size();
  }

  void write_root(KeptPart& part, std::uint64_t root, StructureFile& file) const {
    for (const auto& [start, state] : part.starts())
      file.edge(root, fmt::format("start {}", model_.program->starts[edge_of(start)]->name), state);
  }

  static std::uint64_t count_edges(KeptPart& part) {
    std::uint64_t count = 0;
    part.each_edge([&](Structure::State, InstanceId, Structure::State) { ++count; });
    return count;
  }

  void write_states(const KeptPart& part, StructureFile& file) const {
    const Leaves leaves(*model_.program);
    std::string text;
    for (std::uint64_t number = 0; number < part.states(); ++number) {
      text.clear();
      for (const auto& [name, value] : leaves.values(part.state(number)))
        text += fmt::format("{}{}={}", text.empty() ? "" : ", ", name, value);
      file.state(number, text);
    }
  }

  bool write_edges(KeptPart& part, StructureFile& file) {
    StepLabels labels(*model_.program);
    std::vector<std::string> texts;
    return part.each_edge([&](Structure::State from, InstanceId step, Structure::State to) {
      const std::uint32_t label = labels.number(step);
      if (label == texts.size()) texts.push_back(labels[label].text());
      file.edge(from, texts[label], to);
      ++written_;
    });
  }

  // ---- What is said about it.

  [[nodiscard]] std::string remark_on(const KeptPart& part) const {
    if (part.complete()) return "";
    if (part.cut_at_limit()) return fmt::format("cut after {} states: there are more", grouped(part.states()));
    switch (part.result().ending) {
      case Ending::bound:
        return fmt::format("cut at depth {}: what lies beyond it is left out", grouped(part.result().statistics.depth));
      case Ending::incomplete:
        return fmt::format("a part of the model: `{}` passed states over (seed {})", search_.text(), options_.seed);
      case Ending::memory_limit:
        return "cut at the memory limit";
      default:
        return "cut before the search was over";
    }
  }

  void tell(const KeptPart& part, const std::string& remark, bool all) {
    const bool asked_for = part.complete() || part.cut_at_limit() || part.result().ending == Ending::bound ||
                           part.result().ending == Ending::incomplete;
    const int without_signal = asked_for && !stopped_ ? exit_code::holds : exit_code::inconclusive;
    code_ = stop_signal() != 0 ? exit_code::signal_base + stop_signal() : without_signal;
    if (!all) return output_.warn("the writing of the graph was ended: there is none");
    if (!remark.empty()) output_.warn(remark);
    if (options_.output && !options_.quiet)
      fmt::print("{} states, {} steps, depth {}, written to {}\n", grouped(part.states()), grouped(written_),
                 grouped(part.result().statistics.depth), *options_.output);
  }

  // The file that was asked for, or standard output.
  class Destination {
   public:
    explicit Destination(const std::optional<std::string>& path) : path_(path.value_or("-")) {
      if (path_ == "-") return;
      file_ = std::fopen(path_.c_str(), "w");
      if (file_ == nullptr) throw UsageError(fmt::format("cannot write `{}`: {}", path_, std::strerror(errno)));
    }
    Destination(const Destination&) = delete;
    Destination& operator=(const Destination&) = delete;
    ~Destination() {
      if (file_ != stdout) std::fclose(file_);
    }
    [[nodiscard]] std::FILE* file() const { return file_; }
    [[nodiscard]] const std::string& name() const { return path_; }
    void close() {
      if (std::fflush(file_) != 0 || std::ferror(file_) != 0) throw std::system_error(errno, std::generic_category());
    }
    void remove() const {
      std::error_code ignored;
      if (std::filesystem::is_regular_file(path_, ignored)) std::filesystem::remove(path_, ignored);
    }

   private:
    std::string path_;
    std::FILE* file_ = stdout;
  };

  const ProgressLine::Clock::time_point start_ = ProgressLine::Clock::now();
  const CheckOptions& options_;
  Output output_;
  SearchExpression search_;
  LoadedModel model_;
  bool stopped_ = false;  // the search
  bool is_writing_ = false;
  int signal_of_search_ = 0;  // or none
  std::uint64_t written_ = 0;
  int code_ = exit_code::holds;
};

}  // namespace

int graph(const CheckOptions& options) {
  return Graph(options).run();
}

}  // namespace fathom
