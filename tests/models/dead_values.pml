// expect: holds, states 3
// expect: holds, states 11
// options: --no-optimise
// What was received makes no difference any more once it was tested.
chan q = [1] of { byte };
active proctype P() {
  byte x;
  do
  :: q!1
  :: q!2
  :: q?x; x > 0
  od
}
