// expect: violated run-time error "division by zero in `6 / x`", trace 2
byte x = 1, y;
active proctype P() { x--; y = 6 / x }
