// expect: holds, states 3, transitions 6
// options: --no-optimise --reduce none --keep-going
hidden byte scratch;
byte x;
active proctype P() {
  do
  :: d_step { scratch = x + 1; x = scratch % 3 }
  :: scratch = 7
  od
}
