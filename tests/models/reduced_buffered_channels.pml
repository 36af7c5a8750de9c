// expect: holds, states 8
// options: --no-optimise --search dfs --reduce none
// expect: holds, states 7, transitions 6
// options: --no-optimise --search dfs --reduce por
// expect: holds, states 7, transitions 6
// options: --no-optimise --reduce por
// A send and a receive on one channel commute where both are possible.
chan c = [2] of { byte };
active proctype Sender() { c!1; c!2 }
active proctype Receiver() { byte a; c?a; c?a }
