// expect: holds, states 161, transitions 380
// options: --allow-native-code --no-optimise --reduce none --keep-going
// expect: holds, states 161, transitions 380
// options: --allow-native-code --no-optimise --reduce none --keep-going --engine native
typedef Pair { byte a; short b[2] };
byte sum;
short given = 4;

proctype Worker(byte n; short m) {
  byte mine = 2;
  Pair own;
  c_code { PWorker->own.a = PWorker->n + PWorker->mine; PWorker->own.b[1] = -PWorker->m; };
  c_code { now.sum += PWorker->own.a + PWorker->_pid; };
  if
  :: c_expr { PWorker->own.b[1] == -4 } -> mine = 0
  :: else -> assert(false)
  fi
}

init {
  Pair pair;
  c_code { Pinit->pair.b[0] = now.given; };
  atomic { run Worker(1, pair.b[0]); run Worker(2, pair.b[0]); run Worker(3, pair.b[0]) };
  (_nr_pr == 1);
  assert(sum == 18 && c_expr { now._nr_pr == 1 })
}
