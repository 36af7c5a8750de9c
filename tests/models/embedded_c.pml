// expect: rejected "C code"
byte x;
active proctype P() { c_code { now.x = 1; }; assert(x == 1) }
