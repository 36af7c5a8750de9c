#include "heuristic/compiled_estimate.hpp"

#include <utility>

#include "support/errors.hpp"

namespace fathom {

CompiledEstimate::CompiledEstimate(std::string text)
    : text_(std::move(text)), thread_([this](const std::stop_token& stop) { compile(stop); }) {}

void CompiledEstimate::compile(const std::stop_token& stop) {
  try {
    const NativeBuild build(std::move(text_));
    std::optional<SharedObject> cached = build.cached();
    object_.emplace(cached ? std::move(*cached) : build.build(stop));
    ready_.store(reinterpret_cast<Function>(object_->symbol(symbol)), std::memory_order_release);
  } catch (const EnvironmentError&) {
    // The code is interpreted as before.
  }
}

}  // namespace fathom
