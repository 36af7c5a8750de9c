// expect: violated deadlock, states 55, transitions 87
// options: --no-optimise --reduce none --keep-going
// expect: violated deadlock, states 55, transitions 87
// options: --no-optimise --reduce none --keep-going --engine native
byte g, x;
active [2] proctype P() provided (g == 0) { d_step { g = 1; x = x + 1; g = 0 }; x = x + 10; atomic { g = 1; x = x + 100; g = 0 } }
active proctype Q() { g == 1; g = 0 }
