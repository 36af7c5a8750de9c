#include "lang/aut/reader.hpp"

#include <fmt/format.h>

#include <charconv>
#include <limits>
#include <optional>
#include <unordered_map>

namespace fathom::aut {

namespace {

constexpr std::uint64_t largest_number = std::numeric_limits<std::uint32_t>::max();
// A file that announces more than it could describe would only use up memory.
constexpr std::uint64_t most_states = std::uint64_t{1} << 26;

class Reader {
 public:
  Reader(const Sources& sources, FileId file, Diagnostics& diagnostics)
      : text_(sources.text(file)), file_(file), diagnostics_(diagnostics) {}

  System read() {
    skip_empty_lines();
    if (!read_header()) return std::move(system_);
    for (skip_empty_lines(); at_ < text_.size() && diagnostics_.errors() < Diagnostics::limit; skip_empty_lines())
      read_line();
    if (!diagnostics_.failed() && system_.transitions.size() != announced_) complain_of_count();
    return std::move(system_);
  }

 private:
  // ---- Characters.

  [[nodiscard]] char here() const { return at_ < text_.size() ? text_[at_] : '\n'; }
  [[nodiscard]] bool at_line_end() const { return here() == '\n'; }
  [[nodiscard]] std::size_t line_end() const { return std::min(text_.find('\n', at_), text_.size()); }
  void skip_blanks() {
    while (here() == ' ' || here() == '\t' || here() == '\r') ++at_;
  }
  void skip_empty_lines() {
    while (at_ < text_.size() && (at_line_end() || here() == ' ' || here() == '\t' || here() == '\r')) ++at_;
  }
  void skip_line() { at_ = std::min(line_end() + 1, text_.size()); }

  [[nodiscard]] SourceRange range(std::size_t begin, std::size_t end) const {
    return {file_, static_cast<std::uint32_t>(begin), static_cast<std::uint32_t>(end)};
  }

  Diagnostic& complain(const char* code, std::string message) {
    const std::size_t end = std::min(at_ + 1, std::max(at_, line_end()));
    return diagnostics_.error(code, range(at_, end), std::move(message));
  }

  bool expect(char wanted) {
    skip_blanks();
    if (here() != wanted) {
      complain("F351", fmt::format("expected `{}` here", wanted)).help =
          "a transition is written (from, \"label\", to)";
      return false;
    }
    ++at_;
    return true;
  }

  std::optional<std::uint64_t> number() {
    skip_blanks();
    std::uint64_t value = 0;
    const auto [end, error] = std::from_chars(text_.data() + at_, text_.data() + text_.size(), value);
    if (error != std::errc{} || value > largest_number) {
      complain("F352", error == std::errc::invalid_argument ? "expected a number here" : "this number is too large");
      return std::nullopt;
    }
    at_ = static_cast<std::size_t>(end - text_.data());
    return value;
  }

  // ---- Lines.

  bool read_header() {
    const std::size_t begin = at_;
    if (text_.substr(at_, 3) != "des") {
      complain("F350", "a transition system begins with its header").help =
          "the header is written: des (first-state, number-of-transitions, number-of-states)";
      return false;
    }
    at_ += 3;
    if (!expect('(')) return false;
    const auto first = number();
    if (!first || !expect(',')) return false;
    const auto transitions = number();
    if (!transitions || !expect(',')) return false;
    const auto states = number();
    if (!states || !expect(')')) return false;
    system_.header = range(begin, at_);
    announced_ = *transitions;
    system_.first = static_cast<std::uint32_t>(*first);
    system_.states = static_cast<std::uint32_t>(*states);
    if (*states > most_states)
      diagnostics_.error("F352", system_.header, fmt::format("there can be {} states at most", most_states));
    if (*first >= *states)
      diagnostics_.error("F353", system_.header, fmt::format("there is no state {} among {}", *first, *states));
    return end_of_line();
  }

  bool end_of_line() {
    skip_blanks();
    if (at_line_end()) return true;
    complain("F351", "expected the end of the line here");
    return false;
  }

  void read_line() {
    if (!read_transition()) skip_line();
  }

  bool read_transition() {
    Transition transition;
    const std::size_t begin = at_;
    if (!expect('(') || !read_state(transition.from) || !expect(',')) return false;
    if (!read_label(transition.label) || !expect(',')) return false;
    if (!read_state(transition.to) || !expect(')')) return false;
    transition.range = range(begin, at_);
    system_.transitions.push_back(transition);
    return end_of_line();
  }

  bool read_state(std::uint32_t& state) {
    skip_blanks();
    const std::size_t begin = at_;
    const auto value = number();
    if (!value) return false;
    state = static_cast<std::uint32_t>(*value);
    if (state < system_.states) return true;
    diagnostics_
        .error("F353", range(begin, at_),
               fmt::format("there is no state {}: the header says {}", state, system_.states))
        .notes.push_back({system_.header, "states are numbered from 0"});
    return false;
  }

  bool read_label(std::uint32_t& label) {
    skip_blanks();
    const bool quoted = here() == '"';
    if (!(quoted ? read_quoted() : read_plain())) return false;
    const auto [found, is_new] = numbers_.try_emplace(label_, static_cast<std::uint32_t>(system_.labels.size()));
    if (is_new) system_.labels.push_back(label_);
    label = found->second;
    return true;
  }

  bool read_quoted() {
    label_.clear();
    for (++at_; here() != '"'; ++at_) {
      if (here() == '\\' && at_ + 1 < text_.size()) ++at_;
      if (at_line_end()) {
        complain("F354", "the label is not closed: expected `\"`");
        return false;
      }
      label_ += here();
    }
    ++at_;
    return true;
  }

  // Up to the last comma of the line, since a label may have some of its own.
  bool read_plain() {
    const std::string_view line = text_.substr(at_, line_end() - at_);
    const std::size_t comma = line.rfind(',');
    if (comma == std::string_view::npos || comma == 0) {
      complain("F354", "expected a label and a state here");
      return false;
    }
    const std::size_t last = line.find_last_not_of(" \t", comma - 1);
    label_ = line.substr(0, last == std::string_view::npos ? 0 : last + 1);
    at_ += comma;
    return true;
  }

  void complain_of_count() {
    diagnostics_.error(
        "F355", system_.header,
        fmt::format("the header says {} transitions, and there are {}", announced_, system_.transitions.size()));
  }

  std::string_view text_;
  FileId file_;
  Diagnostics& diagnostics_;
  std::size_t at_ = 0;
  System system_;
  std::uint64_t announced_ = 0;
  std::string label_;
  std::unordered_map<std::string, std::uint32_t> numbers_;
};

}  // namespace

System read(const Sources& sources, FileId file, Diagnostics& diagnostics) {
  return Reader(sources, file, diagnostics).read();
}

}  // namespace fathom::aut
