// expect: holds, states 597, transitions 1088
// options: --allow-native-code --no-optimise --reduce none --keep-going
// expect: holds, states 597, transitions 1088
// options: --allow-native-code --no-optimise --reduce none --keep-going --engine native
inline add(v) { c_code { now.total++; } ; v = v + 1 }
byte total;
active [2] proctype P() {
  byte i;
  byte k;
  for (i : 1 .. 3) {
    byte unused;
    c_code { PP->k += PP->i * 2; } ;
    add(k)
  }
  atomic { if :: c_expr { PP->k == 15 } -> total = 0 :: else -> assert(false) fi }
}
