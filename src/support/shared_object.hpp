// A shared object loaded into this process, for as long as the value lives.
#pragma once

#include <filesystem>

namespace fathom {

class SharedObject {
 public:
  // Throws EnvironmentError when the file cannot be loaded.
  explicit SharedObject(const std::filesystem::path& path);
  SharedObject(SharedObject&& other) noexcept;
  SharedObject& operator=(SharedObject&&) = delete;
  ~SharedObject();

  // Null when there is no such symbol.
  [[nodiscard]] void* symbol(const char* name) const;

 private:
  void* handle_;
};

}  // namespace fathom
