// expect: holds
// options: --mu 'AG {x == y}'
// expect: holds, trace 2
// options: --mu 'EF {x == 1}'
// expect: violated mu "mu_0"
// options: --mu 'A([] {x == 0})'
//
// Both assignments are one step of the system, and two in a trace.
bit x, y;

active proctype P() {
  do
  :: atomic { x = 1 - x; y = 1 - y }
  od
}
