#include "native/cache.hpp"

#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>
#include <xxhash.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <vector>

#include "support/errors.hpp"
#include "support/file_text.hpp"

namespace fathom {

namespace fs = std::filesystem;

namespace {

constexpr std::uintmax_t max_bytes = 256 << 20;
constexpr std::string_view suffix = ".so";
constexpr std::string_view temporary_prefix = "building.";
constexpr auto stale = std::chrono::hours(24);  // a build that old was killed together with its run

std::string seal(std::string_view content) {
  return fmt::format("\nfathom:{:016x}:{}\n", content.size(), content_hash(content));
}

bool sealed(const fs::path& path) {
  const std::string text = file_text(path).value_or("");
  const std::size_t length = seal("").size();
  if (text.size() <= length) return false;
  const std::string_view content(text.data(), text.size() - length);
  return std::string_view(text).substr(content.size()) == seal(content);
}

// What is loaded as code must not be writable by anybody else.
bool is_ours(const fs::path& path) {
  struct stat info {};
  return ::lstat(path.c_str(), &info) == 0 && S_ISDIR(info.st_mode) && info.st_uid == ::geteuid() &&
         (info.st_mode & 022) == 0;
}

bool prepare(const fs::path& folder) {
  std::error_code ignored;
  fs::create_directories(folder.parent_path(), ignored);
  ::mkdir(folder.c_str(), 0700);
  return is_ours(folder) && ::access(folder.c_str(), W_OK | X_OK) == 0;
}

std::vector<fs::path> candidates() {
  const auto variable = [](const char* name) -> fs::path {
    const char* const value = std::getenv(name);
    return value == nullptr ? "" : value;
  };
  if (const fs::path chosen = variable("FATHOM_CACHE"); !chosen.empty()) return {chosen};
  std::vector<fs::path> out;
  if (const fs::path base = variable("XDG_CACHE_HOME"); base.is_absolute()) out.push_back(base / "fathom");
  if (const fs::path home = variable("HOME"); home.is_absolute()) out.push_back(home / ".cache" / "fathom");
  return out;
}

}  // namespace

std::string content_hash(std::string_view text) {
  const XXH128_hash_t hash = XXH3_128bits(text.data(), text.size());
  return fmt::format("{:016x}{:016x}", hash.high64, hash.low64);
}

TemporaryFolder::TemporaryFolder(const fs::path& parent) {
  std::string name = (parent / (std::string(temporary_prefix) + "XXXXXX")).string();
  if (::mkdtemp(name.data()) == nullptr)
    throw EnvironmentError(fmt::format("cannot make a folder in {}: {}", parent.string(), std::strerror(errno)));
  path_ = name;
}

TemporaryFolder::~TemporaryFolder() {
  std::error_code ignored;
  fs::remove_all(path_, ignored);
}

CodeCache::CodeCache() {
  for (const fs::path& folder : candidates()) {
    if (!prepare(folder)) continue;
    folder_ = folder;
    return;
  }
  std::error_code error;
  const fs::path temporary = fs::temp_directory_path(error);
  if (error) throw EnvironmentError(fmt::format("there is no folder for temporary files: {}", error.message()));
  folder_ = private_folder_.emplace(temporary).path();
}

fs::path CodeCache::entry(const std::string& key) const {
  return folder_ / (key + std::string(suffix));
}

std::optional<fs::path> CodeCache::find(const std::string& key) const {
  const fs::path path = entry(key);
  if (!sealed(path)) return std::nullopt;
  std::error_code ignored;
  fs::last_write_time(path, fs::file_time_type::clock::now(), ignored);  // the time of use, for trim()
  return path;
}

fs::path CodeCache::store(const std::string& key, const fs::path& object) const {
  const std::string end = seal(file_text(object).value_or(""));
  std::ofstream out(object, std::ios::binary | std::ios::app);
  out << end;
  out.close();
  std::error_code error;
  if (out) fs::rename(object, entry(key), error);
  if (!out || error) throw EnvironmentError(fmt::format("cannot write to {}", folder_.string()));
  trim();
  return entry(key);
}

void CodeCache::forget(const std::string& key) const {
  std::error_code ignored;
  fs::remove(entry(key), ignored);
}

// Other runs may remove files under our eyes, so every error is ignored. A removed object stays usable for whoever has
// loaded it.
void CodeCache::trim() const {
  struct Entry {
    fs::file_time_type used;
    std::uintmax_t bytes;
    fs::path path;
  };
  std::error_code error;
  std::vector<Entry> entries;
  std::uintmax_t total = 0;
  for (const fs::directory_entry& file : fs::directory_iterator(folder_, error)) {
    const auto used = file.last_write_time(error);
    if (file.path().filename().string().starts_with(temporary_prefix)) {
      if (!error && fs::file_time_type::clock::now() - used > stale) fs::remove_all(file.path(), error);
    } else if (file.path().extension() == suffix) {
      const std::uintmax_t bytes = file.file_size(error);
      if (error) continue;
      entries.push_back({used, bytes, file.path()});
      total += bytes;
    }
  }
  std::sort(entries.begin(), entries.end(), [](const Entry& a, const Entry& b) { return a.used < b.used; });
  for (const Entry& oldest : entries) {
    if (total <= max_bytes) return;
    fs::remove(oldest.path, error);
    total -= oldest.bytes;
  }
}

}  // namespace fathom
