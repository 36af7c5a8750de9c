// expect: violated run-time error "an indivisible sequence does not come to an end after `x++`"
// options: --no-optimise
// The counter wraps after four thousand million steps.
int x;
active proctype P() { atomic { do :: x++ od } }
