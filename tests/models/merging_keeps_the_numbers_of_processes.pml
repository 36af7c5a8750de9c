// expect: violated assertion
proctype C() { skip }
init {
  pid a, b;
  a = run C();
  b = run C();
  assert(a == 1 && b == 2)
}
