// expect: violated run-time error "an indivisible sequence does not come to an end after"
byte x;
active proctype P() { d_step { do :: x = 1 - x od } }
