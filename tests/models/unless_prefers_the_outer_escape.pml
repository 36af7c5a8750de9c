// expect: holds, states 11, transitions 10
// options: --no-optimise --reduce none --keep-going
byte n, how;
active proctype P() {
  {
    { do :: n < 3 -> n++ od } unless { n == 3 -> how = 1 }
  } unless { n == 3 -> how = 2 };
  assert(how == 2)
}
