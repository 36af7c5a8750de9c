// expect: holds, states 5, transitions 4
// options: --no-optimise --reduce none --keep-going
// Spin removes the message from the other channel, which is empty.
byte x;
chan q[2] = [1] of { byte };
active proctype P() { q[0] ! 1; q[x] ? x; assert(x == 1 && empty(q[0])) }
