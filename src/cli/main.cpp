// The program: which command is meant, and what becomes of an exception.
#include <fmt/format.h>

#include <cstdio>
#include <exception>
#include <new>
#include <string>
#include <vector>

#include "cli/check.hpp"
#include "cli/graph.hpp"
#include "cli/hunt.hpp"
#include "cli/manual.hpp"
#include "cli/manual_runs.hpp"
#include "cli/model_file.hpp"
#include "cli/replay.hpp"
#include "cli/shorten_trace.hpp"
#include "cli/show_ir.hpp"
#include "cli/show_ltl.hpp"
#include "cli/signals.hpp"
#include "cli/simulate.hpp"
#include "cli/usage_error.hpp"
#include "report/exit_code.hpp"
#include "support/errors.hpp"
#include "support/heap.hpp"

namespace {

using namespace fathom;
using Arguments = std::vector<std::string>;

int print(const std::string& text) {
  if (std::fputs(text.c_str(), stdout) < 0 || std::fflush(stdout) != 0)
    throw EnvironmentError("cannot write the output");
  return exit_code::holds;
}

int help(const Arguments& rest) {
  return print(rest.empty() ? help_text() : help_on(rest.front()));
}

int show_completions(const Arguments& rest) {
  if (rest.size() != 1) throw UsageError("completions for which shell? fathom completions bash|zsh|fish");
  return print(completions(rest.front()));
}

int with_model(const Arguments& rest, int (*command)(const CheckOptions&), const std::string& name = "check") {
  const CheckOptions options = parse_options(rest, name);
  return options.help ? print(help_text()) : command(options);
}

int start_hunt(const Arguments& rest) {
  const CheckOptions options = parse_options(rest, "hunt");
  return options.help ? print(hunt_help) : hunt(options, rest);
}

bool is_planned(const std::string& command) {
  return command == "explore";
}

// Without a command the arguments are those of `check`.
int dispatch(const Arguments& arguments) {
  if (arguments.empty())
    throw UsageError("which model? Usage: fathom [check] [options] MODEL (fathom --help tells more)");
  const std::string& command = arguments.front();
  const Arguments rest(arguments.begin() + 1, arguments.end());
  if (command == "check") return with_model(rest, check);
  if (command == "hunt") return start_hunt(rest);
  if (command == "simulate") return with_model(rest, simulate, command);
  if (command == "replay") return with_model(rest, replay, command);
  if (command == "shorten") return with_model(rest, shorten_trace, command);
  if (command == "graph") return with_model(rest, graph, command);
  if (command == "ir") return with_model(rest, show_ir);
  if (command == "ltl") return print(show_ltl(rest));
  if (command == "help") return help(rest);
  if (command == "man") return print(man_page());
  if (command == "completions") return show_completions(rest);
  if (command == "--version") return print(fmt::format("fathom {}\n", version));
  if (is_planned(command)) throw UsageError(fmt::format("the command `{}` is not available yet", command));
  return with_model(arguments, check);
}

int complain(int code, const char* what, const std::string& message) {
  std::fflush(stdout);
  fmt::print(stderr, "fathom: {}{}\n", what, message);
  return code;
}

}  // namespace

int main(int count, char** values) {
  fathom::give_large_blocks_back();
  try {
    return dispatch(Arguments(values + 1, values + count));
  } catch (const fathom::UsageError& error) {
    return complain(exit_code::usage, "", error.what());
  } catch (const fathom::EnvironmentError& error) {
    const int signal = fathom::stop_signal();  // it ended a program that we could not do without
    return complain(signal != 0 ? exit_code::signal_base + signal : exit_code::usage, "", error.what());
  } catch (const std::bad_alloc&) {
    return complain(exit_code::inconclusive, "", "out of memory");
  } catch (const std::exception& error) {
    return complain(exit_code::internal_fault, "internal fault, please report it with the model: ", error.what());
  }
}
