// A reduction that leaves out steps: what searches see of it.
#pragma once

#include <cstdint>
#include <vector>

#include "model/model.hpp"

namespace fathom {

class SealedReader;
class SealedWriter;

class Reduction {
 public:
  virtual ~Reduction() = default;

  // Chooses among the steps [first, end) of the batch, which are all that are possible in the state. True: those with
  // the numbers in `chosen`, in their order, are enough, provided that the search sees to it that nothing is put off
  // for ever (docs/reductions.md). False: all are needed. The answer depends on nothing but the state, as long as it is
  // the same object that is asked, or one that has read what it wrote.
  virtual bool select(StateView state, const Batch& steps, std::uint32_t first, std::uint32_t end,
                      std::vector<std::uint32_t>& chosen) = 0;

  virtual void write(SealedWriter&) const {}
  virtual void read(SealedReader&) {}

  // Asked before each expansion; false once the reduction has turned out not to be worth its time. A search that has to
  // repeat its choices does not ask.
  [[nodiscard]] virtual bool pays() = 0;

  // Nobody asked for it: a search is to use it where that saves time, or memory that there is not.
  [[nodiscard]] virtual bool is_optional() const { return false; }

  // Whether processes that have come to their end are to be removed at once, so that fewer are there at a time. Only
  // for a search that makes sure that they would not have become too many otherwise (docs/reductions.md).
  virtual void remove_ended(bool) {}
  [[nodiscard]] virtual bool removes_ended() const { return false; }
  // How many processes there are, for such a search.
  [[nodiscard]] virtual std::uint64_t processes(StateView) const { return 0; }
};

}  // namespace fathom
