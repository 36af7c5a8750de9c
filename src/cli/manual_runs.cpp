#include "cli/manual_runs.hpp"

namespace fathom {

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
    "Exit codes: 0 when everything that was asked for was written, 4 when time, memory or an interrupt ended it; 2 "
    "and\n"
    "3 as always.\n";

}  // namespace fathom
