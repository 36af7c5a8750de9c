#include "support/source.hpp"

#include <algorithm>

#include "support/utf8.hpp"

namespace fathom {

namespace {

std::vector<std::uint32_t> line_starts_of(std::string_view text) {
  std::vector<std::uint32_t> starts{0};
  for (std::size_t i = 0; i < text.size(); ++i)
    if (text[i] == '\n') starts.push_back(static_cast<std::uint32_t>(i + 1));
  return starts;
}

}  // namespace

FileId Sources::add(std::string path, std::string text) {
  auto starts = line_starts_of(text);
  files_.push_back({std::move(path), std::move(text), std::move(starts)});
  return static_cast<FileId>(files_.size() - 1);
}

std::optional<FileId> Sources::find(std::string_view path) const {
  for (std::size_t k = 0; k < files_.size(); ++k)
    if (files_[k].path == path) return FileId{static_cast<std::uint32_t>(k)};
  return std::nullopt;
}

std::string_view Sources::text(SourceRange range) const {
  const std::string_view whole = text(range.file);
  const std::size_t begin = std::min<std::size_t>(range.begin, whole.size());
  const std::size_t end = std::clamp<std::size_t>(range.end, begin, whole.size());
  return whole.substr(begin, end - begin);
}

Position Sources::position(FileId file, std::uint32_t offset) const {
  const File& source = files_[index(file)];
  const std::uint32_t place = std::min(offset, static_cast<std::uint32_t>(source.text.size()));
  const auto next_line = std::upper_bound(source.line_starts.begin(), source.line_starts.end(), place);
  const std::uint32_t start = *(next_line - 1);
  const auto before = std::string_view(source.text).substr(start, place - start);
  const auto characters = std::count_if(before.begin(), before.end(), [](char c) { return !continues_character(c); });
  return {static_cast<std::uint32_t>(next_line - source.line_starts.begin()),
          static_cast<std::uint32_t>(characters + 1)};
}

std::string_view Sources::line(FileId file, std::uint32_t number) const {
  const File& source = files_[index(file)];
  if (number == 0 || number > source.line_starts.size()) return {};
  const std::string_view rest = std::string_view(source.text).substr(source.line_starts[number - 1]);
  const std::string_view line = rest.substr(0, rest.find('\n'));
  return line.ends_with('\r') ? line.substr(0, line.size() - 1) : line;
}

std::string Sources::location(SourceRange range) const {
  const Position at = position(range.file, range.begin);
  return path(range.file) + ":" + std::to_string(at.line) + ":" + std::to_string(at.column);
}

}  // namespace fathom
