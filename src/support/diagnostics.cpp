#include "support/diagnostics.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "support/utf8.hpp"

namespace fathom {

namespace {

constexpr std::string_view bold = "\x1b[1m";
constexpr std::string_view red = "\x1b[1;31m";
constexpr std::string_view yellow = "\x1b[1;33m";
constexpr std::string_view blue = "\x1b[1;34m";
constexpr std::string_view cyan = "\x1b[1;36m";
constexpr std::string_view plain = "\x1b[0m";

constexpr std::size_t widest_excerpt = 160;
constexpr std::size_t context_before = 60;  // columns kept before the range when a long line is cut

// A source line as it is shown: tabs become spaces, and bytes that a terminal could take as a command become `?`.
// `columns[i]` is where byte i of the line starts on the screen; one more entry marks the end.
struct ShownLine {
  std::vector<std::string> cells;  // one per column
  std::vector<std::size_t> columns;
};

ShownLine show(std::string_view line) {
  constexpr std::size_t tab_width = 4;
  ShownLine shown;
  for (std::size_t i = 0; i < line.size();) {
    const std::size_t length = character_length(line.substr(i));
    const auto byte = static_cast<unsigned char>(line[i]);
    shown.columns.insert(shown.columns.end(), std::max<std::size_t>(length, 1), shown.cells.size());
    if (byte == '\t') {
      shown.cells.insert(shown.cells.end(), tab_width, " ");
    } else if (length == 0 || byte < 0x20 || byte == 0x7F) {
      shown.cells.emplace_back("?");
    } else {
      shown.cells.emplace_back(line.substr(i, length));
    }
    i += std::max<std::size_t>(length, 1);
  }
  shown.columns.push_back(shown.cells.size());
  return shown;
}

class Renderer {
 public:
  Renderer(const Sources& sources, bool colour) : sources_(sources), colour_(colour) {}

  std::string run(const Diagnostic& diagnostic) {
    const bool error = diagnostic.severity == Severity::error;
    const std::string_view tint = error ? red : yellow;
    margin_ = margin(diagnostic);
    out_ += paint(tint, fmt::format("{}[{}]", error ? "error" : "warning", diagnostic.code));
    out_ += paint(bold, ": " + diagnostic.message) + "\n";
    excerpt(diagnostic.range, '^', tint);
    for (const Note& note : diagnostic.notes) {
      out_ += paint(cyan, "note") + ": " + note.message + "\n";
      excerpt(note.range, '-', cyan);
    }
    if (!diagnostic.help.empty())
      out_ += std::string(margin_, ' ') + paint(blue, " = ") + paint(bold, "help") + ": " + diagnostic.help + "\n";
    return std::move(out_);
  }

 private:
  [[nodiscard]] std::string paint(std::string_view tint, const std::string& text) const {
    return colour_ ? fmt::format("{}{}{}", tint, text, plain) : text;
  }
  [[nodiscard]] std::uint32_t last_line(SourceRange range) const {
    return sources_.position(range.file, std::max(range.begin, range.end == 0 ? 0 : range.end - 1)).line;
  }
  // All excerpts of a diagnostic share one margin, wide enough for the largest line number.
  [[nodiscard]] std::size_t margin(const Diagnostic& diagnostic) const {
    std::uint32_t largest = last_line(diagnostic.range);
    for (const Note& note : diagnostic.notes) largest = std::max(largest, last_line(note.range));
    return fmt::formatted_size("{}", largest);
  }
  void bar(std::string_view text = "") { out_ += fmt::format("{:>{}} {}{}\n", "", margin_, paint(blue, "|"), text); }

  void excerpt(SourceRange range, char mark, std::string_view tint);
  void marked_line(FileId file, std::uint32_t number, std::size_t begin, std::size_t end, char mark,
                   std::string_view tint);

