// expect: holds
// options: --property ltl:p
byte g;
active proctype P() {
  byte x;
  g = 1;
  x = 1;
  g = 2
}
ltl p { X X (g == 1) }
