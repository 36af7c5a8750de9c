// expect: holds, states 73, transitions 138
// options: --allow-native-code --no-optimise --reduce none --keep-going
// expect: holds, states 73, transitions 138
// options: --allow-native-code --no-optimise --reduce none --keep-going --engine native
#define LIMIT 5
#define NEXT(v) ((v) + STEP)
#define STEP 1
byte x, y;

active proctype Up() {
  do
  :: c_expr { now.x < LIMIT } -> c_code { now.x = NEXT(now.x); }
  :: c_expr { now.x == LIMIT && now.y > 2 } -> break
  od
}

active proctype Other() {
  do
  :: atomic { c_expr { now.y < now.x } -> y++; c_code { if (now.y == 4) now.y = 1; } }
  :: d_step { c_expr { now.x == LIMIT } ; c_code { now.y = 3; } ; y = c_expr { now.y + STEP } } ; break
  :: else -> skip
  od
}
