// expect: violated assertion "got.a == a", states 16, transitions 16
// options: --no-optimise --reduce none --keep-going
// expect: violated assertion, trace 8
mtype = { put, get };
typedef Pair { short a; byte b[2] };
chan c = [2] of { mtype, Pair };
proctype Receiver(chan from; short a; byte b) {
  Pair got;
  from?put,got;
  assert(got.a == a && got.b[1] == b)
}
init {
  Pair p;
  p.a = -3;
  p.b[1] = 255;
  c!put,p;
  p.b[1]++;
  if
  :: p.b[1] = 255
  :: skip
  fi;
  run Receiver(c, p.a, p.b[1])
}
