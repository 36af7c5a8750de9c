// expect: violated run-time error "a deterministic sequence cannot go on", trace 1
byte x;
active proctype P() { d_step { x = 1; x == 2; x = 3 } }
