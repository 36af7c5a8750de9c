// expect: violated run-time error "the condition `now.x != 1` of C code does not hold"
// options: --allow-native-code --no-optimise --reduce none --keep-going
// expect: violated run-time error "the condition `now.x != 1` of C code does not hold"
// options: --allow-native-code --no-optimise --reduce none --keep-going --engine native
byte x;

active [2] proctype P() {
  c_code [now.x < 2] { now.x++; };
  if
  :: c_expr [now.x != 1] { now.x == 2 } -> skip
  :: x == 1 -> skip
  fi;
  x++
}
