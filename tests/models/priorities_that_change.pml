// expect: holds, states 15, transitions 16
// options: --no-optimise --reduce none --keep-going
byte x;
active proctype A() priority 2 { x = 1; set_priority(_pid, 1); x = 2 }
active proctype B() priority 1 { x = 3; x = get_priority(0) }
