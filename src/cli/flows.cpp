#include "cli/flows.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace fathom {

namespace {

bool is_space(char c) {
  return c == ' ' || c == '\t' || c == '\r' || c == '\n';
}

bool is_flow_word(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '.' ||
         static_cast<unsigned char>(c) >= 0x80;
}

// A mistake was reported; the reader goes on at the next flow.
struct Abandoned {};

// Reads the text character by character. An expression of the model's language ends at a sign of ours, so words are
// only made where we expect them.
class FlowText {
 public:
  FlowText(const Sources& sources, FileId file, Diagnostics& diagnostics)
      : text_(sources.text(file)), file_(file), diagnostics_(diagnostics) {}

  // Past blanks and comments, which are those of Murphi.
  void skip_blanks() {
    for (;;) {
      while (at_ < text_.size() && is_space(text_[at_])) ++at_;
      if (starts("--")) {
        at_ = std::min(text_.find('\n', at_), text_.size());
      } else if (starts("/*")) {
        const std::size_t end = text_.find("*/", at_ + 2);
        at_ = end == std::string_view::npos ? text_.size() : end + 2;
      } else {
        return;
      }
    }
  }

  [[nodiscard]] bool at_end() {
    skip_blanks();
    return at_ == text_.size();
  }

  [[nodiscard]] bool accept(std::string_view sign) {
    skip_blanks();
    if (!starts(sign)) return false;
    const bool continues =
        is_flow_word(sign.back()) && at_ + sign.size() < text_.size() && is_flow_word(text_[at_ + sign.size()]);
    if (continues) return false;
    at_ += sign.size();
    return true;
  }

  void expect(std::string_view sign, const char* where) {
    if (!accept(sign)) fail(fmt::format("expected `{}` {}", sign, where));
  }

  // A word, or anything in double quotes.
  FlowName name(const char* what) {
    skip_blanks();
    const std::size_t begin = at_;
    if (starts("\"")) {
      const std::size_t end = text_.find('"', at_ + 1);
      if (end == std::string_view::npos) fail("this name has no closing `\"`");
      at_ = end + 1;
      return {std::string(text_.substr(begin + 1, end - begin - 1)), range(begin, at_)};
    }
    while (at_ < text_.size() && is_flow_word(text_[at_])) ++at_;
    if (at_ == begin) fail(fmt::format("expected {}", what));
    return {std::string(text_.substr(begin, at_ - begin)), range(begin, at_)};
  }

  // Up to the first of these signs outside brackets, which stays, or to the end.
  SourceRange expression(std::string_view ends) {
    skip_blanks();
    const std::size_t begin = at_;
    int open = 0;
    for (; at_ < text_.size() && (open > 0 || ends.find(text_[at_]) == std::string_view::npos); ++at_) {
      if (text_[at_] == '(' || text_[at_] == '[') ++open;
      if (text_[at_] == ')' || text_[at_] == ']') --open;
    }
    std::size_t end = at_;
    while (end > begin && is_space(text_[end - 1])) --end;
    if (end == begin) fail("expected an expression after `when`");
    return range(begin, end);
  }

  // What stands before the sign or the word `when`: a name without quotes may have blanks.
  FlowName loose_name(std::string_view ends) {
    skip_blanks();
    if (starts("\"")) return name("the name of a rule");
    const std::size_t begin = at_;
    std::size_t end = at_;
    while (at_ < text_.size() && ends.find(text_[at_]) == std::string_view::npos) {
      if (is_space(text_[at_]) && text_.substr(at_ + 1).starts_with("when") &&
          (at_ + 5 >= text_.size() || !is_flow_word(text_[at_ + 5])))
        break;
      if (!is_space(text_[at_++])) end = at_;
    }
    if (end == begin) fail("expected the name of a rule");
    return {std::string(text_.substr(begin, end - begin)), range(begin, end)};
  }

  void skip_past(char sign) {
    while (at_ < text_.size() && text_[at_++] != sign) {
    }
  }

  [[noreturn]] void fail(std::string message) {
    const std::size_t end = std::min(at_ + 1, text_.size());
    diagnostics_.error("F320", range(at_, end), std::move(message)).help = "docs/flows.md has the format";
    throw Abandoned{};
  }

