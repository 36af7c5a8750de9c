// expect: violated deadlock, states 27, transitions 38
// options: --no-optimise --reduce none --keep-going
byte x;
active proctype A() { x == 1; x = 2 }
active proctype B() { enabled(0) -> x = 5 }
active proctype C() { x = 1 }
