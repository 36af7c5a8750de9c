// expect: holds, states 8, transitions 7
// options: --no-optimise --reduce none --keep-going
byte x;
active proctype A() priority 2 { x == 1; x = 2; x = 3 }
active proctype B() priority 1 { atomic { x = 0; x = 1; x = 4; x = 5 } }
