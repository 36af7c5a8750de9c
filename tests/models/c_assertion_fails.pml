// expect: violated assertion, states 81, transitions 121
// options: --allow-native-code --no-optimise --reduce none --keep-going
// expect: violated assertion, states 81, transitions 121
// options: --allow-native-code --no-optimise --reduce none --keep-going --engine native
c_code { static int twice(int v) { return v + v; } }
int x = 1;

active proctype P() {
  byte round;
  do
  :: round < 4 -> c_code { now.x = twice(now.x); } ; round++ ; assert(x != 8)
  :: round == 4 -> break
  od
}
active proctype Q() { c_expr { now.x > 2 } -> c_code { now.x -= 1; } }
