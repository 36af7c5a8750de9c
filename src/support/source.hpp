// Source texts and places in them. Every diagnostic, fault and trace step points into a Sources by a SourceRange,
// so ranges stay eight-byte values and the text is kept once.
#pragma once

#include <cstdint>
#include <deque>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace fathom {

enum class FileId : std::uint32_t {};

// A half-open range of bytes in one file.
struct SourceRange {
  FileId file{};
  std::uint32_t begin = 0;
  std::uint32_t end = 0;

  [[nodiscard]] SourceRange to(SourceRange last) const { return {file, begin, last.end}; }
  bool operator==(const SourceRange&) const = default;
};

// One-based, as editors count. Columns count characters (UTF-8 code points), not bytes.
struct Position {
  std::uint32_t line = 1;
  std::uint32_t column = 1;
};

class Sources {
 public:
  FileId add(std::string path, std::string text);

  [[nodiscard]] std::optional<FileId> find(std::string_view path) const;
  [[nodiscard]] const std::string& path(FileId file) const { return files_[index(file)].path; }
  [[nodiscard]] std::string_view text(FileId file) const { return files_[index(file)].text; }
  [[nodiscard]] std::string_view text(SourceRange range) const;
  [[nodiscard]] Position position(FileId file, std::uint32_t offset) const;
  // The whole line, without its line break; empty past the end of the file.
  [[nodiscard]] std::string_view line(FileId file, std::uint32_t number) const;
  // "german.m:60:1"
  [[nodiscard]] std::string location(SourceRange range) const;

 private:
  struct File {
    std::string path;
    std::string text;
    std::vector<std::uint32_t> line_starts;
  };
  static std::size_t index(FileId file) { return static_cast<std::size_t>(file); }

  std::deque<File> files_;  // a deque keeps the texts in place while files are added
};

}  // namespace fathom
