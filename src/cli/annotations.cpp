#include "cli/annotations.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>

#include "support/text.hpp"

namespace fathom {

namespace {

constexpr std::string_view blanks = " \t\r";

class AnnotationReader {
 public:
  AnnotationReader(const Sources& sources, FileId file, Diagnostics& diagnostics)
      : text_(sources.text(file)), file_(file), diagnostics_(diagnostics) {}

  std::vector<Annotation> run() {
    for (std::size_t begin = 0; begin < text_.size();) {
      const std::size_t end = std::min(text_.find('\n', begin), text_.size());
      read_line(text_.substr(begin, end - begin));
      begin = end + 1;
    }
    return std::move(found_);
  }

 private:
  void read_line(std::string_view line) {
    for (const std::string_view mark : {"--@", "//@", "/*@"}) {
      const std::size_t at = line.find(mark);
      if (at == std::string_view::npos) continue;
      std::string_view said = line.substr(at + mark.size());
      if (mark == "/*@") said = said.substr(0, said.find("*/"));
      return read(trimmed(said), trimmed(line.substr(0, at)).empty());
    }
  }

  // Other tools have comments of this form, too, so only what looks like one of our words is ours.
  void read(std::string_view said, bool alone) {
    const std::size_t end = std::min(said.find_first_of(blanks), said.size());
    const std::string word(said.substr(0, end));
    const std::vector<std::string> words{"cost", "goal", "progress"};
    const auto known = std::ranges::find(words, word);
    if (known == words.end()) return warn_of_typo(said.substr(0, end), words);
    const std::string_view value = trimmed(said.substr(end));
    if (value.empty()) {
      diagnostics_.error("F610", range_of(said), fmt::format("what is the {}?", word)).help =
          word == "cost" ? "a whole number follows: cost 3" : "an expression follows: " + word + " x > 3";
      return;
    }
    found_.push_back({static_cast<Annotation::Kind>(known - words.begin()), range_of(value), alone});
  }

  void warn_of_typo(std::string_view word, const std::vector<std::string>& words) {
    const std::string meant = closest(word, words);
    if (meant.empty()) return;
    diagnostics_.warning("F611", range_of(word), fmt::format("this comment says nothing to Fathom: `{}`", word)).help =
        fmt::format("did you mean `{}`?", meant);
  }

  [[nodiscard]] SourceRange range_of(std::string_view part) const {
    const auto begin = static_cast<std::uint32_t>(part.data() - text_.data());
    return {file_, begin, begin + static_cast<std::uint32_t>(part.size())};
  }

  const std::string_view text_;
  const FileId file_;
  Diagnostics& diagnostics_;
  std::vector<Annotation> found_;
};

}  // namespace

std::vector<Annotation> read_annotations(const Sources& sources, FileId file, Diagnostics& diagnostics) {
  return AnnotationReader(sources, file, diagnostics).run();
}

std::optional<SourceRange> only_annotation(const std::vector<Annotation>& all, Annotation::Kind kind,
                                           Diagnostics& diagnostics) {
  std::optional<SourceRange> result;
  for (const Annotation& annotation : all) {
    if (annotation.kind != kind) continue;
    if (result) diagnostics.error("F612", annotation.value, "the model has said this before, and it can be said once");
    if (!result) result = annotation.value;
  }
  return result;
}

}  // namespace fathom
