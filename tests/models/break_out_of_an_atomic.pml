// A break out of an atomic sequence leads straight to what follows the loop, as in Spin.
// expect: violated deadlock, states 29, transitions 42
// options: --no-optimise --reduce none --keep-going
byte x; byte t;
active proctype A() { do :: atomic { x < 3 -> x++; if :: t == 1 -> break :: t != 1 fi } od; x = 0 }
active proctype B() { t = 1; t = 2 }
