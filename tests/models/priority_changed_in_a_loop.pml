// expect: holds, states 20, transitions 26
// options: --no-optimise --reduce none
//
// Counted by hand; Spin's depth-first search finds 15 of these states and its breadth-first search 16.
byte g;
active proctype P() { g = 1 }
init {
  do
  :: set_priority(_pid, 2);
    g = 1 - g
  :: g = 0;
    break
  od
}
