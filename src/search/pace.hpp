// When a search looks at the clock and at the user's wishes: after so much work, and not after so many states, since a
// state has one step or a hundred thousand.
#pragma once

#include <cstdint>

namespace fathom {

class Pace {
 public:
  // `work`: steps and states looked at since the last question.
  [[nodiscard]] bool is_due(std::uint64_t work) {
    done_ += work;
    if (done_ < between_looks_) return false;
    done_ = 0;
    return true;
  }

  void set(std::uint64_t work) { between_looks_ = work; }

 private:
  std::uint64_t between_looks_ = 2048;
  std::uint64_t done_ = 0;
};

}  // namespace fathom
