#include "report/chart.hpp"

#include <fmt/format.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>

#include "support/text.hpp"
#include "support/utf8.hpp"
#include "trace/messages.hpp"

namespace fathom {

namespace {

constexpr std::size_t number_columns = 6;
constexpr std::size_t narrowest = 8, widest = 30;  // of a lifeline
constexpr const char* nobody = "(no agent)";

struct Signs {
  const char *line, *local, *sent, *dash, *right, *left, *cut;
};
constexpr Signs unicode{"│", "├", "●", "─", "▶", "◀", "…"};
constexpr Signs plain{"|", "+", "o", "-", ">", "<", "~"};

// A line of the chart, a string for each column so that signs of several bytes count as one.
class Row {
 public:
  Row(std::size_t width, const char* cut) : cells_(width, " "), cut_(cut) {}

  void put(std::size_t column, const std::string& sign) {
    if (column < cells_.size()) cells_[column] = sign;
  }
  // At most `room` columns of the text.
  void write(std::size_t column, std::string_view text, std::size_t room) {
    std::vector<std::string> signs;
    while (!text.empty()) {
      const std::size_t length = std::max<std::size_t>(character_length(text), 1);
      signs.emplace_back(text.substr(0, length));
      text.remove_prefix(length);
    }
    if (signs.size() > room) {
      signs.resize(room);
      if (room > 0) signs.back() = cut_;
    }
    for (std::size_t k = 0; k < signs.size(); ++k) put(column + k, signs[k]);
  }
  [[nodiscard]] std::string text() const {
    std::string line;
    for (const std::string& cell : cells_) line += cell;
    while (line.ends_with(' ')) line.pop_back();
    return line + "\n";
  }

 private:
  std::vector<std::string> cells_;
  const char* cut_;
};

class Chart {
 public:
  Chart(const Trace& trace, const ChartOptions& options)
      : trace_(trace), signs_(options.ascii ? plain : unicode), messages_(messages_of(trace)) {
    for (const TraceStep& step : trace.steps)
      for (const std::string& actor : actors_of(step))
        if (std::ranges::count(lifelines_, actor) == 0) lifelines_.push_back(actor);
    std::ranges::stable_sort(lifelines_, [](const std::string& a, const std::string& b) {
      return std::pair(a.size(), a) < std::pair(b.size(), b);
    });
    if (!trace.actors.empty()) order_by(trace.actors);
    const std::size_t count = std::max<std::size_t>(lifelines_.size(), 1);
    const std::size_t room = options.width > number_columns ? options.width - number_columns : 0;
    column_ = std::clamp(room / count, narrowest, widest);
    width_ = number_columns + column_ * count;
  }

  std::string draw() {
    if (lifelines_.empty()) return "";
    std::string text = heads();
    for (std::size_t k = 0; k < trace_.steps.size(); ++k) text += draw_step(k);
    return text;
  }

 private:
  static std::vector<std::string> actors_of(const TraceStep& step) {
    if (!step.actors.empty()) return step.actors;
    return step.agents.empty() ? std::vector<std::string>{nobody} : std::vector<std::string>{step.agents.front()};
  }

  void order_by(const std::vector<std::string>& known) {
    std::ranges::stable_sort(lifelines_, {}, [&](const std::string& name) { return std::ranges::find(known, name); });
  }

  [[nodiscard]] std::size_t column_of(const std::string& actor) const {
    const auto found = std::ranges::find(lifelines_, actor);
    return number_columns + static_cast<std::size_t>(found - lifelines_.begin()) * column_;
  }

  [[nodiscard]] Row empty_row() const {
    Row row(width_, signs_.cut);
    for (std::size_t k = 0; k < lifelines_.size(); ++k) row.put(number_columns + k * column_, signs_.line);
    return row;
  }

  std::string heads() {
    Row row(width_, signs_.cut);
    for (const std::string& actor : lifelines_) row.write(column_of(actor), actor, column_ - 1);
    return row.text();
  }

