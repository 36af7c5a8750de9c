#include "cli/promela_marks.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "support/text.hpp"

namespace fathom {

namespace {

std::string_view without_pid(std::string_view component) {
  return component.substr(0, component.find('['));
}

// `*` is any text.
bool fits(std::string_view text, std::string_view pattern) {
  const std::size_t star = pattern.find('*');
  if (star == std::string_view::npos) return text == pattern;
  if (!text.starts_with(pattern.substr(0, star))) return false;
  for (std::size_t begin = star; begin <= text.size(); ++begin)
    if (fits(text.substr(begin), pattern.substr(star + 1))) return true;
  return false;
}

std::string with_pid(std::string_view condition, const std::string& pid) {
  constexpr std::string_view word = "_pid";
  std::string result;
  for (std::size_t at = 0; at < condition.size();) {
    const bool begins = at == 0 || !is_name_character(condition[at - 1]);
    const bool ends = at + word.size() >= condition.size() || !is_name_character(condition[at + word.size()]);
    if (begins && ends && condition.substr(at).starts_with(word)) {
      result += pid;
      at += word.size();
    } else {
      result += condition[at++];
    }
  }
  return result;
}

class Finder {
 public:
  Finder(const ir::Program& program, std::string_view name, std::string_view condition)
      : program_(program), condition_(condition) {
    const std::size_t at = name.find('@');
    process_ = name.substr(0, at);
    if (at != std::string_view::npos) label_ = name.substr(at + 1);
    text_ = name;
  }

  std::vector<PromelaMark> find() {
    std::uint32_t edge = 0;
    for (std::uint32_t number = 0; number < program_.components.size(); ++number)
      for (const auto& each : program_.components[number].edges) look_at(edge++, *each, number);
    return std::move(found_);
  }

 private:
  void look_at(std::uint32_t number, const ir::Edge& edge, std::uint32_t component) {
    const ir::Component& own = program_.components[component];
    if (is_process(own)) return add(number, own);
    for (const std::uint32_t other : edge.participants)
      if (is_process(program_.components[other])) return add(number, program_.components[other]);
    if (label_.empty() && (fits(edge.name, text_) || is_line_of(edge))) add(number, own);
  }

  [[nodiscard]] bool is_process(const ir::Component& component) const {
    return component.name == process_ || without_pid(component.name) == process_;
  }

  [[nodiscard]] bool is_line_of(const ir::Edge& edge) const {
    if (!text_.starts_with("line ") || edge.name.empty()) return false;
    return text_.substr(5) == std::to_string(program_.sources->position(edge.range.file, edge.range.begin).line);
  }

  void add(std::uint32_t edge, const ir::Component& component) {
    std::string condition = with_pid(condition_, component.agent);
    if (!label_.empty()) {
      const std::string there = fmt::format("{}[{}]@{}", without_pid(component.name), component.agent, label_);
      condition = condition.empty() ? there : fmt::format("{} && ({})", there, condition);
    }
    found_.push_back({edge, std::move(condition)});
  }

  const ir::Program& program_;
  std::string_view condition_;
  std::string_view text_, process_, label_;
  std::vector<PromelaMark> found_;
};

}  // namespace

std::vector<PromelaMark> promela_marks(const ir::Program& program, std::string_view name, std::string_view condition) {
  return Finder(program, name, condition).find();
}

std::vector<std::string> promela_mark_names(const ir::Program& program) {
  std::vector<std::string> names;
  for (const ir::Component& component : program.components) {
    names.emplace_back(without_pid(component.name));
    for (const auto& edge : component.edges) names.push_back(edge->name);
  }
  return names;
}

}  // namespace fathom
