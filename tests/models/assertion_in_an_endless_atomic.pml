// expect: violated assertion
// expect: violated assertion
// options: --search dfs
// expect: violated assertion
// options: --engine native
// The atomic never ends, so no state follows; the assertion fails in it all the same.
byte x;
active proctype P() { atomic { do :: x = 1 - x; assert(x == 0) od } }
