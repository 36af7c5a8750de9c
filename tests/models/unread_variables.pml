// expect: holds, states 2
// expect: holds, states 14
// options: --no-optimise
// Statistics that nobody reads.
byte sent, most;
chan q = [1] of { bit };
active proctype P() {
  byte x;
  do
  :: atomic { q!1; sent = (sent + 1) & 3; most = sent }
  :: q?x; printf("%d of %d\n", x, most)
  od
}
