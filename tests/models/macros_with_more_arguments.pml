// expect: holds
// expect: rejected "the length of an array must be a constant"
// options: -D WRONG
//
// A macro may take any number of further arguments.
#define SAY(text, ...) printf(text, __VA_ARGS__)
#define BOTH(...) check(__VA_ARGS__)
inline check(a, b) { assert(a < b) }
#ifdef WRONG
byte w[P@there];
#endif
active proctype P() {
there:
  SAY("%d and %d\n", 1, 2);
  BOTH(1, 2)
}
