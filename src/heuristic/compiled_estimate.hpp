// Estimate code as native code: it is written as C, compiled in the background, and taken over when it is there. Then
// an estimate costs a small part of what the steps of a compiled model do.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <thread>

#include "native/build.hpp"

namespace fathom {

class CompiledEstimate {
 public:
  // For what is not worth its C: computes instruction `step`, whose operands stand in the numbers of `code`.
  using Ask = std::int64_t (*)(void* code, std::uint32_t step, const std::uint64_t* state);
  using Function = std::int64_t (*)(const std::uint64_t* state, std::int64_t* numbers, void* code, Ask ask);
  static constexpr const char* symbol = "fathom_estimate";

  // Begins to compile. That it does not succeed is no misfortune: nothing is ever ready then.
  explicit CompiledEstimate(std::string text);
  CompiledEstimate(const CompiledEstimate&) = delete;
  CompiledEstimate& operator=(const CompiledEstimate&) = delete;

  // Null as long as it is not ready.
  [[nodiscard]] Function function() const { return ready_.load(std::memory_order_acquire); }

 private:
  void compile(const std::stop_token& stop);

  std::string text_;
  std::optional<SharedObject> object_;
  std::atomic<Function> ready_ = nullptr;
  std::jthread thread_;  // last, so that it ends first
};

}  // namespace fathom
