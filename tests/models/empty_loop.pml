// expect: holds
// expect: rejected "1 .. 0 is empty"
// options: -D PLAIN
// expect: rejected "`run` cannot be a bound of for"
// options: -D RUNS
//
// As with Spin a range may be empty unless both ends are plain numbers.
#define N 0
proctype A() { skip }
active proctype P() {
  byte i, last = _last;
#ifdef PLAIN
  for (i : 1 .. N) { skip }
#endif
#ifdef RUNS
  for (i : 0 .. run A()) { skip }
#endif
  for (i : 0 .. N - 1) { assert(false) }
}
