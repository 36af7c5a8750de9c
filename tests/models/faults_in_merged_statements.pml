// expect: violated run-time error, trace 2
byte g;
active proctype P() {
  byte x;
  g = 1;
  x = 1 / x
}
