// expect: holds, states 73, transitions 122
// options: --allow-native-code --no-optimise --reduce none --keep-going
// expect: holds, states 73, transitions 122
// options: --allow-native-code --no-optimise --reduce none --keep-going --engine native
c_decl {
\#include <stdint.h>
  typedef struct Point { int32_t x; char y; } Point;
}
c_state "Point where" "Global"
c_state "int steps" "Global" "2"
c_state "short turns" "Local P" "-3"
c_state "Point last[2]" "Local P"
c_state "int unseen" "Hidden" "41"
byte seen;

active [2] proctype P() {
  c_code { now.where.x += PP->turns; PP->last[1].x = now.where.x; };
  c_code { PP->turns++; now.where.y = 'a'; now.steps *= 2; };
  c_code { now.seen = (unseen == 41) + (PP->last[1].x < 0); };
  assert(seen == 2);
  assert(c_expr { now.where.x == -6 || now.where.x == -3 })
}
