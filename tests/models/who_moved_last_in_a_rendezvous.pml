// expect: holds, states 16, transitions 20
// options: --no-optimise --reduce none --keep-going
chan q = [0] of { byte };
byte x;
active proctype A() { q!1; x = _last; x = 0 }
active proctype B() { q?1; x = _last }
