// expect: holds, states 21, transitions 32
// options: --no-optimise --search dfs --reduce none
// expect: holds, states 9, transitions 8
// options: --no-optimise --search dfs --reduce por
// expect: holds, states 9, transitions 8
// options: --no-optimise --reduce por
// Two processes that do not meddle: one order of their three steps each is enough, and of their ends.
byte x, y;
active proctype A() { x = 1; x = 2; x = 3 }
active proctype B() { y = 1; y = 2; y = 3 }
