// expect: violated run-time error "uerror", trace 4
// options: --allow-native-code
// expect: holds
// options: --allow-native-code -D LIMIT=3
//
// C code may call Spin's uerror: generators of models use it for their assertions.
#ifndef LIMIT
#define LIMIT 1
#endif
byte x;
active proctype P() {
  x++;
  c_code { if (now.x > LIMIT) uerror("too large"); }
  x++;
  c_code { if (now.x > LIMIT) Uerror("too large"); }
}
