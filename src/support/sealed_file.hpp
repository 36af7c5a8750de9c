// A file that is either whole or not there. What is written is compressed (zstd) and sealed with a hash of all that
// stands before; it goes into a file beside the one that is meant, which takes its name when everything is on the disk.
// A reader accepts nothing that is damaged, cut short, or of another kind or version.
#pragma once

#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "support/plain_list.hpp"

namespace fathom {

// What kind of file it is, in eight letters, and which version of that kind.
struct FileKind {
  std::string_view letters;
  std::uint32_t version;
  std::string_view name;  // for messages: "checkpoint"
};

// Everything here throws EnvironmentError with the name of the file.

// Whether there is such a file, of any version, whole or not.
bool is_sealed_file(const std::filesystem::path& path, const FileKind& kind);

// Removes what processes left that were killed while they wrote such a file here.
void remove_unfinished_files(const std::filesystem::path& path);

class SealedWriter {
 public:
  // A link stays one: what is behind it is replaced. Throws EnvironmentError if that is no file.
  SealedWriter(const std::filesystem::path& path, const FileKind& kind);
  SealedWriter(const SealedWriter&) = delete;
  SealedWriter& operator=(const SealedWriter&) = delete;
  ~SealedWriter();  // without commit() nothing is left behind

  void number(std::uint64_t value) { words({&value, 1}); }
  void words(std::span<const std::uint64_t> words);
  void text(std::string_view text);
  void list(std::span<const std::uint64_t> list);  // with its length
  void list(const std::vector<std::uint64_t>& list) { this->list(std::span(list)); }
  void bytes(std::span<const std::uint8_t> bytes);
  void byte_list(std::span<const std::uint8_t> list);

  void commit();

 private:
  struct Parts;
  void compress(const void* data, std::size_t size, bool last);
  void write(const void* data, std::size_t size);

  std::filesystem::path path_, unfinished_;
  std::unique_ptr<Parts> parts_;
};

class SealedReader {
 public:
  SealedReader(const std::filesystem::path& path, const FileKind& kind);
  SealedReader(const SealedReader&) = delete;
  SealedReader& operator=(const SealedReader&) = delete;
  ~SealedReader();

  [[nodiscard]] std::uint64_t number();
  void words(std::span<std::uint64_t> words);
  void bytes(std::span<std::uint8_t> bytes);
  [[nodiscard]] std::string text();
  [[nodiscard]] std::vector<std::uint64_t> list();
  void list(PlainList<std::uint64_t>& list);
  [[nodiscard]] std::vector<std::uint8_t> byte_list();
  // Nothing may follow.
  void expect_end();

 private:
  struct Parts;
  void check_seal();
  [[nodiscard]] std::size_t decompress(void* data, std::size_t size);
  void take(void* data, std::size_t size);
  [[noreturn]] void refuse(std::string_view why) const;

  std::filesystem::path path_;
  std::string name_;
  std::unique_ptr<Parts> parts_;
};

}  // namespace fathom
