// expect: holds, states 58, transitions 87
// options: --no-optimise --reduce none --keep-going
proctype Factorial(int n; chan result) {
  chan child = [1] of { int };
  int r;
  if
  :: n <= 1 -> result!1
  :: n > 1 -> run Factorial(n - 1, child); child?r; result!n * r
  fi
}
init {
  chan child = [1] of { int };
  int r;
  run Factorial(5, child);
  child?r;
  assert(r == 120)
}
