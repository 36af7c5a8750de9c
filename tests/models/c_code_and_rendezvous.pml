// expect: violated deadlock, states 49, transitions 61
// options: --allow-native-code --no-optimise --reduce none --keep-going
// expect: violated deadlock, states 49, transitions 61
// options: --allow-native-code --no-optimise --reduce none --keep-going --engine native
chan c = [0] of { byte, byte };
chan q = [2] of { byte };
byte got;

active proctype S() {
  byte k;
  do
  :: k < 3 -> c_code { PS->k++; } ; c ! c_expr { PS->k * 2 }, k
  :: q ? eval(c_expr { PS->k })
  :: k == 3 && empty(q) -> break
  od
}

active proctype R() {
  byte a, b;
end:
  do
  :: c ? a, b -> c_code [PR->a == 2 * PR->b] { now.got += PR->b; } ; q ! b
  od
}
