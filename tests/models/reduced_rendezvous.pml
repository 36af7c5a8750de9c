// expect: holds, states 17
// options: --no-optimise --search dfs --reduce none
// expect: holds, states 9, transitions 8
// options: --no-optimise --search dfs --reduce por
// expect: holds, states 9, transitions 8
// options: --no-optimise --reduce por
// Two pairs that meet twice each.
chan left = [0] of { bit }, right = [0] of { bit };
active proctype P() { left!0; left!1 }
active proctype Q() { left?_; left?_ }
active proctype R() { right!0; right!1 }
active proctype S() { right?_; right?_ }
