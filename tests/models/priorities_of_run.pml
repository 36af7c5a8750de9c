// expect: holds, states 168, transitions 320
// options: --no-optimise --reduce none --keep-going
byte x, y;
proctype W() priority 3 { y = _priority; x = 1; x = 2 }
proctype V() { y = _priority; x = 1; x = 2 }
init { run W(); run V() priority 5; run V(); x = 3; x = _priority }
