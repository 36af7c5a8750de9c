// expect: holds, states 44, transitions 73
// options: --no-optimise --reduce none --keep-going
byte alive;
proctype Child() { alive++; alive-- }
init {
  pid b;
  run Child();
  b = run Child();
  assert(b == 1 || b == 2);
  _nr_pr == 1;
  assert(alive == 0)
}
