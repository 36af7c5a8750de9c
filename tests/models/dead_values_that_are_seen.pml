// expect: violated assertion
// Another process looks at a value that its own process has forgotten.
byte g;
active proctype P() {
  byte x = 3;
  g = 1;
  g = 2
}
active proctype Q() {
  g == 2;
  assert(P:x != 3)
}
