#include "native/build.hpp"

#include <fmt/format.h>

#include <fstream>
#include <mutex>
#include <utility>

#include "native/emit.hpp"
#include "support/errors.hpp"

namespace fathom {

NativeBuild::NativeBuild(const ir::Program& program) {
  if (!fits_native_stack(program))
    throw EnvironmentError("the model's local variables need more stack than native code may use");
  text_ = emit_model(program);
  key_ = content_hash(text_ + compiler_.identity());
}

NativeBuild::NativeBuild(std::string text) : text_(std::move(text)), key_(content_hash(text_ + compiler_.identity())) {}

std::optional<SharedObject> NativeBuild::cached() const {
  const auto path = cache_.find(key_);
  if (!path.has_value()) return std::nullopt;
  try {
    return SharedObject(*path);
  } catch (const EnvironmentError&) {
    cache_.forget(key_);
    return std::nullopt;
  }
}

// Several executors of one model may want the same code at the same time: one compiles, the others wait for it.
SharedObject NativeBuild::build(const std::stop_token& stop) const {
  static std::mutex compiling;
  const std::scoped_lock lock(compiling);
  if (auto code = cached()) return std::move(*code);
  const TemporaryFolder work(cache_.folder());
  const std::filesystem::path source = work.path() / "model.c";
  const std::filesystem::path object = work.path() / "model.so";
  std::ofstream out(source, std::ios::binary);
  out << text_;
  out.close();
  if (!out) throw EnvironmentError(fmt::format("cannot write {}", source.string()));
  compiler_.compile(source, object, stop);
  try {
    return SharedObject(cache_.store(key_, object));
  } catch (const EnvironmentError&) {
    cache_.forget(key_);
    throw;
  }
}

}  // namespace fathom
