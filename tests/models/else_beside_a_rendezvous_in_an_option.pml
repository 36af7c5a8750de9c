// expect: violated deadlock, states 5, transitions 4
// options: --no-optimise --reduce none --keep-going
// The `else` belongs to the inner choice, so the outer option behind it does not matter to it.
chan c = [0] of { byte };
byte x;
active proctype P() {
  if
  :: if
     :: c ? 1
     :: else -> x = 1; false
     fi
  :: x = 2
  fi
}