  std::string draw_step(std::size_t number) {
    const TraceStep& step = trace_.steps[number];
    const std::vector<std::string> actors = actors_of(step);
    Row row = empty_row();
    row.write(0, fmt::format("{:>4}", number + 1), number_columns - 1);
    if (actors.size() == 2) {
      const std::size_t slash = step.rule.find(" / ");
      arrow(row, actors[0], actors[1], step.rule.substr(0, slash));
      return row.text();
    }
    const MessageEvent* const event = messages_[number].empty() ? nullptr : &messages_[number].front();
    if (event == nullptr) {
      mark(row, actors.front(), signs_.local, title_of(step));
    } else if (event->kind == MessageEvent::Kind::sent) {
      mark(row, actors.front(), signs_.sent, fmt::format("{}!{}", event->channel, event->text));
    } else {
      draw_receive(row, actors.front(), *event);
    }
    return row.text();
  }

  void draw_receive(Row& row, const std::string& receiver, const MessageEvent& event) {
    const std::string sender = event.sender ? actors_of(trace_.steps[*event.sender]).front() : receiver;
    if (sender == receiver) {
      mark(row, receiver, signs_.local, fmt::format("{}?{}", event.channel, event.text));
    } else {
      arrow(row, sender, receiver, event.text);
    }
  }

  void mark(Row& row, const std::string& actor, const char* sign, const std::string& text) {
    const std::size_t column = column_of(actor);
    row.put(column, sign);
    row.write(column + 2, text, column_ - 3);
  }

  // `──text──▶`, the text in the middle.
  void arrow(Row& row, const std::string& from, const std::string& to, const std::string& text) {
    const bool to_the_right = column_of(from) < column_of(to);
    const std::size_t left = std::min(column_of(from), column_of(to)) + 1;
    const std::size_t right = std::max(column_of(from), column_of(to));
    for (std::size_t k = left; k < right; ++k) row.put(k, signs_.dash);
    row.put(to_the_right ? right - 1 : left, to_the_right ? signs_.right : signs_.left);
    const std::size_t room = right - left - 2;
    const std::size_t length = std::min(text.size(), room > 2 ? room - 2 : 0);
    row.write(left + 1 + (room - length) / 2, text, length);
  }

  // A printf is its own statement, and what it printed says more.
  [[nodiscard]] static std::string printed(const std::string& output) {
    std::string text = one_line(output);
    while (text.ends_with(' ')) text.pop_back();
    return fmt::format("\"{}\"", text);
  }

  [[nodiscard]] static std::string title_of(const TraceStep& step) {
    if (!step.output.empty() && !step.actors.empty()) return printed(step.output);
    if (step.parameters.empty()) return step.rule;
    std::string text = step.rule + " (";
    for (std::size_t k = 0; k < step.parameters.size(); ++k) text += (k > 0 ? "," : "") + step.parameters[k].second;
    return text + ")";
  }

  const Trace& trace_;
  const Signs& signs_;
  const std::vector<std::vector<MessageEvent>> messages_;
  std::vector<std::string> lifelines_;
  std::size_t column_ = 0, width_ = 0;
};

// As programs that print text find it out: the first of these that is set decides.
bool locale_is_utf8() {
  for (const char* name : {"LC_ALL", "LC_CTYPE", "LANG"}) {
    const char* const value = std::getenv(name);
    if (value == nullptr || *value == 0) continue;
    return std::strstr(value, "UTF-8") != nullptr || std::strstr(value, "utf8") != nullptr;
  }
  return false;
}

}  // namespace

ChartOptions chart_options(bool ascii) {
  ChartOptions options{ascii || !locale_is_utf8()};
  winsize size{};
  if (ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col >= 40) options.width = size.ws_col;
  return options;
}

std::string draw_chart(const Trace& trace, const ChartOptions& options) {
  return Chart(trace, options).draw();
}

}  // namespace fathom
