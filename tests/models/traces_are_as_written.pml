// expect: violated assertion, trace 5
// Nobody reads `told`, and `x` is dead after the first two statements; a trace shows both all the same.
byte g, told;
active proctype P() {
  byte x;
  x = 7;
  told = x;
  printf("told %d\n", told);
  g = 1;
  assert(g == 2)
}
