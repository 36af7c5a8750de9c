// expect: holds, states 4, transitions 3
// expect: holds, states 6, transitions 5
// options: --no-optimise
byte g;
active proctype P() {
  byte x, i;
  g = 1;
  x = 2;
  i = x + 1;
  g = i
}
