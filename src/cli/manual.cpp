#include "cli/manual.hpp"

#include <fmt/format.h>

#include "cli/manual_runs.hpp"
#include "cli/options.hpp"
#include "cli/searches.hpp"
#include "cli/usage_error.hpp"

namespace fathom {

const char* const version = FATHOM_VERSION;

namespace {

constexpr std::size_t help_column = 34;
constexpr std::size_t line_width = 100;

constexpr const char* exit_codes =
    "0     every selected property holds in the whole requested scope\n"
    "1     a property is violated\n"
    "2     usage: an unknown option, a bad value, a file that is not there\n"
    "3     the model is rejected; diagnostics were printed\n"
    "4     inconclusive: a limit or a lossy store ended the search before the scope was covered\n"
    "70    a fault of Fathom's own\n"
    "130   ended by SIGINT, after a partial report\n"
    "143   ended by SIGTERM, after a partial report\n";

constexpr const char* properties_help =
    "Names for --property, which may be given several times:\n\n"
    "  invariants        every invariant\n"
    "  invariant:NAME    this invariant\n"
    "  assertions        assert and error statements\n"
    "  deadlock          deadlocks, as --deadlock defines them\n"
    "  covers            every cover\n"
    "  liveness          every liveness property\n"
    "  ltl               every ltl property\n"
    "  ltl:NAME          this ltl property\n"
    "  acceptance        never claims, and cycles through accept labels\n"
    "  non-progress      cycles without progress: labels in Promela, --progress in Murphi\n\n"
    "Formulas and automata from outside the model (--ltl, --automaton) are checked as well. docs/liveness.md\n"
    "tells about the properties of runs.\n\n"
    "Without --property everything the model states is checked, but for non-progress cycles. Failed assertions and "
    "run-time errors are always\n"
    "reported, because a model that goes wrong never holds.\n";

// "-q, --quiet" or "--search SPEC"
std::string usage(const OptionRow& row) {
  std::string text = row.names;
  for (std::size_t comma = text.find(','); comma != std::string::npos; comma = text.find(',', comma + 2)) {
    text.insert(comma + 1, " ");
  }
  return row.value == nullptr ? text : text + " " + row.value;
}

// Breaks a help text into lines that fit beside the option.
std::string wrapped(const std::string& text, std::size_t indent) {
  std::string result;
  std::size_t column = indent;
  for (std::size_t start = 0; start < text.size();) {
    const std::size_t space = std::min(text.find(' ', start), text.size());
    const std::size_t length = space - start;
    if (column > indent && column + 1 + length > line_width) {
      result += "\n" + std::string(indent, ' ');
      column = indent;
    } else if (column > indent) {
      result += ' ';
      ++column;
    }
    result.append(text, start, length);
    column += length;
    start = space + 1;
  }
  return result;
}

std::string option_help() {
  std::string text;
  std::string group;
  for (const OptionRow& row : option_table()) {
    if (row.group != group) text += fmt::format("\n{}:\n", group = row.group);
    const std::string head = "  " + usage(row);
    text += head.size() + 2 > help_column ? head + "\n" + std::string(help_column, ' ')
                                          : fmt::format("{:<{}}", head, help_column);
    text += wrapped(row.help, help_column) + "\n";
  }
  return text;
}

std::string escaped(std::string_view text) {
  std::string result;
  for (const char c : text) {
    if (c == '-' || c == '\\') result += '\\';
    result += c;
  }
  return result;
}

}  // namespace

std::string help_text() {
  return std::string(
             "Fathom finds bugs in Murphi and Promela models by looking at every reachable state.\n\n"
             "  fathom german.m                    check everything the model states\n"
             "  fathom german.m -D NODE_NUM=3      with another value of a const\n"
             "  fathom german.m --json report.json with a report for scripts\n\n"
             "Usage: fathom [check] [options] MODEL\n"
             "       fathom simulate [options] MODEL      execute one run, at random or step by step (-i)\n"
             "       fathom replay [options] TRACE MODEL  execute a recorded run again\n"
             "       fathom graph [options] MODEL         write its states and steps as a graph\n"
             "       fathom ir MODEL             print the model as Fathom sees it\n"
             "       fathom ltl FORMULA          print its Büchi automaton; --hoa, --never or --dot: in that form\n"
             "       fathom help TOPIC           search, properties, exit-codes, simulate, replay, graph\n"
             "       fathom man                  print the manual page\n"
             "       fathom completions SHELL    print completions for bash, zsh or fish\n"
             "       fathom --version\n") +
         option_help() + "\nExit codes: 0 holds, 1 violated, 2 usage, 3 model rejected, 4 inconclusive, 70 our fault\n";
}

std::string help_on(const std::string& topic) {
  const std::vector<std::string> topics{"check", "search", "properties", "exit-codes", "simulate", "replay", "graph"};
  if (topic == "check") return help_text();
  if (topic == "search") return describe_searches();
  if (topic == "properties") return properties_help;
  if (topic == "exit-codes") return exit_codes;
  if (topic == "simulate") return simulate_help;
  if (topic == "replay") return replay_help;
  if (topic == "graph") return graph_help;
  throw UsageError(fmt::format("there is no help on `{}`{} (there is: {})", topic, did_you_mean(topic, topics),
                               fmt::join(topics, ", ")));
}

std::string man_page() {
  std::string page = fmt::format(
      ".TH FATHOM 1 \"\" \"fathom {}\" \"User Commands\"\n"
      ".SH NAME\nfathom \\- explicit\\-state model checker for Murphi and Promela\n"
      ".SH SYNOPSIS\n.B fathom\n[\\fBcheck\\fR] [\\fIoptions\\fR] \\fIMODEL\\fR\n.br\n.B fathom "
      "simulate\n[\\fIoptions\\fR] \\fIMODEL\\fR\n.br\n"
      ".B fathom replay\n[\\fIoptions\\fR] \\fITRACE\\fR \\fIMODEL\\fR\n.br\n"
      ".B fathom graph\n[\\fIoptions\\fR] \\fIMODEL\\fR\n.br\n.B fathom "
      "ir\n\\fIMODEL\\fR\n.br\n"
      ".B fathom ltl\n\\fIFORMULA\\fR [\\fB\\-\\-hoa\\fR|\\fB\\-\\-never\\fR|\\fB\\-\\-dot\\fR]\n.br\n"
      ".B fathom help\n[\\fITOPIC\\fR]\n"
      ".SH DESCRIPTION\nFathom checks everything a model states by looking at every reachable state. It prints the "
      "verdict and, for a violation, a trace that was executed again before it was shown.\n"
      ".SH OPTIONS\n",
      version);
  std::string group;
  for (const OptionRow& row : option_table()) {
    if (row.group != group) page += fmt::format(".SS {}\n", group = row.group);
    page += fmt::format(".TP\n.B {}\n{}\n", escaped(usage(row)), escaped(row.help));
  }
  page += ".SH SIMULATION\n.nf\n" + escaped(simulate_help) + ".fi\n";
  page += ".SH REPLAY\n.nf\n" + escaped(replay_help) + ".fi\n";
  page += ".SH GRAPH\n.nf\n" + escaped(graph_help) + ".fi\n";
  page += ".SH EXIT STATUS\n.nf\n" + escaped(exit_codes) + ".fi\n";
  page += ".SH SEARCHES\n";
  for (const SearchEntry& row : searches()) {
    page += fmt::format(".TP\n.B {}\n{}\n", escaped(form_of(row)), escaped(row.help));
    for (const SearchParameter& parameter : row.parameters)
      page += fmt::format(".br\n\\fB{}\\fR: {}\n", escaped(parameter.name), escaped(parameter.help));
  }
  page +=
      ".SH ENVIRONMENT\n.TP\n.B NO_COLOR\nno colour when it is set and not empty\n"
      ".TP\n.B CLICOLOR_FORCE\ncolour also where the output is not a terminal\n"
      ".SH SIGNALS\nSIGINT and SIGTERM end the search with a partial report; a second one ends Fathom at once. "
      "SIGUSR1 prints the progress.\n";
  return page;
}

}  // namespace fathom