 private:
  [[nodiscard]] bool starts(std::string_view sign) const { return text_.substr(at_).starts_with(sign); }
  [[nodiscard]] SourceRange range(std::size_t begin, std::size_t end) const {
    return {file_, static_cast<std::uint32_t>(begin), static_cast<std::uint32_t>(end)};
  }

  std::string_view text_;
  FileId file_;
  Diagnostics& diagnostics_;
  std::size_t at_ = 0;
};

class FlowReader {
 public:
  FlowReader(const Sources& sources, FileId file, Diagnostics& diagnostics)
      : read_(sources, file, diagnostics), diagnostics_(diagnostics) {}

  std::vector<Flow> all() {
    std::vector<Flow> flows;
    while (!read_.at_end()) {
      try {
        flows.push_back(flow());
      } catch (const Abandoned&) {
        read_.skip_past('}');
      }
    }
    return flows;
  }

 private:
  Flow flow() {
    read_.expect("flow", "at the beginning of a flow");
    Flow result;
    result.name = read_.name("the name of the flow");
    if (read_.accept("for")) {
      do result.properties.push_back(read_.name("the name of a property"));
      while (read_.accept(","));
    }
    read_.expect("{", "before the rules of the flow");
    while (!read_.accept("}")) {
      if (read_.accept("mark"))
        marks(result);
      else
        chain(result);
    }
    check_order(result);
    return result;
  }

  void marks(Flow& flow) {
    do {
      FlowMark mark{read_.name("the name of a rule"), std::nullopt};
      if (read_.accept("when")) mark.condition = read_.expression(",;");
      flow.marks.push_back(std::move(mark));
    } while (read_.accept(","));
    read_.expect(";", "after the marks");
  }

  void chain(Flow& flow) {
    std::size_t before = number(flow, read_.name("the name of a rule, `mark` or `}`"));
    while (read_.accept("->")) {
      const std::size_t after = number(flow, read_.name("the name of a rule"));
      flow.order.emplace_back(before, after);
      before = after;
    }
    read_.expect(";", "after the rules that follow one another");
  }

  static std::size_t number(Flow& flow, FlowName rule) {
    const auto found = std::ranges::find(flow.rules, rule.text, &FlowName::text);
    if (found != flow.rules.end()) return static_cast<std::size_t>(found - flow.rules.begin());
    flow.rules.push_back(std::move(rule));
    return flow.rules.size() - 1;
  }

  // Takes away rules before which none is left, over and over; what remains is in a circle.
  void check_order(const Flow& flow) {
    std::vector<bool> done(flow.rules.size(), false);
    for (bool going_on = true; going_on;) {
      going_on = false;
      for (std::size_t k = 0; k < flow.rules.size(); ++k) {
        const auto is_held_up = [&](const auto& pair) { return pair.second == k && !done[pair.first]; };
        if (done[k] || std::ranges::any_of(flow.order, is_held_up)) continue;
        done[k] = going_on = true;
      }
    }
    const auto left = std::ranges::find(done, false);
    if (left == done.end()) return;
    const FlowName& rule = flow.rules[static_cast<std::size_t>(left - done.begin())];
    diagnostics_.error("F321", rule.range,
                       fmt::format("the order of flow `{}` goes in a circle: `{}` would come before itself",
                                   flow.name.text, rule.text));
  }

  FlowText read_;
  Diagnostics& diagnostics_;
};

}  // namespace

std::vector<FlowMark> Flow::marks_of() const {
  if (!marks.empty()) return marks;
  std::vector<FlowMark> result;
  for (std::size_t k = 0; k < rules.size(); ++k)
    if (std::ranges::any_of(order, [&](const auto& pair) { return pair.second == k; }))
      result.push_back({rules[k], std::nullopt});
  return result;
}

std::vector<Flow> parse_flows(const Sources& sources, FileId file, Diagnostics& diagnostics) {
  return FlowReader(sources, file, diagnostics).all();
}

std::vector<FlowMark> parse_marks(const Sources& sources, FileId file, Diagnostics& diagnostics) {
  FlowText read(sources, file, diagnostics);
  std::vector<FlowMark> marks;
  try {
    do {
      FlowMark mark{read.loose_name(","), std::nullopt};
      if (read.accept("when")) mark.condition = read.expression(",");
      marks.push_back(std::move(mark));
    } while (read.accept(","));
    if (!read.at_end()) read.fail("expected `,` or `when`");
  } catch (const Abandoned&) {
  }
  return marks;
}

}  // namespace fathom
