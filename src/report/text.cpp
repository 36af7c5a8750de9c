#include "report/text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "report/assess.hpp"

namespace fathom {

namespace {

std::string title(const std::string& kind, const std::string& name, const std::string& location) {
  std::string text = kind;
  if (!name.empty()) text += fmt::format(" \"{}\"", name);
  if (!location.empty()) text += fmt::format(" ({})", location);
  return text;
}

std::string human_bytes(double bytes) {
  constexpr const char* units[] = {"bytes", "KiB", "MiB", "GiB", "TiB"};
  std::size_t unit = 0;
  for (; bytes >= 1024 && unit + 1 < std::size(units); ++unit) bytes /= 1024;
  if (bytes == 1) return "1 byte";
  return unit == 0 ? fmt::format("{:.0f} {}", bytes, units[unit]) : fmt::format("{:.1f} {}", bytes, units[unit]);
}

class TextReport {
 public:
  TextReport(const Report& report, const TextOptions& options, const Style& style)
      : report_(report), options_(options), style_(style) {}

  std::string verdict() {
    add_verdict();
    return text_;
  }

  std::string render() {
    add_verdict();
    if (report_.verdict == Verdict::rejected) return text_;
    add_other_violations();
    if (report_.trace && options_.trace != TraceDetail::off) add_trace();
    if (report_.hunt) add_hunt(*report_.hunt);
    if (options_.quiet) return text_;
    line("");
    add_statistics();
    add_covers();
    if (report_.scope.covered && report_.statistics.dead_ends == 0) add_suspicions();
    return text_;
  }

 private:
  void line(const std::string& text) { text_ += text + "\n"; }

  void add_verdict() {
    switch (report_.verdict) {
      case Verdict::holds:
        return line(style_.good("holds") + ": " + report_.scope.statement);
      case Verdict::holds_in_scope:
        return line(style_.good(scope_headline()) + ": " + report_.scope.statement);
      case Verdict::violated:
        return line(style_.bad("violated") + ": " + violation_headline());
      case Verdict::inconclusive:
        return line(style_.doubtful("inconclusive") + ": " + inconclusive_reason());
      case Verdict::rejected: {
        const auto errors = std::ranges::count(report_.diagnostics, "error", &DiagnosticReport::severity);
        return line(style_.bad("rejected") + fmt::format(": {} error{}", errors, errors == 1 ? "" : "s"));
      }
    }
  }

  [[nodiscard]] std::string scope_headline() const {
    if (report_.scope.exhaustive || !report_.scope.depth) return "no violation found";
    return fmt::format("no violation within {} steps", grouped(*report_.scope.depth));
  }

  [[nodiscard]] std::size_t headline_property() const {
    if (report_.culprit) return *report_.culprit;
    const auto found = std::ranges::find(report_.properties, Verdict::violated, &PropertyReport::verdict);
    return static_cast<std::size_t>(found - report_.properties.begin());
  }

  [[nodiscard]] std::string violation_headline() const {
    const PropertyReport& property = report_.properties[headline_property()];
    const bool tells = property.kind == "run-time error" || property.kind == "cover" || property.kind == "assertion" ||
                       (property.kind == "mu" && !report_.trace);
    const std::string head = title(property.kind, property.name, property.location);
    return tells && !property.message.empty() ? head + ": " + property.message : head;
  }

  [[nodiscard]] std::string inconclusive_reason() const {
    if (!report_.scope.covered || !report_.scope.exact) return report_.scope.statement;
    const auto found = std::ranges::find(report_.properties, Verdict::inconclusive, &PropertyReport::verdict);
    if (found == report_.properties.end()) return report_.scope.statement;
    return fmt::format("{}: {}; {}", title(found->kind, found->name, found->location), found->message,
                       report_.scope.statement);
  }

