// expect: holds, states 9, transitions 8
// options: --no-optimise --reduce none --keep-going
byte x;
active D_proctype P() { do :: x < 2 -> x++ :: x == 2 -> x = 3 :: else -> break od }
