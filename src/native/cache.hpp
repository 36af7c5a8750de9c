// Compiled models on disk, named by a hash of everything that went into them. Entries are written under another name
// and moved into place, so that concurrent runs share the folder; each ends in a seal (length and hash of what stands
// before), so that a damaged one is rebuilt and never executed.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

namespace fathom {

// A folder that is removed with everything in it.
class TemporaryFolder {
 public:
  // Throws EnvironmentError when it cannot be made.
  explicit TemporaryFolder(const std::filesystem::path& parent);
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;
  ~TemporaryFolder();
  [[nodiscard]] const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
};

class CodeCache {
 public:
  // $FATHOM_CACHE, else $XDG_CACHE_HOME/fathom, else ~/.cache/fathom; when none of these can be ours alone, a folder
  // that lives as long as this object. Throws EnvironmentError when not even that is possible.
  CodeCache();

  [[nodiscard]] const std::filesystem::path& folder() const { return folder_; }

  // The entry, if it is there and intact.
  [[nodiscard]] std::optional<std::filesystem::path> find(const std::string& key) const;
  // Seals a shared object (which must lie on the same file system) and moves it in; then drops the entries that were
  // not used for longest, until the folder is within its bound.
  std::filesystem::path store(const std::string& key, const std::filesystem::path& object) const;
  void forget(const std::string& key) const;

 private:
  [[nodiscard]] std::filesystem::path entry(const std::string& key) const;
  void trim() const;

  std::optional<TemporaryFolder> private_folder_;
  std::filesystem::path folder_;
};

// 32 hexadecimal digits.
std::string content_hash(std::string_view text);

}  // namespace fathom
