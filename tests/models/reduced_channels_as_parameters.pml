// expect: holds, states 33
// options: --no-optimise --search dfs --reduce none
// expect: holds, states 13
// options: --no-optimise --search dfs --reduce por
// Each process has channels of its own, which it was given when it was created.
chan q[2] = [1] of { byte };
proctype Link(chan own; byte first) {
  byte got;
  own!first; own?got; own!(got + 1); own?got
}
init { atomic { run Link(q[0], 1); run Link(q[1], 2) } }