  void add_other_violations() {
    if (report_.verdict != Verdict::violated) return;
    const std::size_t first = headline_property();
    for (std::size_t k = 0; k < report_.properties.size(); ++k) {
      const PropertyReport& property = report_.properties[k];
      if (k == first || property.verdict != Verdict::violated) continue;
      line(fmt::format("    also: {}: {}", title(property.kind, property.name, property.location), property.message));
    }
  }

  void add_trace() {
    const Trace& trace = *report_.trace;
    line("");
    const TraceText words(report_.language, options_.trace, style_);
    text_ += words.start(trace.start);
    for (std::size_t k = 0; k < trace.steps.size(); ++k) {
      if (trace.loop == k) line(style_.strong("  the loop begins here"));
      text_ += words.step(k + 1, trace.steps[k]);
    }
    if (trace.loop && *trace.loop < trace.steps.size())
      line(
          style_.strong(fmt::format("  back to where step {} begins{}", *trace.loop + 1, but_for(trace.left_changed))));
    if (options_.chart) text_ += "\n" + draw_chart(trace, *options_.chart);
    line("");
    for (const std::string& sentence : report_.conclusion) line(sentence);
    if (report_.found_length) line(shortening(trace, *report_.found_length));
  }

  void add_hunt(const HuntReport& hunt) {
    line("");
    for (const HuntSearchReport& search : hunt.searches) {
      if (search.seconds == 0) continue;
      line(fmt::format("  {} {:<44} {:>14} states, depth {}, {:.2f} s",
                       search.found ? style_.strong("found by") : "        ", search.search, grouped(search.states),
                       grouped(search.depth), search.seconds));
    }
    if (!hunt.command.empty()) line("again: " + hunt.command);
  }

  [[nodiscard]] static std::string but_for(const std::vector<std::string>& names) {
    if (names.empty()) return "";
    return fmt::format(", but for {}, which nothing reads", fmt::join(names, ", "));
  }

  [[nodiscard]] static std::string shortening(const Trace& trace, std::uint64_t found_length) {
    const bool shortest = trace.guarantee == "shortest";
    const char* const rest = shortest ? "no shorter run shows this" : "a shorter run may exist";
    const std::size_t length = trace.steps.size();
    if (length == found_length) return rest;
    return fmt::format("shortened from {} to {} step{}; {}", grouped(found_length), grouped(length),
                       length == 1 ? "" : "s", rest);
  }

  void add_statistics() {
    const StatisticsReport& s = report_.statistics;
    const std::string step = report_.language == "murphi" ? "rule" : "step";
    line(fmt::format("{} state{}, {} {}{} {}, depth {}, {:.2f} s", grouped(s.states), s.states == 1 ? "" : "s",
                     grouped(s.transitions), step, s.transitions == 1 ? "" : "s", step == "step" ? "taken" : "fired",
                     grouped(s.depth), s.seconds));
    std::string store = fmt::format("{} per state", human_bytes(static_cast<double>(s.state_bytes)));
    if (s.states > 0) store += fmt::format(", {} of memory", human_bytes(static_cast<double>(s.store_bytes)));
    if (s.disk_bytes > 0) store += fmt::format(", {} on disk", human_bytes(static_cast<double>(s.disk_bytes)));
    line(fmt::format("{}, {}{}", store, engine(), s.threads > 1 ? fmt::format(", {} threads", s.threads) : ""));
    if (leaves_out_steps())
      line(fmt::format("partial order reduction left out steps of {} state{}", grouped(s.reduced),
                       s.reduced == 1 ? "" : "s"));
    if (s.breadth) add_breadth(*s.breadth);
    for (const RunReport& run : report_.runs)
      if (run.repeat) add_repeat(run);
    for (const EvaluatorReport& evaluator : report_.evaluators) add(evaluator);
    if (s.errors > 1) line(fmt::format("{} errors", grouped(s.errors)));
  }

