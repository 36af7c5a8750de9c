// expect: holds
// expect: holds, states 7
// options: --no-optimise --reduce none
//
// Printing keeps the variables of other processes, which are looked up there.
active proctype P() { byte y; y = 3 }
active proctype Q() { printf("%d\n", P[0]:y) }
