#include "support/file_text.hpp"

#include <cstdio>
#include <memory>

namespace fathom {

std::optional<std::string> file_text(const std::filesystem::path& path) {
  const std::unique_ptr<std::FILE, int (*)(std::FILE*)> file(std::fopen(path.c_str(), "rb"), std::fclose);
  if (!file) return std::nullopt;
  std::string text;
  for (char block[1 << 16];;) {
    const std::size_t count = std::fread(block, 1, sizeof block, file.get());
    text.append(block, count);
    if (count < sizeof block) break;
  }
  if (std::ferror(file.get())) return std::nullopt;
  return text;
}

}  // namespace fathom
