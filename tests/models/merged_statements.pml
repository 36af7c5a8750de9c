// expect: holds, states 6, transitions 5
// expect: holds, states 8, transitions 7
// options: --no-optimise
byte g;
active proctype P() {
  byte x, i;
  g = 1;
  x = 2;
  i = x + 1;
  g = i
}
active proctype Q() {
  g == 3
}
