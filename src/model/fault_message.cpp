#include "model/fault_message.hpp"

#include <fmt/format.h>

#include "support/text.hpp"

namespace fathom {

std::string fault_message(const ir::Site& site, const std::string& detail) {
  const std::string text = one_line(site.text, 80);
  const std::string values = detail.empty() ? "" : " " + detail;
  switch (site.kind) {
    case ir::FaultKind::undefined_read:
      return fmt::format("`{}` is undefined", text);
    case ir::FaultKind::out_of_range:
    case ir::FaultKind::bad_index:
    case ir::FaultKind::bad_slot:
      return fmt::format("{} in `{}`", detail, text);
    case ir::FaultKind::division_by_zero:
      return fmt::format("division by zero in `{}`{}", text, values);
    case ir::FaultKind::overflow:
    case ir::FaultKind::bad_shift:
      return fmt::format("the result of `{}` does not fit into 64 bits{}", text, values);
    case ir::FaultKind::bad_step:
      return fmt::format("the step is 0 in `{}`", text);
    case ir::FaultKind::loop_limit:
      return fmt::format("the loop makes {} (see --loop-limit)", detail);
    case ir::FaultKind::recursion_limit:
      return fmt::format("`{}` calls itself too deeply: {}", text, detail);
    case ir::FaultKind::no_return:
      return fmt::format("`{}` ends without returning a value", text);
    case ir::FaultKind::multiset_full:
      return fmt::format("the multiset is full in `{}`: {}", text, detail);
    case ir::FaultKind::assertion:
      return fmt::format("assertion failed: {}", text);
    case ir::FaultKind::error_statement:
      return fmt::format("error: {}", text);
    case ir::FaultKind::blocked:
      return fmt::format("a deterministic sequence cannot go on after `{}`", text);
    case ir::FaultKind::endless:
      return fmt::format("an indivisible sequence does not come to an end after `{}`", text);
    case ir::FaultKind::unplanned_process:
      return fmt::format("there is no room for another process `{}`", text);
    case ir::FaultKind::bad_channel:
      return fmt::format("`{}` is no channel that fits here", text);
    case ir::FaultKind::nondeterminism:
      return fmt::format("`{}` must be deterministic, but has a choice here", text);
    case ir::FaultKind::event:
    case ir::FaultKind::misuse:
      return text;
  }
  return detail;
}

}  // namespace fathom
