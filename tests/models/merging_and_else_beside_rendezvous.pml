// expect: violated assertion
byte g;
chan c = [0] of { byte };
active proctype P() {
  byte x;
  g = 1;
  x = 2;
  c?x
}
active proctype Q() {
  g == 1;
  if
  :: c!1
  :: else -> assert(false)
  fi
}
