// expect: violated run-time error "a priority must lie between 1 and 255"
byte x;
active proctype A() priority 2 { _priority = 7; x = 3 }
active proctype B() priority 1 { x = get_priority(0); set_priority(0, 0) }