  const Sources& sources_;
  bool colour_;
  std::size_t margin_ = 1;
  std::string out_;
};

// A range of several lines is shown by its first and its last line.
void Renderer::excerpt(SourceRange range, char mark, std::string_view tint) {
  constexpr std::size_t to_the_end = std::string_view::npos;
  const std::uint32_t first = sources_.position(range.file, range.begin).line;
  const std::uint32_t last = last_line(range);
  const auto offset_in_line = [&](std::uint32_t number, std::uint32_t offset) {
    return static_cast<std::size_t>(sources_.text(range.file).data() + offset -
                                    sources_.line(range.file, number).data());
  };
  const auto size = static_cast<std::uint32_t>(sources_.text(range.file).size());
  const std::size_t begin = offset_in_line(first, std::min(range.begin, size));
  const std::size_t end = offset_in_line(last, std::min(std::max(range.begin, range.end), size));
  out_ += std::string(margin_, ' ') + paint(blue, "--> ") + sources_.location(range) + "\n";
  bar();
  marked_line(range.file, first, begin, first == last ? end : to_the_end, mark, tint);
  if (last > first + 1) out_ += std::string(margin_, ' ') + paint(blue, " ...") + "\n";
  if (last > first) {
    const std::string_view line = sources_.line(range.file, last);
    marked_line(range.file, last, std::min(line.find_first_not_of(" \t"), end), end, mark, tint);
  }
}

void Renderer::marked_line(FileId file, std::uint32_t number, std::size_t begin, std::size_t end, char mark,
                           std::string_view tint) {
  const std::string_view line = sources_.line(file, number);
  const ShownLine shown = show(line);
  const std::size_t from = shown.columns[std::min(begin, line.size())];
  const std::size_t to = std::max(from + 1, shown.columns[std::min(end, line.size())]);
  const bool cut = shown.cells.size() > widest_excerpt;
  const std::size_t left = cut && from > context_before ? from - context_before : 0;
  const std::size_t right = cut ? std::min(shown.cells.size(), left + widest_excerpt) : shown.cells.size();
  std::string text;
  for (std::size_t column = left; column < right; ++column) text += shown.cells[column];
  const std::size_t marks = std::max<std::size_t>(1, std::min(to, std::max(right, from + 1)) - from);
  out_ += paint(blue, fmt::format("{:>{}} |", number, margin_)) + (text.empty() ? "" : " ") + text + "\n";
  bar(" " + std::string(from - left, ' ') + paint(tint, std::string(marks, mark)));
}

char lower(char c) {
  return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
}

// Edit distance with swaps of neighbours as one edit; letters that differ in case only are equal.
std::size_t distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> before_last(b.size() + 1);
  std::vector<std::size_t> last(b.size() + 1);
  std::vector<std::size_t> row(b.size() + 1);
  for (std::size_t j = 0; j <= b.size(); ++j) row[j] = j;
  for (std::size_t i = 1; i <= a.size(); ++i) {
    before_last.swap(last);
    last.swap(row);
    row[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const bool same = lower(a[i - 1]) == lower(b[j - 1]);
      row[j] = std::min({last[j] + 1, row[j - 1] + 1, last[j - 1] + (same ? 0 : 1)});
      const bool swapped = i > 1 && j > 1 && lower(a[i - 1]) == lower(b[j - 2]) && lower(a[i - 2]) == lower(b[j - 1]);
      if (swapped) row[j] = std::min(row[j], before_last[j - 2] + 1);
    }
  }
  return row[b.size()];
}

}  // namespace

void Diagnostics::add(Diagnostic diagnostic) {
  if (diagnostic.severity == Severity::error && errors_++ >= limit) return;
  all_.push_back(std::move(diagnostic));
}

Diagnostic& Diagnostics::error(std::string code, SourceRange range, std::string message) {
  add({Severity::error, std::move(code), range, std::move(message)});
  if (errors_ <= limit) return all_.back();
  dropped_ = {};
  return dropped_;
}

Diagnostic& Diagnostics::warning(std::string code, SourceRange range, std::string message) {
  add({Severity::warning, std::move(code), range, std::move(message)});
  return all_.back();
}

std::string render(const Diagnostic& diagnostic, const Sources& sources, bool colour) {
  return Renderer(sources, colour).run(diagnostic);
}

std::string closest(std::string_view name, const std::vector<std::string>& candidates) {
  constexpr std::size_t longest_name = 100;  // nobody misspells longer ones, and the distance costs their product
  if (name.size() > longest_name) return {};
  std::string best;
  std::size_t best_distance = name.size() / 3 + 2;
  for (const std::string& candidate : candidates) {
    if (candidate.size() > longest_name || candidate == name) continue;
    const std::size_t found = distance(name, candidate);
    const std::size_t shorter = std::min(name.size(), candidate.size());
    const bool meant = found < shorter && found <= std::max<std::size_t>(1, shorter / 3);
    if (!meant || found >= best_distance) continue;
    best = candidate;
    best_distance = found;
  }
  return best;
}

}  // namespace fathom
