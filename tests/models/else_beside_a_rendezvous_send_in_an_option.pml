// expect: holds, states 33, transitions 45
// options: --no-optimise --reduce none --keep-going
// expect: holds, states 33, transitions 45
// options: --no-optimise --reduce none --keep-going --engine native
chan c = [0] of { byte };
byte x;
active proctype P() {
  if
  :: if
     :: c ! 1
     :: else -> x = 1
     fi
  :: x = 2
  fi;
  x = x + 10
}
active proctype Q() { if :: c ? x :: true fi; x = x + 20 }
