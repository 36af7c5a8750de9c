// expect: holds, states 7
// expect: holds, states 23
// options: --no-optimise
typedef Message { byte a; byte b };
chan q = [1] of { Message };
active proctype P() {
  Message m, n;
  n.a = 1;
  do
  :: q!n
  :: n.b = 1 - n.b
  :: q?m; m.a > m.b || m.b == 1
  od
}
