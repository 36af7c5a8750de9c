// expect: holds, states 1, transitions 1, prints "an atomic sequence can go on for ever here"
// options: --no-optimise --reduce none --keep-going
byte x;
active proctype P() { atomic { do :: x = 1 - x od } }
active proctype Q() { x == 1; assert(false) }
