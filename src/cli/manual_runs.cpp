#include "cli/manual_runs.hpp"

namespace fathom {

const char* const hunt_help =
    "fathom hunt [options] MODEL looks for a bug with many searches that are unlike each other: near and deep, blind "
    "and\n"
    "guided, systematic and random. They share the time (--time, one minute unless you say otherwise) and the memory\n"
    "(--memory); a search that comes to few new states loses part of its share. The first violation ends the hunt. "
    "Its\n"
    "trace is shortened, and the report names the search that found it and the command that finds it again.\n\n"
    "A hunt takes the options of a check, except for --search, --order, --max-errors and --keep-going. It is the same "
    "for\n"
    "the same --seed as long as the time does not run out first.\n\n"
    "Exit codes: 1 when a violation was found; 0 when a search came to the end of the whole model and there is none; "
    "4\n"
    "when the time or the memory ran out before that.\n";

const char* const simulate_help =
    "fathom simulate [options] MODEL executes one run of the model and prints its steps as traces show them, with "
    "what\n"
    "put and printf print. Without more it takes random steps (--seed, --steps) until something is violated or "
    "nothing\n"
    "is enabled. With --interactive you choose; with --guide FILE the run begins along a saved trace.\n\n"
    "Commands of an interactive simulation:\n\n"
    "  NUMBER            take the step with this number\n"
    "  undo [N]          take back the last step, or the last N\n"
    "  run [N]           take a random step, or N\n"
    "  until CONDITION   take random steps until the condition holds (at most --steps)\n"
    "  print EXPRESSION  show a value\n"
    "  watch EXPRESSION  show a value after each step; without an expression, stop that\n"
    "  state             show all variables\n"
    "  trace             show the run so far\n"
    "  save FILE         write the run so far as JSON, for fathom replay and --guide\n"
    "  help, quit\n\n"
    "Expressions are written in the model's language, with its constants and macros. A local variable of a Promela\n"
    "process is P[1]:x, or the name a trace shows, P[1].x.\n\n"
    "Invariants, assertions, run-time errors and deadlocks are looked at; claims about whole runs are for fathom "
    "check.\n"
    "Exit codes: 1 when the run ends in a violation, 0 otherwise; 2 and 3 as always. A run without a violation says\n"
    "nothing about other runs.\n";

const char* const replay_help =
    "fathom replay [options] TRACE MODEL executes a recorded run again. TRACE is a report that --json wrote, a trace\n"
    "that was saved in a simulation, or a trail of Spin.\n\n"
    "The model may have changed since: steps are recognised by their rule or statement, parameters and process, then "
    "by\n"
    "what they change, so that moved lines, new rules and renamed variables do no harm. Where a step cannot be taken "
    "any\n"
    "more, the message says which part of its guard is false.\n\n"
    "A run that goes round for ever is followed once round, and the claim it violated is evaluated on it again.\n\n"
    "Trails of Spin name statements by numbers, so the model must be the one from which the verifier was made.\n\n"
    "Exit codes: 1 when the run still ends in a violation, 0 when it fits and no violation shows at its end, 4 when "
    "it\n"
    "does not fit any more; 2 and 3 as always.\n";

const char* const graph_help =
    "fathom graph [options] MODEL writes the states and steps of a model as a labelled transition system: in "
    "Aldebaran\n"
    "format (.aut) for mCRL2, CADP and LTSmin, or with --format as DOT, GraphML or JSON, to --output or standard\n"
    "output. A .aut file is a model, too: fathom check x.aut looks for deadlocks in it.\n\n"
    "--search says which part: bfs (default) for all of it, highway(n=N) or breadth-bounded(n=N) for a random part of\n"
    "bounded breadth. --max-states and --max-depth cut it off. What was left out is said on standard error.\n\n"
    "A model with several start states gets one more state in .aut, from which a step leads to each of them.\n\n"
    "What a limit or a signal leaves of the search is written, too; a signal while it is written removes it.\n\n"
    "Exit codes: 0 when everything that was asked for was written, 4 when time or memory ended the search; 2, 3, 130\n"
    "and 143 as always.\n";

}  // namespace fathom
