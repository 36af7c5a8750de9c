// expect: holds
// options: --automaton promela_alternating.hoa
// expect: violated claim end
// options: --automaton promela_alternating.hoa -DSTAY
bit light;
active proctype lamp() {
  do
  :: atomic { light == 0 -> light = 1 };
     light = 0
#ifdef STAY
  :: light == 0 -> skip
#endif
  od
}
