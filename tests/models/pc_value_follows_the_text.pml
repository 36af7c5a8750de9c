// expect: holds
byte x;
active proctype P() { x = 1; if :: x = 2 :: x = 3 fi; end: x == 0 }
active proctype Q() { byte first = pc_value(0); x > 0; assert(pc_value(0) > first); assert(pc_value(7) == 0) }
