// expect: violated ltl "p"
byte g;
active proctype P() {
  byte x;
  g = 1;
  do
  :: x = 1 - x; x = x + 0
  od
}
ltl p { <> (g == 2) }