  void add_breadth(const BreadthStatistics& breadth) {
    std::string text = fmt::format("{} level{} of the highway, {} of them with a choice", grouped(breadth.levels),
                                   breadth.levels == 1 ? "" : "s", grouped(breadth.narrowed));
    if (breadth.redrawn > 0) text += fmt::format(", {} drawn again", grouped(breadth.redrawn));
    if (breadth.fallbacks > 0) text += fmt::format(", {} not uniform", grouped(breadth.fallbacks));
    line(text);
  }

  void add_repeat(const RunReport& run) {
    const RepeatReport& repeat = *run.repeat;
    const double rate =
        100.0 * static_cast<double>(repeat.successes) / static_cast<double>(std::max<std::uint64_t>(repeat.runs, 1));
    line(fmt::format("{} run{} with the seeds {} to {}: {} found a violation ({:.1f} %)", grouped(repeat.runs),
                     repeat.runs == 1 ? "" : "s", repeat.first_seed, repeat.first_seed + repeat.runs - 1,
                     grouped(repeat.successes), rate));
    const auto spread = [](const SpreadReport& s) {
      return fmt::format("{:.1f} ± {:.1f} ({} to {})", s.mean, s.deviation, grouped(s.least), grouped(s.most));
    };
    line(fmt::format("  states {}, depth {}; the run shown has the seed {}", spread(repeat.states),
                     spread(repeat.depth), repeat.seed));
    if (repeat.chance) line("  " + assumption_of(repeat));
  }

  void add(const EvaluatorReport& evaluator) {
    const double seconds = report_.statistics.seconds;
    const std::string about = evaluator.about.empty() ? "" : " (" + evaluator.about + ")";
    line(fmt::format("{}{}: {} state{} evaluated, {:.0f} % of the time", evaluator.name, about,
                     grouped(evaluator.calls), evaluator.calls == 1 ? "" : "s",
                     seconds > 0 ? 100 * evaluator.seconds / seconds : 0));
  }

  [[nodiscard]] bool leaves_out_steps() const { return std::ranges::count(report_.reductions, "por") > 0; }

  [[nodiscard]] std::string engine() const {
    const EngineReport& e = report_.engine;
    if (e.native == 0) return "interpreted";
    const double seconds = report_.statistics.compile_seconds;  // 0 when an earlier run had left the code
    const std::string compiled = seconds > 0 ? fmt::format(" (compiled in {:.2f} s)", seconds) : "";
    if (e.interpreted == 0) return "native" + compiled;
    return fmt::format("native after {} interpreted states{}", grouped(e.interpreted), compiled);
  }

  void add_covers() {
    for (const CoverReport& cover : report_.covers) {
      line(fmt::format("{}: hit {} time{}", title("cover", cover.name, ""), cover.hits, cover.hits == 1 ? "" : "s"));
    }
  }

  void add_suspicions() {
    for (const RuleReport& rule : report_.coverage) {
      if (rule.fired == 0 && !rule.inside) line(never(rule));
    }
    for (const VacuousReport& invariant : report_.vacuous) {
      line(style_.doubtful("never really tested") + ": " + title("invariant", invariant.name, invariant.location) +
           ": the left side of its implication never held" +
           (leaves_out_steps() ? " in the states that were visited" : ""));
    }
  }

  [[nodiscard]] std::string never(const RuleReport& rule) const {
    if (report_.language == "promela")
      return fmt::format("{}: {} ({})", style_.doubtful("never executed"), rule.rule, rule.location);
    return style_.doubtful("never fired") + ": " + title("rule", rule.rule, rule.location);
  }

  const Report& report_;
  const TextOptions options_;
  Style style_;
  std::string text_;
};

}  // namespace

std::string render_verdict(const Report& report, const Style& style) {
  return TextReport(report, {}, style).verdict();
}

std::string render_text(const Report& report, const TextOptions& options) {
  return TextReport(report, options, Style(options.colour)).render();
}

}  // namespace fathom
