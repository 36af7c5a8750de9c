// expect: violated assertion
// options: --search highway(n=1)
// expect: holds
// options: --search breadth-bounded(n=100) -DGOOD
// expect: inconclusive
// options: --search breadth-bounded(n=1) -DGOOD
byte a, b;

active proctype P() {
  do
  :: a < 40 -> a++
  :: b < 40 -> b++
  :: a == 40 && b == 40 -> break
  od;
#ifndef GOOD
  assert(false)
#endif
}
