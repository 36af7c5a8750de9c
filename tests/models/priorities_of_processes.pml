// expect: holds, states 7, transitions 6
// options: --no-optimise --reduce none --keep-going
byte x;
active proctype High() priority 10 { x = 1; x = 2 }
active proctype Low() priority 1 { assert(x == 2); x = 3 }
