// expect: holds, states 4, transitions 3
// options: --no-optimise --reduce none --keep-going
// expect: holds, states 4, transitions 3
// options: --no-optimise --reduce none --keep-going --engine native
int x;
active proctype P() { atomic { do :: x < 60000 -> x++ :: else -> break od }; assert(x == 60000) }
