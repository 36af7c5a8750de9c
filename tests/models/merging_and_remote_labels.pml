// expect: violated assertion
byte g;
active proctype P() {
  byte x;
  g = 1;
here:
  x = 2;
  g = 2
}
active proctype Q() {
  P@here;
  assert(g != 1)
}
