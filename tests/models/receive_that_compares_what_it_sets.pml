// expect: holds, states 6, transitions 5
// options: --no-optimise --reduce none --keep-going
byte x;
chan q = [1] of { byte, byte };
active proctype P() { q ! 0, 1; q ? eval(x), x; assert(x == 1 && empty(q)); x = 2 }
