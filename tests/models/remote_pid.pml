// expect: holds, states 9
// options: --no-optimise --reduce none
// expect: violated assertion
// options: -D WRONG
//
// The number of another process is a variable of it like others; counts are Spin's.
active proctype P() { int x = 3; x = 4 }

#ifdef WRONG
#define NUMBER 1
#else
#define NUMBER 0
#endif

active proctype Q() { assert(P[0]:_pid == NUMBER); assert(P[0]:x > 2) }
