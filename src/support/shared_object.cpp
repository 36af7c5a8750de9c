#include "support/shared_object.hpp"

#include <dlfcn.h>

#include <utility>

#include "support/errors.hpp"

namespace fathom {

SharedObject::SharedObject(const std::filesystem::path& path) : handle_(::dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL)) {
  if (handle_ == nullptr) throw EnvironmentError(::dlerror());
}

SharedObject::SharedObject(SharedObject&& other) noexcept : handle_(std::exchange(other.handle_, nullptr)) {}

SharedObject::~SharedObject() {
  if (handle_ != nullptr) ::dlclose(handle_);
}

void* SharedObject::symbol(const char* name) const {
  return ::dlsym(handle_, name);
}

}  // namespace fathom
