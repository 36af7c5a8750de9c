// expect: holds, states 27, transitions 34
// options: --no-optimise --reduce none --keep-going
byte x;
active proctype A() { x = 1; x = _last }
active proctype B() { x = 2; x = _last }
