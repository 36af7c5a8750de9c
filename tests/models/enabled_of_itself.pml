// expect: violated run-time error "a process asks whether it is enabled itself"
byte x;
active proctype A() { enabled(0) -> x = 2 }
